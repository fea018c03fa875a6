"""Clocks: a decision has its time, the bank has the rest, and whoever asks when both are over gets a ruling."""

from __future__ import annotations

import threading
from random import Random

import pytest

from chitarrella import errors
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import AnyGame, Position, default_move, legal_moves, seat_to_move
from chitarrella.core.model import CHANCE, Event, Move
from chitarrella.matches.clock import Transition, charge, deadline, start_clock
from chitarrella.matches.log_writer import choose_move
from chitarrella.matches.metadata import CONTRIBUTE_SEED, NO_CLOCK, BotAssignment, Clock, ControlAction, ControlState
from chitarrella.matches.model import REFEREE_PACKS as BY_HAND
from chitarrella.matches.model import SHARED_PACKS, CreateMatch
from chitarrella.matches.operations import MatchOperations
from chitarrella.matches.scheduler import Scheduler
from chitarrella.matches.service import MatchService
from chitarrella.runtime.threads import THREADS, FairPool
from chitarrella.storage.redis_store import RedisStore
from tests.matches.playing import CATALOGUE, PARTNERS, SHORT, choice, fails, go_on, operations
from tests.servers import until
from tests.walks import defaults, name, walk

CLOCK = Clock(30_000, 60_000)
CUCU = RuleSet("cucu", 3, (("end_game_agreement", "false"),))


# ---------------------------------------------------------------------- the rules of the clock


def test_decision_time_beyond_the_limit_is_taken_from_the_bank() -> None:
    """Within its time a decision is free; the rest comes out of the bank of the seat, down to zero."""
    game = CATALOGUE.game_for(SHORT)
    played = walk(SHORT, "clock")
    before, after = played.steps[1].before, played.steps[1].after
    control = start_clock(CLOCK, game, ControlState(), 0)
    seat = seat_to_move(game, before)
    assert seat is not None
    for took, left in ((0, 60_000), (30_000, 60_000), (30_001, 59_999), (80_000, 10_000), (500_000, 0)):
        charged = charge(CLOCK, game, Transition(before, after, is_decision=True), control, took)
        assert (left, took) == (charged.banks[seat], charged.turn_started)
        assert 60_000 == charged.banks[1 - seat]


def test_no_clock_runs_without_one_and_while_the_pack_is_awaited(service: MatchService) -> None:
    """Without a clock nothing is scheduled, and its time cannot be enforced; no clock runs before the pack is there."""
    game = CATALOGUE.game_for(SHORT)
    step = walk(SHORT, "clock").steps[1]
    made = Transition(step.before, step.after, is_decision=True)
    assert ControlState() == start_clock(NO_CLOCK, game, ControlState(), 5)
    assert ControlState() == charge(NO_CLOCK, game, made, ControlState(), 5)
    opened = service.create(CreateMatch(SHORT))
    assert deadline(opened.snapshot) is None
    with fails(errors.NotPossibleNow, "no_clock"):
        operations(service).enforce_clock(opened.match)
    assert deadline(service.create(CreateMatch(SHORT, pack_source=BY_HAND, clock=CLOCK)).snapshot) is None


@pytest.mark.parametrize("rule_set", defaults(), ids=name)
def test_every_position_has_a_legal_default_move(rule_set: RuleSet) -> None:
    """Every seat on turn has a default move; it is legal, and marked as the timeout default where the game has one."""
    game = CATALOGUE.game_for(rule_set)
    for p in walk(rule_set, "default", deals=1).positions:
        if (seat := seat_to_move(game, p)) is not None:
            move = default_move(game, p, seat)
            listed = legal_moves(game, p, seat)
            assert move in listed
            timeouts = [other for other in listed if game.move_specs[other.verb].timeout_default]
            assert move in timeouts or not timeouts
            assert not game.move_specs[move.verb].out_of_turn


# ---------------------------------------------------------------------- kept matches


def test_timeout_plays_the_default_move_once(service: MatchService, other: MatchService, clock_ms: list[int]) -> None:
    """Before the time is over nothing happens; then the default move is played once, with an event for everybody."""
    opened = service.create(CreateMatch(SHORT, clock=CLOCK))
    seat = seat_to_move(opened.snapshot.game, opened.snapshot.position)
    assert seat is not None
    for passed in (0, 30_000, 90_000):
        clock_ms[0] = 1_000_000 + passed
        assert not operations(service).enforce_clock(opened.match)[0]
    clock_ms[0] += 1
    wanted = default_move(opened.snapshot.game, opened.snapshot.position, seat)
    timed_out, snapshot = operations(other).enforce_clock(opened.match)
    assert timed_out
    kinds = [(event.kind, event.seat) for event in events_of(service, opened.match)]
    assert [("time_over", seat), ("card_played", seat)] == kinds[-2:]
    assert f"{seat} play_card {wanted.cards[0]}" == service.repository.read_log(opened.match)[-1]
    assert (3, 0, clock_ms[0]) == (snapshot.row.revision, snapshot.control.banks[seat], snapshot.control.turn_started)
    assert not operations(service).enforce_clock(opened.match)[0]
    assert "!" not in service.repository.format_record(opened.match)


