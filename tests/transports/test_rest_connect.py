"""Browsers speak Connect and gRPC-Web to the port of REST; the service answers as over gRPC."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Callable, Mapping
from functools import partial
from itertools import islice
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

from chitarrella.v1.catalogue_pb2 import GetGameRequest, ListGamesRequest
from chitarrella.v1.matches_pb2 import (
    CreateMatchRequest,
    GetMatchRequest,
    ListMatchMovesRequest,
    PlayMoveRequest,
    PlayMoveResponse,
    WatchMatchRequest,
)
from chitarrella.v1.rules_pb2 import ListLegalMovesRequest, StartGameRequest, ValidateMoveRequest
from chitarrella.v1.table_pb2 import Move, RuleSet
from tests.transports.all_transports import RPCS, error_from, framed
from tests.transports.rest_client import PLAIN, Json, Rest, Table, failed

CATALOGUE, MATCHES = "/chitarrella.v1.CatalogueService", "/chitarrella.v1.MatchService"
NO_MESSAGE = b"\x0a\xff"
PROTO, GRPC_WEB = "application/proto", "application/grpc-web+proto"

PROTOCOLS = {"connect": ProtocolType.CONNECT, "grpc-web": ProtocolType.GRPC_WEB}
both_protocols = pytest.mark.parametrize("protocol", PROTOCOLS)


class ConnectClient:
    """A client of connectrpc, with one method for each rpc: ``client.GetGame(request)``."""

    def __init__(self, rest: str, protocol: str = "connect") -> None:
        codec = google_protobuf_binary_codec()
        self._client = ConnectClientSync(rest, protocol=PROTOCOLS[protocol], codec=codec)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        rpc = RPCS[name]
        service = rpc.method.containing_service.full_name
        return self.method(name, service, rpc.request, rpc.response, streams=rpc.method.server_streaming)

    def method(self, name: str, service: str, request: Any, response: Any, *, streams: bool) -> Callable[..., Any]:
        """A method of any service."""
        method: MethodInfo[Any, Any] = MethodInfo(
            name=name,
            service_name=service,
            input=request,
            output=response,
            idempotency_level=IdempotencyLevel.UNKNOWN,
            stream_type=StreamType.SERVER_STREAM if streams else StreamType.UNARY,
        )
        execute = self._client.execute_server_stream if streams else self._client.execute_unary
        return lambda request, **how: execute(request=request, method=method, **how)


def bearer(key: str) -> dict[str, str]:
    """The header that shows a key."""
    return {"authorization": f"Bearer {key}"}


def refused(call: Callable[[], Any]) -> tuple[Code, error_details_pb2.ErrorInfo, Any]:
    """The code of a call or stream that fails, its reason, and all its details."""
    with pytest.raises(ConnectError) as caught:
        list(call())
    details = caught.value.details
    return caught.value.code, error_details_pb2.ErrorInfo.FromString(details[0].message_bytes), details


@both_protocols
def test_connect_client_plays_and_watches(rest: str, protocol: str) -> None:
    """A client of connectrpc opens a match, is refused a move as an answer, makes one, and receives its event."""
    client = ConnectClient(rest, protocol)
    opened = client.CreateMatch(CreateMatchRequest(rule_set=RuleSet(game_id="briscola")))
    turn = opened.view.turn
    key = bearer(next(seat.key for seat in opened.seat_keys if seat.seat == turn))
    snapshot = client.GetMatch(GetMatchRequest(match_id=opened.match_id), headers=key)
    hand = next(zone.cards for zone in snapshot.view.zones if zone.name == "hand" and zone.seat == turn)
    other = next(card for card in ("Ab", "Ac", "Ad", "As") if card not in hand)
    wrong, right = (
        PlayMoveRequest(match_id=opened.match_id, move=Move(verb="play_card", cards=[card]))
        for card in (other, hand[0])
    )
    answer = client.PlayMove(wrong, headers=key)
    assert (False, ["not_in_hand"]) == (answer.accepted, [refusal.code for refusal in answer.refusals])
    assert client.PlayMove(right, headers=key).accepted
    stream: Any = client.WatchMatch(WatchMatchRequest(match_id=opened.match_id))
    assert ["1.0", "2.0"] == [message.cursor for message in islice(stream, 2)]
    stream.close()


@both_protocols
def test_connect_errors_carry_grpc_details(rest: str, protocol: str) -> None:
    """The reason code and the fields at fault come as details of calls and streams, in the messages of gRPC."""
    client, nobody = ConnectClient(rest, protocol), WatchMatchRequest(match_id="nobody")
    code, info, _ = refused(lambda: client.GetGame(GetGameRequest(game_id="nothing")))
    assert (Code.NOT_FOUND, "unknown_game", "chitarrella") == (code, info.reason, info.domain)
    assert {"field": "game_id"} == dict(info.metadata)
    code, _, details = refused(lambda: client.ListGames(ListGamesRequest(page_size=1000)))
    assert (Code.INVALID_ARGUMENT, "google.rpc.BadRequest") == (code, details[1].type_name)
    request = error_details_pb2.BadRequest.FromString(details[1].message_bytes)
    assert ["page_size"] == [violation.field for violation in request.field_violations]
    assert Code.NOT_FOUND == refused(lambda: client.WatchMatch(nobody))[0]
    assert Code.UNAUTHENTICATED == refused(lambda: client.WatchMatch(nobody, headers={"authorization": "no key"}))[0]
    for streams in (False, True):
        unknown = client.method("DealMeAnAce", MATCHES[1:], GetMatchRequest, GetMatchRequest, streams=streams)
        code, info, _ = refused(partial(unknown, GetMatchRequest()))
        assert (Code.UNIMPLEMENTED, "no_such_route") == (code, info.reason)


@both_protocols
def test_unreadable_deadline_is_named(rest: str, protocol: str) -> None:
    """A deadline that cannot be read is an error with a reason code that names the header, of a call as of a stream."""
    header = "connect-timeout-ms" if protocol == "connect" else "grpc-timeout"
    client = ConnectClient(rest, protocol)
    watch = WatchMatchRequest(match_id="m" * 20)
    for timeout in ("soon", "-5", "1.5", "123456789S", "12345678901"):
        for ask in (partial(client.ListGames, ListGamesRequest()), partial(client.WatchMatch, watch)):
            code, info, _ = refused(partial(ask, headers={header: timeout}))
            assert (Code.INVALID_ARGUMENT, "bad_request") == (code, info.reason), timeout
            assert header == info.metadata["field"]


# ---------------------------------------------------------------------- by hand


def posted(url: str, body: Any, kind: str = "application/json", **headers: str) -> httpx.Response:
    """Send a message of Connect or gRPC-Web: JSON, or bytes as they are."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    own = {"Content-Type": kind, "Connect-Protocol-Version": "1"}
    return httpx.post(url, content=content, headers={**own, **headers}, **PLAIN)


