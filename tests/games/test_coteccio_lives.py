"""Coteccio: who loses a life and who gains one, and the doctor (clauses CC-16 to CC-25)."""

from __future__ import annotations

import pytest

from chitarrella.core.notation import InvalidPosition
from tests.games.support.coteccio_tables import (
    SEATS,
    before_deal,
    each,
    game,
    life_events,
    lost_by,
    options,
    over,
    record,
    row,
    scored,
    seen_to,
    swept,
    terms,
    waiting,
)
from tests.games.support.examples import Block
from tests.games.support.table import Match, events_of, facts, net

# ---------------------------------------------------------------------- lives


@pytest.mark.clause("CC-16", "CC-17", "CC-18", "CC-19", "CC-20")
@each("outcome")
def test_outcome(block: Block) -> None:
    """CC-E4 to CC-E8, CC-E15, CC-E25: a whole deal is played, and these are the lives after the count."""
    said = block.words()
    lives = row(said["lives"])
    cap = {"life_cap": said["life_cap"]} if "life_cap" in said else {}
    match = before_deal(game(4, **cap), lives)
    if "points" in said:
        points = {int(place): int(number) for place, number in (part.split() for part in said["points"].split(", "))}
        scored(match, points).perform(match)
        assert [tuple((str(place), number) for place, number in points.items())] == [
            event.shares for event in events_of(match, "deal_counted")
        ]
    elif "annulled" in said:
        hero = int(said["annulled"])
        swept(match, hero, hero).perform(match, tricks=4).say(hero, "annul_deal")
    else:
        hero, last = map(int, said["saved"].split(" by ")) if "saved" in said else [int(said["capotto"])] * 2
        swept(match, hero, last).perform(match)
        kind, other = ("capotto_saved", hero) if "saved" in said else ("capotto", None)
        assert [(last, other)] == [(event.seat, event.other) for event in events_of(match, kind)]
    assert row(said["after"]) == life_events(lives, match.events)


@pytest.mark.clause("CC-16", "CC-20")
@pytest.mark.parametrize("players", SEATS)
def test_all_seats_with_most_points_lose_a_life(players: int) -> None:
    """One seat, two, or all of two lose a life at once; nobody else does (CC-R26)."""
    for losers in ((players - 1,), (0, 1)):
        match = lost_by(before_deal(game(players), (3,) * players), *losers)
        assert tuple(3 - (place in losers) for place in range(players)) == match.p.own.lives
        assert match.p.own.lives == match.game.scores(match.p)


@pytest.mark.clause("CC-17", "CC-18", "CC-20")
@pytest.mark.parametrize("players", SEATS)
def test_capotto_and_saved(players: int) -> None:
    """Capotto gives a life and takes one from all others; a saved one moves a life from the hero to the saviour."""
    for hero in range(players):
        last = (hero + 1) % players
        won, saved = (before_deal(game(players), (4,) * players) for _ in range(2))
        swept(won, hero, hero).perform(won)
        swept(saved, hero, last).perform(saved)
        assert tuple(5 if place == hero else 3 for place in range(players)) == won.p.own.lives
        assert tuple(4 - (place == hero) + (place == last) for place in range(players)) == saved.p.own.lives


@pytest.mark.clause("CC-18", "CC-21", "CC-22")
def test_the_hero_of_a_saved_capotto_may_call_the_doctor() -> None:
    """CC-R34: seat 0 loses its last life in a saved capotto while two others are alive, and is asked."""
    match = before_deal(game(), (1, 2, 4, 3))
    swept(match, 0, 1).perform(match)
    assert ("doctor", 0, (0, 3, 4, 3)) == (match.p.phase, match.game.turn(match.p), match.p.own.lives)
    match.say(0, "call_doctor")
    assert (3, 3, 4, 3) == match.p.own.lives


# ---------------------------------------------------------------------- the doctor


@pytest.mark.clause("CC-22", "CC-23", "CC-24")
@each("doctor")
def test_doctor(block: Block) -> None:
    """CC-E9 to CC-E12, CC-E22, CC-E26: who may call, and how many lives that brings; who may not is out at once."""
    said = block.words()
    lives, asked = row(said["lives"]), int(said["seat"])
    calls = [int(number) for number in said.get("calls", "").split()]
    g = game(len(lives), **options(said))
    assert (said["may_call"] == "yes") == terms(g).may_call(record(lives, calls), asked)
    if said["may_call"] == "yes":
        match = waiting(g, lives, asked, calls)
        assert (asked, ["call_doctor", "drop_out"]) == (g.turn(match.p), match.moves(asked))
        before = match.p.own
        match.say(asked, "call_doctor")
        assert int(said["receives"]) == match.p.own.lives[asked]
        for name in ("doctor_calls", "doctor_calls_total"):
            old, new = getattr(before, name), getattr(match.p.own, name)
            assert tuple(number + (place == asked) for place, number in enumerate(old)) == new
        return
    assert "-" == said["receives"]
    after, events = seen_to(g, over(g, lives, asked, calls))
    assert ("died", asked, None) == (events[0].kind, events[0].seat, after.own.lives[asked])
    with pytest.raises(InvalidPosition):
        waiting(g, lives, asked, calls)


