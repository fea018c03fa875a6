"""Elfern: eleven of twenty honours; free while there is a stock, strict in the last six tricks.

Source: S004, whose page breaks off inside this game; the rest is recovered from the next page of the same book.
"""

from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import replace as but

from chitarrella.cards import Card, Hand
from chitarrella.games.bohemian_schneider import BOHEMIAN_SCHNEIDER, HONOURS, RANKS, tally
from chitarrella.option import words
from chitarrella.tricks.choices import first_dealer, packets
from chitarrella.tricks.dealing import Dealing, StartDeal
from chitarrella.tricks.following import (
    MUST_FOLLOW_SUIT,
    MUST_HEAD_TRICK,
    MUST_TRUMP,
    FollowElseTrump,
    Following,
    following_and_heading,
)
from chitarrella.tricks.game import TrickGame
from chitarrella.tricks.order import Order
from chitarrella.tricks.table import Table
from chitarrella.tricks.taking import Highest
from chitarrella.tricks.tally import Tiers
from chitarrella.words import Clause, Refusal

PAGE = "S004, Elfern"
NEXT = "recovered: the next page of the book of S004"

CLAUSES = (
    Clause("EL-3.1", "Ace, King, Queen, Jack, Ten, 9, 8, 7 rank in this order.", PAGE),
    Clause("EL-3.2", "Ace, King, Queen, Jack and Ten are honours, one point each: twenty in all.", PAGE),
    Clause("EL-4.1", "Each of the two seats gets six cards in packets of two, or of three where that is agreed, eldest first; the other twenty are the stock, face down.", "S004, Elfern; packets: web source, ruling EL-R1"),
    Clause("EL-4.2", "By the trump variant the next card is turned up for trumps and lies last in the stock.", NEXT),
    Clause("EL-4.3", "The deal alternates, or, where that is agreed, the loser deals next, and after a stand-off the other seat.", "ruling EL-R2; a web source"),
    Clause("EL-5.1", "Eldest leads to the first trick.", PAGE),
    Clause("EL-5.2", "Any card may be led, and while there is a stock any may follow; then suit must be followed, in the variant else a trump played, and the lead beaten in its suit where that is agreed.", NEXT),
    Clause("EL-5.3", "While there is a stock the winner draws a card, then the loser, who gets the last one after the tenth trick; the winner leads.", "recovered: the next page of the book of S004; ruling EL-R3"),
    Clause("EL-5.4", "Hands and drawn cards are private; tricks, the stock's size, turn-up, tally and a pending doubling are public.", NEXT),
    Clause("EL-5.5", "Every broken clause is named: phase first, then the turn, then possession, then what the last six tricks ask: to follow, to trump, to head.", "ruling"),
    Clause("EL-6.1", "The second card wins as a higher card of the suit led, in the variant also as a trump on a plain lead.", NEXT),
    Clause("EL-7.1", "From 11 honours the deal wins a single game, from 15 a double, for all 20 a treble; 10 each win nothing.", NEXT),
    Clause("EL-7.2", "Where agreed, a stand-off doubles the next deal that is won; further ones do not double again.", "Pierer's Lexicon, 1857; ruling EL-R10"),
    Clause("EL-7.3", "Games are tallied, and stand-offs only counted, without end.", "ruling"),
)  # fmt: skip


@dataclass(frozen=True)
class StrictAtTheEnd(Following):
    """No duty while there is a stock; then follow, else trump, and head the trick where ``heads``."""

    heads: bool = False

    reasons = (MUST_FOLLOW_SUIT, MUST_TRUMP, MUST_HEAD_TRICK)

    def objections(self, g: TrickGame, t: Table, hand: Hand, card: Card) -> tuple[Refusal, ...]:
        """Object, when the stock is gone, to what does not follow."""
        if t.stock:
            return ()
        against = following_and_heading(g, t, hand, card) if self.heads else ()
        return against or FollowElseTrump().objections(g, t, hand, card)


def variant(yes: bool) -> Callable[[TrickGame], TrickGame]:
    """Turn a card up for trumps, or not."""
    return lambda game: but(game, dealing=but(game.dealing, start=but(game.dealing.start, turns_up=yes)))


def stand_off(doubles: bool) -> Callable[[TrickGame], TrickGame]:
    """Let a stand-off double the next deal, or not."""
    return lambda game: but(game, series=but(tally(game), doubles=doubles))


def next_dealer(loser: bool) -> Callable[[TrickGame], TrickGame]:
    """Let the loser deal, or each in turn."""
    return lambda game: but(game, series=but(tally(game), loser_deals=loser))


ELFERN = but(
    BOHEMIAN_SCHNEIDER,
    key="elfern",
    title="Elfern",
    place="Germany and Austria",
    order=Order(RANKS, (HONOURS,)),
    dealing=Dealing("await_deal", StartDeal((2, 2, 2))),
    series=Tiers(((20, 3), (15, 2), (11, 1))),
    taking=Highest(),
    following=StrictAtTheEnd(),
    options=(
        words(
            "trump_variant",
            "Whether a card is turned up for trumps.",
            NEXT,
            {"true": variant(True), "false": variant(False)},
            "false",
        ),
        words(
            "head_in_endgame",
            "Whether the trick must be headed when the stock is gone.",
            "Meyers Konversations-Lexikon, 1905",
            {
                "true": lambda game: but(game, following=StrictAtTheEnd(True)),
                "false": lambda game: but(game, following=StrictAtTheEnd(False)),
            },
            "false",
        ),
        words(
            "stand_off",
            "Whether a stand-off doubles the next deal that is won.",
            "Pierer's Lexicon, 1857",
            {"none": stand_off(False), "double_next": stand_off(True)},
            "none",
        ),
        packets("ruling EL-R1", {"2-2-2": (2, 2, 2), "3-3": (3, 3)}, "2-2-2"),
        words(
            "next_dealer",
            "Who deals the next deal.",
            "ruling EL-R2",
            {"alternate": next_dealer(False), "loser": next_dealer(True)},
            "alternate",
        ),
        first_dealer(1, "drawn by the caller"),
    ),
    conflicts=(),
    own_clauses=CLAUSES,
    cites={
        "not_your_turn": "EL-5.3",
        "not_in_hand": "EL-5.2",
        "must_follow_suit": "EL-5.2",
        "must_trump": "EL-5.2",
        "must_head_trick": "EL-5.2",
    },
)

GAMES = (ELFERN,)
