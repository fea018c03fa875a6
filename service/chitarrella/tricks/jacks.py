"""Right and left Jack: the two highest trumps, the second of them printed in the other suit of the same colour.

The game says which rank is its Jack and which suits have one colour: `Jacks` in its `JackOrder`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from chitarrella.core.cards import Card, Hand
from chitarrella.core.options import require_part
from chitarrella.tricks.base import Rules, Taking
from chitarrella.tricks.order import Count, Order
from chitarrella.tricks.table import Table


class Jacks(NamedTuple):
    """The rank of the Jacks, and of each suit the other one of its colour."""

    rank: str
    same_colour: Mapping[str, str]

    def is_top(self, card: Card, trump: str) -> bool:
        """Return whether a card is the right or the left Jack."""
        return card.rank == self.rank and card.suit in (trump, self.same_colour.get(trump))

    def effective_suit(self, card: Card, trump: str) -> str:
        """Return which suit a card belongs to: the left Jack belongs to the trumps."""
        return trump if self.is_top(card, trump) else card.suit


@dataclass(frozen=True)
class JackOrder(Order):
    """An order in which the two Jacks of the trump colour are above all other trumps, the right one highest."""

    jacks: Jacks = field(kw_only=True)

    @cached_property
    def effective(self) -> dict[str, EffectiveRanks]:
        """The effective suits and strengths by trump suit; of the empty one no card is a trump."""
        return {trump: EffectiveRanks(self, trump) for trump in ("", *self.jacks.same_colour)}

    def beats(self, card: Card, other: Card, trump: str) -> bool:
        """Return whether ``card`` beats ``other``: higher in its suit, or a trump on a plain card."""
        ranks = self.effective[trump]
        (suit, rank), (led, to_beat) = ranks[card], ranks[other]
        return rank > to_beat if suit == led else suit == trump

    def can_beat_all(self, led: Hand, answer: Hand, trump: str) -> bool:
        """Return whether every card of ``led`` can be paired with a card of ``answer`` that beats it.

        In each suit the strongest cards of the answer are paired with the strongest led that they beat. Plain cards
        left over need a trump each, and it does not matter which.
        """
        by_suit = self.ranks_by_suit(answer, trump)
        unpaired = 0
        for suit, ranks in self.ranks_by_suit(led, trump).items():
            stronger = by_suit.get(suit, [])
            for rank in ranks:
                if stronger and stronger[0] > rank:
                    del stronger[0]
                elif suit == trump:
                    return False
                else:
                    unpaired += 1
        return unpaired <= len(by_suit.get(trump, ()))

    def ranks_by_suit(self, cards: Hand, trump: str) -> dict[str, list[int]]:
        """Return the strengths of ``cards`` by effective suit, the greatest first; that of the trumps comes first."""
        found: dict[str, list[int]] = {trump: []}
        table = self.effective[trump]
        for card in cards:
            suit, rank = table[card]
            found.setdefault(suit, []).append(rank)
        for ranks in found.values():
            ranks.sort(reverse=True)
        return found


class EffectiveRanks(dict[Card, tuple[str, int]]):
    """The effective suit of each card and its strength there, with certain trumps; computed when first asked for."""

    def __init__(self, order: JackOrder, trump: str) -> None:
        """Hold the order and the ``trump``."""
        super().__init__()
        self._order, self._trump = order, trump

    def __missing__(self, card: Card) -> tuple[str, int]:
        """Compute those of ``card``: the left Jack is above every rank, the right one above the left."""
        strengths, jacks = self._order.strengths, self._order.jacks
        suit = jacks.effective_suit(card, self._trump)
        above = 1 + (card.suit == suit)
        is_top = jacks.is_top(card, self._trump)
        self[card] = found = suit, len(strengths) + above if is_top else strengths[card.rank]
        return found


def jack_order(g: Rules) -> JackOrder:
    """Return the order of a game with right and left Jack; raises `TypeError` for a game without."""
    return require_part(g.key, g.order, JackOrder)


@dataclass(frozen=True)
class JacksOnTop(Taking):
    """The highest trump, the two Jacks above all, else the highest card of the suit led."""

    def best(self, g: Rules, t: Table, cards: Hand) -> int:
        """Return the index of the winning card."""
        order, best = jack_order(g), 0
        for place in range(1, len(cards)):
            if order.beats(cards[place], cards[best], t.trump):
                best = place
        return best


@dataclass(frozen=True)
class AllBeaten(JacksOnTop):
    """The follower takes a trick of several cards where each card led can be paired with one that beats it."""

    def best(self, g: Rules, t: Table, cards: Hand) -> int:
        """Return the index of the first card of the winner: 0 for the leader, whose cards come first."""
        led = len(cards) // 2
        return led if led and jack_order(g).can_beat_all(cards[:led], cards[led:], t.trump) else 0


@dataclass(frozen=True)
class JackPoints(Count):
    """A count in which the two top Jacks are worth more than the others."""

    jacks: Jacks
    top: int = 12

    def of(self, cards: Iterable[Card], trump: str = "") -> int:
        """Return the sum of ``cards``."""
        jacks, worth = self.jacks, self.worth
        return sum(self.top if jacks.is_top(card, trump) else worth.get(card.rank, 0) for card in cards)
