"""Announcing trumps: the soloist names the trump suit, and with it the called card."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from chitarrella.core.cards import ITALIAN
from chitarrella.core.model import Event, Move, MoveSpec, Seat, public_event
from chitarrella.tricks.base import Action, Phase, Rules
from chitarrella.tricks.bidding import soloist
from chitarrella.tricks.phases.auction import Auction
from chitarrella.tricks.table import Table


@dataclass(frozen=True)
class AnnounceTrump(Action):
    """The soloist names the trump suit."""

    spec = MoveSpec("announce_trump", "Name the trump suit.", frozenset(), choices=ITALIAN.suits)

    def offers(self, g: Rules, t: Table, seat: Seat) -> Iterator[Move]:
        """Return one move for each suit."""
        return (Move("announce_trump", choice=suit) for suit in g.pack.suits)

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Set the trump suit; from now on there is a called card."""
        t = t._replace(trump=move.choice)
        events.append(public_event("trump_announced", seat, (t.own.called(g, t),), move.choice))
        return g.next_phase(t, events)


@dataclass(frozen=True)
class Announce(Phase):
    """The phase in which the soloist names trumps; eldest leads to the first trick."""

    name: str = "announce"
    names_trumps = True

    @property
    def actions(self) -> tuple[Action, ...]:
        """Naming trumps."""
        return (AnnounceTrump(),)

    def enter(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Wait for the soloist."""
        return t._replace(phase=self.name)

    def turn(self, g: Rules, t: Table) -> Seat:
        """Return the soloist."""
        return soloist(t)


@dataclass(frozen=True)
class AnnounceAndLead(Announce):
    """The phase in which the soloist names trumps, and after which he leads to the first trick."""

    def enter(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Wait for the soloist, who leads."""
        return super().enter(g, t, events)._replace(leader=soloist(t))

    def first_lead(self, g: Rules, t: Table) -> Seat | None:
        """Return the soloist, once the auction is over."""
        return None if isinstance(g.phases_by_name[t.phase], Auction) else soloist(t)
