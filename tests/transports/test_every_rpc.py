"""Every rpc of the contract gives the same answer over each transport as the dispatcher gives without one."""

from __future__ import annotations

import re
from typing import Any

from chitarrella import errors
from chitarrella.api.caller import Caller
from chitarrella.api.dispatcher import Dispatcher
from chitarrella.catalogue.registry import RuleSet
from chitarrella.v1 import matches_pb2, rules_pb2, table_pb2
from tests.transports.all_transports import RPCS, Failed, Transport
from tests.transports.conftest import WiredService
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