def test_unknown_path_is_answered_in_the_protocol_of_the_caller(rest: str) -> None:
    """Connect has JSON with a code, gRPC-Web the status 12, and everything else the problem of REST."""
    path = f"{MATCHES}/DealMeAnAce"
    connect, web = posted(rest + path, {}), posted(rest + path, framed(b""), GRPC_WEB)
    assert (501, "application/json") == (connect.status_code, connect.headers["Content-Type"])
    assert "unimplemented" == connect.json()["code"]
    assert (200, GRPC_WEB) == (web.status_code, web.headers["Content-Type"])
    assert b"grpc-status: 12" in web.content
    for other in ("/v1/nothing", "/v1/games/briscola/nothing", "/nothing"):
        failed(Rest(rest).post(other, {}), 404, "no_such_route")
    failed(Rest(rest).get(path), 404, "no_such_route")
    failed(posted(rest + path, b"", "text/plain"), 404, "no_such_route")
    failed(posted(f"{rest}{CATALOGUE}/ListGames", b"", "application/grpc"), 415, "wrong_media_type")


def test_json_is_that_of_rest(rest: str) -> None:
    """The JSON of Connect shows zeros as REST does, passes over unknown fields, and what is no message is an error."""
    table = Table(rest)
    answer = posted(f"{rest}{MATCHES}/GetMatch", {"matchId": table.opened["matchId"]})
    assert table.public.get(table.path).json() == answer.json()
    assert "application/json" == answer.headers["Content-Type"]
    assert 200 == posted(f"{rest}{CATALOGUE}/ListGames", {"colour": "red"}).status_code
    for size in ("x", -1, [0]):
        is_error(posted(f"{rest}{CATALOGUE}/ListGames", {"pageSize": size}).json(), "invalid_argument", "bad_request")


