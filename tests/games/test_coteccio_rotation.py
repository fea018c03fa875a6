"""Coteccio: who leads and deals next, the restart, and the pool (clauses CC-5, CC-8, CC-9, CC-25 to CC-28)."""

from __future__ import annotations

import pytest

from chitarrella.core.model import Seat
from tests.games.support.coteccio_tables import (
    SEATS,
    before_deal,
    each,
    game,
    lost_by,
    options,
    over,
    row,
    seen_to,
    terms,
    waiting,
)
from tests.games.support.examples import Block
from tests.games.support.table import Match, events_of, facts, net

# ---------------------------------------------------------------------- who leads and deals


@pytest.mark.clause("CC-5", "CC-8", "CC-1")
@each("next")
def test_next_leader_and_dealer(block: Block) -> None:
    """CC-E13, CC-E14: the lead goes to the next seat that is in, and the seat at its left deals (CC-R22, CC-R23)."""
    said = block.words()
    out = {int(place) for place in said["out"].split()}
    g = game(int(said["players"]))
    lives = tuple(None if place in out else 2 for place in g.everybody)
    after, _ = seen_to(g, over(g, lives, int(said["leader"])))
    assert (int(said["next leader"]), int(said["next dealer"])) == (after.leader, after.match_state.dealer)


@pytest.mark.clause("CC-8", "CC-5")
def test_two_seats_out() -> None:
    """CC-E14: leader 1, seats 2 and 3 out: seat 4 leads and seat 1 deals."""
    g = game(5)
    after, _ = seen_to(g, over(g, (2, 2, None, None, 2), 1))
    assert (4, 1) == (after.leader, after.match_state.dealer)


@pytest.mark.clause("CC-5", "CC-8")
@pytest.mark.parametrize("players", SEATS)
def test_the_lead_goes_round(players: int) -> None:
    """Deal after deal the next seat leads and the seat at its left deals; of two seats each does both (CC-R25)."""
    match = Match(game(players, 0, lives="99"))
    leaders: list[Seat] = []
    dealers: list[Seat] = []
    while len(leaders) < 2 * players:
        before = match.p
        assert {None: before.leader} == facts(match.view(None), "leader")
        match.play_out()
        if "deal_annulled" not in {event.kind for event in match.last}:
            leaders.append(before.leader)
            dealers.append(before.match_state.dealer)
    assert [(deal + 1) % players for deal in range(2 * players)] == leaders
    assert [deal % players for deal in range(2 * players)] == dealers


@pytest.mark.clause("CC-27")
@each("restart")
def test_restart(block: Block) -> None:
    """CC-E27: all are in again; the pool and the calls of the match go on, the limit starts afresh or does not."""
    said = block.words()
    calls = [int(number) for number in said["calls"].split()]
    match = before_deal(game(4, **options(said)), (None, 1, None, 1), leader=3, calls=calls)
    lost_by(match, 1, 3)
    assert row(said["after"]) == match.p.own.lives
    for name in ("doctor_calls", "doctor_calls_total"):
        assert said[name] == " ".join(map(str, getattr(match.p.own, name)))
    assert {None: int(said["pool"])} == facts(match.view(None), "pool")
    assert [int(said["lives"])] == [event.amount for event in events_of(match, "restarted")]
    assert [] == events_of(match, "died") + events_of(match, "dropped_out")
    if "doctor_reset_on_restart" in said:
        assert [False, True, False, True] == [terms(match.game).may_call(match.p.own, place) for place in range(4)]


@pytest.mark.clause("CC-22", "CC-27")
def test_calls_kept_by_the_table_at_a_restart() -> None:
    """CC-E27: where a restart gives no calls back and the limit is that of the table, nobody can call again."""
    g = game(doctor_reset_on_restart="false", doctor_limit_scope="per_game")
    match = before_deal(g, (None, 1, None, 1), calls=[0, 1, 0, 0])
    lost_by(match, 1, 3)
    assert [False] * 4 == [terms(g).may_call(match.p.own, place) for place in range(4)]


@pytest.mark.clause("CC-27")
@pytest.mark.parametrize("players", SEATS)
def test_restarts_at_every_table(players: int) -> None:
    """CC-E15: two left with one life each tie: all are in again, the seat at the right of the old leader leads."""
    for leader in (0, players - 1):
        other = (leader + 1) % players
        lives = tuple(1 if place in (leader, other) else None for place in range(players))
        match = lost_by(before_deal(game(players), lives, leader), leader, other)
        assert ((4,) * players, (leader + 1) % players, leader) == (
            match.p.own.lives,
            match.p.leader,
            match.p.match_state.dealer,
        )
        assert ("deal", {None: 1000 * players}) == (match.p.phase, facts(match.view(None), "pool"))


# ---------------------------------------------------------------------- the pool


@pytest.mark.clause("CC-26", "CC-28", "CC-9", "CC-25")
@pytest.mark.parametrize("players", SEATS)
def test_the_last_one_takes_the_pool(players: int) -> None:
    """The only seat with lives takes the pool; its own payments come back, leader and dealer stay named (CC-R31)."""
    for winner in range(players):
        loser = (winner + 1) % players
        lives = tuple(3 if place == winner else 1 if place == loser else None for place in range(players))
        calls = [int(place == winner) for place in range(players)]
        match = before_deal(game(players, stake="7", doctor_fee="2"), lives, winner, calls)
        before = match.p
        lost_by(match, loser)
        pool = 7 * players + 2
        assert ("match_over", frozenset({winner})) == (match.p.phase, match.game.outcome(match.p))
        assert [(winner, pool)] == [(event.seat, event.amount) for event in events_of(match, "pool_won")]
        won = {place: -7 + (pool - 2 if place == winner else 0) for place in range(players)}
        view = match.view(None)
        assert (won, {None: 0}, 0) == (net(view), facts(view, "pool"), sum(won.values()))
        assert (before.leader, before.match_state.dealer) == (match.p.leader, match.p.match_state.dealer)
        assert ({None: before.leader}, {None: before.match_state.dealer}) == (
            facts(view, "leader"),
            facts(view, "dealer"),
        )
        for move in ("play_card Ab", "annul_deal", "call_doctor", "drop_out"):
            assert ["match_over"] == match.codes(winner, move)


@pytest.mark.clause("CC-26")
def test_two_at_zero_and_one_alive() -> None:
    """CC-E11, CC-R12: nobody may call when a single other seat is alive; that seat has won."""
    g = game()
    after, events = seen_to(g, over(g, (0, 3, 0, None), 0))
    assert (["died", "died", "match_won", "pool_won"], frozenset({1})) == ([e.kind for e in events], g.outcome(after))


@pytest.mark.clause("CC-28")
@pytest.mark.parametrize(("stake", "fee"), [("0", "0"), ("1000000", "1000000"), ("5", "0"), ("0", "5")])
def test_stakes_and_fees(stake: str, fee: str) -> None:
    """`stake` and `doctor_fee`: what lies in the pool at the start, and after a call."""
    match = waiting(game(stake=stake, doctor_fee=fee), (0, 2, 2, 2), 0)
    assert {None: 4 * int(stake)} == facts(match.view(None), "pool")
    match.say(0, "call_doctor")
    assert [(0, int(fee))] == [(event.seat, event.amount) for event in events_of(match, "fee_paid")]
    assert {None: 4 * int(stake) + int(fee)} == facts(match.view(None), "pool")
