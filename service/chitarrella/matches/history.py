"""The history of a match, replayed from its log: what happened, at which revision, and who may know.

A revision counts the log entries that everybody may know of. An entry that only some may know of (a signal to the
partner) leaves the revision as it is and is numbered behind it, so that nobody can count what is hidden from them. A
cursor is such a place: ``revision.number``.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from cachetools import LRUCache

from chitarrella.core.game import AnyGame, CheckedMove, IllegalMove, Position, apply_checked, check_move
from chitarrella.core.model import CHANCE, EVERYBODY, REFEREE, Event, Move, Seat, Viewer
from chitarrella.core.notation import CHANCE_NAME, format_move, parse_actor, parse_move
from chitarrella.core.visibility import visible_to
from chitarrella.matches.metadata import (
    LOSS_EVENT,
    TAKE_BACK,
    ControlState,
    apply_action,
    events_of,
    is_over,
    parse_action,
)
from chitarrella.storage.rows import MatchRow, chain_digest, untimed


class Cursor(NamedTuple):
    """A place in the history as one viewer reads it."""

    revision: int = 0
    number: int = 0

    def __str__(self) -> str:
        return f"{self.revision}.{self.number}"


class ClockReading(NamedTuple):
    """What the clock of a match shows after its last entry: the deadline, None without one, and each seat's bank."""

    deadline: int | None
    banks: tuple[int, ...]


class Update(NamedTuple):
    """The events of one log entry that one viewer may see, when it was added, and how long a decision took.

    Times are in milliseconds, since 1970; 0 stands for none.
    """

    cursor: Cursor
    events: tuple[Event, ...]
    at: int = 0
    think_ms: int = 0
    clock: ClockReading | None = None


class HistoryStep(NamedTuple):
    """One log entry: the revision after it, its events, when it was added, how long its decision took, and at the
    present revision of a match with a clock, what that shows. ``is_move`` says that a seat has moved, on turn.
    """

    revision: int
    events: tuple[Event, ...]
    at: int = 0
    think_ms: int = 0
    clock: ClockReading | None = None
    is_move: bool = False


def parse_cursor(text: str) -> Cursor:
    """Parse a cursor; empty is the beginning. Raises `ValueError`."""
    revision, _, number = (text or "0.0").partition(".")
    if not (revision.isdecimal() and number.isdecimal() and len(text) <= 30 and text.isascii()):
        raise ValueError(f"{text[:40]!r} is no cursor")
    return Cursor(int(revision), int(number))


def format_entry(actor: Seat, move: Move) -> str:
    return f"{CHANCE_NAME if actor == CHANCE else actor} {format_move(move)}"


def parse_entry(game: AnyGame, entry: str) -> tuple[Seat, Move]:
    actor, _, move = untimed(entry)[0].partition(" ")
    return parse_actor(actor), parse_move(game, move)


def is_public(events: Iterable[Event]) -> bool:
    return EVERYBODY in [event.known_to for event in events]


def revision_after(revision: int, events: Iterable[Event]) -> int:
    for event in events:
        if event.kind == LOSS_EVENT:
            return event.amount or 0
    return revision + is_public(events)


class AppliedMove(NamedTuple):
    """A move that was applied: its log entry, its events, and the position and control state after it.

    ``is_chance`` says that it supplied a pack or a lot that the game waited for, ``is_decision`` that the seat on turn
    made it.
    """

    entry: str
    events: tuple[Event, ...]
    position: Position
    control: ControlState
    is_chance: bool
    is_decision: bool


def apply_at_match(game: AnyGame, p: Position, control: ControlState, checked: CheckedMove) -> AppliedMove:
    """Apply a move that was accepted at ``p``, where the match has the state ``control``.

    A public move cancels a takeback request; a private one leaves it, or everybody would learn of the move. A move of
    chance uses up the client seeds.
    """
    after, events = apply_checked(game, p, checked)
    is_chance = checked.actor == CHANCE and not checked.spec.out_of_turn
    if control.takeback_request and is_public(events):
        control = control._replace(takeback_request=())
    if is_chance:
        control = control._replace(shuffles=control.shuffles + 1, client_seeds=(), shuffle_now=False)
    is_decision = not (is_chance or checked.spec.out_of_turn)
    return AppliedMove(format_entry(checked.actor, checked.move), events, after, control, is_chance, is_decision)


def play_at_match(game: AnyGame, p: Position, control: ControlState, actor: Seat, move: Move) -> AppliedMove:
    """Check and apply a move at ``p``; raises `IllegalMove`."""
    checked = check_move(game, p, actor, move)
    if not checked.is_accepted:
        raise IllegalMove(checked.refusals)
    return apply_at_match(game, p, control, checked)


