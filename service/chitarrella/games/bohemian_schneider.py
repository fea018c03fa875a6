"""Bohemian Schneider: no trumps; only the next higher card captures; three variations.

Source: S004. A web source and rulings fill its gaps.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from chitarrella.core.cards import FRENCH_32, Card, Hand
from chitarrella.core.model import Clause
from chitarrella.core.options import Choices, GameEntry, InvalidOption, bool_option, choice_option, number_option
from chitarrella.tricks.card_values import Count, Order
from chitarrella.tricks.dealing import Dealing, StartDeal
from chitarrella.tricks.match_formats import DoubledDeal, TieredMatch
from chitarrella.tricks.options import first_dealer
from chitarrella.tricks.parts import Taking
from chitarrella.tricks.play import Play
from chitarrella.tricks.rules import Rules, keep_record
from chitarrella.tricks.seating import alone
from chitarrella.tricks.table import Table

PAGE = "S004, Bohemian Schneider"

CLAUSES = (
    Clause("SN-3.1", "Ace, King, Queen, Jack, Ten, 9, 8, 7 capture in this order, high to low.", PAGE),
    Clause("SN-3.2", "Cards count 11 for an Ace, 10 for a Ten, 4, 3, 2 for King, Queen, Jack: 120 in all; by the third variation each honour counts one: 20 in all.", PAGE),
    Clause("SN-3.3", "Each card has one next higher card of its suit: 8 for the 7, and so on to the Ace, which has none but, where that is agreed, the Seven.", PAGE),
    Clause("SN-4.1", "Each of the two seats gets two packets of three, the seat that does not deal first; the other twenty cards are the stock, and none is turned up.", PAGE),
    Clause("SN-4.2", "The deal alternates.", "web source"),
    Clause("SN-5.1", "The seat that did not deal leads first.", PAGE),
    Clause("SN-5.2", "Any card of one's own hand may be led, and any may follow, to the end.", PAGE),
    Clause("SN-5.3", "After each trick the winner draws a card, then the loser, while the stock lasts; the winner leads, and its last card goes to the loser of the tenth trick.", PAGE),
    Clause("SN-5.4", "Hands and drawn cards are private; tricks, the size of the stock and the games won are public.", PAGE),
    Clause("SN-5.5", "Every broken clause is named: match and phase first, then the turn, then possession; no other clause can be broken.", "ruling"),
    Clause("SN-6.1", "The second card wins only as the next higher card of the same suit; whatever else is played, the leader wins.", PAGE),
    Clause("SN-6.2", "By the second variation the next higher card of any suit captures.", PAGE),
    Clause("SN-6.3", "By the first variation an Ace that is led is captured by the Seven of its suit, or, where suits do not matter and that is agreed, of any suit.", "S004, variation 1; ruling SN-R4"),
    Clause("SN-6.4", "A Seven that is led falls to an Eight only.", "ruling SN-R5"),
    Clause("SN-7.1", "From 61 points the deal scores one game, from 91 two, for all 120 three; 60 each score nothing.", PAGE),
    Clause("SN-7.2", "From 11 honours the deal scores one game, from 16 two, for all 20 three; 10 each score nothing.", "S004, variation 3"),
    Clause("SN-7.3", "Games are counted without end, or over an agreed even number of deals, scored or not: then who has won more games wins, and level is a draw.", "web source; rulings SN-R13, SN-R22"),
)  # fmt: skip

RANKS = ("A", "K", "Q", "J", "T", "9", "8", "7")
"""The ranks, the highest first."""
POINTS = Count("card_points", {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2})
"""The card points of each rank that has any."""
HONOURS = Count("honours", dict.fromkeys(("A", "K", "Q", "J", "T"), 1))
"""One for each of the five highest ranks."""
BY_POINTS = ((120, 3), (91, 2), (61, 1))
"""What a deal is worth: least card points and worth, the best first."""
BY_HONOURS = ((20, 3), (16, 2), (11, 1))
"""What a deal is worth by the other count: least honours and worth, the best first."""


Capture: TypeAlias = Callable[[Card, Card], bool]
"""Whether a card that was led may be captured by the answer, by their suits."""


def same_suit(led: Card, answer: Card) -> bool:
    """Return whether both are of one suit (SN-6.1)."""
    return led.suit == answer.suit


def any_suit(led: Card, answer: Card) -> bool:
    """Return True: suits do not matter (SN-6.2)."""
    return True


def never(led: Card, answer: Card) -> bool:
    """Return False: such a card is not captured."""
    return False


@dataclass(frozen=True)
class NextHigher(Taking):
    """The second card wins as the next higher card (SN-6.1 to SN-6.4).

    ``suits`` decides by suit whether a card captures the one that was led, ``sevens`` whether a Seven captures an Ace.
    """

    suits: Capture
    sevens: Capture

    def best(self, g: Rules, t: Table, cards: Hand) -> int:
        led, answer = cards[0], cards[-1]
        if led.rank == "A":
            return int(answer.rank == "7" and self.sevens(led, answer))
        return int(g.cards.strength[answer] == g.cards.strength[led] + 1 and self.suits(led, answer))


ACE_BY_SEVEN = choice_option(
    "ace_by_seven",
    "Whether a Seven captures an Ace that was led, and which.",
    "S004, variation 1; ruling SN-R4",
    {"off": never, "same_suit": same_suit, "any_suit": any_suit},
)
ANY_SUIT_CAPTURES = bool_option(
    "any_suit_captures", "Whether the next higher card captures whatever its suit.", "S004, variation 2"
)
SCORING = choice_option(
    "scoring",
    "Whether points are counted or honours.",
    "S004, variation 3",
    {"points": (POINTS, BY_POINTS), "honours": (HONOURS, BY_HONOURS)},
)
MATCH_DEALS = number_option("match_deals", "How many deals make the match; 0 for no end.", "web source", 0, 0)
FIRST_DEALER = first_dealer(1, "drawn by the caller")


def rules(agreed: Choices) -> Rules:
    sevens, suits = agreed[ACE_BY_SEVEN], any_suit if agreed[ANY_SUIT_CAPTURES] else same_suit
    if sevens is any_suit and suits is same_suit:
        raise InvalidOption("options.ace_by_seven", "any_suit needs any_suit_captures")
    if (deals := agreed[MATCH_DEALS]) % 2:
        text = f"{deals} is odd; the seats deal in turn, so it must be even"
        raise InvalidOption("options.match_deals", text)
    count, tiers = agreed[SCORING]
    return Rules(
        agreed,
        seating=alone(2),
        pack=FRENCH_32,
        order=Order(RANKS, (count,)),
        dealing=Dealing("await_deal", StartDeal((3, 3))),
        phases=(Play(),),
        series=TieredMatch(tiers, deals),
        taking=NextHigher(suits, sevens),
        own=DoubledDeal,
        carry_over=keep_record,
        first_dealer=agreed[FIRST_DEALER],
    )


BOHEMIAN_SCHNEIDER = GameEntry(
    key="bohemian-schneider",
    title="Bohemian Schneider",
    place="Bohemia",
    description="A trick game for two in which only the next higher card of the same suit wins.",
    sources=("S004",),
    players=(2,),
    options=(ACE_BY_SEVEN, ANY_SUIT_CAPTURES, SCORING, MATCH_DEALS, FIRST_DEALER),
    rules=rules,
    own_clauses=CLAUSES,
    citations={"not_in_hand": "SN-5.2"},
)

GAMES = (BOHEMIAN_SCHNEIDER,)
