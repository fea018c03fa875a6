"""Clocks: a decision has its time, the bank has the rest, and whoever asks when both are over gets a ruling."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from chitarrella import errors
from chitarrella.affairs import CONTRIBUTE, Act, Affairs, BotSeat
from chitarrella.botplay import choose, thinks
from chitarrella.catalogue import Agreement
from chitarrella.drawing import REFEREE as BY_HAND
from chitarrella.drawing import SHARED
from chitarrella.game import AnyGame, Position, by_default, legal, waited_for
from chitarrella.header import NO_CLOCK, Clock
from chitarrella.redis_store import RedisStore
from chitarrella.referee import Referee
from chitarrella.steward import Steward
from chitarrella.timekeeper import PATIENCE, THINKING, Timekeeper
from chitarrella.timing import Step, pressed, set_going, until_when
from chitarrella.words import CHANCE, Event, Move
from chitarrella_client import Chitarrella
from tests.house.service import Serve
from tests.house.table import CATALOGUE, PARTNERS, SHORT, choice, go_on, steward
from tests.kit import defaults, name, walk

CLOCK = Clock(30_000, 60_000)
CUCU = Agreement("cucu", 3, (("end_game_agreement", "false"),))


# ---------------------------------------------------------------------- the rules of the clock


def test_what_a_decision_costs() -> None:
    """Within its time a decision is free; what it takes beyond comes out of the bank of the seat, down to nothing."""
    game = CATALOGUE.seat(SHORT)
    played = walk(SHORT, "clock")
    before, after = played.steps[1].before, played.steps[1].after
    affairs = set_going(CLOCK, game, Affairs(), 0)
    seat = waited_for(game, before)
    assert seat is not None
    for took, left in ((0, 60_000), (30_000, 60_000), (30_001, 59_999), (80_000, 10_000), (500_000, 0)):
        charged = pressed(CLOCK, game, Step(before, after, decided=True), affairs, took)
        assert (left, took) == (charged.banks[seat], charged.since)
        assert 60_000 == charged.banks[1 - seat]


def test_no_clock(referee: Referee) -> None:
    """Without a clock nothing is noted down and nothing is due."""
    game = CATALOGUE.seat(SHORT)
    step = walk(SHORT, "clock").steps[1]
    assert Affairs() == set_going(NO_CLOCK, game, Affairs(), 5)
    assert Affairs() == pressed(NO_CLOCK, game, Step(step.before, step.after, decided=True), Affairs(), 5)
    assert until_when(referee.open(SHORT).seen) is None


def test_nobody_thinks_while_the_referee_deals(referee: Referee) -> None:
    """No clock runs before the pack is there, if it comes by hand."""
    opened = referee.open(SHORT, packs=BY_HAND, clock=CLOCK)
    assert CHANCE == opened.seen.game.turn(opened.seen.position)
    assert until_when(opened.seen) is None


@pytest.mark.parametrize("agreement", defaults(), ids=name)
def test_every_game_says_what_is_done_by_default(agreement: Agreement) -> None:
    """Whoever is on turn, there is a move by default; it is legal, and a lapse where one of those is."""
    game = CATALOGUE.seat(agreement)
    for p in walk(agreement, "default", deals=1).positions:
        if (seat := waited_for(game, p)) is not None:
            move = by_default(game, p, seat)
            listed = legal(game, p, seat)
            assert move in listed
            lapses = [other for other in listed if game.forms[other.verb].lapse]
            assert move in lapses or not lapses
            assert not game.forms[move.verb].free


# ---------------------------------------------------------------------- kept matches


def test_a_ruling(referee: Referee, other: Referee, hour: list[int]) -> None:
    """Before the time is over nothing happens; then the move is made by default, once, and everybody is told."""
    opened = referee.open(SHORT, clock=CLOCK)
    seat = waited_for(opened.seen.game, opened.seen.position)
    assert seat is not None
    for passed in (0, 30_000, 90_000):
        hour[0] = 1_000_000 + passed
        assert not steward(referee).rule_on_time(opened.match)[0]
    hour[0] += 1
    wanted = by_default(opened.seen.game, opened.seen.position, seat)
    ruled, seen = steward(other).rule_on_time(opened.match)
    assert ruled
    assert ["time_over", "card_played"] == [
        event.kind for _, events in _story(referee, opened.match) for event in events if event.seat == seat
    ][-2:]
    assert f"{seat} play_card {wanted.cards[0]}" == referee.moves(opened.match)[-1]
    assert (3, 0, hour[0]) == (seen.page.revision, seen.affairs.banks[seat], seen.affairs.since)
    assert not steward(referee).rule_on_time(opened.match)[0]
    assert "!" not in referee.record(opened.match)


def _story(referee: Referee, match: str) -> list[tuple[int, tuple[Event, ...]]]:
    story, lines = referee.chronicle(match)
    return list(story.go_on(lines))


def test_a_late_move_is_welcome_until_somebody_asks(referee: Referee, hour: list[int]) -> None:
    """Who is late but faster than the ruling has moved; the bank is empty, and the next one's clock runs."""
    opened = referee.open(SHORT, clock=CLOCK)
    wish = choice(opened.seen)
    hour[0] += 1_000_000
    played = referee.play(opened.match, wish)
    assert played.accepted
    assert 0 == played.seen.affairs.banks[wish.actor]
    assert 60_000 == played.seen.affairs.banks[1 - wish.actor]
    assert not steward(referee).rule_on_time(opened.match)[0]


