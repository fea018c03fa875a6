"""Bohemian Schneider: no trumps; only the next higher card captures; three variations.

Source: S004. A web source and rulings fill its gaps.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from chitarrella import tricks
from chitarrella.core.cards import FRENCH_32, Card, Hand
from chitarrella.core.options import (
    Choices,
    GameEntry,
    InvalidOption,
    bool_option,
    choice_option,
    number_option,
    rule_book,
)
from chitarrella.tricks.options import WITH_AN_END

RANKS = ("A", "K", "Q", "J", "T", "9", "8", "7")
"""The ranks, the highest first."""
POINTS = tricks.Count("card_points", {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2})
"""The card points of each rank that has any."""
HONOURS = tricks.Count("honours", dict.fromkeys(("A", "K", "Q", "J", "T"), 1))
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
class NextHigher(tricks.Taking):
    """The second card wins as the next higher card (SN-6.1 to SN-6.4).

    ``suits`` decides by suit whether a card captures the one that was led, ``sevens`` whether a Seven captures an Ace.
    """

    suits: Capture
    sevens: Capture

    def best(self, g: tricks.Rules, t: tricks.Table, cards: Hand) -> int:
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
MATCH_DEALS = number_option(
    "match_deals", "How many deals make the match; 0 for no end.", "web source; ruling SN-R13", 6, 0
).of_length()
FIRST_DEALER = tricks.first_dealer(1, "drawn by the caller")


def rules(agreed: Choices) -> tricks.Rules:
    sevens, suits = agreed[ACE_BY_SEVEN], any_suit if agreed[ANY_SUIT_CAPTURES] else same_suit
    if sevens is any_suit and suits is same_suit:
        raise InvalidOption("options.ace_by_seven", "any_suit needs any_suit_captures")
    if (deals := agreed[MATCH_DEALS]) % 2:
        text = f"{deals} is odd; the seats deal in turn, so it must be even"
        raise InvalidOption("options.match_deals", text)
    count, tiers = agreed[SCORING]
    return tricks.Rules(
        agreed,
        seating=tricks.alone(2),
        pack=FRENCH_32,
        order=tricks.Order(RANKS, (count,)),
        dealing=tricks.Dealing("await_deal", tricks.StartDeal((3, 3))),
        series=tricks.TieredMatch(tiers, deals),
        taking=NextHigher(suits, sevens),
        own=tricks.DoubledDeal,
        carry_over=tricks.keep_record,
        first_dealer=agreed[FIRST_DEALER],
    )


BOHEMIAN_SCHNEIDER = GameEntry(
    key="bohemian-schneider",
    place="Bohemia",
    description="A trick game for two in which only the next higher card of the same suit wins.",
    sources=("S004",),
    players=(2,),
    options=(ACE_BY_SEVEN, ANY_SUIT_CAPTURES, SCORING, MATCH_DEALS, FIRST_DEALER),
    rules=rules,
    book=rule_book(__file__),
    editions=WITH_AN_END,
)

GAMES = (BOHEMIAN_SCHNEIDER, BOHEMIAN_SCHNEIDER.former(match_deals="0"))
