"""Cuccu a trionfo: robbing by the cutter and by the dealer, and the deal between them (CT-10 to CT-17)."""

from __future__ import annotations

import pytest

from tests.games.support.table import Match, facts, zone
from tests.games.support.trionfo_tables import CUT_ALREADY, game, rob, robbing


@pytest.mark.clause("CT-11", "CT-13")
def test_three_cards_and_no_look_at_the_fourth() -> None:
    """CT-E4, CT-R7: after three cards robbing is over, and the fourth is neither seen nor taken."""
    match = robbing(game(), "VII X XIV XV X")
    rob(match, 3, "rob_look(X), rob_take, rob_look(XV), rob_take, rob_look(XIV), rob_take")
    assert "dealer_rob" == match.p.phase
    assert ["X", "VII"] == [match.p.stock[-1], match.p.stock[-2]]
    assert not facts(match.view(3), "looked_at")


@pytest.mark.clause("CT-11", "CT-12", "CT-20")
def test_without_a_limit() -> None:
    """CT-E4, CT-R31: by the leaflet the fourth may be taken, then the VII seen, which must be left; four go aside."""
    match = robbing(game(preset="masenghini"), "VII X XIV XV X")
    rob(match, 3, "rob_look(X), rob_take, rob_look(XV), rob_take, rob_look(XIV), rob_take, rob_look(X), rob_take")
    rob(match, 3, "rob_look(VII)")
    assert ["rob_leave"] == match.moves(3)
    rob(match, 3, "rob_leave")
    rob(match, 0, "rob_pass")
    assert {12, 8} == {len(hand) for hand in match.p.hands}
    assert {4} == {len(move.split()) - 1 for move in match.moves(3)}


@pytest.mark.clause("CT-12", "CT-31", "CT-32")
def test_worthless_trionfo_hand() -> None:
    """CT-E6, CT-R5: after a VII there is only leaving, which must be said; taking is refused."""
    match = robbing(game(), "VII")
    rob(match, 3, "rob_look(VII)")
    assert (["rob_leave"], ["not_robbable"]) == (match.moves(3), match.codes(3, "rob_take"))
    rob(match, 3, "rob_leave")
    assert "dealer_rob" == match.p.phase


@pytest.mark.clause("CT-12", "CT-13")
def test_looking_and_taking_are_free() -> None:
    """CT-R4, CT-R34: a robber need not look, nor take what he may; a card that he leaves ends his robbing."""
    match = robbing(game(), "XIV XV", "X XV")
    assert ["rob_look", "rob_pass"] == match.moves(3)
    rob(match, 3, "rob_look(XV), rob_leave")
    assert ("dealer_rob", ["rob_look", "rob_pass"]) == (match.p.phase, match.moves(0))
    rob(match, 0, "rob_look(X), rob_take, rob_pass")
    assert ("discard", "XV") == (match.p.phase, match.p.turn_up)


@pytest.mark.clause("CT-10", "CT-14", "CT-16")
def test_the_dealer_knows_his_hand_and_the_cutter_does_not() -> None:
    """CT-R8: the cutter robs before anybody has a card; his robbed cards lie before him until the deal."""
    match = robbing(game(), "II XV", "X")
    rob(match, 3, "rob_look(XV), rob_take")
    assert [0, 0, 0, 0] == [len(hand) for hand in match.p.hands]
    assert ("XV",) == zone(match.view(3), "robbed", 3).cards
    rob(match, 3, "rob_look(II), rob_leave")
    assert [8, 8, 8, 9] == [len(hand) for hand in match.p.hands]
    assert match.p.hands[0] == zone(match.view(0), "hand", 0).cards
    rob(match, 0, "rob_look(X), rob_take")
    assert "X" == match.p.hands[0][-1]


@pytest.mark.clause("CT-14")
@pytest.mark.parametrize("dealer", [0, 1, 2, 3])
def test_packets_of_four(dealer: int) -> None:
    """Packet i goes to seat dealer + 1 + i; eight cards are left, less the robbed ones."""
    match = Match(game(dealer, **CUT_ALREADY))
    match.deal(match.game.pack.cards)
    match.say((dealer - 1) % 4, "rob_pass")
    for packet in range(8):
        at = 4 * (packet // 4)
        cards = match.game.pack.cards[4 * packet : 4 * packet + 4]
        assert cards == match.p.hands[(dealer + 1 + packet) % 4][at : at + 4]
    assert match.game.pack.cards[32:] == match.p.stock


@pytest.mark.clause("CT-15", "CT-17")
def test_a_left_card_is_the_bottom_of_the_stock() -> None:
    """CT-R25, CT-R33, CT-R36: six robbed cards leave two: the dealer may look at one, which is turned up."""
    match = robbing(game(preset="masenghini"), "IX X X XIV XIV XV XV", "V")
    rob(match, 3, "rob_look(XV), rob_take, rob_look(XV), rob_take, rob_look(XIV), rob_take, rob_look(XIV), rob_take")
    rob(match, 3, "rob_look(X), rob_take, rob_look(X), rob_take, rob_look(IX), rob_leave")
    assert ("V", "IX") == match.p.stock
    rob(match, 0, "rob_look(V)")
    assert ["rob_leave"] == match.moves(0)
    rob(match, 0, "rob_leave")
    assert ("V", "IX") == (match.p.turn_up, " ".join(match.p.stock))
    assert {3: "IX"} == facts(match.view(3), "looked_at")


@pytest.mark.clause("CT-16", "CT-11")
def test_the_limit_counts_for_each_robber() -> None:
    """After three cards of the cutter the dealer may take three; a robbed card is never put back (CT-R35)."""
    match = robbing(game(), "X XIV XV", "XV X XIV")
    rob(match, 3, "rob_look(XV), rob_take, rob_look(XIV), rob_take, rob_look(X), rob_take")
    rob(match, 0, "rob_look(XV), rob_take, rob_look(X), rob_take, rob_look(XIV), rob_take")
    assert ("discard", {0: 3, 3: 3}) == (match.p.phase, facts(match.view(None), "robbed"))
    assert 1 == len(match.p.stock)
