"""What a game reads in its cards, looked up once: suits, strengths, and what of a hand belongs to a suit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from chitarrella.cards import Card, Hand, Pack
from chitarrella.tricks.order import Order
from chitarrella.tricks.places import Places

LATELY = 64
"""How many hands a game remembers, while a list of moves is made and the chosen one is judged."""


@dataclass(frozen=True, kw_only=True)
class Suits(Places):
    """The pack, the order in which a game sees it, and what follows from both for every card."""

    pack: Pack
    order: Order

    @cached_property
    def suit(self) -> dict[Card, str]:
        """The suit each card counts as."""
        return self.order.suit(self.pack)

    @cached_property
    def suits(self) -> frozenset[str]:
        """The suits there are."""
        return frozenset(self.suit.values())

    @cached_property
    def strength(self) -> dict[Card, int]:
        """How strong each card is inside its suit."""
        return self.order.strength(self.pack)

    @cached_property
    def of_suit(self) -> Callable[[Hand, str], Hand]:
        """How to find the faces of a suit in a hand, each once; of one hand this is asked card by card."""
        suit = self.suit
        return lru_cache(LATELY)(lambda hand, wanted: tuple(dict.fromkeys([c for c in hand if suit[c] == wanted])))

    def count(self, cards: Hand, trump: str = "") -> tuple[tuple[str, int], ...]:
        """Say what a pile is worth, count by count."""
        return tuple((count.name, count.of(cards, trump)) for count in self.order.counts)
