"""The rules of a single trick, asked without a position."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from chitarrella.core.cards import Card, Hand
from chitarrella.core.model import Refusal
from chitarrella.tricks.base import Rules
from chitarrella.tricks.table import Table


@dataclass(frozen=True)
class SingleTrick:
    """`chitarrella.core.trick_rules.TrickRules` of one game.

    ``table_with`` returns a table with only a trick, a trump suit and a stock, about which the parts are asked.
    """

    game: Rules
    table_with: Callable[[Hand, str, Hand], Table]
    has_trumps: bool

    @property
    def suits(self) -> frozenset[str]:
        """The suits of the game."""
        return self.game.suits

    @property
    def suit_of(self) -> Mapping[Card, str]:
        """The suit that each card counts as."""
        return self.game.suit

    def card_refusals(
        self, hand: Hand, card: Card, trick: Hand, trump: str, *, stock_left: bool
    ) -> tuple[Refusal, ...]:
        """Return the clauses that break if ``card`` of ``hand`` is played to ``trick``, by the duty of its seat."""
        stock = self.game.pack.cards if stock_left else ()
        return self.game.duty_refusals(self.table_with(trick, trump, stock), hand, card)

    def winning_place(self, cards: Hand, trump: str) -> int:
        """Return the index of the card that takes the trick."""
        return self.game.taking.best(self.game, self.table_with(cards, trump, ()), cards)

    def count(self, cards: Hand, trump: str) -> tuple[tuple[str, int], ...]:
        """Return the sum over ``cards`` in each count of the game, by its name."""
        return self.game.count(cards, trump)
