"""What is done when a clock runs out: the default move is played, or the shuffle made without the missing seeds."""

from __future__ import annotations

from chitarrella import errors
from chitarrella.core.game import default_move, seat_to_move
from chitarrella.core.model import CHANCE
from chitarrella.matches.chance import awaiting_seeds_from
from chitarrella.matches.clock import deadline, is_time_over
from chitarrella.matches.control import (
    SHUFFLE_NOW,
    TIME_OVER,
    ControlAction,
    advance_action,
    apply_action,
    format_action,
    parse_action,
)
from chitarrella.matches.idempotency import repeated_entries, request_token
from chitarrella.matches.log_writer import MAX_ATTEMPTS, LogWriter, too_many_conflicts
from chitarrella.matches.model import AppendOutcome, Snapshot
from chitarrella.matches.preconditions import check_advance
from chitarrella.matches.repository import MatchRepository
from chitarrella.storage.rows import Appended


class ClockEnforcement:
    """Enforces the clocks of matches, and advances those of tests. Thread-safe; all state is in the store."""

    def __init__(self, repository: MatchRepository, writer: LogWriter) -> None:
        """Read from ``repository``, and append through ``writer``."""
        self._repository = repository
        self._writer = writer

    def enforce(self, match: str) -> tuple[bool, Snapshot]:
        """Play the default move of a seat that is out of time, or shuffle without the client seeds that are missing.

        Returns whether the time was over, and the match. Raises `errors.NotPossibleNow` where no clock runs.
        """

        def attempt(snapshot: Snapshot) -> AppendOutcome | None:
            if deadline(snapshot) is None:
                raise errors.NotPossibleNow("no_clock", "No clock runs at this match now.")
            return self._append_timeout(match, snapshot) if is_time_over(snapshot) else None

        return self._writer.retry(match, attempt)

    def advance(self, match: str, seconds: int, request_id: str = "") -> tuple[bool, Snapshot]:
        """Move the time of a test forward, and enforce the clock, in one append.

        Returns whether the time was over, and the match. A request id is carried out once. Raises
        `errors.NotPossibleNow` where the match is no test, has no clock, is finished or was aborted,
        `errors.BadRequest` where its time would come too far, `errors.AlreadyExists` where the request id was used for
        another request.
        """
        action, token = advance_action(seconds), request_token(CHANCE, request_id)
        for _ in range(MAX_ATTEMPTS):
            snapshot, position = self._writer.read(match, token if request_id else "")
            if position is not None:
                entries = repeated_entries(self._repository, match, position, format_action(action).__eq__)
                return _is_timeout(entries[1:2]), snapshot
            if error := check_advance(snapshot, seconds):
                raise error
            is_over = is_time_over(snapshot._replace(control=apply_action(snapshot.control, action)))
            append = self._append_timeout if is_over else self._writer.append_actions
            outcome = append(match, snapshot, (action,), token=token)
            if isinstance(outcome.result, Appended):
                return is_over, outcome.snapshot
        raise too_many_conflicts()

    def _append_timeout(
        self, match: str, snapshot: Snapshot, actions: tuple[ControlAction, ...] = (), *, token: str = ""
    ) -> AppendOutcome:
        """Append what is done when the time is over, behind the ``actions`` after which it is."""
        if missing := awaiting_seeds_from(snapshot):
            timeouts = tuple(ControlAction(seat, TIME_OVER) for seat in missing)
            shuffle_now = ControlAction(CHANCE, SHUFFLE_NOW)
            return self._writer.append_actions(match, snapshot, (*actions, *timeouts, shuffle_now), token=token)
        seat = seat_to_move(snapshot.game, snapshot.position) or 0
        move = default_move(snapshot.game, snapshot.position, seat)
        actions = (*actions, ControlAction(seat, TIME_OVER))
        return self._writer.append_service_move(match, snapshot, seat, move, actions, token)


def _is_timeout(entries: list[str]) -> bool:
    """Whether a timeout follows an advance in the log: it then belongs to it, because the time stood still after it."""
    return any(action.kind == TIME_OVER for entry in entries if (action := parse_action(entry)))
