"""Right and left Jack: the two highest trumps, the second of them printed in the other suit of the same colour."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chitarrella.cards import Card, Hand
from chitarrella.tricks.order import Count
from chitarrella.tricks.table import Table
from chitarrella.tricks.taking import Taking

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame

SAME_COLOUR = {"c": "s", "s": "c", "d": "h", "h": "d"}
TOP = 100


def effective_suit(card: Card, trump: str) -> str:
    """Say which suit a card belongs to: the left Jack belongs to the trumps."""
    return trump if card.rank == "J" and SAME_COLOUR.get(card.suit) == trump else card.suit


def rank_in_suit(g: TrickGame, card: Card, trump: str) -> int:
    """Say how high a card is in its effective suit."""
    if card.rank == "J" and effective_suit(card, trump) == trump:
        return TOP + (card.suit == trump)
    return g.strength[card]


def beats(g: TrickGame, card: Card, other: Card, trump: str) -> bool:
    """Tell whether ``card`` beats ``other``: higher in its suit, or a trump on a plain card."""
    suit, led = effective_suit(card, trump), effective_suit(other, trump)
    if suit == led:
        return rank_in_suit(g, card, trump) > rank_in_suit(g, other, trump)
    return suit == trump


@dataclass(frozen=True)
class JacksOnTop(Taking):
    """The highest trump, the two Jacks above all, else the highest card of the suit led."""

    def best(self, g: TrickGame, t: Table, cards: Hand) -> int:
        """Give the place of the winning card."""
        best = 0
        for place in range(1, len(cards)):
            if beats(g, cards[place], cards[best], t.trump):
                best = place
        return best


@dataclass(frozen=True)
class JacksCount(Count):
    """A count in which the two top Jacks are worth more than the others."""

    top: int = 12

    def of(self, cards: Iterable[Card], trump: str = "") -> int:
        """Add up ``cards``."""
        colour = (trump, SAME_COLOUR.get(trump))
        return sum(
            self.top if card.rank == "J" and card.suit in colour else self.worth.get(card.rank, 0) for card in cards
        )
