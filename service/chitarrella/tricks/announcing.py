"""Announcing trumps: who has won the auction names the suit, and with it the card that he calls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chitarrella.cards import ITALIAN
from chitarrella.tricks.act import Act, Phase
from chitarrella.tricks.ally import soloist
from chitarrella.tricks.auction import Auction
from chitarrella.tricks.table import Table
from chitarrella.words import Event, Form, Move, Seat, public

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame


@dataclass(frozen=True)
class AnnounceTrump(Act):
    """The soloist names the trump suit."""

    form = Form("announce_trump", "Name the trump suit.", frozenset(), words=ITALIAN.suits)

    def offers(self, g: TrickGame, t: Table, seat: Seat) -> Iterator[Move]:
        """Offer every suit."""
        return (Move("announce_trump", word=suit) for suit in g.pack.suits)

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Name it; from now on there is a called card."""
        t = t._replace(trump=move.word)
        tell.append(public("trump_announced", seat, (g.pack.card(t.own.called(t)),), move.word))
        return g.leave(t, tell)


@dataclass(frozen=True)
class Announce(Phase):
    """The phase in which the soloist names trumps; ``soloist_leads`` gives him the first lead as well."""

    soloist_leads: bool = False
    name: str = "announce"

    @property
    def acts(self) -> tuple[Act, ...]:
        """Naming trumps, and nothing else."""
        return (AnnounceTrump(),)

    def enter(self, g: TrickGame, t: Table, tell: list[Event]) -> Table:
        """Wait for the soloist."""
        return t._replace(phase=self.name, leader=soloist(t) if self.soloist_leads else t.leader)

    def turn(self, g: TrickGame, t: Table) -> Seat:
        """Name the soloist."""
        return soloist(t)

    def first_lead(self, g: TrickGame, t: Table) -> Seat | None:
        """Name the soloist, once the auction is over, where that is agreed."""
        return soloist(t) if self.soloist_leads and not isinstance(g.stages[t.phase], Auction) else None
