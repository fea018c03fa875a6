"""Clocks: a decision has its time, the bank has the rest, and whoever asks when both are over gets a ruling."""

import threading
from random import Random

import pytest

from chitarrella import errors
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import AnyGame, Position, default_move, legal_moves, seat_to_move
from chitarrella.core.model import CHANCE, EVERYBODY, Move
from chitarrella.matches.chance import awaiting_seeds_from
from chitarrella.matches.clock import Transition, charge, deadline, match_time, next_due, start_clock
from chitarrella.matches.log_writer import choose_move
from chitarrella.matches.metadata import (
    CONTRIBUTE_SEED,
    NO_CLOCK,
    BotAssignment,
    Clock,
    ControlAction,
    ControlState,
    Snapshot,
)
from chitarrella.matches.model import REFEREE_PACKS, SHARED_PACKS, CreatedMatch, CreateMatch, Sandbox
from chitarrella.matches.operations import MatchOperations
from chitarrella.matches.scheduler import Scheduler
from chitarrella.matches.service import MatchService
from chitarrella.runtime.threads import THREADS, FairPool
from tests.matches import playing
from tests.matches.playing import CATALOGUE, SHORT, choice, events_of, fails, go_on, log_of, operations, play_out
from tests.servers import until
from tests.walks import defaults, name, walk

CLOCK = Clock(30_000, 60_000)


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
    assert deadline(service.create(CreateMatch(SHORT, pack_source=REFEREE_PACKS, clock=CLOCK)).snapshot) is None


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
    assert [("timed_out", seat), ("card_played", seat)] == kinds[-2:]
    assert f"{seat} play_card {wanted.cards[0]}" == log_of(service, opened.match)[-1]
    assert (3, 0, clock_ms[0]) == (snapshot.row.revision, snapshot.control.banks[seat], snapshot.control.turn_started)
    assert not operations(service).enforce_clock(opened.match)[0]
    assert "!" not in service.repository.format_record(opened.match)


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
    opened = service.create(CreateMatch(playing.PARTNERS, clock=CLOCK))
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
    assert [("contributed", 1), ("timed_out", 0), ("shuffle_requested", None)] == kinds[:3]
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


# ---------------------------------------------------------------------- the clock of a test

TEST = CreateMatch(playing.LONG_MATCH, clock=CLOCK, sandbox=Sandbox("test"))


def now(snapshot: Snapshot) -> int:
    return match_time(snapshot.metadata, snapshot.control)


def advance(service: MatchService, opened: CreatedMatch, seconds: int, request_id: str = "") -> tuple[bool, Snapshot]:
    return operations(service).advance_clock(opened.match, seconds, request_id)


def test_time_of_a_test_stands_still(service: MatchService, clock_ms: list[int]) -> None:
    """However late it is, no decision of a test costs its bank, and nothing is due until the clock is advanced."""
    opened = service.create(TEST)
    begun = opened.snapshot.metadata.created_at * 1000
    assert (begun, begun + 90_000) == (now(opened.snapshot), deadline(opened.snapshot))
    clock_ms[0] = begun + 1_000_000_000
    assert [] == service.store.schedule.claim(clock_ms[0], 1, 10)
    assert next_due(opened.snapshot, clock_ms[0]) is None
    assert not operations(service).enforce_clock(opened.match)[0]
    assert 0 == Scheduler(operations(service), service.store).run_once()
    assert not operations(service).run_due(opened.match)
    snapshot = go_on(service, opened.match).snapshot
    assert (begun, (60_000, 60_000)) == (now(snapshot), snapshot.control.banks)


def test_advanced_time_is_charged_and_enforced(service: MatchService, other: MatchService) -> None:
    """What is beyond the time of a decision comes out of the bank; behind both the default move is made, once."""
    opened = service.create(TEST)
    seat, begun = playing.on_turn(opened.snapshot), now(opened.snapshot)
    timed_out, snapshot = advance(service, opened, 50)
    assert (False, begun + 50_000) == (timed_out, now(snapshot))
    played = go_on(other, opened.match).snapshot  # another worker has the time from the store
    assert 40_000 == played.control.banks[seat]
    assert 60_000 == played.control.banks[1 - seat]
    assert begun + 50_000 + 90_000 == deadline(played)
    timed_out, snapshot = advance(service, opened, 90)
    assert not timed_out
    assert not operations(service).enforce_clock(opened.match)[0]
    timed_out, snapshot = advance(other, opened, 1)
    assert (True, begun + 141_000) == (timed_out, now(snapshot))
    assert 0 == snapshot.control.banks[1 - seat]
    assert ["table !advance_clock 1", f"{1 - seat} !time_over"] == log_of(service, opened.match)[-3:-1]
    assert not advance(service, opened, 30)[0]


