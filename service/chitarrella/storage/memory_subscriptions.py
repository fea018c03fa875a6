"""Notification of changes in the memory of one process: each subscription reports in a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import NamedTuple

from chitarrella.matches.store import Announcement, Subscription

CLOSE_SECONDS = 1.0
"""Seconds that `Subscription.close` waits for the thread."""


class MemorySubscriptions:
    """Notification of changes."""

    def __init__(self) -> None:
        """Create it without subscriptions."""
        self._lock = threading.Lock()
        self._of_matches: list[MemorySubscription] = []
        self._of_platforms: list[MemorySubscription] = []

    def open(self, on_change: Callable[[str], None]) -> Subscription:
        """Open a subscription to matches."""
        subscription = MemorySubscription(lambda change: on_change(change.name))
        with self._lock:
            self._of_matches.append(subscription)
        return subscription

    def open_platforms(self, on_change: Callable[[Announcement], None], on_loss: Callable[[], None]) -> Subscription:
        """Open a subscription to platforms, which is never lost."""
        subscription = MemorySubscription(lambda change: on_change(change.announcement))
        with self._lock:
            self._of_platforms.append(subscription)
        return subscription

    def notify(self, match: str) -> None:
        """Report a change to every subscription, and drop those that were closed."""
        with self._lock:
            self._of_matches = [one for one in self._of_matches if one.notify(Change(match, Announcement("", match)))]

    def announce(self, announcement: Announcement) -> None:
        """Report a change of a match to the subscriptions to it and to its platform."""
        self.notify(announcement.match)
        with self._lock:
            change = Change(announcement.platform, announcement)
            self._of_platforms = [one for one in self._of_platforms if one.notify(change)]


class Change(NamedTuple):
    """A change that is reported to the subscribers of ``name``, such as the id of a match or the name of a platform."""

    name: str
    announcement: Announcement


class MemorySubscription:
    """A subscription to names, which are matches or platforms; reports changes in a thread of its own."""

    def __init__(self, on_change: Callable[[Change], None]) -> None:
        self._names: set[str] = set()
        self._queue: SimpleQueue[Change | None] = SimpleQueue()
        self._on_change = on_change
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="store-subscription", daemon=True)
        self._thread.start()

    def subscribe(self, name: str) -> None:
        """Report changes of a name, the first time at once."""
        self._names.add(name)
        self._queue.put(Change(name, Announcement(name)))

    def unsubscribe(self, name: str) -> None:
        """Report no more changes of a name."""
        self._names.discard(name)

    def notify(self, change: Change) -> bool:
        """Queue a change; False where the subscription was closed."""
        if change.name in self._names and not self._closed:
            self._queue.put(change)
        return not self._closed

    def close(self) -> None:
        """Stop the thread."""
        self._closed = True
        self._queue.put(None)
        if self._thread is not threading.current_thread():
            self._thread.join(CLOSE_SECONDS)

    def _run(self) -> None:
        while (change := self._queue.get()) is not None:
            if change.name in self._names and not self._closed:
                self._on_change(change)
