"""Every rpc of the contract gives the same answer over each transport as the dispatcher gives without one."""

import re
from collections.abc import Sequence
from typing import Any

import pytest
from google.protobuf.descriptor_pb2 import MethodOptions

from chitarrella import v1
from chitarrella.api.caller import Caller
from chitarrella.api.dispatcher import SERVICES, Dispatcher
from chitarrella.catalogue.registry import RuleSet
from chitarrella.matches.service import MOST_TALK
from chitarrella.v1.catalogue_pb2 import GetGameRequest, ListGamesRequest
from tests.transports.all_transports import RPCS, Failed, Transport, WithoutTransport
from tests.transports.conftest import WiredService
from tests.walks import CATALOGUE

CHANCE = re.compile(r"[0-9a-f]{20,64}|\{(?:\s+(?:seconds|nanos): -?[0-9]+)*\s+\}|\b[0-9TZ:.-]{10,24}\b")
"""What differs between two matches: ids, keys, commitments, and times."""

BRISCOLA = {"game_id": "briscola"}
CLOCK = {"move_time": {"seconds": 60}, "bank": {"seconds": 60}}
PACK = [str(card) for card in CATALOGUE.game_for(RuleSet("briscola")).pack.cards]


class Session:
    """Asks every rpc, and keeps the answers without what chance decides."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.asked: list[tuple[str, str]] = []

    def ask(self, rpc: str, key: str = "", **fields: Any) -> Any:
        answer = self._transport(rpc, RPCS[rpc].request(**fields), key)
        self.asked.append((rpc, CHANCE.sub("#", str(answer))))
        return answer

    def questions(self) -> None:
        self.ask("ListGames", page_size=2)
        self.ask("GetGame", game_id="briscola")
        start = self.ask("StartGame", rule_set=BRISCOLA)
        deal = {"move": {"verb": start.chance_request.verb, "cards": PACK}}
        position = self.ask("ApplyMoves", position=start.position, moves=[deal]).position
        (move, *_) = self.ask("ListLegalMoves", position=position).moves
        self.ask("ExplainHand", position=position)
        self.ask("ValidateMove", position=position, seat=0, move=move)
        self.ask("GetView", position=position, referee=True)
        self.ask("ResolveTrick", rule_set=BRISCOLA, cards=["4b", "3b"], trump="s")
        self.ask("ScoreCards", rule_set=BRISCOLA, cards=["Ab", "3b"])
        self.ask("VerifyShuffle", game_id="briscola", commitment="0" * 64, nonce="0" * 64, number=1, cards=PACK)
        self.ask("Batch", questions=[{"get_view": {"position": position, "referee": True}}])

    def match(self) -> None:
        dealt: dict[str, Any] = {"pack": PACK, "pack_source": v1.PACK_SOURCE_REFEREE}
        dealt |= {"clock": CLOCK, "sandbox": {"seed": "every rpc"}}
        opened = self.ask("CreateMatch", rule_set=BRISCOLA, **dealt)
        match, referee = opened.match.match_id, opened.referee_key
        listed = self.ask("ListMatchMoves", referee, match_id=match)
        turn: dict[str, Any] = {"match_id": match, "seat": listed.seat}
        self.ask("ExplainMatchHand", referee, **turn)
        self.ask("ValidateMatchMove", referee, **turn, move=listed.moves[0])
        self.ask("PlayMove", referee, **turn, move=listed.moves[0])
        self.ask("TakeBack", referee, **turn)
        self.ask("AssignBot", referee, **turn, bot="greedy")
        self.ask("EnforceClock", match_id=match)
        self.ask("AdvanceClock", referee, match_id=match, duration={"seconds": 61})
        self.ask("AddTime", referee, match_id=match, seat=0, duration={"seconds": 5})
        self.ask("PauseClock", referee, match_id=match)
        self.ask("JoinMatch", opened.seat_keys[1].key, match_id=match, player_name="Ada")
        self.ask("UpdateMatch", referee, match_id=match, external_id="updated")
        self.ask("GetMatch", referee, match_id=match)
        self.ask("ListEvents", match_id=match)
        self.ask("BatchGetMatches", referee, match_ids=[match, "nobody", match])
        self.ask("ListMatches")
        self.ask("WatchMatches")
        self.ask("AbortMatch", referee, match_id=match)
        assert self.ask("WatchMatch", match_id=match)
        record = self.ask("GetRecord", referee, match_id=match).record
        imported = self.ask("ImportMatch", record=record)
        self.ask("ResignMatch", imported.seat_keys[0].key, match_id=imported.match.match_id)
        self.ask("DeleteMatch", referee, match_id=match)
        shared = {"rule_set": BRISCOLA, "pack_source": v1.PACK_SOURCE_SHARED}
        created = self.ask("BatchCreateMatches", requests=[shared]).results[0].created
        self.ask("RotateKey", created.referee_key, match_id=created.match.match_id, seat=1)
        self.ask("ContributeSeed", created.seat_keys[0].key, match_id=created.match.match_id, client_seed="mine")
        self.ask("ListShuffles", created.seat_keys[0].key, match_id=created.match.match_id)
        self.ask("DecideMatch", created.referee_key, match_id=created.match.match_id, winners=[0], reason="enough")

    def of_platforms_and_administrators(self) -> None:
        """Ask everything that needs an API key."""
        values = {"webhook_id": "x", "delivery_id": "x", "digest": "0" * 64}
        for rpc in (*PLATFORMS_ONLY, *ADMINS_ONLY):
            names = RPCS[rpc].request.DESCRIPTOR.fields_by_name
            url = {"url": "https://cards.example/"} if rpc == "CreateWebhook" else {}
            self.ask(rpc, **{name: value for name, value in values.items() if name in names}, **url)


def rpcs_of(service: str) -> set[str]:
    return {name for name, rpc in RPCS.items() if rpc.method.containing_service.name == service}


PLATFORMS_ONLY, ADMINS_ONLY = rpcs_of("WebhookService"), rpcs_of("AdminService")


def test_every_rpc_answers_alike_over_every_transport(transports: Sequence[Transport], wired: WiredService) -> None:
    """One session asks every rpc that the contract describes; each answer is that of the dispatcher."""
    sessions = [Session(one) for one in (WithoutTransport(wired.api), *transports)]
    for session in sessions:
        session.questions()
        session.match()
        session.of_platforms_and_administrators()
    without, *over = (session.asked for session in sessions)
    assert [without] * len(transports) == over
    assert RPCS.keys() == {rpc for rpc, _ in without}
    refused = {rpc: answer for rpc, answer in without if answer.startswith("Failed(")}
    assert {str(Failed("out_of_scope", "x-api-key"))} == {refused.pop(rpc) for rpc in ADMINS_ONLY}
    assert {"ListMatches", "WatchMatches", *PLATFORMS_ONLY} == refused.keys()
    assert {str(Failed("platform_only", ""))} == set(refused.values())


SPAM: dict[str, list[dict[str, Any]]] = {
    "AbortMatch": [{}], "AddTime": [{"seat": 1, "duration": {"seconds": 5}}],
    "AdvanceClock": [{"duration": {"seconds": 1}}], "AssignBot": [{"bot": "greedy"}, {"bot": ""}],
    "ContributeSeed": [{"client_seed": "again"}], "DecideMatch": [{"winners": [1], "reason": "mine"}],
    "DeleteMatch": [{}], "EnforceClock": [{}], "JoinMatch": [{}], "PauseClock": [{}, {"resume": True}],
    "PlayMove": [{"move": {"verb": "signal", "choice": choice}} for choice in "A3"],
    "RotateKey": [{"request_id": "rotated with sixteen"}], "TakeBack": [{}, {"decline": True}],
    "UpdateMatch": [{"external_id": "mine"}],
}  # fmt: skip
"""What a seat may ask again and again, by the rpcs that change a match."""
NEW = {"CreateMatch", "ImportMatch", "BatchCreateMatches", "WatchMatch", "WatchMatches", "ResignMatch"}
"""The other rpcs that are not marked as reading alone; a seat resigns once."""


def test_no_seat_hampers_another(wired: WiredService) -> None:
    """Whatever a seat asks again and again, the seat to move plays at the revision that it saw before."""
    ask = WithoutTransport(wired.api)
    methods = {name: RPCS[name].method for name in rpcs_of("MatchService")}
    reading = MethodOptions.NO_SIDE_EFFECTS
    assert SPAM.keys() | NEW == {n for n, one in methods.items() if one.GetOptions().idempotency_level != reading}
    rules = {**BRISCOLA, "players": 4, "options": {"signals": "free", "first_dealer": "0"}}
    opened = ask("CreateMatch", rule_set=rules, clock=CLOCK)
    match, keys = opened.match.match_id, [one.key for one in opened.seat_keys]
    (move, *_) = ask("ListMatchMoves", match_id=match, key=keys[1]).moves
    first = ask("PlayMove", match_id=match, key=keys[1], move=move).revision
    seen = ask("ListMatchMoves", match_id=match, key=keys[2])
    play = {"match_id": match, "move": seen.moves[0], "expected_revision": seen.revision}
    key, refused = keys[1], set()
    for _ in range(50):
        for rpc, requests in SPAM.items():
            for fields in requests:
                answer = ask(rpc, match_id=match, key=key, **fields)
                key = answer.key if rpc == "RotateKey" else key
                refused |= {answer.code} if isinstance(answer, Failed) else set()
    assert {"quota_exceeded", "already_declined", "referee_only"} <= refused
    said = MOST_TALK + len(["joined", "takeback_requested", "takeback_declined"])  # each of these can be said once
    assert first < ask("GetMatch", match_id=match).revision <= first + said
    assert ask("PlayMove", key=keys[2], **play).accepted
    assert "stale_revision" == ask("PlayMove", key=keys[3], **play).code


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


def test_each_rpc_comes_from_one_of_several_servicers() -> None:
    """A call reaches the servicer that has its method; an rpc with no method, or two, is an error at the start."""
    parts: list[Any] = [Servicer("first", "ListGames"), Servicer("second", "GetGame")]
    dispatcher = Dispatcher({**servicers(), "CatalogueService": parts})
    for name, request in (("first", ListGamesRequest()), ("second", GetGameRequest(game_id="briscola"))):
        rpc = type(request).__name__.removesuffix("Request")
        assert (name, rpc) == dispatcher.answer(RPCS[rpc].path, request, Caller())
    with pytest.raises(TypeError, match="ListGames is implemented by 0 servicers"):
        Dispatcher({**servicers(), "CatalogueService": [Servicer("empty")]})
    with pytest.raises(TypeError, match="GetGame is implemented by 2 servicers"):
        Dispatcher(servicers(CatalogueService=[Servicer("again", "GetGame")]))
