"""Match operations other than moves of persons: contributions, the clock, bots and takebacks.

Each is a control action, a log entry like a move, and is appended in the same way: only behind the row that it was
checked on.
"""

from __future__ import annotations

from collections.abc import Callable

from chitarrella import errors
from chitarrella.core.game import AnyGame, Position
from chitarrella.core.model import CHANCE, Move, Seat
from chitarrella.core.play import apply_move, default_move, seat_to_move
from chitarrella.matches.chance import awaited_seeds
from chitarrella.matches.clock import deadline
from chitarrella.matches.control import (
    AGREE_TAKEBACK,
    CONTRIBUTE_SEED,
    DEAL_NOW,
    DECLINE_TAKEBACK,
    REQUEST_TAKEBACK,
    TAKE_BACK,
    TIME_OVER,
    BotAssignment,
    ControlAction,
    after_move,
    apply_action,
    bot_action,
    events_of,
    format_action,
    parse_action,
)
from chitarrella.matches.history import Decision, format_entry
from chitarrella.matches.idempotency import random_token, repeated_entries, request_token
from chitarrella.matches.log_writer import MAX_ATTEMPTS, now_ms, too_many_conflicts
from chitarrella.matches.model import AppendOutcome, LogBatch, Snapshot
from chitarrella.matches.preconditions import check_contribution, check_in_progress
from chitarrella.matches.service import MatchService
from chitarrella.matches.store import Appended, Duplicate
from chitarrella.matches.takeback import check_takeback, last_decision, takeback_actions

ChooseMove = Callable[[AnyGame, Position, BotAssignment], Move]
"""Chooses the move of a bot that is on turn."""


