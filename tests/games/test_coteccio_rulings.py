"""Coteccio: what the source leaves open and the specification rules (CC-R1 to CC-R36), where no other test shows it."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from chitarrella.cli.screen import Screen
from chitarrella.core.model import REFEREE
from chitarrella.core.options import InvalidOption
from tests.games.support.coteccio_tables import (
    SEATS,
    before_deal,
    game,
    life_events,
    lost_by,
    over,
    seen_to,
    swept,
    waiting,
)
from tests.games.support.table import events_of, facts, net, zone


@pytest.mark.clause("ALL-8", "CC-1")
@pytest.mark.parametrize("players", [1, 8])
def test_two_to_seven_play(players: int) -> None:
    """CC-R3, CC-R30: a game of one would be over, and eight are refused though the pack would do."""
    with pytest.raises(InvalidOption) as refused:
        game(players)
    assert "players" == refused.value.field


@pytest.mark.clause("CC-7", "ALL-5", "ALL-6")
@pytest.mark.parametrize("players", SEATS)
def test_the_rest_of_the_pack_is_never_shown(players: int) -> None:
    """CC-R2, CC-R28, CC-R29: after the deal and after the match tricks lie open, and the rest face down."""
    ended = before_deal(game(players), (2, 1, *(None for _ in range(players - 2))), 0)
    going = before_deal(game(players), (2,) * players, 0)
    for match in (lost_by(ended, 1), lost_by(going, 1)):
        for viewer in (None, *range(players)):
            view = match.view(viewer)
            taken = [each.cards for each in view.zones if each.name == "taken"]
            assert [trick.cards for trick in match.p.tricks] == taken
            assert ((), len(match.p.own.undealt)) == (zone(view, "undealt").cards, zone(view, "undealt").size)
        assert match.p.own.undealt == zone(match.view(REFEREE), "undealt").cards
        assert all(set(match.p.own.undealt).isdisjoint(event.cards) for event in match.events)
    assert ("match_over", "deal") == (ended.p.phase, going.p.phase)


@pytest.mark.clause("CC-7", "CC-9", "CC-12", "CC-19")
@pytest.mark.parametrize("players", [2, 4, 7])
def test_annulling_again_and_again(players: int) -> None:
    """CC-R1, CC-R6, CC-R7: there is no limit to annulled deals; each time the same seat deals and the same leads."""
    match = before_deal(game(players), (1,) * players, 1)
    for deal in range(1, 7):
        hero = deal % players
        swept(match, hero, hero).perform(match, tricks=4).say(hero, "annul_deal")
        assert ((1,) * players, 1, 0, deal) == (
            match.p.own.lives,
            match.p.leader,
            match.p.match_state.dealer,
            match.p.match_state.deal,
        )
    assert [] == events_of(match, "deal_counted")


@pytest.mark.clause("CC-17", "CC-18")
@pytest.mark.parametrize("players", SEATS)
def test_points_do_not_matter_in_a_capotto(players: int) -> None:
    """CC-R4, CC-R5, CC-R8, CC-R9: who leads the last card has most points, and gains or loses for another reason."""
    for last in (0, 1):
        match = before_deal(game(players), (3,) * players, 0)
        swept(match, 0, last).perform(match)
        points = match.game.points(match.p)
        assert 0 == sum(points[place] for place in range(players) if place not in (0, last))
        lost = {event.seat for event in events_of(match, "life_lost")}
        assert (set(range(1, players)) if last == 0 else {0}) == lost
        assert [last] == [event.seat for event in events_of(match, "life_gained")]


@pytest.mark.clause("CC-24", "CC-8")
def test_a_revived_seat_keeps_its_place() -> None:
    """CC-R24: seat 2 leads next although it has just been revived by the doctor."""
    match = before_deal(game(), (3, 3, 1, 3), 1)
    lost_by(match, 2)
    match.say(2, "call_doctor")
    assert (2, 1, 3) == (match.p.leader, match.p.match_state.dealer, match.p.own.lives[2])


@pytest.mark.clause("CC-22", "CC-24")
def test_seats_at_zero_do_not_count() -> None:
    """CC-R18, CC-R19, CC-R20: the fewest lives are those of others with one at least; nobody counts himself."""
    match = waiting(game(5), (0, 0, 4, 2, None), 1)
    assert 1 == match.game.turn(match.p)
    match.say(1, "call_doctor")
    assert (0, 2, 4, 2, None) == match.p.own.lives
    match.say(0, "call_doctor")
    assert (2, 2, 4, 2, None) == match.p.own.lives
    after, _ = seen_to(game(3), over(game(3), (0, 0, 2), 0))
    assert (None, None, 2) == after.own.lives


@pytest.mark.clause("CC-27", "CC-28")
@pytest.mark.parametrize("players", [3, 5, 7])
def test_nobody_pays_at_a_restart(players: int) -> None:
    """CC-R13 to CC-R17: two tie with one life each; nobody pays again, and the doctor comes to all once more."""
    calls = [1] * players
    lives = (1, 1, *(None for _ in range(players - 2)))
    match = before_deal(game(players), lives, 0, calls)
    paid = net(match.view(None))
    lost_by(match, 0, 1)
    assert (0, 0, *(None for _ in range(players - 2))) == life_events(lives, match.events)
    assert (paid, {None: 1500 * players}) == (net(match.view(None)), facts(match.view(None), "pool"))
    assert ((0,) * players, tuple(calls)) == (match.p.own.doctor_calls, match.p.own.doctor_calls_total)
    assert (1, 0) == (match.p.leader, match.p.match_state.dealer)


@pytest.mark.clause("CC-5", "CC-8", "CC-11")
def test_neighbours_are_in() -> None:
    """CC-R32, CC-R33: right and left pass over seats that are out, for deals, leads and forced cards alike."""
    match = before_deal(game(7), (None, 2, None, None, 2, None, None), 4)
    assert (4, 1) == (match.p.leader, match.p.match_state.dealer)
    match.deal(match.game.pack.cards)
    turns = []
    while match.p.phase in match.game.deal_phases:
        turns.append(match.game.turn(match.p) or 0)
        match.say(turns[-1], match.moves(turns[-1])[-1])
    assert ({1, 4}, 10) == (set(turns), len(turns))


@pytest.mark.clause("ALL-8", "CC-7", "CC-20")
@pytest.mark.parametrize(
    ("option", "options"),
    [
        ("life_cap", {"life_cap": "3"}),
        ("life_cap", {"lives": "5", "life_cap": "4"}),
        ("life_cap", {"life_cap": "0"}),
        ("deal_packets", {"deal_packets": "0-5"}),
        ("deal_packets", {"deal_packets": "2-2"}),
        ("deal_packets", {"deal_packets": "6--1"}),
        ("doctor_limit", {"doctor_limit": "null"}),
    ],
)
def test_options_that_are_refused(option: str, options: dict[str, str]) -> None:
    """CC-R10, CC-R36: a cap below the first lives, an empty packet or another sum refuse the match."""
    with pytest.raises(InvalidOption) as refused:
        game(4, **options)
    assert f"options.{option}" == refused.value.field


@pytest.mark.clause("CC-1")
def test_cards_stand_beside_the_seats_that_played_them() -> None:
    """In the terminal the cards of a trick are named after the seats that are in, and not after their neighbours."""
    match = before_deal(game(5), (2, None, 2, None, 2), 4)
    match.deal(match.game.pack.cards)
    for place in (4, 0):
        match.say(place, match.moves(place)[0])
    out = io.StringIO()
    Screen(Console(file=out, width=150), match.game, 2).print_table(match.view(2))
    (line,) = [row for row in out.getvalue().splitlines() if "Trick" in row]
    assert ["4", "0"] == [word for word in line.split() if word.isdecimal()]


@pytest.mark.clause("CC-23", "ALL-5")
def test_decisions_are_events_for_everybody() -> None:
    """Calls and departures are public events, with what was paid and received."""
    match = waiting(game(5), (0, 0, 2, 3, 3), 0)
    match.say(0, "call_doctor")
    for viewer in (None, *range(5)):
        events = [(event.kind, event.seat, event.amount) for event in match.events_for(viewer)]
        assert [("fee_paid", 0, 500), ("doctor_called", 0, 2)] == events
    match.say(1, "drop_out")
    for viewer in (None, *range(5)):
        assert [("dropped_out", 1)] == [(event.kind, event.seat) for event in match.events_for(viewer)]
