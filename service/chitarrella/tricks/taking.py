"""Which card of a trick takes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from chitarrella.cards import Hand
from chitarrella.tricks.table import Table

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame


class Taking(Protocol):
    """A way to find the winner of a trick."""

    def best(self, g: TrickGame, t: Table, cards: Hand) -> int:
        """Give the place, counted from 0, of the card that takes ``cards`` (in order of play, at least one)."""


@dataclass(frozen=True)
class Highest:
    """The highest trump, else the highest card of the suit led; of two equal cards the one played first."""

    def best(self, g: TrickGame, t: Table, cards: Hand) -> int:
        """Give the place of the winning card."""
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