class MatchOperations:
    """Contributions, the clock, bots and takebacks. Thread-safe; all state is in the store."""

    def __init__(self, service: MatchService, choose_move: ChooseMove) -> None:
        """Operate on the matches of ``service``; ``choose_move`` plays for the bots."""
        self.repository = service.repository
        self.writer = service.writer
        self._choose_move = choose_move

    # ------------------------------------------------------------------ contributions and bots

    def contribute_seed(self, match: str, action: ControlAction, request_id: str = "") -> Snapshot:
        """Contribute to the next shuffle, or deal without more contributions (``action``). Idempotent.

        The last contribution deals. Its repetition would be one to the next shuffle, were it not for ``request_id``.
        Raises `errors.NotPossibleNow` where no shuffle is waited for, or where the seat has contributed something else,
        `errors.AlreadyExists` where the request id was used for another request.
        """
        token = request_token(action.actor, request_id)
        if request_id:
            snapshot, position = self.writer.read(match, token)
            if position is not None:
                repeated_entries(self.repository, match, position, format_action(action).__eq__)
                return snapshot

        def attempt(snapshot: Snapshot) -> AppendOutcome | None:
            seeds = dict(snapshot.control.client_seeds)
            if action.kind == CONTRIBUTE_SEED and seeds.get(action.actor) == action.value:
                return None
            if error := check_contribution(snapshot, action):
                raise error
            return self._append_actions(match, snapshot, (action,), token=token)

        return self.writer.retry(match, attempt)[1]

    def assign_bot(self, match: str, bot: BotAssignment) -> Snapshot:
        """Assign a seat to a bot, or, where the bot has no name, back to a person. Idempotent.

        Raises `errors.NotPossibleNow` where the match is finished or was aborted.
        """

        def attempt(snapshot: Snapshot) -> AppendOutcome | None:
            if (snapshot.control.bot(bot.seat) or BotAssignment(bot.seat, "", bot.think_ms)) == bot:
                return None
            if error := check_in_progress(snapshot):
                raise error
            return self._append_actions(match, snapshot, (bot_action(bot),))

        return self.writer.retry(match, attempt)[1]

    # ------------------------------------------------------------------ clock and bots' turns

    def enforce_clock(self, match: str) -> tuple[bool, Snapshot]:
        """Play the default move of a seat that is out of time, or deal without the contributions that are missing.

        Returns whether the time was over, and the match. Raises `errors.NotPossibleNow` where no clock runs.
        """

        def attempt(snapshot: Snapshot) -> AppendOutcome | None:
            until = deadline(snapshot)
            if until is None:
                raise errors.NotPossibleNow("no_clock", "No clock runs at this match now.")
            if now_ms() <= until:
                return None
            if missing := awaited_seeds(snapshot):
                timeouts = (ControlAction(seat, TIME_OVER) for seat in missing)
                return self._append_actions(match, snapshot, (*timeouts, ControlAction(CHANCE, DEAL_NOW)))
            seat = seat_to_move(snapshot.game, snapshot.position) or 0
            move = default_move(snapshot.game, snapshot.position, seat)
            return self._append_move(match, snapshot, seat, move, (ControlAction(seat, TIME_OVER),))

        return self.writer.retry(match, attempt)

    def run_due(self, match: str, snapshot: Snapshot | None = None) -> bool:
        """Do what is due at a match: play for a bot, or enforce the clock. Returns whether anything was due.

        ``snapshot`` is the match where it has just been read. Raises `errors.NotFound`.
        """
        snapshot = snapshot or self.repository.load(match)
        if (bot := bot_on_turn(snapshot)) is None:
            until = deadline(snapshot)
            if until is None or now_ms() <= until:
                self.writer.schedule(match, snapshot)
                return False
            return self.enforce_clock(match)[0]
        move = self._choose_move(snapshot.game, snapshot.position, bot)
        return isinstance(self._append_move(match, snapshot, bot.seat, move).result, Appended)

    # ------------------------------------------------------------------ takebacks

    def take_back(
        self, match: str, actor: Seat, *, decline: bool = False, expected: int | None = None, request_id: str = ""
    ) -> tuple[bool, Snapshot]:
        """Request that the last decision be taken back, or answer a request. Returns whether it is taken back now.

        Raises `errors.NotPossibleNow` with the reason why it cannot be, `errors.Stale` where the table has moved on
        from the ``expected`` revision, `errors.AlreadyExists` where the request id was used for another request.
        """
        token = request_token(actor, request_id)
        for _ in range(MAX_ATTEMPTS):
            snapshot, position = self.writer.read(match, token if request_id else "")
            if position is not None:
                return self._replay_takeback(match, position, decline=decline), snapshot
            last = last_decision(*self.repository.history(match), snapshot.row)
            if last is None:  # another writer was faster
                continue
            if error := check_takeback(snapshot, last, actor, decline=decline, expected=expected):
                raise error
            actions = takeback_actions(snapshot, last, actor, decline=decline)
            if not actions:
                return False, snapshot
            outcome = self._append_actions(match, snapshot, actions, last, token)
            if isinstance(outcome.result, Duplicate):
                return self._replay_takeback(match, outcome.result.position, decline=decline), outcome.snapshot
            if isinstance(outcome.result, Appended):
                return actions[-1].kind == TAKE_BACK, outcome.snapshot
        raise too_many_conflicts()

    def _replay_takeback(self, match: str, position: int, *, decline: bool) -> bool:
        """Give a repeated request the answer of the first: whether the decision was taken back."""
        kinds = (DECLINE_TAKEBACK,) if decline else (REQUEST_TAKEBACK, AGREE_TAKEBACK, TAKE_BACK)
        entries = repeated_entries(self.repository, match, position, lambda entry: _kind_of(entry) in kinds)
        return TAKE_BACK in map(_kind_of, entries[:2])

    # ------------------------------------------------------------------ appending

    def _append_actions(
        self,
        match: str,
        snapshot: Snapshot,
        actions: tuple[ControlAction, ...],
        last: Decision | None = None,
        token: str = "",
    ) -> AppendOutcome:
        """Append control actions; one of them may take back the ``last`` decision, which then costs nobody time."""
        position, control = snapshot.position, snapshot.control
        for action in actions:
            control = apply_action(control, action)
            if action.kind == TAKE_BACK and last is not None:
                position, control = last.before, control._replace(turn_started=now_ms())
        is_decision = position is not snapshot.position
        batch = LogBatch(tuple(map(format_action, actions)), tuple(map(events_of, actions)), is_decision)
        return self.writer.append(match, snapshot, position, control, batch, token or random_token())

    def _append_move(
        self, match: str, snapshot: Snapshot, actor: Seat, move: Move, actions: tuple[ControlAction, ...] = ()
    ) -> AppendOutcome:
        """Append a move that the service plays for a seat, behind the control actions that give the reason."""
        position, events = apply_move(snapshot.game, snapshot.position, actor, move)
        entries = (*map(format_action, actions), format_entry(actor, move))
        batch = LogBatch(entries, (*map(events_of, actions), events), is_decision=True)
        return self.writer.append(match, snapshot, position, after_move(snapshot.control), batch, random_token())


def bot_on_turn(snapshot: Snapshot) -> BotAssignment | None:
    """The bot that is on turn, None where no bot is."""
    return None if snapshot.row.aborted else snapshot.control.bot(seat_to_move(snapshot.game, snapshot.position))


def _kind_of(entry: str) -> str:
    """The kind of the control action of a log entry, empty for a move."""
    action = parse_action(entry)
    return action.kind if action else ""
