"""The hub: many watchers, one line to the store.

Each followed match is told once, from its moves, to every pair of eyes that watches it, and all who watch with the same
eyes are handed the same words; of what it may not know a watcher is not even woken. A watcher that does not fetch what
it was told is let go, so that nobody has to wait for it.
"""

from __future__ import annotations

import logging
import threading
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

from chitarrella import errors
from chitarrella.chronicle import Chronicle, Cursor, Ears, Told
from chitarrella.referee import Referee
from chitarrella.store import Listener, chained
from chitarrella.words import Event, Eyes

LONGEST_QUEUE = 2000
SECONDS_BETWEEN_LOOKS = 5.0
"""The line to the store may drop a word; so every followed match is looked at this often."""

LOG = logging.getLogger("chitarrella")

Story = Iterable[tuple[int, tuple[Event, ...]]]
"""Some moves: the revision after each, and what happened."""


class Watch:
    """One watcher: what it has still to be told."""

    def __init__(
        self, match: str, eyes: Eyes, after: Cursor, notify: Callable[[], None], leave: Callable[[Watch], None]
    ) -> None:
        """Listen with those ``eyes`` to what lies behind ``after``."""
        self.match = match
        self.eyes = eyes
        self.over = False
        self.fault: errors.ChitarrellaError | None = None
        self._after = after
        self._notify = notify
        self._leave = leave
        self._queue: deque[Told] = deque()

    def tell(self, heard: Sequence[Told]) -> None:
        """Take in what its eyes learn next, and call the reader if there is something in it for it."""
        if heard and heard[0].cursor <= self._after:  # it knows the beginning of it
            heard = heard[bisect_right(heard, self._after, key=_cursor) :]
        if not heard or self.over:
            return
        if len(self._queue) > LONGEST_QUEUE:
            self.finish(errors.TooMany("too_slow", "This watcher does not keep up; watch again from its cursor."))
            return
        self._queue.extend(heard)
        self._wake()

    def finish(self, fault: errors.ChitarrellaError | None = None) -> None:
        """Say that nothing more will come, for ``fault`` if there is one; what is over stays as it is."""
        if not self.over:
            self.fault = fault
            self.over = True
            self._wake()

    def _wake(self) -> None:
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
        """Stop listening; does not wait for the store."""
        self._leave(self)


def _cursor(told: Told) -> Cursor:
    return told.cursor


class _Voice:
    """The story of a match as it is told to one pair of eyes, written down for who comes later."""

    def __init__(self, eyes: Eyes) -> None:
        self._ears = Ears(eyes, Cursor())
        self.told: list[Told] = []

    def go_on(self, story: Story) -> list[Told]:
        """Tell some moves."""
        heard = [told for revision, events in story if (told := self._ears.hear(revision, events)) is not None]
        self.told += heard
        return heard


class _Followed:
    """A match with everybody who watches it, and as much of its story as was told. One thread at a time goes on."""

    def __init__(self, match: str) -> None:
        self.match = match
        self.turn = threading.Lock()
        self.story: Chronicle | None = None
        self.tag = ""
        self.told: list[tuple[int, tuple[Event, ...]]] = []
        self.voices: dict[Eyes, _Voice] = {}
        self.watches: dict[Watch, None] = {}

    def add(self, watch: Watch) -> None:
        """Let one more watch, and tell it what was told."""
        if watch.eyes not in self.voices:
            voice = self.voices[watch.eyes] = _Voice(watch.eyes)
            voice.go_on(self.told)
        watch.tell(self.voices[watch.eyes].told)
        self.watches[watch] = None

    def tell(self, story: list[tuple[int, tuple[Event, ...]]]) -> None:
        """Tell some moves to all, and remember them for eyes that come later."""
        self.told += story
        heard = {eyes: voice.go_on(story) for eyes, voice in self.voices.items()}
        for watch in self.watches:
            watch.tell(heard[watch.eyes])