def events_of(service: MatchService, match: str) -> list[Event]:
    """All that has happened at a match."""
    history, lines = service.repository.history(match)
    return [event for _, events in history.replay(lines) for event in events]


def test_late_move_is_accepted_before_the_timeout_is_enforced(service: MatchService, clock_ms: list[int]) -> None:
    """A late move that arrives before the ruling counts; the bank is empty, and the next clock runs."""
    opened = service.create(CreateMatch(SHORT, clock=CLOCK))
    request = choice(opened.snapshot)
    clock_ms[0] += 1_000_000
    played = service.play(opened.match, request)
    assert played.accepted
    assert 0 == played.snapshot.control.banks[request.actor]
    assert 60_000 == played.snapshot.control.banks[1 - request.actor]
    assert not operations(service).enforce_clock(opened.match)[0]


def test_signal_does_not_restart_the_clock(service: MatchService, clock_ms: list[int]) -> None:
    """A signal, of the partner or of the seat on turn, gives nobody new time."""
    opened = service.create(CreateMatch(PARTNERS, clock=CLOCK))
    game, p = opened.snapshot.game, opened.snapshot.position
    clock_ms[0] += 20_000
    for seat in range(4):
        signals = [move for move in legal_moves(game, p, seat) if move.verb == "signal"]
        for move in signals[:1]:
            service.play(opened.match, choice(opened.snapshot)._replace(actor=seat, move=move))
    assert 1_000_000 == service.repository.load(opened.match).control.turn_started


@pytest.mark.parametrize(("clock", "patience"), [(CLOCK, 30_000), (Clock(0, 60_000), 60_000)])
def test_missing_seeds_are_passed_over_after_the_decision_time(
    service: MatchService, other: MatchService, clock_ms: list[int], clock: Clock, patience: int
) -> None:
    """A seat that contributes no seed in time is passed over with an event; the pack is dealt, and no bank pays."""
    opened = service.create(CreateMatch(SHORT, pack_source=SHARED_PACKS, clock=clock))
    clock_ms[0] += 1_000
    operations(service).contribute_seed(opened.match, ControlAction(1, CONTRIBUTE_SEED, "zecchino"))
    clock_ms[0] = 1_000_000 + patience
    assert clock_ms[0] == deadline(service.repository.load(opened.match))
    assert not operations(other).enforce_clock(opened.match)[0]
    clock_ms[0] += 1
    assert 1 == Scheduler(operations(other), other.store).run_once()
    snapshot = service.repository.load(opened.match)
    kinds = [(event.kind, event.seat) for event in events_of(service, opened.match)]
    assert [("contributed", 1), ("time_over", 0), ("shuffle_requested", None)] == kinds[:3]
    assert ((60_000, 60_000), clock_ms[0]) == (snapshot.control.banks, snapshot.control.turn_started)
    assert seat_to_move(snapshot.game, snapshot.position) is not None


def test_every_shuffle_has_its_own_time_for_seeds(service: MatchService, clock_ms: list[int]) -> None:
    """When a lot is drawn at the last moment, the seeds for the following pack are waited for as long again."""
    lot = RuleSet("coech", 2, (("first_dealer", "by_lot"),))
    opened = service.create(CreateMatch(lot, pack_source=SHARED_PACKS, clock=CLOCK))
    clock_ms[0] += 29_000
    for seat in (0, 1):
        operations(service).contribute_seed(opened.match, ControlAction(seat, CONTRIBUTE_SEED, "zecchino"))
    assert clock_ms[0] + 30_000 == deadline(service.repository.load(opened.match))
    clock_ms[0] += 29_000
    operations(service).contribute_seed(opened.match, ControlAction(0, CONTRIBUTE_SEED, "zecchino"))
    assert clock_ms[0] + 1_000 == deadline(service.repository.load(opened.match))


def test_takeback_request_stops_the_clock(service: MatchService, clock_ms: list[int]) -> None:
    """While a takeback is open nobody pays; then the seat that made the decision thinks anew."""
    opened = service.create(CreateMatch(SHORT, clock=CLOCK))
    played = go_on(service, opened.match)
    mover = seat_to_move(opened.snapshot.game, opened.snapshot.position)
    assert mover is not None
    assert 1 - mover == seat_to_move(played.snapshot.game, played.snapshot.position)
    clock_ms[0] += 80_000
    assert operations(service).take_back(opened.match, CHANCE)[0]
    snapshot = service.repository.load(opened.match)
    assert (mover, (60_000, 60_000)) == (seat_to_move(snapshot.game, snapshot.position), snapshot.control.banks)
    assert clock_ms[0] + 90_000 == deadline(snapshot)


