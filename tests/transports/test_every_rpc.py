"""Every rpc of the contract gives the same answer over each transport as the dispatcher gives without one."""

from __future__ import annotations

import gzip
import re
import struct
from collections.abc import Mapping
from typing import Any

import httpx
import pytest
from connectrpc.client import ConnectClientSync
from connectrpc.code import Code
from connectrpc.compat import google_protobuf_binary_codec
from connectrpc.errors import ConnectError
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.protocol import ProtocolType
from google.protobuf.message import Message
from google.rpc import error_details_pb2

from chitarrella import errors
from chitarrella.api.caller import Caller
from chitarrella.api.dispatcher import SERVICES, Dispatcher
from chitarrella.catalogue.registry import RuleSet
from chitarrella.v1 import matches_pb2, rules_pb2, table_pb2
from chitarrella.v1.catalogue_pb2 import GetGameRequest, ListGamesRequest
from chitarrella.v1.matches_pb2 import GetMatchRequest, ListMatchMovesRequest, PlayMoveRequest, PlayMoveResponse
from chitarrella.v1.rules_pb2 import ListLegalMovesRequest, StartGameRequest, StartGameResponse, ValidateMoveRequest
from chitarrella.v1.table_pb2 import Move
from chitarrella.v1.table_pb2 import RuleSet as RuleSetPlainCalls
from tests.transports.all_transports import RPCS, Failed, Transport, error_from
from tests.transports.conftest import WiredService
from tests.transports.rest_client import PLAIN, Rest, Table, failed
from tests.walks import CATALOGUE

CHANCE = re.compile(r"[0-9a-f]{20,64}|(?<=seconds: )[0-9]+|(?<=nanos: )[0-9]+|\b[0-9]{10,13}\b")
"""What differs between two matches: ids, keys, commitments, and times."""

BRISCOLA = table_pb2.RuleSet(game_id="briscola")
PACK = [str(card) for card in CATALOGUE.game_for(RuleSet("briscola")).pack.cards]