def test_what_is_no_decision_leaves_the_clock(referee: Referee, hour: list[int]) -> None:
    """A signal of the partner, or of the seat on turn itself, gives nobody new time."""
    opened = referee.open(PARTNERS, clock=CLOCK)
    game, p = opened.seen.game, opened.seen.position
    hour[0] += 20_000
    for seat in range(4):
        signals = [move for move in legal(game, p, seat) if move.verb == "signal"]
        for move in signals[:1]:
            referee.play(opened.match, choice(opened.seen)._replace(actor=seat, move=move))
    assert 1_000_000 == referee.see(opened.match).affairs.since


@pytest.mark.parametrize(("clock", "patience"), [(CLOCK, 30_000), (Clock(0, 60_000), 60_000)])
def test_words_are_waited_for_as_long_as_a_decision(
    referee: Referee, other: Referee, hour: list[int], clock: Clock, patience: int
) -> None:
    """Who has added no word in time is passed over: everybody is told, the pack is dealt, and no bank pays for it."""
    opened = referee.open(SHORT, packs=SHARED, clock=clock)
    hour[0] += 1_000
    steward(referee).act(opened.match, Act(1, CONTRIBUTE, "zecchino"))
    hour[0] = 1_000_000 + patience
    assert hour[0] == until_when(referee.see(opened.match))
    assert not steward(other).rule_on_time(opened.match)[0]
    hour[0] += 1
    assert 1 == Timekeeper(steward(other)).look()
    seen = referee.see(opened.match)
    told = [(event.kind, event.seat) for _, events in _story(referee, opened.match) for event in events]
    assert [("contributed", 1), ("time_over", 0), ("deal_asked_for", None)] == told[:3]
    assert ((60_000, 60_000), hour[0]) == (seen.affairs.banks, seen.affairs.since)
    assert waited_for(seen.game, seen.position) is not None


def test_words_for_every_draw_have_their_time(referee: Referee, hour: list[int]) -> None:
    """When a lot is drawn at the last moment, words for the pack that comes next are waited for as long again."""
    lot = Agreement("coech", 2, (("first_dealer", "by_lot"),))
    opened = referee.open(lot, packs=SHARED, clock=CLOCK)
    hour[0] += 29_000
    for seat in (0, 1):
        steward(referee).act(opened.match, Act(seat, CONTRIBUTE, "zecchino"))
    assert hour[0] + 30_000 == until_when(referee.see(opened.match))
    hour[0] += 29_000
    steward(referee).act(opened.match, Act(0, CONTRIBUTE, "zecchino"))
    assert hour[0] + 1_000 == until_when(referee.see(opened.match))


def test_what_is_taken_back_costs_nobody(referee: Referee, hour: list[int]) -> None:
    """While it is made up whether a decision stands nobody pays; then the seat that made it thinks anew."""
    opened = referee.open(SHORT, clock=CLOCK)
    played = go_on(referee, opened.match)
    mover = waited_for(opened.seen.game, opened.seen.position)
    assert mover is not None
    assert 1 - mover == waited_for(played.seen.game, played.seen.position)
    hour[0] += 80_000
    assert steward(referee).take_back(opened.match, CHANCE)[0]
    seen = referee.see(opened.match)
    assert (mover, (60_000, 60_000)) == (waited_for(seen.game, seen.position), seen.affairs.banks)
    assert hour[0] + 90_000 == until_when(seen)


def test_a_match_is_kept_while_its_clock_runs(referee: Referee, store: RedisStore) -> None:
    """It is forgotten so many seconds after the last move or, if that is later, after the time for the next one."""
    opened = referee.open(SHORT, expires=1, clock=Clock(0, 3_600_000))
    for _ in range(2):
        assert {True} == {3_000 < seconds <= 3_601 for seconds in _kept_for(store, opened.match)}
        go_on(referee, opened.match)
    assert {True} == {0 < seconds <= 10 for seconds in _kept_for(store, referee.open(SHORT, expires=10).match)}


