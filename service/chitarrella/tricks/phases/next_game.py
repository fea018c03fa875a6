"""The deal that opens the next game of a race."""

from __future__ import annotations

from dataclasses import dataclass

from chitarrella.core.model import Event, Move, Seat
from chitarrella.tricks.base import Rules
from chitarrella.tricks.match_formats.race_to_target import GAME_OVER
from chitarrella.tricks.phases.dealing import StartDeal
from chitarrella.tricks.table import Table


@dataclass(frozen=True)
class StartDealOrGame(StartDeal):
    """The deal of a race; after a game is over it opens the next one."""

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Deal; with a new game the totals begin again at nothing."""
        if t.phase == GAME_OVER:
            match_state = t.match_state._replace(totals=(0,) * g.total_count)
            t = t._replace(match_state=match_state, own=t.own._replace(tricks_before=(0, 0)))
        return super().apply(g, t, seat, move, events)