class WithoutTransport:
    """Asks the dispatcher itself."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher

    def __call__(self, rpc: str, request: Any, key: str = "") -> Any:
        """Ask; of a stream it gives the updates that there are."""
        try:
            if not RPCS[rpc].method.server_streaming:
                return self._dispatcher.call(RPCS[rpc].path, request, Caller(key))
            stream: Any = self._dispatcher.watch(RPCS[rpc].path, request, Caller(key), lambda: None)
        except errors.ChitarrellaError as error:
            return Failed(error.code, error.field)
        updates = [message for message in stream.take() if message != stream.heartbeat()]
        stream.close()
        return updates


class Session:
    """Asks every rpc, and keeps the answers without what chance decides."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.asked: list[tuple[str, str]] = []

    def ask(self, rpc: str, key: str = "", **fields: Any) -> Any:
        """Ask an rpc, with the fields of its request."""
        answer = self._transport(rpc, RPCS[rpc].request(**fields), key)
        self.asked.append((rpc, CHANCE.sub("#", str(answer))))
        return answer

    def questions(self) -> None:
        """Ask everything that needs no match."""
        self.ask("ListGames", page_size=2)
        self.ask("GetGame", game_id="briscola")
        start = self.ask("StartGame", rule_set=BRISCOLA)
        deal = rules_pb2.SeatMove(move=table_pb2.Move(verb=start.chance_request.verb, cards=PACK))
        position = self.ask("ApplyMoves", position=start.position, moves=[deal]).position
        (move, *_) = self.ask("ListLegalMoves", position=position).moves
        self.ask("ExplainHand", position=position)
        self.ask("ValidateMove", position=position, seat=0, move=move)
        self.ask("GetView", position=position, referee=True)
        self.ask("ListPlayableCards", rule_set=BRISCOLA, hand=["Ab", "3c"], trick=["4b"], trump="s")
        self.ask("ResolveTrick", rule_set=BRISCOLA, cards=["4b", "3b"], trump="s")
        self.ask("ScoreCards", rule_set=BRISCOLA, cards=["Ab", "3b"])
        self.ask("VerifyShuffle", game_id="briscola", commitment="0" * 64, nonce="0" * 64, number=1, cards=PACK)
        self.ask(
            "Batch", questions=[rules_pb2.Question(get_view=rules_pb2.GetViewRequest(position=position, referee=True))]
        )

    def match(self) -> None:
        """Ask everything about matches that are played here."""
        test = matches_pb2.Sandbox(seed="every rpc")
        dealt: dict[str, Any] = {"pack": PACK, "pack_source": matches_pb2.PACK_SOURCE_REFEREE}
        opened = self.ask(
            "CreateMatch", rule_set=BRISCOLA, clock=matches_pb2.Clock(move_seconds=60), **dealt, sandbox=test
        )
        match, referee = opened.match_id, opened.referee_key
        listed = self.ask("ListMatchMoves", referee, match_id=match)
        turn: dict[str, Any] = {"match_id": match, "seat": listed.seat}
        self.ask("ExplainMatchHand", referee, **turn)
        self.ask("MatchServiceValidateMove", referee, **turn, move=listed.moves[0])
        self.ask("PlayMove", referee, **turn, move=listed.moves[0])
        self.ask("TakeBack", referee, **turn)
        self.ask("AssignBot", referee, **turn, bot="greedy")
        self.ask("EnforceClock", match_id=match)
        self.ask("AdvanceClock", referee, match_id=match, seconds=61)
        self.ask("GetMatch", referee, match_id=match)
        self.ask("ListEvents", match_id=match)
        self.ask("BatchGetMatches", referee, match_ids=[match, "nobody", match])
        self.ask("ListMatches")
        self.ask("WatchMatches")
        self.ask("AbortMatch", referee, match_id=match)
        assert self.ask("WatchMatch", match_id=match)
        record = self.ask("GetRecord", referee, match_id=match).record
        self.ask("ImportMatch", record=record)
        self.ask("DeleteMatch", referee, match_id=match)
        shared = matches_pb2.CreateMatchRequest(rule_set=BRISCOLA, pack_source=matches_pb2.PACK_SOURCE_SHARED)
        created = self.ask("BatchCreateMatches", requests=[shared]).matches[0].created
        self.ask("RotateKey", created.referee_key, match_id=created.match_id, seat=1)
        self.ask("ContributeSeed", created.seat_keys[0].key, match_id=created.match_id, client_seed="mine")
        self.ask("ListShuffles", created.seat_keys[0].key, match_id=created.match_id)

    def webhooks(self) -> None:
        """Ask everything about webhooks, which only a platform has."""
        for rpc, one in RPCS.items():
            if one.method.containing_service.name == "WebhookService":
                fields = {
                    name: "x" for name in ("webhook_id", "delivery_id") if name in one.request.DESCRIPTOR.fields_by_name
                }
                url = {"url": "https://cards.example/"} if rpc == "CreateWebhook" else {}
                self.ask(rpc, **fields, **url)

    def administration(self) -> None:
        """Ask everything that needs the scope of an administrator."""
        for rpc, one in RPCS.items():
            if one.method.containing_service.name == "AdminService":
                has_digest = "digest" in one.request.DESCRIPTOR.fields_by_name
                self.ask(rpc, **({"digest": "0" * 64} if has_digest else {}))


def test_every_rpc_answers_alike_over_every_transport(transport: Transport, wired: WiredService) -> None:
    """One session asks every rpc that the contract describes; each answer is that of the dispatcher."""
    sessions = Session(transport), Session(WithoutTransport(wired.api))
    for session in sessions:
        session.questions()
        session.match()
        session.webhooks()
        session.administration()
    over, without = (session.asked for session in sessions)
    assert without == over
    assert RPCS.keys() == {rpc for rpc, _ in over}
    refused = {rpc: answer for rpc, answer in without if answer.startswith("Failed(")}
    platforms_only = {rpc for rpc, one in RPCS.items() if one.method.containing_service.name == "WebhookService"}
    admins_only = {rpc for rpc, one in RPCS.items() if one.method.containing_service.name == "AdminService"}
    assert {str(Failed("out_of_scope", "x-api-key"))} == {refused.pop(rpc) for rpc in admins_only}
    assert {"ListMatches", "WatchMatches", *platforms_only} == refused.keys()
    assert {str(Failed("platform_only", ""))} == set(refused.values())


# ---------------------------------------------------------------------- unknown rpcs


PATH = "/chitarrella.v1.MatchService/DealMeAnAce"


