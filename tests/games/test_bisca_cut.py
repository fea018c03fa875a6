"""Bisca of Guyana: the cut for trumps, the turn-up instead of it, and the last draw (clauses BG-4.2 to BG-5.2)."""

from __future__ import annotations

import pytest

from tests.games.support.bisca_deals import drawn, last_trick_before
from tests.games.support.table import Match, facts, seat, zone

KEY = "bisca-guyana"


@pytest.mark.clause("BG-4.2", "BG-5.2", "BG-5.7")
@pytest.mark.parametrize(("count", "shown"), [(1, 7), (10, 16), (33, 39), (34, 40)])
def test_cut_and_show(count: int, shown: int) -> None:
    """BG-EX10: the lowest card lifted is shown, its suit is trumps, goes last in the same circle (BG-R1, BG 9)."""
    match = Match(seat(KEY))
    pack = match.game.pack.cards
    match.deal(pack)
    stock = pack[6:]
    match.say(1, f"cut_stock {count}")
    card = pack[shown - 1]
    assert ((*stock[count:], *stock[:count]), card, card.suit) == (match.p.stock, match.p.turn_up, match.p.trump)
    for viewer in (None, 0, 1):
        assert [("stock_cut", 1, count), ("turned_up", None, None)] == [
            (event.kind, event.seat, event.amount) for event in match.events_for(viewer)
        ]
        assert (((card,), 33), ()) == (
            (zone(match.view(viewer), "turn_up").cards, zone(match.view(viewer), "stock").size),
            zone(match.view(viewer), "stock").cards,
        )


@pytest.mark.clause("BG-5.2", "BG-5.8")
def test_refusals_of_the_cut() -> None:
    """BG-EX20: too few or too many, the wrong seat, the wrong phase (BG-R2)."""
    match = Match(seat(KEY))
    match.deal(match.game.pack.cards)
    for count in (0, -3, 35, 2**31 - 1):
        assert ["cut_out_of_range"] == match.codes(1, f"cut_stock {count}")
    assert ["BG-5.2"] == match.cited(1, "cut_stock 0")
    assert (["not_your_turn"], ["wrong_phase"]) == (
        match.codes(0, "cut_stock 5"),
        match.codes(1, f"play_card {match.p.hands[1][0]}"),
    )
    assert [f"cut_stock {count}" for count in range(1, 35)] == sorted(match.moves(1), key=lambda m: int(m.split()[1]))
    match.say(1, "cut_stock 34")
    assert ["wrong_phase"] == match.codes(1, "cut_stock 5")


@pytest.mark.clause("BG-5.1", "BG-5.7")
def test_the_cutter_sees_its_hand_and_no_stock() -> None:
    """BG-R3: in the phase of the cut each seat sees its own hand; the stock is hidden, and there are no trumps yet."""
    match = Match(seat(KEY, 4))
    match.deal(match.game.pack.cards)
    for viewer in (None, 0, 1, 2, 3):
        view = match.view(viewer)
        assert ((), 28, {}) == (zone(view, "stock").cards, zone(view, "stock").size, facts(view, "trump"))
        for place in range(4):
            assert (match.p.hands[place] if place == viewer else ()) == zone(view, "hand", place).cards


@pytest.mark.clause("BG-4.3", "BG-5.4", "ALL-8")
def test_turn_up_instead_of_the_cut() -> None:
    """BG-EX15, `trump_by`: card 7 is turned and put last, s1 leads at once, nobody cuts; it is drawn in trick 17."""
    match = Match(seat(KEY, trump_by="turn_up", sudden_death="false"))
    pack = match.game.pack.cards
    match.deal(pack)
    assert ("play", 1, pack[6], (*pack[7:], pack[6])) == (
        match.p.phase,
        match.game.turn(match.p),
        match.p.turn_up,
        match.p.stock,
    )
    assert ["wrong_phase"] == match.codes(1, "cut_stock 5") == match.codes(0, "cut_stock 5")
    while match.p.stock:
        turn = match.game.turn(match.p)
        match.say(turn or 0, match.moves(turn or 0)[0])
    assert (17, f"{1 - match.p.leader} {pack[6]}") == (len(match.p.tricks), drawn(match).split(", ")[1])


@pytest.mark.clause("BG-4.2", "BG-5.4")
def test_last_draw() -> None:
    """BG-EX11: stock 4h Qs Kd, Kd shown; s1 wins and draws 4h, s2 Qs, s0 the Kd."""
    match = last_trick_before(seat(KEY, 3, sudden_death="false"), "4h Qs Kd", 1)
    assert ("1 4h, 2 Qs, 0 Kd", 10, "Kd") == (drawn(match), len(match.p.tricks), match.p.turn_up)
    assert {None: 0} == facts(match.view(None), "stock")
    *_, last = match.events_for(None)
    assert (0, ("Kd",)) == (last.seat, last.cards)
