"""The decision to do nothing more in a phase, which ends it."""

from __future__ import annotations

from typing import ClassVar

from chitarrella.core.model import Event, Move, Seat, public_event
from chitarrella.tricks.base import Action, Rules
from chitarrella.tricks.table import Table


class EndPhase(Action):
    """A move that reports ``event_kind`` of its seat and goes on to the next phase."""

    event_kind: ClassVar[str]

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Report the decision, and enter the next phase."""
        events.append(public_event(self.event_kind, seat))
        return g.next_phase(t, events)