@pytest.mark.parametrize("protocol", [ProtocolType.CONNECT, ProtocolType.GRPC_WEB], ids=lambda p: p.name)
@pytest.mark.parametrize("kind", [StreamType.UNARY, StreamType.SERVER_STREAM], ids=lambda k: k.name)
def test_unknown_rpc_is_unimplemented_in_the_protocol_of_the_caller(
    rest: str, protocol: ProtocolType, kind: StreamType
) -> None:
    """A client of Connect or gRPC-Web reads UNIMPLEMENTED with the reason code, whatever kind of rpc it calls."""
    method: MethodInfo[Any, Any] = MethodInfo(
        name="DealMeAnAce",
        service_name="chitarrella.v1.MatchService",
        input=GetMatchRequest,
        output=GetMatchRequest,
        idempotency_level=IdempotencyLevel.UNKNOWN,
        stream_type=kind,
    )
    client = ConnectClientSync(rest, protocol=protocol, codec=google_protobuf_binary_codec())
    call = client.execute_unary if kind == StreamType.UNARY else client.execute_server_stream
    with pytest.raises(ConnectError) as refused:
        list(call(request=GetMatchRequest(), method=method))
    info = error_details_pb2.ErrorInfo.FromString(refused.value.details[0].message_bytes)
    assert (Code.UNIMPLEMENTED, "no_such_route") == (refused.value.code, info.reason)


def test_content_type_decides_between_the_protocols(rest: str) -> None:
    """Connect has JSON with a code, gRPC-Web the status 12, and everything else the problem of REST."""
    connect = Rest(rest).post(PATH, {})
    assert (501, "application/json") == (connect.status_code, connect.headers["Content-Type"])
    assert "unimplemented" == connect.json()["code"]
    web_type = {"Content-Type": "application/grpc-web+proto"}
    web = Rest(rest).post(PATH, content=struct.pack(">BI", 0, 0), headers=web_type)
    assert (200, "application/grpc-web+proto") == (web.status_code, web.headers["Content-Type"])
    assert b"grpc-status: 12" in web.content
    for path in ("/v1/nothing", "/v1/games/briscola/nothing", "/nothing"):
        failed(Rest(rest).post(path, {}), 404, "no_such_route")
    failed(Rest(rest).get(PATH), 404, "no_such_route")
    failed(Rest(rest).post(PATH, content=b"", headers={"Content-Type": "text/plain"}), 404, "no_such_route")


# ---------------------------------------------------------------------- dispatcher


class Servicer:
    """Answers rpcs with its own name and that of the rpc."""

    def __init__(self, name: str, *methods: str) -> None:
        for method in methods:
            setattr(self, method, lambda *_, method=method: (name, method))


def servicers(**more: list[object]) -> dict[str, list[object]]:
    """One servicer for every service, and those of ``more`` beside them."""
    return {
        service.name: [Servicer(service.name, *(one.name for one in service.methods)), *more.get(service.name, [])]
        for service in SERVICES
    }


def test_methods_of_one_service_come_from_several_servicers() -> None:
    """A call reaches the servicer that has the method of its name."""
    parts: list[Any] = [Servicer("first", "ListGames"), Servicer("second", "GetGame")]
    dispatcher = Dispatcher({**servicers(), "CatalogueService": parts})
    path = "/chitarrella.v1.CatalogueService"
    assert ("first", "ListGames") == dispatcher.answer(f"{path}/ListGames", ListGamesRequest(), Caller())
    request = GetGameRequest(game_id="briscola")
    assert ("second", "GetGame") == dispatcher.answer(f"{path}/GetGame", request, Caller())


def test_an_rpc_without_a_method_is_an_error() -> None:
    """A missing method is found at the start, not at the first call."""
    with pytest.raises(TypeError, match="ListGames is implemented by 0 servicers"):
        Dispatcher({**servicers(), "CatalogueService": [Servicer("empty")]})


def test_an_rpc_with_two_methods_is_an_error() -> None:
    """Nothing depends on the order of the servicers."""
    with pytest.raises(TypeError, match="GetGame is implemented by 2 servicers"):
        Dispatcher(servicers(CatalogueService=[Servicer("again", "GetGame")]))


# ---------------------------------------------------------------------- plain calls


MATCHES = "/chitarrella.v1.MatchService"
RULES = "/chitarrella.v1.RulesService"


def call(
    rest: str, path: str, message: Message, headers: Mapping[str, str] | None = None, *, plain: bool = True
) -> httpx.Response:
    """Send a binary message: as a plain call, or compressed, which the library reads."""
    body = message.SerializeToString()
    sent = {"Content-Type": "application/proto", "Connect-Protocol-Version": "1", **(headers or {})}
    if not plain:
        body, sent["Content-Encoding"] = gzip.compress(body), "gzip"
    return httpx.post(rest + path, content=body, headers=sent, **PLAIN)


def listing_of(table: Table) -> tuple[ListMatchMovesRequest, dict[str, str]]:
    """A request for the moves of a seat, with the header that shows its key."""
    opened = table.opened
    return ListMatchMovesRequest(match_id=opened["matchId"]), {
        "Authorization": f"Bearer {opened['seatKeys'][0]['key']}"
    }


