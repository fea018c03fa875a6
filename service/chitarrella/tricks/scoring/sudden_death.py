"""Sudden death: a card that captures a certain other one of its suit wins the deal at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from chitarrella.core.model import Event, Seat, public_event
from chitarrella.tricks.base import CardCounts, Rules, TrickEffect
from chitarrella.tricks.scoring.deal_scoring import MostCounted
from chitarrella.tricks.table import Table, Trick


def from_opponent(g: Rules, winner: Seat, seat: Seat) -> bool:
    """Return whether ``seat`` is an opponent of ``winner``."""
    return g.sides[seat] != g.sides[winner]


def from_anybody(g: Rules, winner: Seat, seat: Seat) -> bool:
    """Return True: the partner's card counts as well."""
    return True


@dataclass(frozen=True)
class SuddenDeath(TrickEffect):
    """The deal ends when the rank ``captor`` wins a trick with ``prey`` of its own suit.

    ``may_take`` says whether the winner at one seat may capture it from the seat that played it.
    """

    captor: str
    prey: str
    may_take: Callable[[Rules, Seat, Seat], bool] = from_opponent

    def apply(self, g: Rules, t: Table, trick: Trick, events: list[Event]) -> Table:
        """Report that the deal was won in this way, whatever the points."""
        if self.ends_deal(g, t):
            best = trick.cards[(trick.winner - trick.leader) % g.seats]
            prey = next(card for card in trick.cards if (card.rank, card.suit) == (self.prey, best.suit))
            events.append(public_event("sudden_death", trick.winner, (best, prey)))
        return t

    def ends_deal(self, g: Rules, t: Table) -> bool:
        """Return whether the last trick was such a capture."""
        trick = t.tricks[-1]
        best = trick.cards[(trick.winner - trick.leader) % g.seats]
        if best.rank != self.captor:
            return False
        for place, card in enumerate(trick.cards):
            seat = (trick.leader + place) % g.seats
            if card.rank == self.prey and g.suit[card] == g.suit[best] and seat != trick.winner:
                return self.may_take(g, trick.winner, seat)
        return False


@dataclass(frozen=True)
class SuddenOrMost(MostCounted):
    """Sudden death wins the deal; without it the side that has most."""

    def winner(self, g: Rules, t: Table, counted: CardCounts) -> int | None:
        """Return the side that wins the deal."""
        if t.tricks and any(after.ends_deal(g, t) for after in g.trick_effects):
            return g.sides[t.tricks[-1].winner]
        return super().winner(g, t, counted)
