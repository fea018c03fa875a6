"""Bots that hold a seat of a kept match: they move when their turn comes, once, whoever of the workers is quickest."""

import time
from collections.abc import Callable
from random import Random

import pytest

from chitarrella import errors
from chitarrella.bots import SLOW_BOTS
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import AnyGame, Position, seat_to_move
from chitarrella.core.model import CHANCE, Event, Move, Seat
from chitarrella.games.briscola import BRISCOLA
from chitarrella.games.briscolone import BRISCOLONE
from chitarrella.matches.chance import awaiting_seeds_from
from chitarrella.matches.clock import RECHECK_SECONDS, deadline, next_due, now_ms
from chitarrella.matches.log_writer import choose_move
from chitarrella.matches.metadata import BotAssignment, Clock
from chitarrella.matches.model import SHARED_PACKS, CreatedMatch, CreateMatch, MatchLimits, MoveRequest, Sandbox
from chitarrella.matches.operations import MatchOperations
from chitarrella.matches.scheduler import LEASE_MS, Scheduler
from chitarrella.matches.service import MOST_TALK, MatchService
from chitarrella.storage.redis_store import RedisStore
from chitarrella.tricks.rules import Rules
from chitarrella.tricks.table import Table
from tests.matches.playing import (
    CATALOGUE,
    PARTNERS,
    SHORT,
    catalogue_of,
    events_of,
    fails,
    go_on,
    log_of,
    operations,
    play_out,
    with_rules,
)

TWO = (BotAssignment(0, "greedy"), BotAssignment(1, "random"))


def scheduler(service: MatchService) -> Scheduler:
    return Scheduler(operations(service), service.store)


@pytest.mark.parametrize("bot", ["easy", "normal"])
def test_a_bot_waits_for_its_delay(service: MatchService, bot: str) -> None:
    """A bot with a delay moves so long after the last decision, and not beyond its clock; nothing is due before."""
    bots = tuple(BotAssignment(seat, bot, 0, 10_000) for seat in (0, 1))
    opened = service.create(CreateMatch(SHORT, bots=bots, clock=Clock(move_ms=60_000)))
    snapshot = service.repository.load(opened.match)
    assert snapshot.row.turn_since + 10_000 == next_due(snapshot, snapshot.row.turn_since)
    assert 0 == scheduler(service).run_once()
    assert not operations(service).run_due(opened.match)
    hasty = snapshot._replace(metadata=snapshot.metadata._replace(clock=Clock(move_ms=2000)))
    assert deadline(hasty) == next_due(hasty, snapshot.row.turn_since)


@pytest.mark.parametrize("bot", ["easy", "normal", "strong", "random"])
def test_two_bots_finish_a_match_without_duplicate_moves(service: MatchService, other: MatchService, bot: str) -> None:
    """Two bots play a match to its end; when two workers look at once, only one of them moves."""
    opened = service.create(CreateMatch(SHORT, bots=(BotAssignment(0, bot, 10), BotAssignment(1, "random"))))
    schedulers = [scheduler(service), scheduler(other)]
    most = 4 if bot in SLOW_BOTS else 2  # a scheduler serves what is due, and then one search
    for _ in range(200):
        assert sum(one.run_once() for one in schedulers) <= most
        snapshot = service.repository.load(opened.match)
        if snapshot.game.is_finished(snapshot.position):
            break
    assert snapshot.game.is_finished(snapshot.position)
    deals = service.repository.format_record(opened.match).count("start_deal")  # a level deal is followed by another
    assert 2 + deals * 41 == len(log_of(service, opened.match))  # two bots sit down; each time a pack and forty cards
    assert [] == service.store.schedule.claim(now_ms() + 1_000_000, 1, 10)