def is_error(error: Json, code: str, reason: str) -> None:
    """Check the code and the reason of an error of Connect."""
    assert (code, reason) == (error["code"], error_from(error["details"]).code)


def test_bytes_that_are_no_message_are_invalid_argument(rest: str) -> None:
    """So it is in binary, of a call as of a stream, and what is too large has the reason code of every transport."""
    call = posted(f"{rest}{MATCHES}/GetMatch", NO_MESSAGE, PROTO)
    stream = posted(f"{rest}{MATCHES}/WatchMatch", framed(NO_MESSAGE), "application/connect+proto")
    for error in (call.json(), json.loads(stream.content[5:])["error"]):
        is_error(error, "invalid_argument", "bad_request")
    large = posted(f"{rest}{MATCHES}/ImportMatch", {"record": "x" * 2**20})
    is_error(large.json(), "resource_exhausted", "too_large")


@pytest.mark.parametrize(
    ("kind", "header", "timeout"),
    [
        (PROTO, "connect-timeout-ms", "9999999999"),
        (PROTO, "grpc-timeout", "soon"),
        (GRPC_WEB, "grpc-timeout", "99999999m"),
        (GRPC_WEB, "grpc-timeout", "99999999H"),
        (GRPC_WEB, "connect-timeout-ms", "soon"),
    ],
)
def test_readable_deadline_is_taken(rest: str, kind: str, header: str, timeout: str) -> None:
    """A deadline in the form of its protocol is taken, and the header of the other protocol is not read."""
    body = b"" if kind == PROTO else framed(b"")
    answer = posted(f"{rest}{CATALOGUE}/ListGames", body, kind, **{header: timeout})
    assert 200 == answer.status_code
    assert "3" != answer.headers.get("grpc-status")
    assert b"briscola" in answer.content


def test_safe_rpc_answers_get(rest: str) -> None:
    """A safe rpc answers GET, its message in the query; one that changes something does not."""
    binary = base64.urlsafe_b64encode(GetGameRequest(game_id="coech").SerializeToString()).decode().rstrip("=")
    for query in ({"encoding": "json", "message": '{"gameId":"coech"}'}, {"encoding": "proto", "message": binary}):
        more = {"connect": "v1", **({"base64": "1"} if query["encoding"] == "proto" else {})}
        answer = httpx.get(f"{rest}{CATALOGUE}/GetGame", params={**query, **more}, **PLAIN)
        assert (200, True) == (answer.status_code, b"coech" in answer.content)
    failed(Rest(rest).get(f"{MATCHES}/CreateMatch"), 405, "wrong_method")


# ---------------------------------------------------------------------- plain calls

RULES = "/chitarrella.v1.RulesService"
START = StartGameRequest(rule_set=RuleSet(game_id="coech"))


def call(
    rest: str, path: str, message: Message, headers: Mapping[str, str] | None = None, *, plain: bool = True
) -> httpx.Response:
    """Send a binary message: as a plain call, or compressed, which the library reads."""
    body, more = message.SerializeToString(), dict(headers or {})
    if not plain:
        body, more["Content-Encoding"] = gzip.compress(body), "gzip"
    return posted(rest + path, body, PROTO, **more)


