"""The hub: many watchers, one line to the store.

Each followed match is told once, from its moves, and every watcher hears what its eyes may know. A watcher that does
not fetch what it was told is let go, so that nobody has to wait for it.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from chitarrella import errors
from chitarrella.chronicle import Chronicle, Cursor, Ears, Told
from chitarrella.referee import Referee
from chitarrella.store import Listener, StoreAway
from chitarrella.words import Event, Eyes

LONGEST_QUEUE = 2000
SECONDS_BETWEEN_LOOKS = 5.0
"""The line to the store may drop a word; so every followed match is looked at this often."""


class Watch:
    """One watcher: what it has still to be told."""

    def __init__(self, match: str, ears: Ears, notify: Callable[[], None], leave: Callable[[Watch], None]) -> None:
        """Listen with ``ears``."""
        self.match = match
        self.over = False
        self.fault: errors.ChitarrellaError | None = None
        self._ears = ears
        self._notify = notify
        self._leave = leave
        self._queue: deque[Told] = deque()

    def tell(self, revision: int, events: tuple[Event, ...]) -> None:
        """Take in one move of the story."""
        if self.over or (told := self._ears.hear(revision, events)) is None:
            return
        self._queue.append(told)
        if len(self._queue) > LONGEST_QUEUE:
            self.fault = errors.TooMany("too_slow", "This watcher does not keep up; watch again from its cursor.")
            self.finish()

    def finish(self) -> None:
        """Say that nothing more will come."""
        self.over = True
        self.wake()

    def wake(self) -> None:
        """Call the reader; one that has gone in the meantime does not mind."""
        with suppress(RuntimeError):  # its event loop was closed
            self._notify()

    def fetch(self) -> list[Told]:
        """Take everything that was told since the last time."""
        told = []
        while self._queue:
            told.append(self._queue.popleft())
        return told

    def close(self) -> None:
        """Stop listening."""
        self._leave(self)


class _Followed:
    """A match with everybody who watches it."""

    def __init__(self, story: Chronicle) -> None:
        self.story = story
        self.told: list[tuple[int, tuple[Event, ...]]] = []
        self.watches: list[Watch] = []


class Hub:
    """All watchers of a worker."""

    def __init__(self, referee: Referee) -> None:
        """Follow matches of ``referee``; the line to the store is opened with the first watcher."""
        self._referee = referee
        self._lock = threading.RLock()
        self._followed: dict[str, _Followed] = {}
        self._line: Listener | None = None
        self._closed = threading.Event()
        self._looker = threading.Thread(target=self._look_around, name="hub", daemon=True)

    def watch(self, match: str, eyes: Eyes, after: Cursor, notify: Callable[[], None]) -> Watch:
        """Begin to tell a match from ``after`` on; raises what the referee raises."""
        watch = Watch(match, Ears(eyes, after), notify, self._leave)
        with self._lock:
            if self._line is None:
                self._line = self._referee.store.listen(self._catch_up)
                self._looker.start()
            followed = self._followed.get(match)
            if followed is None:
                self._line.follow(match)
                story, lines = self._referee.chronicle(match)
                followed = self._followed[match] = _Followed(story)
                followed.told.extend(story.go_on(lines))
            for revision, events in followed.told:
                watch.tell(revision, events)
            followed.watches.append(watch)
        self._catch_up(match)
        return watch

    def _catch_up(self, match: str) -> None:
        """Tell the watchers of a match what is new in it."""
        with self._lock:
            followed = self._followed.get(match)
            if followed is None:
                return
            try:
                seen = self._referee.see(match)
                lines = self._referee.store.moves(match, followed.story.number)
            except errors.NotFound as gone:
                self._finish(followed, gone)
                return
            except (errors.StoreDown, StoreAway):  # looked at again soon
                return
            for revision, events in followed.story.go_on(lines):
                followed.told.append((revision, events))
                for watch in followed.watches:
                    watch.tell(revision, events)
            if seen.page.ended or followed.story.game.over(followed.story.position):
                self._finish(followed, None)
            for watch in followed.watches:
                watch.wake()

    def _finish(self, followed: _Followed, fault: errors.ChitarrellaError | None) -> None:
        for watch in followed.watches:
            watch.fault = watch.fault or fault
            watch.finish()

    def _leave(self, watch: Watch) -> None:
        with self._lock:
            followed = self._followed.get(watch.match)
            if followed is None or watch not in followed.watches:
                return
            followed.watches.remove(watch)
            if not followed.watches:
                del self._followed[watch.match]
                if self._line is not None:
                    self._line.leave(watch.match)

    def _look_around(self) -> None:
        while not self._closed.wait(SECONDS_BETWEEN_LOOKS):
            for match in list(self._followed):
                self._catch_up(match)

    def count(self) -> int:
        """Count those who watch."""
        return sum(len(followed.watches) for followed in list(self._followed.values()))

    def close(self) -> None:
        """End every watch, and hang up."""
        self._closed.set()
        with self._lock:
            for followed in self._followed.values():
                self._finish(followed, None)
            line, self._line = self._line, None
        if line is not None:
            line.close()