class Decision(NamedTuple):
    """A decision of the seat on turn: the positions before and after, the revision and the number of moves before."""

    actor: Seat
    before: Position
    after: Position
    revision: int
    move_count: int


class MatchHistory:
    """A match being replayed from its log.

    ``length`` and ``revision`` say how far it has come. ``effective_moves`` are the moves that were not taken back,
    ``effective_times`` when each was made, ``decisions`` those among them since the last shuffle.
    """

    def __init__(self, game: AnyGame, position: str) -> None:
        """Start at the line ``position``, or at the start of the game where it is empty."""
        self.game = game
        self.position: Position = game.decode(position) if position else game.start()
        self.control = ControlState()
        self.length = 0
        self.revision = 0
        self.effective_moves: list[tuple[Seat, Move]] = []
        self.effective_times: list[int] = []
        self.decisions: list[Decision] = []
        self.turn_since = 0

    def replay(self, entries: Iterable[str]) -> Iterator[HistoryStep]:
        """Replay the next entries."""
        for entry in entries:
            (_, at), think_ms, is_move = untimed(entry), 0, False
            if action := parse_action(entry):
                events, self.control = events_of(action), apply_action(self.control, action)
                if action.kind == TAKE_BACK:
                    self._undo()
                    self.turn_since = at
            else:
                step = self._play(at, *parse_entry(self.game, entry))
                events, is_move = step.events, step.is_decision
                if step.is_decision and self.turn_since:
                    think_ms = at - self.turn_since
                if step.is_decision or step.is_chance:
                    self.turn_since = at
            self.length += 1
            self.revision = revision_after(self.revision, events)
            yield HistoryStep(self.revision, events, at, think_ms, is_move=is_move)

    def skip(self, entries: Iterable[str]) -> None:
        for _ in self.replay(entries):
            pass

    def _play(self, at: int, actor: Seat, move: Move) -> AppliedMove:
        before, step = self.position, play_at_match(self.game, self.position, self.control, actor, move)
        self.position, self.control = step.position, step.control
        if step.is_chance:
            self.decisions.clear()
        elif step.is_decision:
            self.decisions.append(Decision(actor, before, step.position, self.revision, len(self.effective_moves)))
        self.effective_moves.append((actor, move))
        self.effective_times.append(at)
        return step

    @property
    def is_over(self) -> bool:
        return is_over(self.game, self.position, self.control)

    def _undo(self) -> None:
        last = self.decisions.pop()
        self.position = last.before
        del self.effective_moves[last.move_count :], self.effective_times[last.move_count :]


class ViewerFeed:
    """Filters a history for one viewer, and numbers what is left."""

    def __init__(self, viewer: Viewer, after: Cursor) -> None:
        """Filter for ``viewer``; what lies up to ``after`` is left out."""
        self._viewer, self._after = viewer, after
        self.cursor = Cursor()

    def next_update(self, step: HistoryStep) -> Update | None:
        """The update for the next log entry; None where it holds nothing new for this viewer."""
        revision = step.revision
        visible = tuple(event for one in step.events if (event := visible_to(one, self._viewer)) is not None)
        if not visible:
            return None
        is_new_revision = revision > self.cursor.revision
        self.cursor = Cursor(revision, 0 if is_new_revision else self.cursor.number + 1)
        return Update(self.cursor, visible, step.at, step.think_ms, step.clock) if self.cursor > self._after else None


def seen_events(actor: Seat, events: Iterable[tuple[Event, ...]]) -> tuple[Event, ...]:
    """The ``events`` of log entries, as the actor may see them."""
    viewer: Viewer = REFEREE if actor == CHANCE else actor
    return tuple([seen for entry in events for one in entry if (seen := visible_to(one, viewer)) is not None])


# Checkpoints
# Entries between two checkpoints: at least so many, and more in a long log, one part in `SHARE` of it
MIN_SPACING, SHARE = 32, 64
# Beside those, a match has a checkpoint at each of its last so many appends: requests are mostly repeated at once
RECENT = 4
# How many checkpoints of each kind a worker keeps, of all matches together; each takes one or two kilobytes
MAX_CHECKPOINTS = 10_000


class Checkpoint(NamedTuple):
    """A place behind a public entry of a log: the state of the history there, and the digest of the log up to it.

    It ``is_closed`` where no decision can be taken back, which is behind a shuffle. What could be taken back at another
    one is not kept: from there no log can be replayed in which a decision is taken back.
    """

    length: int
    revision: int
    log_digest: str
    position: Position
    control: ControlState
    is_closed: bool
    turn_since: int

    def leads_to(self, row: MatchRow, entries: list[str]) -> bool:
        return chain_digest(self.log_digest, tuple(entries[: row.length - self.length])) == row.log_digest