def test_bots_of_a_seed_make_the_same_choices(service: MatchService, other: MatchService) -> None:
    """The scheduler plays for the bots of a test, though its time stands still: the same for one seed."""
    logs = []
    for worker, sandbox in ((service, Sandbox("bots")), (other, Sandbox("bots")), (service, Sandbox())):
        opened = worker.create(CreateMatch(SHORT, bots=TWO, sandbox=sandbox, clock=Clock(30_000, 60_000)))
        while scheduler(worker).run_once():
            pass
        control = worker.repository.load(opened.match).control
        assert (opened.snapshot.control.turn_started, 0) == (control.turn_started, control.advanced_ms)
        logs.append(log_of(worker, opened.match))
    assert logs[0] == logs[1] != logs[2]


def test_bot_moves_though_an_earlier_move_is_scheduled_late(
    service: MatchService, other: MatchService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker that schedules its move after the next one was made does not write over that a bot is to move."""
    opened = service.create(CreateMatch(SHORT, bots=TWO[:1], sandbox=Sandbox("late")))
    write, late = service.store.schedule.set, list[str]()

    def move_on(worker: MatchService) -> None:
        while worker.repository.load(opened.match).bot_on_turn is None:
            go_on(worker, opened.match)

    def write_late(match: str, when: int) -> None:
        if not late and when > now_ms():  # a person is to move behind the bot
            late.append(match)
            move_on(other)
        write(match, when)

    while not late:
        move_on(service)
        monkeypatch.setattr(service.store.schedule, "set", write_late)
        assert 1 == scheduler(service).run_once()
        monkeypatch.undo()
    assert 1 == scheduler(service).run_once()


def test_seat_is_given_to_a_bot_and_taken_back(service: MatchService) -> None:
    """A seat is given to a bot and taken back; both changes are events for everybody."""
    opened = service.create(CreateMatch(SHORT))
    away = seat_to_move(opened.snapshot.game, opened.snapshot.position)
    assert away is not None
    bot = BotAssignment(away, "random", 5)
    snapshot = operations(service).assign_bot(opened.match, bot)
    assert (bot,) == snapshot.control.bots
    assert snapshot.row == operations(service).assign_bot(opened.match, bot).row
    assert 1 == scheduler(service).run_once()
    assert 0 == scheduler(service).run_once()
    snapshot = operations(service).assign_bot(opened.match, BotAssignment(away, ""))
    assert () == snapshot.control.bots
    assert snapshot.row == operations(service).assign_bot(opened.match, BotAssignment(away, "")).row
    assert next_due(snapshot, now_ms()) is None
    go_on(service, opened.match, 1)
    assert 0 == scheduler(service).run_once()
    kinds = [(event.kind, event.seat, event.word) for event in events_of(service, opened.match)]
    assert ("bot_seated", away, "random") in kinds
    assert ("bot_left", away, "") in kinds


def test_what_others_do_for_a_seat_is_not_its_talk(service: MatchService) -> None:
    """Neither the bots that the referee assigns use up the quota of a seat, nor that it joins or asks to take back."""
    opened, table = service.create(CreateMatch(SHORT)), operations(service)
    mover = go_on(service, opened.match).snapshot.game.turn(opened.snapshot.position)
    assert mover is not None
    table.join(opened.match, mover)
    for decline in (False, True):
        table.take_back(opened.match, mover, decline=decline)
    changes = [BotAssignment(mover, bot) for _ in range(MOST_TALK // 2) for bot in ("easy", "")]
    for actor in (CHANCE, mover):
        for bot in changes:
            table.assign_bot(opened.match, bot, actor)
    with fails(errors.QuotaExceeded, "quota_exceeded"):
        table.assign_bot(opened.match, changes[0], mover)


def test_shared_pack_does_not_wait_for_bots(service: MatchService) -> None:
    """A shared pack waits for the seeds of persons only."""
    opened = service.create(CreateMatch(SHORT, pack_source=SHARED_PACKS, bots=TWO[:1]))
    assert (1,) == awaiting_seeds_from(opened.snapshot)
    assert () == awaiting_seeds_from(service.create(CreateMatch(SHORT, pack_source=SHARED_PACKS, bots=TWO)).snapshot)


def test_no_bot_is_assigned_after_the_end(service: MatchService) -> None:
    """A match that is over or aborted accepts no bot."""
    opened = service.create(CreateMatch(SHORT))
    play_out(service, opened.match)
    for code in ("match_finished", "match_aborted"):
        with fails(errors.NotPossibleNow, code):
            operations(service).assign_bot(opened.match, TWO[0])
        opened = service.create(CreateMatch(SHORT))
        service.abort(opened.match)


class Failing(Rules):
    def apply(self, p: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        if seat != CHANCE:
            raise ZeroDivisionError("a fault of the rules")
        return super().apply(p, seat, move, events)


def test_a_game_that_fails_delays_no_other(store: RedisStore) -> None:
    """Of the matches that are due at once, one whose game fails is passed over and claimed again after its lease."""
    service = MatchService(catalogue_of(with_rules(BRISCOLONE, Failing), BRISCOLA), store)
    for key in ("briscolone", "briscola", "briscolone"):
        service.create(CreateMatch(RuleSet(key, 2), bots=TWO))
    assert 1 == scheduler(service).run_once()
    assert 1 == scheduler(service).run_once()


# ---------------------------------------------------------------------- the searches of bots

FLOOD = 30
FLOOD_MS, HONEST_MS, LONG_MS = 5, 6, 7
"""How long the searches of the flood, of everybody else, and those that use up a budget take."""
ATTACKER, NEIGHBOUR = "192.0.2.1", "192.0.2.2"


class Bots:
    """Bots at the matches of a service that note which of them has moved: its name, and how long it may think."""

    def __init__(self, service: MatchService) -> None:
        self.moves: list[tuple[str, int]] = []
        self.played: list[tuple[str, str]] = []
        self.search_seconds = 0.0
        """The processor time that a search takes at least."""
        self.scheduler = Scheduler(MatchOperations(service, self._choose, self._observe), service.store)

    def _choose(self, game: AnyGame, p: Position, bot: BotAssignment, rng: Random) -> Move:
        self.moves.append((bot.bot, bot.think_ms))
        end = time.thread_time() + self.search_seconds * (bot.bot == "search")
        while time.thread_time() < end:
            pass
        return choose_move(game, p, bot, rng)

    def _observe(self, bot: str, played: str, seconds: float) -> None:
        assert seconds >= 0
        self.played.append((bot, played))

    def searches(self, think_ms: int) -> int:
        """How many searches have begun that may take so long."""
        return self.moves.count(("search", think_ms))

    def run_until(self, think_ms: int, count: int = 1) -> int:
        """Run the scheduler until so many searches have run; returns how many of the flood ran meanwhile."""
        before, done = self.searches(FLOOD_MS), self.searches(think_ms)
        while self.searches(think_ms) < done + count:
            assert self.scheduler.run_once()
        return self.searches(FLOOD_MS) - before


def search_match(service: MatchService, think_ms: int, *, platform: str = "", address: str = "") -> CreatedMatch:
    bots = tuple(BotAssignment(seat, "search", think_ms) for seat in range(2))
    return service.create(CreateMatch(SHORT, bots=bots, platform=platform, address=address))


def flood(service: MatchService, platform: str = "", address: str = ATTACKER) -> list[str]:
    return [search_match(service, FLOOD_MS, platform=platform, address=address).match for _ in range(FLOOD)]


@pytest.mark.parametrize(
    ("attacker", "honest"),
    [
        ({"address": ATTACKER}, {"address": NEIGHBOUR}),
        ({"address": ""}, {"platform": "acme"}),
        ({"platform": "busy"}, {"platform": "acme"}),
    ],
)
def test_flood_delays_nobody_else(service: MatchService, attacker: dict[str, str], honest: dict[str, str]) -> None:
    """Beside thirty matches of one address or platform, another's bot is next, and goes on in its share."""
    bots = Bots(service)
    matches = flood(service, **attacker)
    bots.run_until(FLOOD_MS, FLOOD)
    assert {4} == {service.repository.load(match).row.revision for match in matches}, "the flood is served in turn"
    search_match(service, HONEST_MS, **honest)
    assert bots.run_until(HONEST_MS) <= 1
    assert bots.run_until(HONEST_MS, 10) <= 40  # some ten: the shares are of processor time


def test_cheap_bots_and_clocks_do_not_wait_for_searches(service: MatchService, clock_ms: list[int]) -> None:
    """A greedy bot moves and a clock is enforced before another search begins, however many wait."""
    bots = Bots(service)
    clock = service.create(CreateMatch(SHORT, clock=Clock(1_000, 0)))
    flood(service)
    assert 1 == bots.scheduler.run_once()
    clock_ms[0] += 2_000
    cheap = service.create(CreateMatch(SHORT, bots=(BotAssignment(0, "greedy"), BotAssignment(1, "greedy"))))
    assert 3 == bots.scheduler.run_once()  # the greedy bot, the timeout, and one search
    assert ["search", "greedy", "search"] == [bot for bot, _ in bots.moves]
    assert 4 == service.repository.load(cheap.match).row.revision
    assert 3 == service.repository.load(clock.match).row.revision


@pytest.mark.parametrize(("is_begun", "lost_ms"), [(False, RECHECK_SECONDS * 1000), (True, LEASE_MS)])
def test_search_of_a_killed_worker_is_repeated(
    service: MatchService, other: MatchService, clock_ms: list[int], is_begun: bool, lost_ms: int
) -> None:
    """Where a worker is killed that has claimed or begun a search, another searches again after a while."""
    opened = search_match(service, HONEST_MS)
    assert opened.match == service.store.searches.claim(opened.snapshot.metadata.owner).match
    if is_begun:
        service.store.schedule.set(opened.match, clock_ms[0] + LEASE_MS)
    bots = Bots(other)
    clock_ms[0] += lost_ms - 1
    assert 0 == bots.scheduler.run_once()
    clock_ms[0] += 1
    assert 1 == bots.scheduler.run_once()
    assert 4 == service.repository.load(opened.match).row.revision


def test_search_that_is_not_needed_is_left_out(service: MatchService) -> None:
    """A bot whose match is gone or over, or whose seat has moved meanwhile, does not search; the next one does."""
    one_bot = CreateMatch(SHORT, bots=(BotAssignment(0, "search", FLOOD_MS),))
    gone, moved, over = search_match(service, FLOOD_MS), service.create(one_bot), service.create(one_bot)
    play_out(service, over.match)  # a person moves for the bot as well
    for seat in (0, 1):  # the turn of the bot comes, and the key of its seat moves for it
        while seat_to_move((snapshot := service.repository.load(moved.match)).game, snapshot.position) != seat:
            go_on(service, moved.match)
    service.delete(gone.match)
    bots = Bots(service)
    search_match(service, HONEST_MS)
    while bots.scheduler.run_once() and not bots.moves:
        pass
    assert [("search", HONEST_MS)] == bots.moves


@pytest.mark.parametrize("bot", ["normal", "strong"])
def test_bot_takes_its_think_time_whatever_it_holds(service: MatchService, bot: str) -> None:
    """A bot that searches moves when its think time is over, also with one card left, and waits without a thread."""
    match = service.create(CreateMatch(SHORT, bots=tuple(BotAssignment(seat, bot, 20) for seat in range(2)))).match
    revision, held = service.repository.load(match).row.revision, list[Callable[[], bool]]()

    def hold(due: float, play: Callable[[], bool]) -> bool:
        held.append(play)
        return True

    assert operations(service).run_due(match, hold=hold)
    assert revision == service.repository.load(match).row.revision
    assert held[0]()
    while scheduler(service).run_once():
        pass
    history, entries = service.repository.history(match)
    taken = [step.think_ms for step in history.replay(entries) if step.is_move]
    assert history.is_over
    assert len(taken) % 40 == 0
    assert 20 <= min(taken[1:])


def test_what_is_said_meanwhile_starts_no_second_search(service: MatchService) -> None:
    """A signal, a new key, a new name or a pause while a bot searches: its move is played all the same, at once."""
    match = service.create(CreateMatch(PARTNERS, bots=(BotAssignment(1, "search", FLOOD_MS),), clock=Clock(60_000)))
    while (waiting := service.repository.load(match.match)).bot_on_turn is None:
        go_on(service, match.match)
    searches = []

    def choose(game: AnyGame, p: Position, bot: BotAssignment, rng: Random) -> Move:
        searches.append(bot)
        assert service.play(match.match, MoveRequest(2, Move("signal", choice="A"))).accepted
        operations(service).rotate_key(match.match, 0, lambda _: None)
        operations(service).pause_clock(match.match, 0, resume=False)
        service.update(match.match, lambda details: details._replace(player_names=((0, "Anna"),)))
        return choose_move(game, p, bot, rng)

    playing = Scheduler(MatchOperations(service, choose), service.store)
    assert 1 == playing.run_once()
    after = service.repository.load(match.match)
    assert (1, waiting.row.revision + 2) == (len(searches), after.row.revision)
    assert (None, 0) == (after.bot_on_turn, service.store.searches.claim().waiting)


# ---------------------------------------------------------------------- the budget of a match


def test_greedy_bot_takes_over_when_the_budget_is_used_up(service: MatchService, other: MatchService) -> None:
    """The searches of all workers use up the budget of their match; then its bots play greedily, waiting for nobody."""
    limited = MatchService(CATALOGUE, service.store, MatchLimits(search_seconds=1))
    opened, bots = search_match(limited, LONG_MS, platform="acme"), Bots(limited)
    bots.search_seconds = 0.4
    while not other.repository.load(opened.match).control.searched_ms >= 1_000:
        assert bots.scheduler.run_once()
    bots.search_seconds = 0.0
    flood(limited)
    bots.played.clear()
    bots.moves.clear()
    left = 40 * 2  # more than the match has
    while not (snapshot := limited.repository.load(opened.match)).game.is_finished(snapshot.position):
        assert bots.scheduler.run_once()
        assert (left := left - 1)
    assert 0 == bots.searches(LONG_MS)
    assert {("search", "search"), ("search", "greedy")} == set(bots.played)


def test_without_a_budget_no_bot_searches(service: MatchService) -> None:
    """With a budget of zero every bot plays at once, and nothing is queued."""
    limited = MatchService(CATALOGUE, service.store, MatchLimits(search_seconds=0))
    opened, bots = search_match(limited, LONG_MS), Bots(limited)
    while bots.scheduler.run_once():
        pass
    assert {("search", "greedy")} == set(bots.played)
    snapshot = limited.repository.load(opened.match)
    assert snapshot.game.is_finished(snapshot.position)
    assert 0 == service.store.searches.claim().waiting


def test_bot_whose_clock_runs_out_does_not_search(service: MatchService, clock_ms: list[int]) -> None:
    """A bot that waits for its search until its clock has run out moves at once, greedily."""
    flood(service)
    clock_ms[0] += 1  # behind the flood, and not among it by the order of ids
    bots = tuple(BotAssignment(seat, "search", HONEST_MS) for seat in range(2))
    opened = service.create(CreateMatch(SHORT, bots=bots, clock=Clock(1_000, 0), address=ATTACKER))
    playing = Bots(service)
    playing.scheduler.run_once()
    assert 3 == service.repository.load(opened.match).row.revision
    clock_ms[0] += 1_001
    playing.scheduler.run_once()
    assert ("search", "greedy") in playing.played
    assert 4 == service.repository.load(opened.match).row.revision
