"""Elfern: eleven of twenty honours; free play while there is a stock, strict duties in the last six tricks.

Source: S004, whose page breaks off inside this game; the rest is recovered from the next page of the same book.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from chitarrella.core.cards import Card, Hand
from chitarrella.core.model import Clause, Refusal
from chitarrella.core.options import choice_option
from chitarrella.games.bohemian_schneider import BOHEMIAN_SCHNEIDER, HONOURS, RANKS, tiered_match_of
from chitarrella.tricks.base import Following, Rules
from chitarrella.tricks.following import (
    MUST_FOLLOW_SUIT,
    MUST_HEAD_TRICK,
    MUST_TRUMP,
    FollowElseTrump,
    following_and_heading,
)
from chitarrella.tricks.game import TrickGame
from chitarrella.tricks.match_formats.tiered_match import TieredMatch
from chitarrella.tricks.option_builders import deal_packets, first_dealer
from chitarrella.tricks.order import Order
from chitarrella.tricks.phases.dealing import Dealing, StartDeal
from chitarrella.tricks.table import Table
from chitarrella.tricks.taking import Highest

PAGE = "S004, Elfern"
NEXT_PAGE = "recovered: the next page of the book of S004"

CLAUSES = (
    Clause("EL-3.1", "Ace, King, Queen, Jack, Ten, 9, 8, 7 rank in this order.", PAGE),
    Clause("EL-3.2", "Ace, King, Queen, Jack and Ten are honours, one point each: twenty in all.", PAGE),
    Clause("EL-4.1", "Each of the two seats gets six cards in packets of two, or of three where that is agreed, eldest first; the other twenty are the stock, face down.", "S004, Elfern; packets: web source, ruling EL-R1"),
    Clause("EL-4.2", "By the trump variant the next card is turned up for trumps and lies last in the stock.", NEXT_PAGE),
    Clause("EL-4.3", "The deal alternates, or, where that is agreed, the loser deals next, and after a stand-off the other seat.", "ruling EL-R2; a web source"),
    Clause("EL-5.1", "Eldest leads to the first trick.", PAGE),
    Clause("EL-5.2", "Any card may be led, and while there is a stock any may follow; then suit must be followed, in the variant else a trump played, and the lead beaten in its suit where that is agreed.", NEXT_PAGE),
    Clause("EL-5.3", "While there is a stock the winner draws a card, then the loser, who gets the last one after the tenth trick; the winner leads.", "recovered: the next page of the book of S004; ruling EL-R3"),
    Clause("EL-5.4", "Hands and drawn cards are private; tricks, the stock's size, turn-up, tally and a pending doubling are public.", NEXT_PAGE),
    Clause("EL-5.5", "Every broken clause is named: phase first, then the turn, then possession, then what the last six tricks ask: to follow, to trump, to head.", "ruling"),
    Clause("EL-6.1", "The second card wins as a higher card of the suit led, in the variant also as a trump on a plain lead.", NEXT_PAGE),
    Clause("EL-7.1", "From 11 honours the deal wins a single game, from 15 a double, for all 20 a treble; 10 each win nothing.", NEXT_PAGE),
    Clause("EL-7.2", "Where agreed, a stand-off doubles the next deal that is won; further ones do not double again.", "Pierer's Lexicon, 1857; ruling EL-R10"),
    Clause("EL-7.3", "Games are tallied, and stand-offs only counted, without end.", "ruling"),
)  # fmt: skip


@dataclass(frozen=True)
class StrictAtTheEnd(Following):
    """No duty while there is a stock; then follow suit, else trump, and with ``heads`` head the trick (EL-5.2)."""

    heads: bool = False

    reasons = (MUST_FOLLOW_SUIT, MUST_TRUMP, MUST_HEAD_TRICK)

    def refusals(self, g: Rules, t: Table, hand: Hand, card: Card) -> tuple[Refusal, ...]:
        """Refuse cards that break a duty when the stock is gone."""
        if t.stock:
            return ()
        against = following_and_heading(g, t, hand, card) if self.heads else ()
        return against or FollowElseTrump().refusals(g, t, hand, card)


def trump_variant(turned_up: bool) -> Callable[[TrickGame], TrickGame]:
    """Set whether a card is turned up for trumps."""
    return lambda game: replace(
        game, dealing=replace(game.dealing, start=replace(game.dealing.start, turns_up=turned_up))
    )


def stand_off_doubles(doubles: bool) -> Callable[[TrickGame], TrickGame]:
    """Set whether a stand-off doubles the next deal."""
    return lambda game: replace(game, series=replace(tiered_match_of(game), doubles=doubles))


def loser_deals(loser: bool) -> Callable[[TrickGame], TrickGame]:
    """Set whether the loser deals next, or the deal alternates."""
    return lambda game: replace(game, series=replace(tiered_match_of(game), loser_deals=loser))


ELFERN = replace(
    BOHEMIAN_SCHNEIDER,
    key="elfern",
    title="Elfern",
    place="Germany and Austria",
    order=Order(RANKS, (HONOURS,)),
    dealing=Dealing("await_deal", StartDeal((2, 2, 2))),
    series=TieredMatch(((20, 3), (15, 2), (11, 1))),
    taking=Highest(),
    following=StrictAtTheEnd(),
    options=(
        choice_option(
            "trump_variant",
            "Whether a card is turned up for trumps.",
            NEXT_PAGE,
            {"true": trump_variant(True), "false": trump_variant(False)},
            "false",
        ),
        choice_option(
            "head_in_endgame",
            "Whether the trick must be headed when the stock is gone.",
            "Meyers Konversations-Lexikon, 1905",
            {
                "true": lambda game: replace(game, following=StrictAtTheEnd(True)),
                "false": lambda game: replace(game, following=StrictAtTheEnd(False)),
            },
            "false",
        ),
        choice_option(
            "stand_off",
            "Whether a stand-off doubles the next deal that is won.",
            "Pierer's Lexicon, 1857",
            {"none": stand_off_doubles(False), "double_next": stand_off_doubles(True)},
            "none",
        ),
        deal_packets("ruling EL-R1", {"2-2-2": (2, 2, 2), "3-3": (3, 3)}, "2-2-2"),
        choice_option(
            "next_dealer",
            "Who deals the next deal.",
            "ruling EL-R2",
            {"alternate": loser_deals(False), "loser": loser_deals(True)},
            "alternate",
        ),
        first_dealer(1, "drawn by the caller"),
    ),
    conflicts=(),
    own_clauses=CLAUSES,
    citations={
        "not_your_turn": "EL-5.3",
        "not_in_hand": "EL-5.2",
        "must_follow_suit": "EL-5.2",
        "must_trump": "EL-5.2",
        "must_head_trick": "EL-5.2",
    },
)

GAMES = (ELFERN,)
