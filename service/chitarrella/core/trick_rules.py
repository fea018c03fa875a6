"""Questions about single tricks: what a game of tricks answers without a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from chitarrella.core.cards import Card, Hand
from chitarrella.core.model import Refusal


class TrickRules(Protocol):
    """The rules of a single trick: suits, the duty to follow, the winner, the counts.

    ``trump`` is the trump suit, empty for none. Cards that are played stand in order of play.
    """

    @property
    def suits(self) -> frozenset[str]:
        """The suits of the game."""

    @property
    def has_trumps(self) -> bool:
        """Whether the game has a trump suit in some deal."""

    @property
    def suit_of(self) -> Mapping[Card, str]:
        """The suit that each card counts as; a game may assign it by rank."""

    def card_refusals(
        self, hand: Hand, card: Card, trick: Hand, trump: str, *, stock_left: bool
    ) -> tuple[Refusal, ...]:
        """Return the clauses that break if ``card`` of ``hand`` is played to ``trick`` (empty for a lead).

        ``stock_left`` tells whether there are cards to draw: in some games the duty to follow waits for the last one.
        """

    def winning_place(self, cards: Hand, trump: str) -> int:
        """Return the index in ``cards`` (at least one) of the card that takes the trick."""

    def count(self, cards: Hand, trump: str) -> tuple[tuple[str, int], ...]:
        """Return the sum over ``cards`` in each count of the game, by its name; the main count first."""
