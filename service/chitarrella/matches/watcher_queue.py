"""The queue of a watcher: what it has not read yet, and whether its watch has ended."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Generic, TypeVar

from chitarrella import errors

MAX_QUEUE = 2000
"""A watcher that is so many updates behind is dropped."""

Item = TypeVar("Item")


class WatcherQueue(Generic[Item]):
    """The updates that one watcher has not read yet. One thread at a time puts into it; another one takes."""

    def __init__(self, notify: Callable[[], None]) -> None:
        """Call ``notify`` when there is something to read, or the watch has ended."""
        self.is_finished = False
        self.error: errors.ChitarrellaError | None = None
        self._notify = notify
        self._queue: deque[Item] = deque()

    def put(self, items: Iterable[Item]) -> None:
        """Queue updates and notify the reader; end the watch where the reader does not keep up."""
        if self.is_finished:
            return
        if len(self._queue) > MAX_QUEUE:
            self.finish(errors.TooMany("too_slow", "Watcher too slow; reconnect, for a match with the last cursor."))
            return
        self._queue.extend(items)
        self._notify_reader()

    def finish(self, error: errors.ChitarrellaError | None = None) -> None:
        """End the watch, because of ``error`` if there is one. Idempotent."""
        if not self.is_finished:
            self.error = error
            self.is_finished = True
            self._notify_reader()

    def _notify_reader(self) -> None:
        with suppress(RuntimeError):  # the reader's event loop was closed
            self._notify()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to read."""
        return not self._queue

    def take(self) -> list[Item]:
        """Take all queued updates."""
        items = []
        while self._queue:
            items.append(self._queue.popleft())
        return items

    def close(self) -> None:
        """Stop watching. Does not wait for the store."""
        raise NotImplementedError
