"""Scopa: every check of the test kit, and a worked example of each clause that can be read in two ways."""

from __future__ import annotations

import pytest
from chitarrella_scopa.position import MatchState, Position
from chitarrella_scopa.scopa import SCOPA
from chitarrella_scopa.scoring import captures, point_winners, primiera

from chitarrella.core.cards import ITALIAN, Hand
from chitarrella.core.game import legal_moves, play, validate_move
from chitarrella.core.model import Event, Move
from chitarrella_testing.checks import Check

TWO, FOUR = SCOPA.configure(2, {}), SCOPA.configure(4, {})


@pytest.mark.game("scopa", seconds=10)
def test_scopa_keeps_every_law(check: Check) -> None:
    """Scopa passes every check of the kit."""
    check()


def cards(text: str) -> Hand:
    """The cards of a text."""
    return ITALIAN.hand(text.split())


def position(hand: str, table: str, stock: int = 6) -> Position:
    """Seat 1 plays first, with one hand, and the other cards of the deal anywhere."""
    own, laid = cards(hand), cards(table)
    rest = [card for card in ITALIAN.cards if card not in own and card not in laid]
    other, rest = tuple(rest[: len(own)]), rest[len(own) :]
    taken = tuple(rest[stock:])
    return Position(
        "play", MatchState(0, 1, (0, 0)), (other, own), (taken, ()), (0, 0), tuple(rest[:stock]), laid, 1, 0
    )


def codes(hand: str, table: str, verb: str, named: str) -> list[str]:
    """The reason codes for which a move is refused."""
    move = Move(verb, ITALIAN.in_order(cards(named)))
    return [refusal.code for refusal in validate_move(TWO, position(hand, table), 1, move)]


def kinds(hand: str, table: str, verb: str, named: str, stock: int = 6) -> list[str]:
    """The kinds of the events of a legal move."""
    events: tuple[Event, ...]
    _, events = play(TWO, position(hand, table, stock), 1, Move(verb, ITALIAN.in_order(cards(named))))
    return [event.kind for event in events]


@pytest.mark.clause("SCO-4.2")
def test_a_card_captures_its_value_or_a_sum() -> None:
    """A seven takes a seven, or a four and a three, or a five and two aces."""
    found = captures(cards("7b")[0], cards("7c 4d 3s 5b Ac Ad"))
    assert [{"7c"}, {"4d", "3s"}] == [set(one) for one in found[:2]]
    assert {"5b", "Ac", "Ad"} in [set(one) for one in found]
    assert [] == codes("7b 2c Rd", "4d 3s", "capture", "7b 4d 3s")
    assert ["wrong_sum"] == codes("7b 2c Rd", "4d 2s", "capture", "7b 4d 2s")
    assert ["not_on_table"] == codes("7b 2c Rd", "4d", "capture", "7b 4d 3s")
    assert ["one_from_hand"] == codes("7b 2c Rd", "4d", "capture", "7b 2c 4d")
    assert ["not_in_hand"] == codes("7b 2c Rd", "4d", "capture", "6b 4d")


@pytest.mark.clause("SCO-4.3")
def test_a_card_that_can_capture_must() -> None:
    """A king that lies beside a king is not laid down; a six that takes nothing is."""
    assert ["must_capture"] == codes("Rb 6c 2c", "Rd", "play_card", "Rb")
    assert [] == codes("Rb 6c 2c", "Rd", "play_card", "6c")


@pytest.mark.clause("SCO-4.4")
def test_a_single_card_comes_first() -> None:
    """With a seven on the table a seven takes no four and three."""
    assert ["single_first"] == codes("7b 2c Rd", "7c 4d 3s", "capture", "7b 4d 3s")
    assert [] == codes("7b 2c Rd", "7c 4d 3s", "capture", "7b 7c")


@pytest.mark.clause("SCO-4.6")
def test_a_sweep_takes_all_cards_but_not_with_the_last_card() -> None:
    """To clear the table is a sweep; with the last card of the deal it is none."""
    assert ["card_played", "captured", "swept"] == kinds("7b 2c Rd", "4d 3s", "capture", "7b 4d 3s")
    last = position("7b", "4d 3s", 0)
    done = last._replace(hands=((), last.hands[1]), taken=((*last.taken[0], *last.hands[0]), ()))
    _, events = play(TWO, done, 1, Move("capture", ITALIAN.in_order(cards("7b 4d 3s"))))
    assert "swept" not in [event.kind for event in events]


@pytest.mark.clause("SCO-5.1")
def test_points_are_for_the_most_and_level_is_nobodys() -> None:
    """Of twenty cards each nobody has the point for cards; the seven of coins is worth one."""
    half = (*cards("7d"), *(card for card in ITALIAN.cards if card.suit in "bc" and card != "Ab"))
    other = tuple(card for card in ITALIAN.cards if card not in half)
    won = point_winners({0: half, 1: other})
    assert "cards" not in won
    assert (0, 1) == (won["settebello"], won["coins"])


@pytest.mark.clause("SCO-5.2")
def test_primiera_is_the_best_card_of_each_suit() -> None:
    """Four sevens count 84; without a suit only three cards count."""
    assert 84 == primiera(cards("7b 7c 7d 7s 6b"))
    assert 21 + 18 + 16 == primiera(cards("7b 6c Ad Rd"))


@pytest.mark.clause("SCO-1.1")
def test_four_are_partners() -> None:
    """Seats 0 and 2 are a side; two players have no partner."""
    assert (2, 3, 0, 1) == tuple(FOUR.partner(seat) for seat in range(4))
    assert TWO.partner(0) is None


@pytest.mark.clause("SCO-3.1")
def test_the_deal() -> None:
    """Three cards each, eldest first, and four on the table; eldest plays."""
    p, _ = play(TWO, TWO.start(), -1, Move("start_deal", ITALIAN.cards))
    assert (ITALIAN.cards[3:6], ITALIAN.cards[:3]) == p.hands
    assert (ITALIAN.cards[6:10], 30, 1) == (p.table, len(p.stock), p.at)
    assert legal_moves(TWO, p, 1)
