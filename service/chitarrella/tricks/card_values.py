"""How a game reads its cards: which suit a card counts as, which card beats another, and what each is worth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from chitarrella.core.cards import Card, Pack


@dataclass(frozen=True)
class Count:
    """One way of counting cards, by rank; what is not named counts nothing."""

    name: str
    worth: Mapping[str, int]

    def of(self, cards: Iterable[Card], trump: str = "") -> int:
        """Return the sum of ``cards``; the trump suit matters only where some cards are worth more as trumps."""
        worth = self.worth
        return sum([worth.get(card.rank, 0) for card in cards])


@dataclass(frozen=True)
class Order:
    """The ranks from the strongest to the weakest, the counts, and the suit of ranks that have none printed."""

    ranks: tuple[str, ...]
    counts: tuple[Count, ...]
    suits: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def strengths(self) -> dict[str, int]:
        """The strength of each rank: a higher number beats a lower one of the same suit."""
        return {rank: len(self.ranks) - place for place, rank in enumerate(self.ranks)}

    def strength(self, pack: Pack) -> dict[Card, int]:
        return {card: self.strengths[card.rank] for card in pack.faces.values()}

    def suit(self, pack: Pack) -> dict[Card, str]:
        return {card: self.suits.get(card.rank, card.suit) for card in pack.faces.values()}