def test_expiry_covers_the_time_of_the_next_move(service: MatchService, store: RedisStore) -> None:
    """A match expires its lifetime after the last move or, if that is later, after the time for the next one."""
    client = store.connection.client
    for seconds, clock, lives in ((1, Clock(0, 3_600_000), 3_601), (10, NO_CLOCK, 10)):
        opened = service.create(CreateMatch(SHORT, ttl_seconds=seconds, clock=clock))
        for _ in range(2):
            found = [client.ttl(key) for key in client.scan_iter(f"*{opened.match}*")]
            assert {True} == {lives * 0.8 < left <= lives for left in found}
            go_on(service, opened.match)


def test_timeouts_alone_finish_a_match(service: MatchService, clock_ms: list[int]) -> None:
    """A match that everybody has left is finished by timeouts, deal after deal."""
    opened = service.create(CreateMatch(CUCU, clock=Clock(1_000, 0)))
    for _ in range(2_000):
        clock_ms[0] += 2_000
        if service.repository.load(opened.match).game.is_finished(service.repository.load(opened.match).position):
            break
        assert operations(service).enforce_clock(opened.match)[0]
    with fails(errors.NotPossibleNow, "no_clock"):
        operations(service).enforce_clock(opened.match)


def test_clock_runs_on_machine_time(service: MatchService) -> None:
    """The clock works with the real time of the machine."""
    opened = service.create(CreateMatch(SHORT, clock=Clock(300, 0)))
    go_on(service, opened.match, 2)
    assert not operations(service).enforce_clock(opened.match)[0]
    until(lambda: operations(service).enforce_clock(opened.match)[0], "the time of the decision is over", 5)
    history, lines = service.repository.history(opened.match)
    history.skip(lines)
    assert (5, history.position) == (len(lines), service.repository.load(opened.match).position)


# ---------------------------------------------------------------------- clock scheduler


def test_one_of_several_schedulers_enforces_a_timeout(
    service: MatchService, other: MatchService, clock_ms: list[int]
) -> None:
    """A clock is enforced once by one of several schedulers; a finished match is not looked at again."""
    matches = [service.create(CreateMatch(SHORT, clock=Clock(1_000, 0))).match for _ in range(3)]
    service.create(CreateMatch(SHORT))
    schedulers = [
        Scheduler(operations(service), service.store),
        Scheduler(operations(other), other.store),
    ]
    assert [0, 0] == [scheduler.run_once() for scheduler in schedulers]
    clock_ms[0] += 2_000
    assert [3, 0] == [scheduler.run_once() for scheduler in schedulers]
    assert [3, 3, 3] == [service.repository.load(match).row.revision for match in matches]
    service.abort(matches[0])
    service.delete(matches[1])
    clock_ms[0] += 2_000
    assert [1, 0] == [scheduler.run_once() for scheduler in reversed(schedulers)]
    clock_ms[0] += 60_000
    assert 1 == schedulers[0].run_once()


def test_timeouts_are_enforced_while_bots_search(service: MatchService, clock_ms: list[int]) -> None:
    """A bot that searches for long does not delay a timeout."""
    free = threading.Event()

    def brood(game: AnyGame, p: Position, bot: BotAssignment, rng: Random) -> Move:
        assert free.wait(10)
        return choose_move(game, p, bot, rng)

    searching = tuple(BotAssignment(seat, "search", 5) for seat in range(2))
    owners = [f"192.0.2.{number}" for number in range(THREADS + 3)]
    brooding = [service.create(CreateMatch(SHORT, bots=searching, address=owner)) for owner in owners]
    late = service.create(CreateMatch(SHORT, clock=Clock(1_000, 0)))
    clock_ms[0] += 2_000
    scheduler = Scheduler(MatchOperations(service, brood), service.store, FairPool("bot"))
    assert THREADS + 1 == scheduler.run_once()
    assert 3 == service.repository.load(late.match).row.revision
    assert 0 == scheduler.run_once()
    free.set()
    revisions = [3] * 3 + [4] * THREADS
    until(
        lambda: revisions == sorted(service.repository.load(one.match).row.revision for one in brooding),
        "as many as there are threads have moved",
    )
    scheduler.close()


def test_instant_bots_do_not_wait_for_a_search(service: MatchService) -> None:
    """However many bots choose without searching, none of them waits for a thread."""
    opened = [
        service.create(CreateMatch(SHORT, bots=(BotAssignment(0, "greedy"), BotAssignment(1, "random"))))
        for _ in range(8 * THREADS)
    ]
    scheduler = Scheduler(operations(service), service.store, FairPool("bot"))
    assert len(opened) == scheduler.run_once()
    assert {4} == {service.repository.load(one.match).row.revision for one in opened}
    scheduler.close()
