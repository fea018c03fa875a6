"""Capotto: who has won all tricks but the last annuls the deal, or leads on and stakes one life against many.

To lead the last card is the choice, so it is played as any other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chitarrella.tricks.act import Act, AfterTrick, Phase
from chitarrella.tricks.play import PlayCard
from chitarrella.tricks.table import Table, Trick
from chitarrella.words import Event, Form, Move, Reason, Refusal, Seat, public

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame

HAND = 5
"""How many cards a hand has, and how many tricks a deal."""
PLAY = "play"
ANNUL_NOT_AVAILABLE = Reason(
    "annul_not_available", "Only who has won the first four tricks may annul the deal, before leading the last card."
)


def sweeper(t: Table) -> Seat | None:
    """Name the seat that has won all tricks but the last, which is still to be led; None where there is no such one."""
    if len(t.tricks) != HAND - 1 or t.trick:
        return None
    winners = {trick.winner for trick in t.tricks}
    return winners.pop() if len(winners) == 1 else None


class PlayOn(PlayCard):
    """A card of the hand goes to the trick; to lead the last one is to play for capotto."""

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Lay the card down; after the choice there is a trick to be played like others."""
        return super().apply(g, t if t.phase == PLAY else t._replace(phase=PLAY), seat, move, tell)


class AnnulDeal(Act):
    """The winner of four tricks throws the deal away instead of leading his last card."""

    form = Form("annul_deal", "Annul the deal instead of leading the last card.", frozenset())
    reasons = (ANNUL_NOT_AVAILABLE,)

    def offers(self, g: TrickGame, t: Table, seat: Seat) -> Iterable[Move]:
        """Offer it where there is the choice."""
        return () if sweeper(t) is None else (Move("annul_deal"),)

    def objections(self, g: TrickGame, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Object wherever there is no choice."""
        return (g.refuse(ANNUL_NOT_AVAILABLE),) if sweeper(t) is None else ()

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Let the same seat deal again; nobody sees the last cards."""
        tell.append(public("deal_annulled", seat, amount=t.standing.deal))
        return g.dealing.enter(g, t, tell)


@dataclass(frozen=True)
class LastTrickChoice(Phase):
    """The phase in which the winner of four tricks chooses; a deal passes through it at once before its first card."""

    name: str = "last_trick_choice"
    acts = (PlayOn(), AnnulDeal())

    def enter(self, g: TrickGame, t: Table, tell: list[Event]) -> Table:
        """Wait for the choice, where there is one."""
        t = t._replace(phase=self.name)
        return g.leave(t, tell) if sweeper(t) is None else t

    def turn(self, g: TrickGame, t: Table) -> Seat:
        """Name the winner of the four tricks."""
        return t.leader


class AfterFour(AfterTrick):
    """After the fourth trick there may be a choice."""

    def taken(self, g: TrickGame, t: Table, trick: Trick, tell: list[Event]) -> Table:
        """Let it be made."""
        return t if sweeper(t) is None else g.phases[0].enter(g, t, tell)