class Checkpoints:
    """The checkpoints of the matches that were used last. Thread-safe."""

    def __init__(self) -> None:
        self._spaced: LRUCache[str, tuple[Checkpoint, ...]] = LRUCache(MAX_CHECKPOINTS, len)
        self._recent = OrderedDict[str, tuple[Checkpoint, ...]]()  # the match that was appended to last at the end
        self._lock = threading.Lock()

    def of(self, match: str) -> list[Checkpoint]:
        """The checkpoints of a match, the last place first."""
        with self._lock:
            found = {one.length: one for kept in (self._spaced, self._recent) for one in kept.get(match, ())}
        return [found[length] for length in sorted(found, reverse=True)]

    def nearest(self, match: str, is_before: Callable[[Checkpoint], bool]) -> list[Checkpoint]:
        """The last checkpoint for which ``is_before`` holds; if it is open, also the last closed one before it."""
        found = [one for one in self.of(match) if is_before(one)]
        closed = [one for one in found if one.is_closed]
        return found[:1] + [one for one in closed[:1] if one is not found[0]]

    def add(self, match: str, new: Checkpoint) -> None:
        """Keep a checkpoint unless another one lies close before it; one that is at the same place is replaced."""
        with self._lock:
            kept = self._spaced.get(match, ())
            before = [one for one in kept if one.length < new.length]
            compared = (one.length for one in reversed(before) if one.is_closed or not new.is_closed)
            if is_far(new.length, next(compared, 0)):
                self._spaced[match] = (*before, new, *(one for one in kept if one.length > new.length))

    def add_row(self, match: str, row: MatchRow, position: Position, control: ControlState, *, is_closed: bool) -> None:
        """Keep a checkpoint at a row that was just appended, whose last entry is public."""
        # What is not in the log a replay does not know.
        if control.turn_started or control.banks or control.searched_ms:
            control = control._replace(turn_started=0, banks=(), searched_ms=0)
        new = Checkpoint(row.length, row.revision, row.log_digest, position, control, is_closed, row.turn_since)
        with self._lock:
            self._recent[match] = (*self._recent.pop(match, ()), new)[-RECENT:]
            if len(self._recent) > MAX_CHECKPOINTS // RECENT:
                self._recent.popitem(last=False)
        self.add(match, new)

    def forget(self, match: str) -> None:
        """Remove the checkpoints of a match. Idempotent."""
        with self._lock:
            self._spaced.pop(match, None)
            self._recent.pop(match, None)


def is_far(length: int, before: int) -> bool:
    return length - before >= max(MIN_SPACING, length // SHARE)


class Replay:
    """A log being replayed, which leaves checkpoints on its way.

    ``entries`` is the log from the entry ``start`` on, ``history`` what it has come to.
    """

    def __init__(
        self, history: MatchHistory, entries: list[str], log_digest: str, keep: Callable[[Checkpoint], None]
    ) -> None:
        """Replay ``entries`` behind ``history``, where the log has ``log_digest``; ``keep`` gets each checkpoint."""
        self.history, self.entries, self.start = history, entries, history.length
        self._log_digest, self._keep = log_digest, keep
        self._last, self._last_closed = history.length, 0

    def steps(self, stop: int | None = None) -> Iterator[HistoryStep]:
        """Replay the next entries, up to the entry ``stop``."""
        end = None if stop is None else stop - self.start
        for entry in self.entries[self.history.length - self.start : end]:
            (step,) = self.history.replay((entry,))
            self._log_digest = chain_digest(self._log_digest, (entry,))
            if is_public(step.events):
                self._keep_here()
            yield step

    def run(self, stop: int | None = None) -> MatchHistory:
        """Replay up to the entry ``stop``, and return what it has come to."""
        for _ in self.steps(stop):
            pass
        return self.history

    def _keep_here(self) -> None:
        history, is_closed = self.history, not self.history.decisions
        if is_far(history.length, self._last_closed if is_closed else self._last):
            here = history.length, history.revision, self._log_digest, history.position, history.control
            self._keep(Checkpoint(*here, is_closed, history.turn_since))
            self._last = history.length
            self._last_closed = history.length if is_closed else self._last_closed

    def feed(self, viewer: Viewer, after: Cursor) -> ViewerFeed:
        """What ``viewer`` may see of the entries to be replayed, without what lies up to ``after``."""
        feed = ViewerFeed(viewer, after)
        feed.cursor = Cursor(self.history.revision)  # behind a public entry everybody is at the same place
        return feed


def resumed(game: AnyGame, checkpoint: Checkpoint) -> MatchHistory:
    """A history that goes on from a checkpoint; it has the moves from there on only, and cannot make a record."""
    history = MatchHistory(game, "")
    history.length, history.revision = checkpoint.length, checkpoint.revision
    history.position, history.control = checkpoint.position, checkpoint.control
    history.turn_since = checkpoint.turn_since
    return history