def is_plain(answer: httpx.Response) -> bool:
    """Whether a response was made without the library, which names the encoding of every other one."""
    return "content-encoding" not in answer.headers


def without_id(answer: httpx.Response) -> tuple[int, Any, set[str]]:
    """Status, body, and the names of the headers but that of the encoding."""
    return answer.status_code, answer.content, set(answer.headers) - {"content-encoding"}


def test_plain_call_has_the_answer_of_the_library(rest: str) -> None:
    """Status, message and headers are the same of a stateless call, a call about a match, and a failed one."""
    table = Table(rest)
    listing, key = ListMatchMovesRequest(match_id=table.opened["matchId"]), bearer(table.key(0))
    right: list[tuple[str, Message]] = [(f"{RULES}/StartGame", START), (f"{MATCHES}/ListMatchMoves", listing)]
    for path, request in right:
        plain, library = call(rest, path, request, key), call(rest, path, request, key, plain=False)
        assert (True, False) == (is_plain(plain), is_plain(library))
        assert without_id(plain) == without_id(library)
        assert (200, PROTO) == (plain.status_code, plain.headers["Content-Type"])
    wrong: list[tuple[str, Message, dict[str, str], str]] = [
        (f"{MATCHES}/PlayMove", PlayMoveRequest(match_id="m" * 20, move=Move(verb="pass")), {}, "no_such_match"),
        (f"{MATCHES}/PlayMove", PlayMoveRequest(), {"Authorization": "nonsense"}, "bad_key"),
        (f"{RULES}/ValidateMove", ValidateMoveRequest(), {}, "bad_request"),
    ]
    for path, request, headers, code in wrong:
        plain, library = call(rest, path, request, headers), call(rest, path, request, headers, plain=False)
        assert code == error_from(plain.json()["details"]).code
        assert (plain.status_code, plain.json()) == (library.status_code, library.json())
    version = call(rest, f"{RULES}/ListLegalMoves", ListLegalMovesRequest(), {"Connect-Protocol-Version": "2"})
    assert (400, "invalid_argument") == (version.status_code, version.json()["code"])
    assert "connect-protocol-version" in version.json()["message"]


def test_illegal_move_is_an_answer_and_logged_as_refused(rest: str) -> None:
    """A refusal is an ordinary answer in binary and JSON, and is counted as a refusal under its transport."""
    table = Table(rest)
    seat, move = table.not_held()
    key, match = bearer(table.key(seat)), table.opened["matchId"]
    binary = call(rest, f"{MATCHES}/PlayMove", PlayMoveRequest(match_id=match, move=Move(**move)), key)
    assert (200, True) == (binary.status_code, is_plain(binary))
    answer = PlayMoveResponse.FromString(binary.content)
    assert (False, ["not_in_hand"]) == (answer.accepted, [refusal.code for refusal in answer.refusals])
    in_json = posted(f"{rest}{MATCHES}/PlayMove", {"matchId": match, "move": move}, **key)
    assert (200, False) == (in_json.status_code, in_json.json()["accepted"])
    line = 'chitarrella_requests_total{code="refused",rpc="/chitarrella.v1.MatchService/PlayMove",transport="connect"}'
    assert line in Rest(rest).get("/metrics").text


def test_deadline_ends_a_plain_call(rest: str) -> None:
    """A call that waits for the store when its deadline passes is ended; one that waits for nothing is answered."""
    table = Table(rest)
    listing = ListMatchMovesRequest(match_id=table.opened["matchId"])

    def within(milliseconds: str, path: str, message: Message) -> httpx.Response:
        return call(rest, path, message, {**bearer(table.key(0)), "Connect-Timeout-Ms": milliseconds})

    late = within("0", f"{MATCHES}/ListMatchMoves", listing)
    assert (504, "deadline_exceeded") == (late.status_code, late.json()["code"])
    in_time = within("10000", f"{MATCHES}/ListMatchMoves", listing)
    assert (200, True) == (in_time.status_code, is_plain(in_time))
    assert 200 == within("0", f"{RULES}/StartGame", START).status_code