def is_plain(answer: httpx.Response) -> bool:
    """Whether a response was made without the library, which names the encoding of every other one."""
    return "content-encoding" not in answer.headers


def without_id(answer: httpx.Response) -> tuple[int, Any, set[str]]:
    """Status, body, and the names of the headers but that of the encoding."""
    return answer.status_code, answer.content, set(answer.headers) - {"content-encoding"}


def test_plain_call_has_the_answer_of_the_library(rest: str) -> None:
    """Status, message and headers are the same; a stateless call and a call about a match."""
    listing, key = listing_of(Table(rest))
    for path, request in (
        (f"{RULES}/StartGame", StartGameRequest(rule_set=RuleSetPlainCalls(game_id="coech"))),
        (f"{MATCHES}/ListMatchMoves", listing),
    ):
        plain, library = call(rest, path, request, key), call(rest, path, request, key, plain=False)
        assert (True, False) == (is_plain(plain), is_plain(library))
        assert without_id(plain) == without_id(library)
        assert (200, "application/proto") == (plain.status_code, plain.headers["Content-Type"])


def test_refused_move_is_an_answer(rest: str) -> None:
    """A move that the rules refuse is answered plainly, with its refusal."""
    table = Table(rest)
    seat, move = table.not_held()
    request = PlayMoveRequest(match_id=table.opened["matchId"], move=Move(verb=move["verb"], cards=move["cards"]))
    key = {"Authorization": f"Bearer {table.key(seat)}"}
    answer = call(rest, f"{MATCHES}/PlayMove", request, key)
    assert (200, True) == (answer.status_code, is_plain(answer))
    refused = PlayMoveResponse.FromString(answer.content)
    assert (False, ["not_in_hand"]) == (refused.accepted, [refusal.code for refusal in refused.refusals])


@pytest.mark.parametrize(
    ("path", "request_", "headers", "code"),
    [
        (f"{MATCHES}/PlayMove", PlayMoveRequest(match_id="m" * 20, move=Move(verb="pass")), {}, "no_such_match"),
        (f"{MATCHES}/PlayMove", PlayMoveRequest(), {"Authorization": "nonsense"}, "bad_key"),
        (f"{RULES}/ValidateMove", ValidateMoveRequest(), {}, "bad_request"),
    ],
)
def test_plain_call_has_the_error_of_the_library(
    rest: str, path: str, request_: Message, headers: dict[str, str], code: str
) -> None:
    """A failed call has the same status, code and details."""
    plain, library = call(rest, path, request_, headers), call(rest, path, request_, headers, plain=False)
    assert code == error_from(plain.json()["details"]).code
    assert (plain.status_code, plain.json()) == (library.status_code, library.json())


def test_deadline_ends_a_plain_call(rest: str) -> None:
    """A call that waits for the store when its deadline passes is ended; one that waits for nothing is answered."""
    listing, key = listing_of(Table(rest))
    late = call(rest, f"{MATCHES}/ListMatchMoves", listing, {**key, "Connect-Timeout-Ms": "0"})
    assert (504, "deadline_exceeded") == (late.status_code, late.json()["code"])
    in_time = call(rest, f"{MATCHES}/ListMatchMoves", listing, {**key, "Connect-Timeout-Ms": "10000"})
    assert (200, True) == (in_time.status_code, is_plain(in_time))
    start = StartGameRequest(rule_set=RuleSetPlainCalls(game_id="coech"))
    at_once = call(rest, f"{RULES}/StartGame", start, {"Connect-Timeout-Ms": "0"})
    assert (200, "coech") == (
        at_once.status_code,
        StartGameResponse.FromString(at_once.content).position.rule_set.game_id,
    )


def test_unknown_version_is_refused(rest: str) -> None:
    """A call of another version of the protocol is not answered plainly."""
    answer = call(rest, f"{RULES}/ListLegalMoves", ListLegalMovesRequest(), {"Connect-Protocol-Version": "2"})
    assert (400, "invalid_argument") == (answer.status_code, answer.json()["code"])
    assert "connect-protocol-version" in answer.json()["message"]


def test_malformed_message_is_an_error(rest: str) -> None:
    """Bytes that are no message have the reason code of every transport."""
    headers = {"Content-Type": "application/proto"}
    answer = httpx.post(f"{rest}{RULES}/ValidateMove", content=b"\x0a\xff", headers=headers, **PLAIN)
    assert (400, "bad_request") == (answer.status_code, error_from(answer.json()["details"]).code)
