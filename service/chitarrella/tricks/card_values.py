"""How a game reads its cards: which suit a card counts as, which card beats another, and what each is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from chitarrella.core.cards import Card, Hand, RankOrder

K = TypeVar("K")
V = TypeVar("V")


class Computed(dict[K, V]):
    """Values by key, each of which a function computes when it is first asked for."""

    def __init__(self, compute: Callable[[K], V]) -> None:
        super().__init__()
        self._compute = compute

    def __missing__(self, key: K) -> V:
        self[key] = value = self._compute(key)
        return value


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
    def by_card(self) -> Computed[Card, int]:
        """What each card is worth where no suit is trumps: as is said of itself, else of its rank, else of its suit."""
        said = self.worth
        return Computed(lambda card: next((said[key] for key in (card, card.rank, card.suit) if key in said), 0))

    def of(self, cards: Iterable[Card], trump: str = "") -> int:
        """Return the sum of ``cards``; the trump suit matters only where some cards are worth more as trumps."""
        worth = self.by_card
        return sum([worth[card] for card in cards])


@dataclass(frozen=True)
class Order(RankOrder):
    """The ranks from the highest to the lowest, the counts, and the suit of ranks that have none printed."""

    counts: tuple[Count, ...]
    suits: Mapping[str, str] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash(self.ranks)  # mappings have none

    def suit_and_strength(self, card: Card, trump: str) -> tuple[str, int]:
        """Return the suit that ``card`` counts as, and its strength there: a higher one beats a lower one."""
        if card.rank not in self.strengths:
            raise ValueError(f"the order has no rank {card.rank}, which the pack has")
        return self.suits.get(card.rank, card.suit), self.strengths[card.rank]

    def trick_strengths(self, ranks: Mapping[Card, tuple[str, int]], trump: str) -> dict[Card, dict[Card, int]]:
        """Return the strength of each card in a trick, by the card led, from the suits and strengths of `ranks`.

        A trump beats the suit led, and a card of another suit, which is worth 0, takes nothing.
        """
        above = max(strength for _, strength in ranks.values())
        by_suit = {
            led: {
                card: strength + above * (suit == trump) if suit in (led, trump) else 0
                for card, (suit, strength) in ranks.items()
            }
            for led in {suit for suit, _ in ranks.values()}
        }
        return {card: by_suit[suit] for card, (suit, _) in ranks.items()}

    def can_beat_all(self, ranks: Mapping[Card, tuple[str, int]], led: Hand, answer: Hand, trump: str) -> bool:
        """Return whether every card of ``led`` can be paired with a card of ``answer`` that beats it.

        In each suit the strongest cards of the answer are paired with the strongest led that they beat. Plain cards
        left over need a trump each, and it does not matter which.
        """
        by_suit = _strengths_by_suit(ranks, answer, trump)
        unpaired = 0
        for suit, strengths in _strengths_by_suit(ranks, led, trump).items():
            stronger = by_suit.get(suit, [])
            for strength in strengths:
                if stronger and stronger[0] > strength:
                    del stronger[0]
                elif suit == trump:
                    return False
                else:
                    unpaired += 1
        return unpaired <= len(by_suit.get(trump, ()))


def _strengths_by_suit(ranks: Mapping[Card, tuple[str, int]], cards: Hand, trump: str) -> dict[str, list[int]]:
    """Return the strengths of ``cards`` by suit, the greatest first; that of the trumps comes first."""
    found: dict[str, list[int]] = {trump: []}
    for card in cards:
        suit, strength = ranks[card]
        found.setdefault(suit, []).append(strength)
    for strengths in found.values():
        strengths.sort(reverse=True)
    return found
