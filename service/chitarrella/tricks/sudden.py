"""Sudden death: an Ace that captures a certain card of its suit wins the deal at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chitarrella.tricks.act import AfterTrick
from chitarrella.tricks.reckoning import Counted, MostCounted
from chitarrella.tricks.table import Table, Trick
from chitarrella.words import Event, public

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame


@dataclass(frozen=True)
class SuddenDeath(AfterTrick):
    """The deal ends when the Ace that wins a trick finds ``prey`` of its own suit in it.

    It must have been played by an opponent; ``partner_too`` lets the partner's count as well. No prey, no such end.
    """

    prey: str = ""
    partner_too: bool = False

    def taken(self, g: TrickGame, t: Table, trick: Trick, tell: list[Event]) -> Table:
        """Say that the deal was won so, whatever the points."""
        if self.ends(g, t):
            ace = trick.cards[(trick.winner - trick.leader) % g.seats]
            prey = next(card for card in trick.cards if (card.rank, card.suit) == (self.prey, ace.suit))
            tell.append(public("sudden_death", trick.winner, (ace, prey)))
        return t

    def ends(self, g: TrickGame, t: Table) -> bool:
        """Tell whether the last trick was such a one."""
        trick = t.tricks[-1]
        ace = trick.cards[(trick.winner - trick.leader) % g.seats]
        if not self.prey or ace.rank != "A":
            return False
        for place, card in enumerate(trick.cards):
            seat = (trick.leader + place) % g.seats
            if card.rank == self.prey and g.suit[card] == g.suit[ace] and seat != trick.winner:
                return self.partner_too or g.sides[seat] != g.sides[trick.winner]
        return False


@dataclass(frozen=True)
class SuddenOrMost(MostCounted):
    """Sudden death wins the deal; without it the side that has most."""

    def winner(self, g: TrickGame, t: Table, counted: Counted) -> int | None:
        """Name the side that wins the deal."""
        if t.tricks and any(after.ends(g, t) for after in g.after):
            return g.sides[t.tricks[-1].winner]
        return super().winner(g, t, counted)
