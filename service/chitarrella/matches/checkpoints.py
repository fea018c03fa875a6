"""Checkpoints: places in the logs of matches from which they can be replayed, so that few are replayed as a whole.

A checkpoint holds what the history has come to there, and the digest of the log up to it. Whoever replays from one
checks that the entries behind it lead to the digest of the row. So a checkpoint of entries that the store has lost, or
of a match that was deleted, is not used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from chitarrella.core.game import AnyGame, Position
from chitarrella.core.model import Event, Viewer
from chitarrella.matches.cache import Cache
from chitarrella.matches.control import TAKE_BACK, ControlState
from chitarrella.matches.history import Cursor, MatchHistory, ViewerFeed, is_public
from chitarrella.storage.rows import MatchRow, chain_digest

MIN_SPACING, SHARE = 32, 64
"""Entries between two checkpoints: at least so many, and more in a long log, one part in `SHARE` of it."""
RECENT = 4
"""Beside those, a match has a checkpoint at each of its last so many appends: requests are mostly repeated at once."""
MAX_CHECKPOINTS = 10_000
"""How many checkpoints of each kind a worker keeps, of all matches together; each takes one or two kilobytes."""


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

    def is_enough_for(self, entries: list[str]) -> bool:
        """Whether ``entries``, the log from here on, can be replayed from here."""
        return self.is_closed or not any(TAKE_BACK in entry for entry in entries)

    def leads_to(self, row: MatchRow, entries: list[str]) -> bool:
        """Whether ``entries`` lead from here to ``row``."""
        return chain_digest(self.log_digest, tuple(entries[: row.length - self.length])) == row.log_digest


class Checkpoints:
    """The checkpoints of the matches that were used last. Thread-safe."""

    def __init__(self) -> None:
        """Begin with none."""
        self._spaced: Cache[tuple[Checkpoint, ...]] = Cache(MAX_CHECKPOINTS, len)
        self._recent: Cache[tuple[Checkpoint, ...]] = Cache(MAX_CHECKPOINTS, len)

    def of(self, match: str) -> list[Checkpoint]:
        """The checkpoints of a match, the last place first."""
        found = {one.length: one for kept in (self._spaced, self._recent) for one in kept.get(match) or ()}
        return [found[length] for length in sorted(found, reverse=True)]

    def nearest(self, match: str, is_before: Callable[[Checkpoint], bool]) -> list[Checkpoint]:
        """The last checkpoint for which ``is_before`` holds; if it is open, also the last closed one before it."""
        found = [one for one in self.of(match) if is_before(one)]
        closed = [one for one in found if one.is_closed]
        return found[:1] + [one for one in closed[:1] if one is not found[0]]

    def add(self, match: str, new: Checkpoint) -> None:
        """Keep a checkpoint unless another one lies close before it; one that is at the same place is replaced."""
        kept = self._spaced.get(match) or ()
        before = [one for one in kept if one.length < new.length]
        compared = (one.length for one in reversed(before) if one.is_closed or not new.is_closed)
        if is_far(new.length, next(compared, 0)):
            self._spaced.put(match, (*before, new, *(one for one in kept if one.length > new.length)))

    def add_row(self, match: str, row: MatchRow, position: Position, control: ControlState, *, is_closed: bool) -> None:
        """Keep a checkpoint at a row that was just appended, whose last entry is public."""
        # What is not in the log a replay does not know.
        in_log = control._replace(turn_started=0, banks=(), searched_ms=0)
        new = Checkpoint(row.length, row.revision, row.log_digest, position, in_log, is_closed)
        self._recent.put(match, (*(self._recent.get(match) or ()), new)[-RECENT:])
        self.add(match, new)

    def forget(self, match: str) -> None:
        """Remove the checkpoints of a match. Idempotent."""
        self._spaced.remove(match)
        self._recent.remove(match)


def is_far(length: int, before: int) -> bool:
    """Whether a checkpoint after ``length`` entries is worth keeping beside one after ``before``."""
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

    def steps(self, stop: int | None = None) -> Iterator[tuple[int, tuple[Event, ...]]]:
        """Replay the next entries, up to the entry ``stop``; yields, for each, the revision after it and its events."""
        end = None if stop is None else stop - self.start
        for entry in self.entries[self.history.length - self.start : end]:
            (step,) = self.history.replay((entry,))
            self._log_digest = chain_digest(self._log_digest, (entry,))
            if is_public(step[1]):
                self._keep_here()
            yield step

    def _keep_here(self) -> None:
        """Keep a checkpoint where the history has come to, if it is far from the last one."""
        history, is_closed = self.history, not self.history.decisions
        if is_far(history.length, self._last_closed if is_closed else self._last):
            here = history.length, history.revision, self._log_digest, history.position, history.control
            self._keep(Checkpoint(*here, is_closed))
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
    return history
