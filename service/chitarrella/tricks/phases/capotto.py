"""Capotto: the winner of all tricks but the last annuls the deal, or leads on and stakes one life against many.

Leading the last card is that choice, so it is an ordinary play.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from chitarrella.core.model import Event, Move, MoveSpec, Reason, Refusal, Seat, plain_move, public_event
from chitarrella.tricks.base import Action, Phase, Rules, TrickEffect
from chitarrella.tricks.phases.play import PlayCard
from chitarrella.tricks.table import Table, Trick

HAND_SIZE = 5
"""The number of cards in a hand, and of tricks in a deal."""
PLAY = "play"
"""The name of the phase in which cards are played."""
ANNUL_NOT_AVAILABLE = Reason(
    "annul_not_available",
    "Only who has won the first four tricks may annul the deal, before leading the last card.",
    depends_on_seat=True,
)


def sweeper(t: Table) -> Seat | None:
    """Return the seat that has won all tricks but the last, which is still to be led; None where there is none."""
    if len(t.tricks) != HAND_SIZE - 1 or t.trick:
        return None
    winners = {trick.winner for trick in t.tricks}
    return winners.pop() if len(winners) == 1 else None


class PlayOn(PlayCard):
    """A card of the hand goes to the trick; leading the last one is playing for capotto."""

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Play the card; after the choice the trick is played like others."""
        return super().apply(g, t if t.phase == PLAY else t.with_phase(PLAY), seat, move, events)


class AnnulDeal(Action):
    """The winner of four tricks annuls the deal instead of leading the last card."""

    spec = MoveSpec("annul_deal", "Annul the deal instead of leading the last card.", frozenset())
    reasons = (ANNUL_NOT_AVAILABLE,)
    breaks_off_deal = True

    def offers(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        """Return the move where there is the choice."""
        return () if sweeper(t) is None else (plain_move("annul_deal"),)

    def legal_moves(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        """Return the move to the winner of the first four tricks, while the choice is open."""
        return (plain_move("annul_deal"),) if sweeper(t) == seat else ()

    def conditions(self, g: Rules, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse it to every seat but the winner of the first four tricks, while the choice is open."""
        return () if sweeper(t) == seat else (g.refuse(ANNUL_NOT_AVAILABLE),)

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Deal again with the same dealer; nobody sees the last cards."""
        events.append(public_event("deal_annulled", seat, amount=t.match_state.deal))
        return g.dealing.enter(g, t, events)


@dataclass(frozen=True)
class LastTrickChoice(Phase):
    """The phase in which the winner of four tricks chooses; before the first card of a deal it is left at once."""

    name: str = "last_trick_choice"
    actions = (PlayOn(), AnnulDeal())

    def enter(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Wait for the choice, where there is one."""
        t = t._replace(phase=self.name)
        return g.next_phase(t, events) if sweeper(t) is None else t

    def turn(self, g: Rules, t: Table) -> Seat:
        """Return the winner of the four tricks."""
        return t.leader


class AfterFourTricks(TrickEffect):
    """After the fourth trick there may be a choice."""

    def apply(self, g: Rules, t: Table, trick: Trick, events: list[Event]) -> Table:
        """Go to the phase of the choice, where there is one."""
        return t if sweeper(t) is None else g.phases[0].enter(g, t, events)