@pytest.mark.clause("CC-21", "CC-23")
@pytest.mark.parametrize("leader", [0, 1, 2, 3, 4])
def test_seats_are_asked_from_the_leader_on(leader: int) -> None:
    """CC-E22, CC-R11: three at zero are asked one by one, the leader of the deal first, the dealer last."""
    lives = tuple(0 if place in (0, 2, 4) else 2 for place in range(5))
    match = waiting(game(5), lives, leader)
    asked = []
    while match.p.phase == "doctor":
        asked.append(match.game.turn(match.p) or 0)
        assert [["not_your_turn"]] * 4 == [match.codes(s, "drop_out") for s in range(5) if s != asked[-1]]
        match.say(asked[-1], "call_doctor")
    assert sorted((0, 2, 4), key=lambda place: (place - leader) % 5) == asked
    assert (2,) * 5 == match.p.own.lives


@pytest.mark.clause("CC-23", "CC-25")
@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_dropping_out(players: int) -> None:
    """Who drops out is out for good: no cards, no vote, nothing paid back, and no doctor later (CC-R21)."""
    lives = (0, *(2 for _ in range(players - 1)))
    match = waiting(game(players), lives, 0)
    match.say(0, "drop_out")
    assert ([0], {0: 1}) == ([event.seat for event in events_of(match, "dropped_out")], facts(match.view(None), "out"))
    assert (None, -1000) == (match.p.own.lives[0], net(match.view(None))[0])
    match.deal(match.game.pack.cards)
    assert ((), []) == (match.p.hands[0], match.moves(0))
    assert ["wrong_phase"] == match.codes(0, "call_doctor")


@pytest.mark.clause("CC-22", "CC-24")
@pytest.mark.parametrize("limit", ["0", "1", "2", "unlimited"])
def test_the_limit_of_a_seat(limit: str) -> None:
    """CC-E18: a seat may call as often as agreed; when its calls are used up it is out without a decision."""
    g = game(doctor_limit=limit)
    for calls in range(4):
        if limit != "unlimited" and calls > int(limit):
            with pytest.raises(InvalidPosition):
                before_deal(g, (1, 2, 2, 2), calls=[calls, 0, 0, 0])
            continue
        match = before_deal(g, (1, 2, 2, 2), calls=[calls, 0, 0, 0])
        lost_by(match, 0)
        may = limit == "unlimited" or calls < int(limit)
        assert ("doctor" if may else "deal", [] if may else [0]) == (
            match.p.phase,
            [event.seat for event in events_of(match, "died")],
        )


@pytest.mark.clause("CC-22")
def test_the_limit_of_the_table() -> None:
    """CC-E18: with a limit of one for the whole game nobody else may call after seat 0, until a restart."""
    g = game(doctor_limit_scope="per_game")
    match = waiting(g, (0, 0, 2, 3), 0)
    match.say(0, "call_doctor")
    assert ([1], "deal", (2, None, 2, 3)) == (
        [event.seat for event in events_of(match, "died")],
        match.p.phase,
        match.p.own.lives,
    )
    again = before_deal(g, (1, 1, None, None), calls=[1, 0, 0, 0])
    lost_by(again, 0, 1)
    assert (0, 0, 0, 0) == again.p.own.doctor_calls


@pytest.mark.clause("CC-20", "ALL-8")
@pytest.mark.parametrize(("cap", "after"), [("3", 3), ("4", 4), ("unlimited", 4)])
def test_lives_and_cap(cap: str, after: int) -> None:
    """`lives` and `life_cap`: with how many all begin, and beyond which number a gain is lost (CC-R10, CC-R35)."""
    match = Match(game(3, 0, lives="3", life_cap=cap))
    assert (3, 3, 3) == match.p.own.lives
    swept(match, 0, 0).perform(match)
    assert (after, 2, 2) == match.p.own.lives
    assert [after] * (after > 3) == [event.amount for event in events_of(match, "life_gained")]
