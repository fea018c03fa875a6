"""The rule that decides who takes a trick: the highest trump, else the highest card of the suit led."""

from __future__ import annotations

from dataclasses import dataclass

from chitarrella.core.cards import Hand
from chitarrella.tricks.base import Rules, Taking
from chitarrella.tricks.table import Table


@dataclass(frozen=True)
class Highest(Taking):
    """The highest trump, else the highest card of the suit led; of two equal cards the one played first."""

    def best(self, g: Rules, t: Table, cards: Hand) -> int:
        """Return the index of the winning card."""
        suit, strength, trump = g.suit, g.strength, t.trump
        best = 0
        best_suit, best_strength = suit[cards[0]], strength[cards[0]]
        for place in range(1, len(cards)):
            card = cards[place]
            if suit[card] == best_suit:
                if strength[card] > best_strength:
                    best, best_strength = place, strength[card]
            elif suit[card] == trump:
                best, best_suit, best_strength = place, trump, strength[card]
        return best
