"""What is done when a clock runs out: the default move is played, or the shuffle made without the missing seeds."""

from __future__ import annotations

from chitarrella import errors
from chitarrella.core.model import CHANCE
from chitarrella.core.play import default_move, seat_to_move
from chitarrella.matches.chance import awaiting_seeds_from
from chitarrella.matches.clock import deadline
from chitarrella.matches.control import SHUFFLE_NOW, TIME_OVER, ControlAction
from chitarrella.matches.log_writer import LogWriter, now_ms
from chitarrella.matches.model import AppendOutcome, Snapshot


class ClockEnforcement:
    """Enforces the clocks of matches. Thread-safe; all state is in the store."""

    def __init__(self, writer: LogWriter) -> None:
        """Append through ``writer``."""
        self._writer = writer

    def enforce(self, match: str) -> tuple[bool, Snapshot]:
        """Play the default move of a seat that is out of time, or shuffle without the client seeds that are missing.

        Returns whether the time was over, and the match. Raises `errors.NotPossibleNow` where no clock runs.
        """

        def attempt(snapshot: Snapshot) -> AppendOutcome | None:
            until = deadline(snapshot)
            if until is None:
                raise errors.NotPossibleNow("no_clock", "No clock runs at this match now.")
            if now_ms() <= until:
                return None
            if missing := awaiting_seeds_from(snapshot):
                timeouts = (ControlAction(seat, TIME_OVER) for seat in missing)
                return self._writer.append_actions(match, snapshot, (*timeouts, ControlAction(CHANCE, SHUFFLE_NOW)))
            seat = seat_to_move(snapshot.game, snapshot.position) or 0
            move = default_move(snapshot.game, snapshot.position, seat)
            return self._writer.append_service_move(match, snapshot, seat, move, (ControlAction(seat, TIME_OVER),))

        return self._writer.retry(match, attempt)
