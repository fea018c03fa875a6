"""Right and left Jack: the two highest trumps, the second of them printed in the other suit of the same colour."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from chitarrella.core.cards import Card, Hand
from chitarrella.tricks.base import Rules, Taking
from chitarrella.tricks.order import Count, Order
from chitarrella.tricks.table import Table

SAME_COLOUR = {"c": "s", "s": "c", "d": "h", "h": "d"}
"""The other suit of the same colour."""
TOP = 100
"""The strength of a highest Jack, above that of every other card."""


def effective_suit(card: Card, trump: str) -> str:
    """Return which suit a card belongs to: the left Jack belongs to the trumps."""
    return trump if card.rank == "J" and SAME_COLOUR.get(card.suit) == trump else card.suit


def rank_in_suit(g: Rules, card: Card, trump: str) -> int:
    """Return the strength of a card in its effective suit."""
    if card.rank == "J" and effective_suit(card, trump) == trump:
        return TOP + (card.suit == trump)
    return g.strength[card]


def beats(g: Rules, card: Card, other: Card, trump: str) -> bool:
    """Return whether ``card`` beats ``other``: higher in its suit, or a trump on a plain card."""
    suit, led = effective_suit(card, trump), effective_suit(other, trump)
    if suit == led:
        return rank_in_suit(g, card, trump) > rank_in_suit(g, other, trump)
    return suit == trump


@dataclass(frozen=True)
class JacksOnTop(Taking):
    """The highest trump, the two Jacks above all, else the highest card of the suit led."""

    def best(self, g: Rules, t: Table, cards: Hand) -> int:
        """Return the index of the winning card."""
        best = 0
        for place in range(1, len(cards)):
            if beats(g, cards[place], cards[best], t.trump):
                best = place
        return best


def can_beat_all(g: Rules, led: Hand, answer: Hand, trump: str) -> bool:
    """Return whether every card of ``led`` can be paired with a card of ``answer`` that beats it.

    In each suit the strongest cards of the answer are paired with the strongest led that they beat. Plain cards left
    over need a trump each, and it does not matter which.
    """
    by_suit = ranks_by_suit(g, answer, trump)
    unpaired = 0
    for suit, ranks in ranks_by_suit(g, led, trump).items():
        stronger = by_suit.get(suit, [])
        for rank in ranks:
            if stronger and stronger[0] > rank:
                del stronger[0]
            elif suit == trump:
                return False
            else:
                unpaired += 1
    return unpaired <= len(by_suit.get(trump, ()))


def ranks_by_suit(g: Rules, cards: Hand, trump: str) -> dict[str, list[int]]:
    """Return the strengths of ``cards`` by their effective suit, the greatest first; that of the trumps comes first."""
    found: dict[str, list[int]] = {trump: []}
    table = _effective_ranks(g.order.ranks, trump)
    for card in cards:
        suit, rank = table[card]
        found.setdefault(suit, []).append(rank)
    for ranks in found.values():
        ranks.sort(reverse=True)
    return found


class EffectiveRanks(dict[Card, tuple[str, int]]):
    """The effective suit of each card and its strength there, with certain trumps; computed when first asked for."""

    def __init__(self, strengths: Mapping[str, int], trump: str) -> None:
        """Hold the strength of each rank, and the ``trump``."""
        super().__init__()
        self._strengths, self._trump = strengths, trump

    def __missing__(self, card: Card) -> tuple[str, int]:
        """Compute those of ``card``."""
        suit = effective_suit(card, self._trump)
        is_top = card.rank == "J" and suit == self._trump
        self[card] = found = suit, TOP + (card.suit == suit) if is_top else self._strengths[card.rank]
        return found


@lru_cache(maxsize=256)
def _effective_ranks(ranks: tuple[str, ...], trump: str) -> EffectiveRanks:
    return EffectiveRanks(Order(ranks, ()).strengths, trump)


@dataclass(frozen=True)
class AllBeaten(JacksOnTop):
    """The follower takes a trick of several cards where each card led can be paired with one that beats it."""

    def best(self, g: Rules, t: Table, cards: Hand) -> int:
        """Return the index of the first card of the winner: 0 for the leader, whose cards come first."""
        led = len(cards) // 2
        return led if led and can_beat_all(g, cards[:led], cards[led:], t.trump) else 0


@dataclass(frozen=True)
class JackPoints(Count):
    """A count in which the two top Jacks are worth more than the others."""

    top: int = 12

    def of(self, cards: Iterable[Card], trump: str = "") -> int:
        """Return the sum of ``cards``."""
        colour = (trump, SAME_COLOUR.get(trump))
        return sum(
            self.top if card.rank == "J" and card.suit in colour else self.worth.get(card.rank, 0) for card in cards
        )
