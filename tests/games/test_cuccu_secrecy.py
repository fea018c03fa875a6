"""Cuccu a trionfo: who sees what: the card looked at, robbed cards, what was laid aside, the bottom of the cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from chitarrella.core.game import legal_moves, validate_move, view_for, visible_to
from chitarrella.core.model import EVERYBODY, REFEREE, Seat, Viewer
from chitarrella.core.notation import parse_move
from tests.games.support.table import Match, events_of, facts, zone
from tests.games.support.trionfo_tables import game, rob, robbing

ALL_MOVES = (
    *("cut 5", "cut 0", "rob_look", "rob_pass", "rob_take", "rob_leave", "discard", "discard X", "discard XV II"),
    *("play_card X", "play_card XIV", "play_card XV pictures", "play_card II", "play_card MAT numbers"),
)
"""Things that a seat might say to find out what others hold."""


def exchanged(match: Match, one: int, other: int) -> Match:
    """The same table with two cards of the pack exchanged, each named by its place after the cut."""
    stock = list(match.p.stock)
    stock[one], stock[other] = stock[other], stock[one]
    twin = Match(match.game, match.p._replace(stock=tuple(stock)))
    twin.events = list(match.events)
    assert twin.p != match.p
    return twin


def alike(one: Match, other: Match, viewer: Viewer) -> bool:
    """Whether the viewers got the same views and events, and had the same legal moves."""
    seen = all(view_for(match.game, match.p, viewer) == view_for(one.game, one.p, viewer) for match in (one, other))
    events = [[visible_to(event, viewer) for event in match.events] for match in (one, other)]
    return (
        seen
        and events[0] == events[1]
        and (viewer is None or list(answers(one, viewer)) == list(answers(other, viewer)))
    )


def answers(match: Match, seat: Seat) -> Iterator[object]:
    """What a seat may do, and what it is told of everything else."""
    yield legal_moves(match.game, match.p, seat)
    for text in ALL_MOVES:
        yield validate_move(match.game, match.p, seat, parse_move(match.game, text))


def play_alike(one: Match, other: Match, viewer: Sequence[Viewer]) -> None:
    """Play both tables to the end with the same moves, as far as both allow, and compare them all along."""
    while (turn := one.game.turn(one.p)) is not None and turn >= 0:
        shared = [move for move in one.moves(turn) if move in other.moves(turn)]
        assert shared
        for match in (one, other):
            match.say(turn, shared[0])
        assert all(alike(one, other, each) for each in viewer)


@pytest.mark.clause("CT-32", "CT-12", "CT-15")
@pytest.mark.parametrize("left", ["XV", "X", "MAT", "V"])
def test_nobody_learns_what_the_cutter_left(left: str) -> None:
    """CT-I11, CT-R33: whatever it was, the others see no difference to the end; he alone knows."""
    one = robbing(game(match_deals="1"), f"II {left}", "IX VI VI VIII")
    other = exchanged(one, -1, 35)
    for move in ("rob_look", "rob_leave"):
        for match in (one, other):
            match.say(3, move)
        assert all(alike(one, other, viewer) for viewer in (None, 0, 1, 2))
        assert not alike(one, other, 3)
    play_alike(one, other, (None, 0, 1, 2))
    assert ({3: left}, {3: "VIII"}) == tuple(facts(match.view(3), "looked_at") for match in (one, other))


@pytest.mark.clause("CT-32", "CT-16")
@pytest.mark.parametrize("viewer", [None, 1, 2, 3])
def test_nobody_learns_what_the_dealer_looks_at(viewer: Viewer) -> None:
    """CT-I11: while the dealer looks, nobody else knows whether the card is an XIV or a VI; the turn-up tells it."""
    one, other = (robbing(game(), "II III", card) for card in ("XIV VI", "VI XIV"))
    for match in (one, other):
        rob(match, 3, "rob_pass")
        match.say(0, "rob_look")
    assert alike(one, other, viewer)
    assert not alike(one, other, 0)
    assert (["rob_leave", "rob_take"], ["rob_leave"]) == (one.moves(0), other.moves(0))
    if viewer is not None:
        assert ["not_your_turn"] == one.codes(viewer, "rob_take") == other.codes(viewer, "rob_take")
    for match in (one, other):
        match.say(0, "rob_leave")
    assert ("XIV", "VI") == (one.p.turn_up, other.p.turn_up)


@pytest.mark.clause("CT-12", "CT-21", "CT-32")
def test_robbed_cards_are_the_robbers() -> None:
    """Whether X or XIV was robbed, the others notice nothing until it is played; the number is public."""
    one = robbing(game(match_deals="1"), "II X", "IX", {0: "XIV", 1: "I", 2: "I"})
    other = robbing(game(match_deals="1"), "II XIV", "IX", {0: "X", 1: "I", 2: "I"})
    for match in (one, other):
        rob(match, 3, f"rob_look({match.p.stock[-1]}), rob_take")
    assert all(alike(one, other, viewer) for viewer in (None, 0, 1, 2))
    assert (("X",), ("XIV",)) == tuple(zone(match.view(3), "robbed", 3).cards for match in (one, other))
    for match in (one, other):
        view = match.view(1)
        assert ((), 1) == (zone(view, "robbed", 3).cards, zone(view, "robbed", 3).size)
        assert {0: 0, 3: 1} == facts(view, "robbed")
        rob(match, 3, "rob_pass")
    assert all(alike(one, other, viewer) for viewer in (None, 1, 2))


@pytest.mark.clause("CT-12")
def test_show_robbed() -> None:
    """`show_robbed`, CT-R6: all see what was taken, when it is taken and for good; not what was looked at and left."""
    match = robbing(game(show_robbed="true", match_deals="1"), "XV X XIV", "XV II")
    rob(match, 3, "rob_look(XIV), rob_take")
    for viewer in (None, 0, 1, 2, 3):
        assert [("XIV",)] == [event.cards for event in events_of(match, "robbed", viewer)]
        assert ("XIV",) == zone(match.view(viewer), "robbed", 3).cards
    rob(match, 3, "rob_look(X), rob_leave")
    rob(match, 0, "rob_look(XV), rob_take, rob_look(II), rob_leave")
    match.play_out()
    for viewer in (None, 0, 1, 2, 3):
        view = match.view(viewer)
        assert {3: "XIV", 0: "XV"} == facts(view, "robbed_card")
        assert ({3: "X"} if viewer == 3 else {0: "II"} if viewer == 0 else {}) == facts(view, "looked_at")


@pytest.mark.clause("CT-31", "CT-21", "ALL-5", "ALL-6")
def test_who_sees_what() -> None:
    """For every viewer: hands, stock, what was laid aside, looks and counts; after the deal too."""
    match = robbing(game(match_deals="1"), "II XIV", "XV VII")
    rob(match, 3, "rob_look(XIV), rob_take, rob_look(II), rob_leave")
    rob(match, 0, "rob_look(XV), rob_take, rob_pass")
    for place in (3, 0):
        match.say(place, match.moves(place)[0])
    laid = {3: match.p.own.robbers[0].discarded, 0: match.p.own.robbers[1].discarded}
    while True:
        for viewer in (None, 0, 1, 2, 3, REFEREE):
            _check_view(match, viewer, laid)
        turn = match.game.turn(match.p)
        if turn is None:
            break
        match.say(turn, match.moves(turn)[0])
    assert [5] == [len(match.p.stock)]


def _check_view(match: Match, viewer: Viewer, laid: dict[Seat, tuple[str, ...]]) -> None:
    """Check a view of a deal in which both robbed a card each, and the cutter left a II."""
    view = match.view(viewer)
    for place in range(4):
        mine = viewer in (place, REFEREE)
        assert (match.p.hands[place] if mine else ()) == zone(view, "hand", place).cards
        assert len(match.p.hands[place]) == zone(view, "hand", place).size
    for place, cards in laid.items():
        found = zone(view, "discards", place)
        assert (cards if viewer in (place, REFEREE) else (), 1) == (found.cards, found.size)
    assert (5, match.p.stock if viewer == REFEREE else ()) == (zone(view, "stock").size, zone(view, "stock").cards)
    assert ("VII",) == zone(view, "turn_up").cards
    assert ({0: 1, 3: 1}, {None: 2}, {3: 1}) == tuple(facts(view, name) for name in ("robbed", "lifted", "looked"))
    robbed = {3: "XIV", 0: "XV"}
    assert {place: card for place, card in robbed.items() if viewer in (place, REFEREE)} == facts(view, "robbed_card")
    assert ({3: "II"} if viewer in (3, REFEREE) else {}) == facts(view, "looked_at")


@pytest.mark.clause("CT-9", "CT-6")
def test_nobody_sees_the_bottom_of_the_cut() -> None:
    """Before he looks, the cutter knows no more of what he lifted than anybody else."""
    one, other = robbing(game(), "II XV"), robbing(game(), "XV II")
    assert all(alike(one, other, viewer) for viewer in (None, 0, 1, 2, 3))
    assert not alike(one, other, REFEREE)


@pytest.mark.clause("CT-11", "CT-32")
def test_the_state_of_a_robber_is_public() -> None:
    """Everybody sees whether a robber is looking at a card, and learns of every look, take, leave and pass."""
    match = robbing(game(), "II XIV", "VII")
    for move, looked in (("rob_look", {3: 1}), ("rob_take", {}), ("rob_look", {3: 1}), ("rob_leave", {3: 1})):
        match.say(3, move)
        assert looked == facts(match.view(None), "looked")
    match.say(0, "rob_pass")
    kinds = [event.kind for event in match.events if event.kind.startswith("rob") and event.known_to is EVERYBODY]
    assert ["rob_looked", "robbed", "rob_looked", "rob_left", "rob_passed"] == kinds
    assert all(event.cards == () for event in events_of(match, "rob_looked", None))


@pytest.mark.clause("CT-32", "CT-31")
def test_the_same_cards_otherwise_dealt_play_alike() -> None:
    """Exchange two cards of the stock that nobody has looked at: to the end all views and events stay the same."""
    one = robbing(game(match_deals="1"), "II V", "VII IX")
    other = exchanged(one, -1, 33)
    for match in (one, other):
        rob(match, 3, "rob_pass")
        rob(match, 0, "rob_pass")
    assert "play" == one.p.phase == other.p.phase
    play_alike(one, other, (None, 0, 1, 2, 3))
    assert not alike(one, other, REFEREE)
