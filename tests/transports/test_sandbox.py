"""Tests of platforms over every transport: their seed, their clock, and what a service without them answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from chitarrella.api.services import make_dispatcher
from chitarrella.catalogue.registry import Catalogue
from chitarrella.matches.bot_moves import choose_move
from chitarrella.matches.operations import MatchOperations
from chitarrella.matches.service import MatchService
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1 import table_pb2
from tests.transports.all_transports import TRANSPORTS, Failed, Transport, through
from tests.transports.conftest import WiredService, opened

BRISCOLA = table_pb2.RuleSet(game_id="briscola")
CLOCK = pb.Clock(move_seconds=30)


def created(transport: Transport, seed: str | None = "a seed", clock: pb.Clock | None = CLOCK) -> Any:
    """Create a test, or for no seed a real match."""
    sandbox = None if seed is None else pb.Sandbox(seed=seed)
    return transport("CreateMatch", pb.CreateMatchRequest(rule_set=BRISCOLA, clock=clock, sandbox=sandbox))


def advanced(transport: Transport, match: Any, seconds: int, request_id: str = "", key: str | None = None) -> Any:
    """Advance the clock of a match, by default as the referee."""
    request = pb.AdvanceClockRequest(match_id=match.match_id, seconds=seconds, request_id=request_id)
    return transport("AdvanceClock", request, match.referee_key if key is None else key)


def test_same_seed_gives_the_same_deal(transport: Transport) -> None:
    """Two tests of one seed have the same cards and commitments, and say that they are tests."""
    states = []
    for seed in ("same", "same", "other", "", None):
        match = created(transport, seed)
        state = transport("GetMatch", pb.GetMatchRequest(match_id=match.match_id), match.referee_key)
        assert state.sandbox == (seed is not None)
        states.append((str(state.view), match.next_commitment))
    assert states[0] == states[1]
    assert 4 == len(set(states))


def test_clock_is_advanced_by_the_referee(transport: Transport) -> None:
    """The referee moves the time of a test; a deadline that it passes is enforced, and a repeated call does nothing."""
    match = created(transport)
    get = pb.GetMatchRequest(match_id=match.match_id)
    until = transport("GetMatch", get).deadline
    early = advanced(transport, match, 30)
    assert (False, until, 2) == (early.timed_out, early.time, early.revision)
    late = advanced(transport, match, 1, "late")
    assert (True, until.seconds + 1, 5) == (late.timed_out, late.time.seconds, late.revision)
    assert late == advanced(transport, match, 1, "late")
    state = transport("GetMatch", get)
    assert (until.seconds + 31, 5) == (state.deadline.seconds, state.revision)
    events = transport("ListEvents", pb.ListEventsRequest(match_id=match.match_id, cursor="2.0")).moves
    assert ["clock_advanced", "time_over", "card_played"] == [move.events[0].kind for move in events]
    assert Failed("request_reused", "request_id") == advanced(transport, match, 2, "late")


def test_others_cannot_advance_the_clock(transport: Transport) -> None:
    """Seats and the public cannot advance the clock, nor can anybody by nothing, by too much, or at a real match."""
    match = created(transport)
    for key in ("", *(one.key for one in match.seat_keys)):
        assert Failed("referee_only", "") == advanced(transport, match, 1, key=key)
    for seconds in (0, 2_592_001):
        assert Failed("bad_request", "seconds") == advanced(transport, match, seconds)
    assert Failed("bad_request", "request_id") == advanced(transport, match, 1, "x" * 65)
    assert Failed("not_a_sandbox", "") == advanced(transport, created(transport, None), 1)
    assert Failed("no_clock", "") == advanced(transport, created(transport, clock=None), 1)
    assert 1 == transport("GetMatch", pb.GetMatchRequest(match_id=match.match_id)).revision


@pytest.mark.parametrize("seed", ["x" * 65, "two\nlines", "two\rlines"])
def test_seed_is_one_short_line(transport: Transport, seed: str) -> None:
    """A seed that is too long or has a line break is refused."""
    assert Failed("bad_request", "sandbox.seed") == created(transport, seed)


def test_record_of_a_test_is_marked(transport: Transport) -> None:
    """The record of a test says that it is one, and a match that is made of it is real unless it is a test too."""
    match = created(transport)
    record = transport("GetRecord", pb.GetRecordRequest(match_id=match.match_id), match.referee_key).record
    assert "\nsandbox true\n" in record
    for sandbox in (None, pb.Sandbox(seed="a seed")):
        again = transport("ImportMatch", pb.ImportMatchRequest(record=record, sandbox=sandbox)).created
        state = transport("GetMatch", pb.GetMatchRequest(match_id=again.match_id))
        assert (sandbox is not None) == state.sandbox
        assert (again.next_commitment == match.next_commitment) == state.sandbox


@pytest.fixture(params=TRANSPORTS)
def without_tests(request: pytest.FixtureRequest, wired: WiredService) -> Iterator[Transport]:
    """Each transport of a service on the same store that runs without ``--sandbox``."""
    catalogue = Catalogue()
    service = MatchService(catalogue, wired.store)
    api = make_dispatcher(catalogue, service, MatchOperations(service, choose_move), wired.hub, wired.platform_hub)
    plain = wired._replace(api=api)
    with opened(plain) as rest, through(request.param, plain, rest) as transport:
        yield transport


def test_no_tests_without_the_setting(without_tests: Transport, transport: Transport) -> None:
    """A service without the setting creates no test, alone, in a batch or from a record; those that are there go on."""
    off = Failed("sandbox_off", "sandbox")
    assert off == created(without_tests) == created(without_tests, "")
    real = created(without_tests, None)
    record = without_tests("GetRecord", pb.GetRecordRequest(match_id=real.match_id), real.referee_key).record
    assert off == without_tests("ImportMatch", pb.ImportMatchRequest(record=record, sandbox=pb.Sandbox()))
    requests = [
        pb.CreateMatchRequest(rule_set=BRISCOLA, sandbox=pb.Sandbox()),
        pb.CreateMatchRequest(rule_set=BRISCOLA),
    ]
    first, second = without_tests("BatchCreateMatches", pb.BatchCreateMatchesRequest(requests=requests)).matches
    assert ("sandbox_off", True) == (first.error.code, second.HasField("created"))
    assert advanced(without_tests, created(transport), 31).timed_out