def _kept_for(store: RedisStore, match: str) -> list[int]:
    """Say for how many seconds the store keeps what it has of a match if nothing happens."""
    return [store.client.ttl(key) for key in store.client.scan_iter(f"*{match}*")]


def test_a_game_to_its_end_by_rulings(referee: Referee, hour: list[int]) -> None:
    """A match that everybody has left is played out by rulings alone, deal after deal."""
    opened = referee.open(CUCU, clock=Clock(1_000, 0))
    for _ in range(2_000):
        hour[0] += 2_000
        if referee.see(opened.match).game.over(referee.see(opened.match).position):
            break
        assert steward(referee).rule_on_time(opened.match)[0]
    with pytest.raises(errors.NotPossibleNow) as over:
        steward(referee).rule_on_time(opened.match)
    assert "no_clock" == over.value.code


def test_without_a_clock_there_is_no_ruling(referee: Referee) -> None:
    """Who asks where no clock runs is told so."""
    opened = referee.open(SHORT)
    with pytest.raises(errors.NotPossibleNow) as none:
        steward(referee).rule_on_time(opened.match)
    assert "no_clock" == none.value.code


def test_a_real_second(referee: Referee) -> None:
    """The clock of the machine runs too."""
    opened = referee.open(SHORT, clock=Clock(300, 0))
    go_on(referee, opened.match, 2)
    assert not steward(referee).rule_on_time(opened.match)[0]
    time.sleep(0.35)
    assert steward(referee).rule_on_time(opened.match)[0]
    assert 5 == len(check_moves(referee, opened.match))


def check_moves(referee: Referee, match: str) -> list[str]:
    """Read the log, which must lead to the page that is kept."""
    story, lines = referee.chronicle(match)
    for _ in story.go_on(lines):
        pass
    assert story.position == referee.see(match).position
    return lines


# ---------------------------------------------------------------------- rulings without being asked


def test_the_timekeeper_rules(referee: Referee, other: Referee, hour: list[int]) -> None:
    """What is due is ruled on by one of several timekeepers, once; what is over is not looked at again."""
    matches = [referee.open(SHORT, clock=Clock(1_000, 0)).match for _ in range(3)]
    referee.open(SHORT)
    keepers = [Timekeeper(steward(referee)), Timekeeper(steward(other))]
    assert [0, 0] == [keeper.look() for keeper in keepers]
    hour[0] += 2_000
    assert [3, 0] == [keeper.look() for keeper in keepers]
    assert [3, 3, 3] == [referee.see(match).page.revision for match in matches]
    referee.end(matches[0])
    referee.delete(matches[1])
    hour[0] += 2_000
    assert [1, 0] == [keeper.look() for keeper in reversed(keepers)]
    hour[0] += 60_000
    assert 1 == keepers[0].look()


def test_no_clock_waits_for_a_bot(referee: Referee, hour: list[int]) -> None:
    """Bots that think for long do so aside: a clock that has run out is seen to meanwhile."""
    free = threading.Event()

    def brood(game: AnyGame, p: Position, bot: BotSeat) -> Move:
        assert free.wait(10)
        return choose(game, p, bot)

    thinking = Steward(referee, brood)
    brooding = [referee.open(SHORT, bots=(BotSeat(0, "greedy"), BotSeat(1, "greedy"))) for _ in range(THINKING + 3)]
    late = referee.open(SHORT, clock=Clock(1_000, 0))
    hour[0] += 2_000
    with ThreadPoolExecutor(2) as aside:
        keeper = Timekeeper(thinking, aside)
        assert THINKING + 1 == keeper.look()
        assert 3 == referee.see(late.match).page.revision
        assert 0 == keeper.look()
        hour[0] += PATIENCE  # there is no place yet
        assert 0 == keeper.look()
        free.set()
    assert THINKING == sum(referee.see(opened.match).page.revision == 4 for opened in brooding)
    hour[0] += PATIENCE
    assert len(brooding) == Timekeeper(thinking).look()


def test_who_does_not_think_moves_at_once(referee: Referee) -> None:
    """However many bots there are that choose without thinking, none of them waits for a place."""
    opened = [referee.open(SHORT, bots=(BotSeat(0, "greedy"), BotSeat(1, "random"))) for _ in range(2 * THINKING)]
    with ThreadPoolExecutor(1) as aside:
        assert len(opened) == Timekeeper(steward(referee), aside, thinks).look()
        assert {4} == {referee.see(one.match).page.revision for one in opened}


def test_a_service_rules_by_itself(serve: Serve) -> None:
    """At a running service nobody has to ask: the move is made soon after the time is over."""
    with Chitarrella(serve().grpc) as client:
        match = client.create_match("zifuli", clock=(1, 0))
        told = []
        for step in match.watch():
            told += [event.kind for event in step.events]
            if "bid_passed" in told:
                break
        assert ["time_over", "bid_passed"] == told[-2:]
