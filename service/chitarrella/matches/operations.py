"""Match operations other than moves of persons: client seeds, bots, takebacks.

Clock and key operations are in the attributes `clock` and `keys`. Each operation is a control action, a log entry like
a move, and is appended in the same way: only behind the row that it was checked on.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from random import Random

from chitarrella.core.game import AnyGame, Position
from chitarrella.core.model import Move, Seat
from chitarrella.matches.bot_moves import bot_on_turn, without_search
from chitarrella.matches.chance import bot_chance
from chitarrella.matches.clock import is_time_over, ttl_seconds
from chitarrella.matches.clock_enforcement import ClockEnforcement
from chitarrella.matches.control import (
    AGREE_TAKEBACK,
    CONTRIBUTE_SEED,
    DECLINE_TAKEBACK,
    REQUEST_TAKEBACK,
    TAKE_BACK,
    BotAssignment,
    ControlAction,
    bot_action,
    format_action,
    parse_action,
)
from chitarrella.matches.idempotency import repeated_entries, request_token
from chitarrella.matches.key_rotation import KeyRotation
from chitarrella.matches.log_writer import MAX_ATTEMPTS, too_many_conflicts
from chitarrella.matches.match_time import now_ms
from chitarrella.matches.model import AppendOutcome, Snapshot
from chitarrella.matches.preconditions import check_client_seed, check_in_progress
from chitarrella.matches.service import MatchService
from chitarrella.matches.takeback import check_takeback, last_decision, takeback_actions
from chitarrella.storage.rows import Appended, Duplicate

ChooseMove = Callable[[AnyGame, Position, BotAssignment, Random], Move]
"""Chooses the move of a bot that is on turn, by the chance that it is given."""
ObserveBotMove = Callable[[str, str, float], None]
"""Called with the bot on turn, the bot whose move was chosen, and the seconds of processor time that it took."""


class MatchOperations:
    """Client seeds, the clock, bots, takebacks and keys. Thread-safe; all state is in the store."""

    def __init__(
        self, service: MatchService, choose_move: ChooseMove, observe: ObserveBotMove = lambda *_: None
    ) -> None:
        """Operate on the matches of ``service``; ``choose_move`` plays for the bots, reported to ``observe``."""
        self.repository = service.repository
        self.writer = service.writer
        self.lists = service.lists
        self._open_matches = service.open_matches
        self.clock = ClockEnforcement(service.repository, service.writer)
        self.keys = KeyRotation(service)
        self._choose_move = choose_move
        self._observe = observe

    # ------------------------------------------------------------------ client seeds and bots

    def contribute_seed(self, match: str, action: ControlAction, request_id: str = "") -> Snapshot:
        """Add a client seed to the next shuffle, or shuffle without more of them (``action``). Idempotent.

        The last seed makes the shuffle. Without ``request_id`` the same seed again counts for the next shuffle.
        Raises `errors.NotPossibleNow` where no shuffle is waited for, or where the seat has added another seed,
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
            self.writer.check_reported(match, snapshot, action.actor, None, token)
            if error := check_client_seed(snapshot, action):
                raise error
            return self.writer.append_actions(match, snapshot, (action,), token=token)

        return self.writer.retry(match, attempt)[1]

    def assign_bot(self, match: str, bot: BotAssignment) -> Snapshot:
        """Assign a seat to a bot, or, where the bot has no name, back to a person. Idempotent.

        Raises `errors.NotPossibleNow` where the match is finished or was aborted, and `errors.QuotaExceeded` where it
        would be one more match with bots than its owner may have.
        """

        def attempt(snapshot: Snapshot) -> AppendOutcome | None:
            if (snapshot.control.bot(bot.seat) or BotAssignment(bot.seat, "", bot.think_ms)) == bot:
                return None
            if error := check_in_progress(snapshot):
                raise error
            if bot.bot and not snapshot.control.bots:
                expires_at = now_ms() + ttl_seconds(snapshot, now_ms()) * 1000
                self._open_matches.add_bots(match, snapshot.metadata, expires_at)
            return self.writer.append_actions(match, snapshot, (bot_action(bot),))

        snapshot = self.writer.retry(match, attempt)[1]
        if not snapshot.control.bots:
            self._open_matches.remove_bots(match, snapshot.metadata)
        return snapshot

    # ------------------------------------------------------------------ what is due

    def run_due(self, match: str, snapshot: Snapshot | None = None) -> bool:
        """Do what is due at a match: play for a bot, or enforce the clock. Returns whether anything was due.

        ``snapshot`` is the match where it has just been read. Raises `errors.NotFound`.
        """
        snapshot = snapshot or self.repository.load(match)
        if (bot := bot_on_turn(snapshot)) is None:
            if not is_time_over(snapshot):
                self.writer.schedule(match, snapshot)
                return False
            return self.clock.enforce(match)[0]
        is_searching = self.writer.searching_bot(snapshot) is not None
        moving = bot if is_searching else without_search(bot)
        start = time.thread_time()
        move = self._choose_move(snapshot.game, snapshot.position, moving, bot_chance(snapshot))
        seconds = time.thread_time() - start
        self._observe(bot.bot, moving.bot, seconds)
        if is_searching:
            searched_ms = snapshot.control.searched_ms + math.ceil(1000 * seconds)
            snapshot = snapshot._replace(control=snapshot.control._replace(searched_ms=searched_ms))
        return isinstance(self.writer.append_service_move(match, snapshot, bot.seat, move).result, Appended)

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
            self.writer.check_reported(match, snapshot, actor, expected, token)
            last = last_decision(*self.repository.history(match), snapshot.row)
            if last is None:  # another writer was faster
                continue
            if error := check_takeback(snapshot, last, actor, decline=decline, expected=expected):
                raise error
            actions = takeback_actions(snapshot, last, actor, decline=decline)
            if not actions:
                return False, snapshot
            outcome = self.writer.append_actions(match, snapshot, actions, last, token)
            if isinstance(outcome.result, Duplicate):
                return self._replay_takeback(match, outcome.result.position, decline=decline), outcome.snapshot
            if isinstance(outcome.result, Appended):
                return actions[-1].kind == TAKE_BACK, outcome.snapshot
        raise too_many_conflicts()

    def _replay_takeback(self, match: str, position: int, *, decline: bool) -> bool:
        """Return the answer of the first request to a repeated one: whether the decision was taken back."""
        kinds = (DECLINE_TAKEBACK,) if decline else (REQUEST_TAKEBACK, AGREE_TAKEBACK, TAKE_BACK)
        entries = repeated_entries(self.repository, match, position, lambda entry: _kind_of(entry) in kinds)
        return TAKE_BACK in map(_kind_of, entries[:2])


def _kind_of(entry: str) -> str:
    """The kind of the control action of a log entry, empty for a move."""
    action = parse_action(entry)
    return action.kind if action else ""