def test_advance_is_seen_by_watchers(service: MatchService) -> None:
    """Everybody learns of an advance by an event with its seconds; a takeback costs nobody time, and begins it anew."""
    opened = service.create(TEST)
    _, snapshot = advance(service, opened, 7)
    assert 2 == snapshot.row.revision
    history, log = service.repository.history(opened.match)
    *_, (revision, (event,), *_) = history.replay(log)
    assert (2, "clock_advanced", None, 7, EVERYBODY) == (revision, event.kind, event.seat, event.amount, event.known_to)
    assert 7_000 == history.control.advanced_ms
    go_on(service, opened.match)
    advance(service, opened, 50)
    _, snapshot = operations(service).take_back(opened.match, CHANCE)
    assert now(opened.snapshot) + 57_000 == now(snapshot) == snapshot.control.turn_started
    assert (60_000, 60_000) == snapshot.control.banks


def test_repeated_advance_advances_once(service: MatchService, other: MatchService) -> None:
    """A repeated advance changes nothing, and says again whether the time was over, whatever came later."""
    opened = service.create(TEST)
    first, _ = advance(service, opened, 30, "first")
    second, snapshot = advance(service, opened, 61, "second")
    assert (False, True) == (first, second)
    log = log_of(service, opened.match)
    for worker in (service, other):
        assert (False, snapshot) == advance(worker, opened, 30, "first")
        assert (True, snapshot) == advance(worker, opened, 61, "second")
        with fails(errors.AlreadyExists, "request_reused"):
            advance(worker, opened, 31, "first")
    assert log == log_of(service, opened.match)
    play_out(service, opened.match)
    assert advance(other, opened, 61, "second")[0]


def test_advance_shuffles_without_late_seeds(service: MatchService) -> None:
    """The time for seeds is that of one decision; when it is advanced past it, the shuffle is made."""
    opened = service.create(TEST._replace(pack_source=SHARED_PACKS))
    assert not advance(service, opened, 30)[0]
    timed_out, snapshot = advance(service, opened, 1, "shuffle")
    assert (True, ()) == (timed_out, awaiting_seeds_from(snapshot))
    assert deadline(snapshot) == now(snapshot) + 90_000
    assert advance(service, opened, 1, "shuffle")[0]


def test_ended_tests_cannot_be_advanced(service: MatchService) -> None:
    """A test that is over or was aborted has no time any more; a hundred years are the end of all time."""
    packs = service.create(TEST._replace(pack_source=REFEREE_PACKS))  # it has no deadline, and time passes
    timed_out, snapshot = advance(service, packs, 1_000_000)
    assert (False, None) == (timed_out, deadline(snapshot))
    opened = service.create(TEST)
    for _ in range(3):
        advance(service, opened, 1_000_000_000)
    with pytest.raises(errors.BadRequest) as late:
        advance(service, opened, 1_000_000_000)
    assert ("bad_request", "duration") == (late.value.code, late.value.field)
    play_out(service, opened.match)
    with fails(errors.NotPossibleNow, "match_finished"):
        advance(service, opened, 1)
    aborted = service.create(TEST)
    service.abort(aborted.match)
    with fails(errors.NotPossibleNow, "match_aborted"):
        advance(service, aborted, 1)


# ---------------------------------------------------------------------- clock scheduler


def test_one_scheduler_enforces_a_timeout(service: MatchService, other: MatchService, clock_ms: list[int]) -> None:
    """A clock is enforced once by one of several schedulers; a finished match is not looked at again."""
    matches = [service.create(CreateMatch(SHORT, clock=Clock(1_000, 0))).match for _ in range(3)]
    service.create(CreateMatch(SHORT))
    schedulers = [Scheduler(operations(service), service.store), Scheduler(operations(other), other.store)]
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
    assert (3, 2.0) == scheduler.waiting_searches()
    assert 3 == service.repository.load(late.match).row.revision
    assert 0 == scheduler.run_once()
    free.set()

    def all_have_moved() -> bool:
        scheduler.run_once()
        return all(service.repository.load(one.match).row.revision > 3 for one in brooding)

    until(all_have_moved, "every bot has moved")
    scheduler.close()
