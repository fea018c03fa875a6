"""Calls on an event loop, with everything that a move can need."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from chitarrella import errors
from chitarrella.api.caller import Caller
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1 import table_pb2
from tests.loop_stores import nothing_blocks, on_loop
from tests.servers import until
from tests.transports.all_transports import RPCS
from tests.webhooks.platforms import ACME, StartWorker
from tests.webhooks.receiver import Endpoint

Call = Callable[..., Any]


@pytest.fixture
def call(start_worker: StartWorker, endpoint: Endpoint) -> Call:
    """Call a worker that delivers to ``endpoint``, on a loop."""
    worker = start_worker()
    worker.create(endpoint.url)

    def on_worker(rpc: str, key: str = "", **fields: Any) -> Any:
        caller = Caller(key, api_key=ACME)
        request = RPCS[rpc].request(**fields)
        return on_loop(lambda: worker.parts.dispatcher.call(RPCS[rpc].path, request, caller))

    return on_worker


def test_everything_that_a_move_can_need_waits_without_blocking(call: Call, endpoint: Endpoint) -> None:
    """A match with a platform, a clock, a bot, a webhook and replaced keys is played on a loop, and blocks nothing."""
    rule_set = table_pb2.RuleSet(game_id="briscola", players=2, options={"rubber_games": "1"})
    with nothing_blocks():
        created = call(
            "CreateMatch",
            rule_set=rule_set,
            clock=pb.Clock(move_seconds=60, bank_seconds=60),
            external_id="game 7",
            labels={"cup": "autumn"},
            request_id="0123456789abcdef",
        )
        match, referee = created.match_id, created.referee_key
        rotated = call("RotateKey", referee, match_id=match, seat=0).key
        with pytest.raises(errors.ChitarrellaError):
            call("ListMatchMoves", created.seat_keys[0].key, match_id=match)
        keys = {0: rotated, 1: created.seat_keys[1].key}
        for number in range(6):
            listed = call("ListMatchMoves", referee, match_id=match)
            fields = {"match_id": match, "move": listed.moves[0], "request_id": f"request {number}"}
            for repeated in (False, True):
                played = call("PlayMove", keys[listed.seat], **fields, expected_revision=listed.revision)
                assert (True, repeated) == (played.accepted, played.repeated_request)
        with pytest.raises(errors.Stale):
            call("PlayMove", referee, match_id=match, seat=listed.seat, move=listed.moves[0], expected_revision=1)
        call("AssignBot", referee, match_id=match, seat=1, bot="random")
        call("EnforceClock", referee, match_id=match)
        call("AbortMatch", referee, match_id=match)
    until(lambda: 6 <= len(endpoint.calls), "the moves were delivered")


def test_repeated_request_of_a_long_match_leaves_the_loop(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """The replay of a log for a repeated request runs in a thread, not on the loop."""
    from chitarrella.matches import service
    from chitarrella.storage.loop_calls import is_on_loop

    found = []
    monkeypatch.setattr(service, "check_repeated", lambda *_: found.append(is_on_loop()))
    created = call("CreateMatch", rule_set=table_pb2.RuleSet(game_id="briscola", players=2))
    listed = call("ListMatchMoves", created.referee_key, match_id=created.match_id)
    for _ in range(2):
        call(
            "PlayMove",
            created.referee_key,
            match_id=created.match_id,
            seat=listed.seat,
            move=listed.moves[0],
            request_id="0123456789abcdef",
        )
    assert [False] == found