class Hub:
    """All watchers of a worker. Nobody who comes or goes has to wait while a match is being read."""

    def __init__(self, referee: Referee, looks: float = SECONDS_BETWEEN_LOOKS) -> None:
        """Follow matches of ``referee``; the line to the store is opened with the first watcher."""
        self._referee = referee
        self._looks = looks
        self._lock = threading.Lock()
        self._followed: dict[str, _Followed] = {}
        self._line: Listener | None = None
        self._closed = threading.Event()
        self._looker = threading.Thread(target=self._look_around, name="hub", daemon=True)

    def watch(self, match: str, eyes: Eyes, after: Cursor, notify: Callable[[], None]) -> Watch:
        """Begin to tell a match from ``after`` on; raises what the referee raises."""
        watch = Watch(match, eyes, after, notify, self._leave)
        with self._lock:
            if self._closed.is_set():
                raise errors.GoingDown()
            if self._line is None:
                self._line = self._referee.store.listen(self._catch_up)
                self._looker.start()
            followed = self._followed.get(match)
            is_first = followed is None
            if followed is None:
                followed = self._followed[match] = _Followed(match)
                self._line.follow(match)
            followed.add(watch)
        if is_first:
            try:
                self._go_on(followed)
            except BaseException:
                self._leave(watch)
                raise
        return watch

    def _catch_up(self, match: str) -> None:
        """Go on with a match of which there may be news; one that cannot be told must not silence the others."""
        with self._lock:
            followed = self._followed.get(match)
        if followed is None:
            return
        try:
            self._go_on(followed)
        except errors.StoreDown:  # looked at again soon
            return
        except errors.ChitarrellaError as fault:
            self._finish(followed, fault)
        except Exception as error:
            LOG.error("a match cannot be told: %s", type(error).__name__)  # not its text, which may name a card
            self._finish(followed, errors.Fault())

    def _go_on(self, followed: _Followed) -> None:
        """Read what is new in a match and tell it; raises `errors.Stale` where the store has lost what was told."""
        with followed.turn:
            page = self._referee.see(followed.match).page
            if followed.story is None:
                followed.story, lines = self._referee.chronicle(followed.match)
                followed.tag = chained("", (page.header,))
            else:
                lines = self._referee.moves(followed.match, followed.story.number)
            story = followed.story
            new = tuple(lines[: max(0, page.number - story.number)])
            tag = chained(followed.tag, new)
            if tag != page.tag:
                lost = "Moves that were told are lost with a server; watch again from the first card."
                raise errors.Stale("stale_revision", lost, "cursor", revision=str(page.revision))
            told = list(story.go_on(new))
            with self._lock:
                followed.tag = tag
                followed.tell(told)
        if page.ended or story.game.over(story.position):
            self._finish(followed)

    def _finish(self, followed: _Followed, fault: errors.ChitarrellaError | None = None) -> None:
        """End the watching of a match; who comes later begins anew."""
        with self._lock:
            for watch in followed.watches:
                watch.finish(fault)
            self._forget(followed)

    def _leave(self, watch: Watch) -> None:
        with self._lock:
            followed = self._followed.get(watch.match)
            if followed is None or watch not in followed.watches:
                return
            del followed.watches[watch]
            if not followed.watches:
                self._forget(followed)

    def _forget(self, followed: _Followed) -> None:
        if self._followed.get(followed.match) is followed:
            del self._followed[followed.match]
            if self._line is not None:
                self._line.leave(followed.match)

    def _look_around(self) -> None:
        while not self._closed.wait(self._looks):
            with self._lock:
                matches = list(self._followed)
            for match in matches:
                self._catch_up(match)

    def count(self) -> int:
        """Count those who watch."""
        with self._lock:
            return sum(len(followed.watches) for followed in self._followed.values())

    def close(self) -> None:
        """End every watch that is not over yet, as one to be taken up elsewhere, and hang up."""
        self._closed.set()
        with self._lock:
            for followed in self._followed.values():
                for watch in followed.watches:
                    watch.finish(errors.GoingDown())
            line, self._line = self._line, None
        if line is not None:
            line.close()
