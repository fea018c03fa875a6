"""Zifuli: cards, deal and dealer (clauses ZI-1 to ZI-6), with the worked examples ZI-E1, ZI-E15 and ZI-E19."""

from __future__ import annotations

from itertools import combinations

import pytest

from chitarrella.core.model import CHANCE
from chitarrella.core.options import InvalidOption
from tests.games.support.examples import Block
from tests.games.support.table import Match, seat
from tests.games.support.tricks import taker
from tests.games.support.zifuli_tables import call, deal_table, each, talk, zifuli


@pytest.mark.clause("ZI-2", "ZI-4")
def test_the_pack() -> None:
    """Twenty numbers and twenty pictures, two of each face; 38 half-points and 82 units as in Cöch (ZI-R15)."""
    game = seat("zifuli")
    assert {"numbers": 20, "pictures": 20} == {
        suit: sum(game.suit[card] == suit for card in game.pack.cards) for suit in ("numbers", "pictures")
    }
    assert {2} == {game.pack.cards.count(face) for face in game.pack.faces.values()}
    assert {"half_points": 38, "units": 82} == dict(game.count(game.pack.cards))
    for face in game.pack.faces.values():
        assert seat("coech", 4).count((face,)) == game.count((face,))
    assert {"half_points": 0, "units": 0} == dict(game.count(game.pack.hand(["MAT"])))


@pytest.mark.clause("ZI-3", "ZI-24")
@each("order")
def test_whole_order(block: Block) -> None:
    """ZI-E19: of two faces the one further right takes the trick, and the one further left overcalls (ZI-R4)."""
    said = block.words()
    game = seat("zifuli")
    cards = game.pack.hand(said["order"].split())
    assert {said["suit"]} == {game.suit[card] for card in cards}
    for low, high in combinations(cards, 2):
        assert (1, 0) == (
            taker(game, (low, high)),
            taker(game, (high, low)),
        )
        match = deal_table({0: f"{low} {high}", 1: f"{low} {high}"})
        talk(match, f"0 {high}")
        assert [] == match.codes(1, f"call_card {low}")
        match = deal_table({0: f"{low} {high}", 1: f"{low} {high}"})
        if low != cards[0]:
            talk(match, f"0 {low}")
            assert ["call_not_lower"] == match.codes(1, f"call_card {high}")


@pytest.mark.clause("ZI-24", "ZI-3")
@each("trick")
def test_winner_of_a_trick(block: Block) -> None:
    """ZI-E1, ZI-E15: who takes a trick and what it is worth; of equal cards the first, whoever played it."""
    said = block.words()
    plays = [words.split() for words in said["trick"].split(", ")]
    hands = {int(place): card for place, card in plays}
    leader, led = int(plays[0][0]), plays[0][1]
    match = deal_table(hands, (leader - 1) % 5)
    call(match, leader, led)
    match.play(said["trick"])
    trick = match.p.tricks[-1]
    assert (int(said["winner"]), tuple(card for _, card in plays)) == (trick.winner, trick.cards)
    worth = {"half_points": int(said["half-points"]), "units": int(said["units"])}
    assert worth == dict(match.game.count(trick.cards))


@pytest.mark.clause("ZI-5", "ZI-1", "ALL-1", "ALL-2")
@pytest.mark.parametrize("dealer", range(5))
def test_packets(dealer: int) -> None:
    """Two packets of four from the dealer's right, the dealer last: all forty cards are dealt (ZI-R19)."""
    match = zifuli(dealer)
    cards = match.game.pack.cards
    match.deal(cards)
    for turn in range(5):
        hand = cards[4 * turn : 4 * turn + 4] + cards[20 + 4 * turn : 24 + 4 * turn]
        assert hand == match.p.hands[(dealer + 1 + turn) % 5]
    assert ((), None, "") == (match.p.stock, match.p.turn_up, match.p.trump)


@pytest.mark.clause("ZI-1", "ALL-8")
def test_five_play() -> None:
    """Exactly five: any other number is refused, and every seat is its own side (ZI-R21)."""
    assert (5, (0, 1, 2, 3, 4)) == (seat("zifuli").seats, seat("zifuli").sides)
    for players in (1, 2, 3, 4, 6, 7):
        with pytest.raises(InvalidOption):
            seat("zifuli", players)


@pytest.mark.clause("ZI-6", "ZI-1", "ALL-8")
@pytest.mark.parametrize("drawn", range(5))
def test_the_first_dealer_is_drawn(drawn: int) -> None:
    """`first_dealer`: where nothing is agreed a lot of five names him; a sixth seat is none."""
    match = Match(seat("zifuli"))
    assert ("await_dealer", CHANCE) == (match.p.phase, match.game.turn(match.p))
    assert ["bad_dealer"] == match.codes(CHANCE, "draw_dealer 5")
    match.say(CHANCE, f"draw_dealer {drawn}")
    assert ("deal", drawn) == (match.p.phase, match.p.match_state.dealer)
    match.deal(match.game.pack.cards)
    assert ("auction", (drawn + 1) % 5) == (match.p.phase, match.game.turn(match.p))


@pytest.mark.clause("ZI-6")
def test_the_deal_passes_to_the_right() -> None:
    """After a deal that was played out the next seat deals, whoever has won what."""
    match = zifuli(3, match_deals="3")
    for dealer in (3, 4, 0):
        assert dealer == match.p.match_state.dealer
        match.play_out()
    assert ("match_over", 0) == (match.p.phase, match.p.match_state.dealer)
