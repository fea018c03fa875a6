"""Side payments: chips that the loser of a trick pays its winner for certain cards in it."""

from __future__ import annotations

from dataclasses import dataclass

from chitarrella.core.model import Event, public_event
from chitarrella.tricks.base import Rules, TrickEffect
from chitarrella.tricks.table import Table, Trick


@dataclass(frozen=True)
class SidePayments(TrickEffect):
    """Chips that the loser of a trick pays its winner for certain cards in it, whoever played them; for two seats."""

    prices: tuple[tuple[str, int], ...]

    def apply(self, g: Rules, t: Table, trick: Trick, events: list[Event]) -> Table:
        """Pay for the trick."""
        prices = dict(self.prices)
        due = sum(prices.get(card.rank, 0) for card in trick.cards)
        if not due:
            return t
        loser = 1 - trick.winner
        events.append(public_event("chips_paid", loser, amount=due, other=trick.winner))
        chips = tuple(held + (due if seat == trick.winner else -due) for seat, held in enumerate(t.match_state.chips))
        return t._replace(match_state=t.match_state._replace(chips=chips))
