"""A watcher of a match: its queue of updates, and by what it was let in."""

from __future__ import annotations

import math
import time
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from operator import attrgetter
from typing import NamedTuple

from chitarrella import errors
from chitarrella.core.visibility import Viewer
from chitarrella.matches.history import Cursor, Update

MAX_QUEUE = 2000
"""A watcher that is so many updates behind is dropped."""


class WatchAccess(NamedTuple):
    """By what a watcher was let in.

    ``key_hash`` is the hash of its key, empty where it has none, and ``log_length`` the length of the log when the key
    was accepted: what an older row says of the key does not count. ``expires_at`` is when its token expires, in seconds
    since 1970.
    """

    key_hash: str = ""
    log_length: int = 0
    expires_at: float = math.inf


PUBLIC = WatchAccess()
"""A watcher without a key, whose watch does not end before the match."""


class Watcher:
    """One watcher, and the updates that it has not read yet."""

    def __init__(
        self,
        match: str,
        viewer: Viewer,
        after: Cursor,
        notify: Callable[[], None],
        on_close: Callable[[Watcher], None],
        access: WatchAccess = PUBLIC,
    ) -> None:
        """Watch as ``viewer`` what lies behind ``after``; ``notify`` is called when there is something to read."""
        self.access = access
        self.match = match
        self.viewer = viewer
        self.is_finished = False
        self.error: errors.ChitarrellaError | None = None
        self._after = after
        self._notify = notify
        self._on_close = on_close
        self._queue: deque[Update] = deque()

    def push(self, updates: Sequence[Update]) -> None:
        """Queue updates of this watcher's viewer, and notify the reader where any of them is new."""
        self.finish_if_expired()
        if updates and updates[0].cursor <= self._after:  # the beginning was read before
            updates = updates[bisect_right(updates, self._after, key=attrgetter("cursor")) :]
        if not updates or self.is_finished:
            return
        if len(self._queue) > MAX_QUEUE:
            self.finish(errors.TooMany("too_slow", "This watcher does not keep up; watch again from its cursor."))
            return
        self._queue.extend(updates)
        self._notify_reader()

    def finish(self, error: errors.ChitarrellaError | None = None) -> None:
        """End the watch, because of ``error`` if there is one. Idempotent."""
        if not self.is_finished:
            self.error = error
            self.is_finished = True
            self._notify_reader()

    def finish_if_expired(self) -> None:
        """End the watch if its token has expired."""
        if self.access.expires_at <= time.time():
            self.finish(errors.NotAuthenticated("token_expired", "The token has expired.", "exp"))

    def _notify_reader(self) -> None:
        with suppress(RuntimeError):  # the reader's event loop was closed
            self._notify()

    def take(self) -> list[Update]:
        """Take all queued updates."""
        updates = []
        while self._queue:
            updates.append(self._queue.popleft())
        return updates

    def close(self) -> None:
        """Stop watching. Does not wait for the store."""
        self._on_close(self)
