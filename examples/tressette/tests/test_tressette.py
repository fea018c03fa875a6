"""Tressette: every check of the test kit, and a worked example of each clause that can be read in two ways."""

from __future__ import annotations

from random import Random

import pytest
from chitarrella_tressette.declarations import Declaration, Declarations, combinations
from chitarrella_tressette.tressette import TRESSETTE

from chitarrella.bots import Effort, InformationState, bot_for
from chitarrella.core.cards import ITALIAN, Hand
from chitarrella.core.game import legal_moves, play, validate_move
from chitarrella.core.model import CHANCE, Move
from chitarrella.core.notation import InvalidPosition
from chitarrella.tricks.table import Table, Trick
from chitarrella_testing.checks import Check

FOUR = TRESSETTE.configure(4, {})
EMPTY: tuple[Hand, ...] = ((), (), (), ())


@pytest.mark.game("tressette", seconds=10)
def test_tressette_keeps_every_law(check: Check) -> None:
    """Tressette passes every check of the kit."""
    check()


def cards(text: str) -> Hand:
    """The cards of a text."""
    return ITALIAN.hand(text.split())


def dealt() -> Table:
    """A deal in which seat 1, eldest, has the first ten cards of the pack: all batons."""
    p: Table = play(FOUR, FOUR.start(), CHANCE, Move("start_deal", ITALIAN.cards))[0]
    return p


def codes(p: Table, seat: int, verb: str, named: str) -> list[str]:
    """The reason codes for which a move is refused."""
    return [refusal.code for refusal in validate_move(FOUR, p, seat, Move(verb, ITALIAN.in_order(cards(named))))]


@pytest.mark.clause("TRE-5.1")
def test_combinations_are_all_cards_of_a_rank_or_a_napoletana() -> None:
    """Four aces are one combination, not four of three; ace, two and three of a suit are another."""
    assert [cards("Ab 2b 3b"), cards("Ab Ac Ad As")] == combinations(cards("Ab 2b 3b Ac Ad As Rb"))
    p = dealt()
    assert cards("Ab 2b 3b") in [move.cards for move in legal_moves(FOUR, p, 1) if move.verb == "declare"]
    assert ["no_combination"] == codes(p, 1, "declare", "2b 3b 4b")
    assert ["not_in_hand"] == codes(p, 1, "declare", "Ac 2c 3c")
    declared, events = play(FOUR, p, 1, Move("declare", ITALIAN.in_order(cards("Ab 2b 3b"))))
    assert [("declared", 3)] == [(event.kind, event.amount) for event in events]
    assert ["declaration_repeated"] == codes(declared, 1, "declare", "Ab 2b 3b")
    assert 1 == FOUR.turn(declared)
    elsewhere = declared._replace(own=Declarations((Declaration(3, declared.own.declared[0].cards),)))
    with pytest.raises(InvalidPosition, match="the seat holds the cards"):
        FOUR.decode(FOUR.encode(elsewhere))


@pytest.mark.clause("TRE-4.2")
def test_suit_is_followed() -> None:
    """Who holds the suit led plays it."""
    p = dealt()._replace(hands=(cards("Rd"), cards("4b"), cards("5b Ac"), cards("6s")))
    led, _ = play(FOUR, p, 1, Move("play_card", cards("4b")))
    assert ["must_follow_suit"] == codes(led, 2, "play_card", "Ac")


@pytest.mark.clause("TRE-6.1")
def test_thirds_are_made_points() -> None:
    """Five thirds are one point; the last trick and a declaration of three cards add one and three."""
    last = dealt()._replace(
        hands=(cards("4c"), cards("Ab"), cards("3b"), cards("Rb")), tricks=(Trick(1, cards("4d 5d 6d 7d"), 0),)
    )
    last = last._replace(leader=1, own=Declarations((Declaration(0, cards("Ac 2c 3c")),)))
    for seat, card in ((1, "Ab"), (2, "3b"), (3, "Rb"), (0, "4c")):
        last, events = play(FOUR, last, seat, Move("play_card", cards(card)))
    (scored,) = [event.shares for event in events if event.kind == "deal_scored"]
    assert (("0", 1 + 1 + 3), ("1", 0), ("2", 1 + 1 + 3), ("3", 0)) == scored


@pytest.mark.parametrize("kind", ["easy", "normal", "strong"])
def test_bots_declare(kind: str) -> None:
    """Who holds a combination declares it: the heuristic does not know the move, so it is tried by search."""
    p, rng = dealt(), Random(1)
    move = bot_for(kind, FOUR, Effort(None, 40))(InformationState(FOUR, p, 1), rng)
    assert Move("declare", ITALIAN.in_order(cards("Ab 2b 3b"))) == move
