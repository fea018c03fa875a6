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
        strength = g.trick_strengths[t.trump][cards[0]]
        if len(cards) == 2:
            return int(strength[cards[1]] > strength[cards[0]])
        strengths = [strength[card] for card in cards]
        return strengths.index(max(strengths))
