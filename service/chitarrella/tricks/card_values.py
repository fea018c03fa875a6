"""How a game reads its cards: which suit a card counts as, which card beats another, and what each is worth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from chitarrella.core.cards import Card, Pack, RankOrder


class CardWorths(dict[Card, int]):
    """What each card is worth, found out when it is first asked for."""

    def __init__(self, worth: Mapping[str, int]) -> None:
        super().__init__()
        self._worth = worth

    def __missing__(self, card: Card) -> int:
        """Return what is said of the card itself, else of its rank, else of its suit; else nothing."""
        said = (self._worth[key] for key in (card, card.rank, card.suit) if key in self._worth)
        self[card] = worth = next(said, 0)
        return worth


@dataclass(frozen=True)
class Count:
    """One way of counting cards: what each rank is ``worth``, or a single card, or a suit; others count nothing.

    >>> from chitarrella.core.cards import FRENCH_52
    >>> Count("points", {"Qs": 13, "h": 1}).of(FRENCH_52.hand(["Qs", "Qh", "Ah", "Ac"]))
    15
    """

    name: str
    worth: Mapping[str, int]

    @cached_property
    def by_card(self) -> CardWorths:
        """What each card is worth where no suit is trumps."""
        return CardWorths(self.worth)

    def of(self, cards: Iterable[Card], trump: str = "") -> int:
        """Return the sum of ``cards``; the trump suit matters only where some cards are worth more as trumps."""
        worth = self.by_card
        return sum([worth[card] for card in cards])


@dataclass(frozen=True)
class Order(RankOrder):
    """The ranks from the highest to the lowest, the counts, and the suit of ranks that have none printed."""

    counts: tuple[Count, ...]
    suits: Mapping[str, str] = field(default_factory=dict)

    def of_cards(self, pack: Pack) -> dict[Card, int]:
        """Return the strength of each card: a higher one beats a lower one of the same suit."""
        return {card: self.strengths[card.rank] for card in pack.faces.values()}

    def suit(self, pack: Pack) -> dict[Card, str]:
        """Return the suit that each card counts as: that of its rank in ``suits``, else the printed one."""
        return {card: self.suits.get(card.rank, card.suit) for card in pack.faces.values()}
