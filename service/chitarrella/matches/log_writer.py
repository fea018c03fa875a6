"""Appends to the logs of matches: what is common to moves and control actions.

One append goes through these steps: chance supplies what the game waits for after the batch, the clock is charged, the
webhook delivery is enqueued, everything is added to the store in one atomic step, and the next due time is set.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import reduce
from itertools import accumulate
from random import Random
from typing import Final

from chitarrella import errors
from chitarrella.bots import SLOW_BOTS, Effort, InformationState, bot_for
from chitarrella.core.game import AnyGame, Position
from chitarrella.core.model import CHANCE, Move, Seat
from chitarrella.matches import clock
from chitarrella.matches.chance import supply
from chitarrella.matches.clock import now_ms
from chitarrella.matches.history import play_at_match, revision_after
from chitarrella.matches.metadata import (
    MOVES_LOST,
    NO_CLOCK,
    REPORT_LOSS,
    TAKE_BACK,
    BotAssignment,
    ControlAction,
    ControlState,
    MatchMetadata,
    Snapshot,
    apply_action,
    digest,
    encode_control,
    events_of,
    format_action,
    is_over,
)
from chitarrella.matches.model import AppendOutcome, LogBatch
from chitarrella.matches.repository import MatchRepository, is_reported, moves_lost, translate_store_errors
from chitarrella.storage.redis_store import RedisStore
from chitarrella.storage.rows import Appended, Conflict, Duplicate, NewEntries, timed, untimed

TOKEN_LENGTH = 16  # hexadecimal digits of a token: enough that no two of a match are ever the same


def request_token(actor: Seat, request_id: str) -> str:
    """The token of a request id of a seat, whoever acts for the seat; a random one where the id is empty."""
    return digest(f"{actor} {request_id}")[:TOKEN_LENGTH] if request_id else random_token()


def random_token() -> str:
    return secrets.token_hex(TOKEN_LENGTH // 2)


def repeated_entries(
    repository: MatchRepository, match: str, position: int, is_same: Callable[[str], bool]
) -> list[str]:
    entries = repository.read_log(match, position)
    check_repeated(entries, 0, is_same)
    return entries


def check_repeated(entries: list[str], index: int, is_same: Callable[[str], bool]) -> None:
    """Check the entry ``index`` of a part of a log, which a repeated request had added.

    Raises `errors.AlreadyExists` where ``is_same`` denies it: the id was used for another request;
    `errors.MatchNotFound` where the match was deleted meanwhile.
    """
    if index >= len(entries):
        raise errors.MatchNotFound
    if not is_same(untimed(entries[index])[0]):
        raise request_reused()


def request_reused() -> errors.AlreadyExists:
    return errors.AlreadyExists("request_reused", "This request id was used for another request.", "request_id")


FALLBACK: Final = "greedy"  # the bot whose move a slow one plays that may not search


DEFAULT_THINK_MS: Final = 100  # the think time of a bot that was given none, in milliseconds
# The part of its think time that a bot searches. It moves when all of it is over, or everybody would see whether it had
# a choice.
SEARCHED: Final = 0.9


def think_seconds(bot: BotAssignment) -> float:
    return (bot.think_ms or DEFAULT_THINK_MS) / 1000


def choose_move(game: AnyGame, p: Position, bot: BotAssignment, rng: Random) -> Move:
    info_state = InformationState(game, p, bot.seat, out_of_turn=False)
    return bot_for(bot.bot, game, Effort(SEARCHED * think_seconds(bot)))(info_state, rng)


def searching_bot(snapshot: Snapshot, budget_ms: int) -> BotAssignment | None:
    """The bot that is on turn and searches for its move, None where no bot does.

    A slow bot searches unless the searches of the match have used up ``budget_ms`` of processor time, or its clock has
    run out.
    """
    bot = snapshot.bot_on_turn
    if bot is None or bot.bot not in SLOW_BOTS or snapshot.control.searched_ms >= budget_ms:
        return None
    return None if clock.is_time_over(snapshot) else bot


def without_search(bot: BotAssignment) -> BotAssignment:
    return bot._replace(bot=FALLBACK) if bot.bot in SLOW_BOTS else bot


LOG = logging.getLogger("chitarrella")
MAX_ATTEMPTS = 64  # how often a request is tried again when other writers were faster; a table has at most twenty seats

# Called before an append, with the platform, the match, the number of its first entry and that behind its last
OnAppend = Callable[[str, str, int, int], None]
# Called after something is in the store, with a counter of `runtime.telemetry`, its labels, and perhaps an ``amount``
Count = Callable[..., None]


def is_same_table(game: AnyGame, before: Position, after: Position) -> bool:
    """Whether nothing lies elsewhere, and the same seat is to move. Who sees it may differ: a hand was shown."""
    if before is after:
        return True
    return (game.turn(before), game.phase(before)) == (game.turn(after), game.phase(after)) and (
        [zone[:3] for zone in game.zones(before)] == [zone[:3] for zone in game.zones(after)]
    )


class LogWriter:
    """Appends to matches. Thread-safe; all state is in the store."""

    def __init__(
        self,
        repository: MatchRepository,
        store: RedisStore,
        on_append: OnAppend,
        search_ms: int,
        count: Count,
        on_end: Callable[[str, MatchMetadata], None],
    ) -> None:
        """The bots of a match search for ``search_ms`` together.

        ``on_append`` is called before an append, ``on_end`` with a match that is finished.
        """
        self._count, self._search_ms, self._repository = count, search_ms, repository
        self._store, self._on_append, self._on_end = store, on_append, on_end
        repository.on_loss = self.record_loss
        self.work_due = threading.Event()  # set when something is due at some match right now

    def append(
        self, match: str, snapshot: Snapshot, p: Position, control: ControlState, batch: LogBatch, token: str
    ) -> AppendOutcome:
        """Append ``batch``, which leads from ``snapshot`` to position ``p``, and what chance supplies after it."""
        game, metadata, row, now = snapshot.game, snapshot.metadata, snapshot.row, now_ms()
        chance = supply(game, p, metadata, control)
        control = chance.control
        if metadata.clock != NO_CLOCK:
            # The client seeds of the next shuffle have a time of their own, which starts after this one.
            is_decision = batch.is_decision or control.shuffles != snapshot.control.shuffles
            transition = clock.Transition(snapshot.position, chance.position, is_decision)
            control = clock.charge(metadata.clock, game, transition, control, clock.match_time(metadata, control))
        is_finished = is_over(game, chance.position, control)
        if is_finished and not control.ended_at:
            control = control._replace(ended_at=now)
        events = (*batch.events, *chance.events)
        *_, before, revision = accumulate(events, revision_after, initial=row.revision)
        entries = (*batch.entries, *chance.entries)
        is_lost = control.lost_at != snapshot.control.lost_at
        if batch.is_decision or chance.entries or is_lost or not is_same_table(game, snapshot.position, p):
            if control.talk or control.takeback_declined:
                control = control._replace(talk=(), takeback_declined=False)
        elif revision > row.revision:
            control = control.with_talk(batch.talker, revision - row.revision)
        after = Snapshot(row, metadata, game, chance.position, control)
        is_turn = batch.is_decision or bool(chance.entries) or batch.is_takeback
        line, text = game.encode(chance.position), encode_control(control)
        new = NewEntries(timed(entries, now), line, revision, text, now, is_turn)
        with translate_store_errors():
            self.announce(match, metadata.platform, row.length, row.length + len(entries))
            if is_finished:
                self._repository.archived.finishing(match)
            ttl = metadata.ttl_seconds if metadata.clock == NO_CLOCK else clock.ttl_seconds(after, now)
            result = self._store.matches.append(match, row, new, token, ttl, metadata.platform)
            if is_finished:
                self._repository.archived.finishing(match)
        if not isinstance(result, Appended):
            return self._not_appended(match, snapshot, result)
        after = Snapshot(result.row, metadata, game, chance.position, control)
        self._repository.remember(match, after)
        self.schedule_if_due(match, snapshot, after)
        self._count("moves", metadata.rule_set.game, amount=len(batch.entries))
        if is_finished:
            self._on_end(match, metadata)
            if not snapshot.is_over:
                self._count("matches_finished", metadata.rule_set.game)
        if revision != before:  # the last entry is public
            checkpoints, is_closed = self._repository.checkpoints, bool(chance.events)
            checkpoints.add_row(match, result.row, chance.position, control, is_closed=is_closed)
        return AppendOutcome(result, after, events)

    def append_actions(
        self,
        match: str,
        snapshot: Snapshot,
        actions: Sequence[ControlAction],
        before: Position = None,
        token: str = "",
        talker: Seat = CHANCE,
    ) -> AppendOutcome:
        """Append control actions; some of them may take decisions back, up to the position ``before`` them. They count
        as talk of the seat ``talker``.
        """
        position, control = snapshot.position, snapshot.control
        for action in actions:
            control = apply_action(control, action)
            now = clock.match_time(snapshot.metadata, control)
            control = clock.switch_clock(control, action, now)
            if action.kind == TAKE_BACK:
                position, control = before, clock.give_back(control, action.actor, now)
        is_takeback = position is not snapshot.position
        entries, events = tuple(map(format_action, actions)), tuple(map(events_of, actions))
        batch = LogBatch(entries, events, is_takeback=is_takeback, talker=talker)
        return self.append(match, snapshot, position, control, batch, token or random_token())

    def record_loss(self, match: str, snapshot: Snapshot, lost: int) -> Snapshot:
        """Record that acknowledged revisions of a match up to ``lost`` are not in the store; returns the match.

        Nothing is recorded at a match that was aborted, or where another worker has recorded as much.
        """

        def attempt(current: Snapshot) -> AppendOutcome | None:
            if current.row.aborted or current.control.lost_at > lost:
                return None
            LOG.error("the store has lost moves of a match that had been acknowledged")
            revision = max(lost, current.row.revision) + 1
            return self.append_actions(match, current, (ControlAction(CHANCE, MOVES_LOST, str(revision)),))

        return self.retry(match, attempt, snapshot)[1]

    def check_reported(self, match: str, snapshot: Snapshot, actor: Seat, expected: int | None, token: str) -> None:
        """Refuse the first move, takeback or seed of a seat after moves were lost, and note that it is told.

        Raises `errors.MovesLost`.
        """
        if not snapshot.control.lost_at or is_reported(snapshot.control, actor, expected, token):
            return

        def attempt(current: Snapshot) -> AppendOutcome | None:
            if is_reported(current.control, actor, None, "") or current.row.aborted:
                return None
            return self.append_actions(match, current, (ControlAction(actor, REPORT_LOSS, token),))

        is_first, now = self.retry(match, attempt, snapshot)
        if is_first or not is_reported(now.control, actor, expected, token):  # else ``snapshot`` was out of date
            raise moves_lost(now.row.revision)

    def append_service_move(
        self,
        match: str,
        snapshot: Snapshot,
        actor: Seat,
        move: Move,
        actions: tuple[ControlAction, ...] = (),
        token: str = "",
    ) -> AppendOutcome:
        """Append a move that the service plays for a seat, behind the control actions that lead to it."""
        control = reduce(apply_action, actions, snapshot.control)
        step = play_at_match(snapshot.game, snapshot.position, control, actor, move)
        entries = (*map(format_action, actions), step.entry)
        batch = LogBatch(entries, (*map(events_of, actions), step.events), is_decision=True)
        return self.append(match, snapshot, step.position, step.control, batch, token or random_token())

    def _not_appended(self, match: str, before: Snapshot, result: Conflict | Duplicate) -> AppendOutcome:
        """The match as another writer has left it, or an earlier call with the same token."""
        if isinstance(result, Conflict):
            return AppendOutcome(result, self._repository.snapshot(match, result.row), ())
        after = self._repository.load(match)  # the worker of that call may have been killed before scheduling
        self.schedule_if_due(match, before, after)
        return AppendOutcome(result, after, ())

    def announce(self, match: str, platform: str, start: int, stop: int) -> None:
        if platform:
            self._on_append(platform, match, start, stop)

    def schedule(self, match: str, snapshot: Snapshot, *, is_queued: bool = False) -> None:
        """Set when something is due at a match, or queue a search of its bot; wake the scheduler for what is due.

        The search is not queued again where it ``is_queued``, or under way. Where another writer has moved on
        meanwhile, what it has set may have been written over, and is set again.
        """
        now = now_ms()
        bot = None if clock.bot_due(snapshot, now) else self.searching_bot(snapshot)
        when = clock.next_due(snapshot, now, is_searching=bot is not None)
        with translate_store_errors():
            self._store.schedule.set(match, when)
            if bot is not None and not is_queued:
                self._store.searches.put(match, snapshot.metadata.owner, now)
        is_due = when is not None and when <= now
        if bot is not None or is_due:
            self.work_due.set()
        if not is_due and not snapshot.is_over:
            with suppress(errors.NotFound):
                latest = self._repository.load(match)
                if latest.row.length > snapshot.row.length:
                    self.schedule(match, latest)

    def searching_bot(self, snapshot: Snapshot) -> BotAssignment | None:
        return searching_bot(snapshot, self._search_ms)

    def schedule_if_due(self, match: str, *snapshots: Snapshot) -> None:
        """Schedule the last of ``snapshots`` where any of them has a clock, or seats that the service plays."""
        first, last = snapshots[0], snapshots[-1]
        for one in snapshots:
            if one.metadata.clock != NO_CLOCK or one.control.bots or one.control.resigned:
                self.schedule(match, last, is_queued=first is not last and first.bot_turn == last.bot_turn)
                break

    def read(self, match: str, token: str) -> tuple[Snapshot, int | None]:
        """Read a match and what ``token`` added; the worker that added it may have been killed before scheduling."""
        snapshot, position = self._repository.read(match, token)
        if position is not None:
            self.schedule_if_due(match, snapshot)
        return snapshot, position

    def retry(
        self, match: str, attempt: Callable[[Snapshot], AppendOutcome | None], snapshot: Snapshot | None = None
    ) -> tuple[bool, Snapshot]:
        """Repeat an attempt until no other writer was faster.

        ``attempt`` returns None where there is nothing to do. ``snapshot`` is the match where it has just been read.
        Returns whether something was appended, and the match. Raises `errors.TooMany`.
        """
        snapshot = snapshot or self._repository.load(match)
        for _ in range(MAX_ATTEMPTS):
            outcome = attempt(snapshot)
            if outcome is None:
                return False, snapshot
            snapshot = outcome.snapshot
            if not isinstance(outcome.result, Conflict):
                return True, snapshot
        raise too_many_conflicts()


def too_many_conflicts() -> errors.TooMany:
    return errors.TooMany("too_many", "Too many requests change this match at the same time; try again.")
