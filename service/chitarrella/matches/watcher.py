"""A watcher of a match, and by what it was let in."""

from __future__ import annotations

import math
import time
from bisect import bisect_right
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import NamedTuple

from chitarrella import errors
from chitarrella.core.model import Viewer
from chitarrella.matches.history import Cursor, Update
from chitarrella.matches.watcher_queue import WatcherQueue


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


class Watcher(WatcherQueue[Update]):
    """One watcher of a match, and the updates that it has not read yet."""

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
        super().__init__(notify)
        self.access = access
        self.match = match
        self.viewer = viewer
        self._after = after
        self._on_close = on_close

    def push(self, updates: Sequence[Update]) -> None:
        """Queue updates of this watcher's viewer, and notify the reader where any of them is new."""
        self.finish_if_expired()
        if updates and updates[0].cursor <= self._after:  # the beginning was read before
            updates = updates[bisect_right(updates, self._after, key=attrgetter("cursor")) :]
        if updates:
            self.put(updates)

    def finish_if_expired(self) -> None:
        """End the watch if its token has expired."""
        if self.access.expires_at <= time.time():
            self.finish(errors.NotAuthenticated("token_expired", "The token has expired.", "exp"))

    def close(self) -> None:
        """Stop watching. Does not wait for the store."""
        self._on_close(self)
