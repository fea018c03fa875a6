"""The store in the memory of one process: for the embedded service, whose matches end with it."""

from __future__ import annotations

import secrets
import threading
import time
from bisect import insort
from collections import defaultdict
from collections.abc import Callable, Iterable
from queue import SimpleQueue
from typing import NamedTuple

from chitarrella.store import Added, Again, Lines, Listener, Moved, NoSuchMatch, Page, chained, entry_of

SECONDS_TO_HANG_UP = 1.0


class _Match(NamedTuple):
    """A match: its last page, its log with the request beside each line, and when it is forgotten."""

    page: Page
    log: tuple[str, ...]
    requests: tuple[str, ...]
    expires_at: float


class MemoryStore:
    """Matches of this process; safe to be used by many threads."""

    def __init__(self) -> None:
        """Begin empty."""
        self._lock = threading.RLock()
        self._matches: dict[str, _Match] = {}
        self._platforms: defaultdict[str, list[str]] = defaultdict(list)
        self._deadlines: dict[str, int] = {}
        self._lines: list[_Line] = []
        self._secret = secrets.token_bytes(32)

    def secret(self) -> bytes:
        """Give the secret."""
        return self._secret

    def create(self, match: str, page: Page, moves: tuple[str, ...], expires: int) -> bool:
        """Put down a new match."""
        with self._lock:
            if self._found(match) is not None:
                return False
            self._matches[match] = _Match(page, moves, ("",) * len(moves), time.monotonic() + expires)
            return True

    def last(self, match: str, request: str = "") -> tuple[Page, int | None]:
        """Read the last page."""
        with self._lock:
            known = self._known(match)
            return known.page, _place(known, request)

    def append(self, match: str, after: Page, lines: Lines, request: str, expires: int) -> Added | Moved | Again:
        """Add lines behind a page."""
        with self._lock:
            known = self._known(match)
            if (place := _place(known, request)) is not None:
                return Again(place)
            if known.page.tag != after.tag or known.page.ended:
                return Moved(known.page)
            number, tag = after.number + len(lines.moves), chained(after.tag, lines.moves)
            page = Page(after.header, number, tag, lines.position, lines.revision, affairs=lines.affairs)
            beside = (request, *[""] * (len(lines.moves) - 1)) if lines.moves else ()
            log, requests = known.log + lines.moves, known.requests + beside
            self._matches[match] = _Match(page, log, requests, time.monotonic() + expires)
            self._tell(match)
            return Added(page)

    def moves(self, match: str, start: int = 0) -> list[str]:
        """Read the log."""
        with self._lock:
            known = self._found(match)
            return list(known.log[start:]) if known else []

    def enlist(self, platform: str, match: str, opened_at: int) -> None:
        """Put a match on the list of a platform."""
        with self._lock:
            if (entry := entry_of(match, opened_at)) not in self._platforms[platform]:
                insort(self._platforms[platform], entry)

    def listed(self, platform: str, after: str, count: int) -> list[str]:
        """Read entries of the list of a platform."""
        with self._lock:
            entries = reversed(self._platforms.get(platform, ()))
            return [entry for entry in entries if not after or entry < after][:count]

    def strike(self, platform: str, entries: Iterable[str]) -> None:
        """Take entries off the list of a platform."""
        gone = set(entries)
        with self._lock:
            self._platforms[platform] = [entry for entry in self._platforms[platform] if entry not in gone]

    def remind(self, match: str, when: int | None) -> None:
        """Note down when something falls due."""
        with self._lock:
            if when is None:
                self._deadlines.pop(match, None)
            else:
                self._deadlines[match] = when

    def due(self, now: int, lease: int, count: int) -> list[str]:
        """Claim matches at which something is due."""
        with self._lock:
            late = sorted((when, match) for match, when in self._deadlines.items() if when <= now)[:count]
            self._deadlines.update((match, now + lease) for _, match in late)
            return [match for _, match in late]

    def delete(self, match: str) -> None:
        """Forget a match."""
        with self._lock:
            if self._matches.pop(match, None):
                self._tell(match)

    def end(self, match: str) -> None:
        """Mark as ended."""
        with self._lock:
            known = self._known(match)
            self._matches[match] = known._replace(page=known.page._replace(ended=True))
            self._tell(match)

    def listen(self, on_news: Callable[[str], None]) -> Listener:
        """Open a line."""
        line = _Line(on_news)
        with self._lock:
            self._lines.append(line)
        return line

    def ping(self) -> None:
        """Be there."""

    def close(self) -> None:
        """Let go of nothing: others may use the same store."""

    def _found(self, match: str) -> _Match | None:
        """Find a match; one whose time is over is forgotten now."""
        known = self._matches.get(match)
        if known is not None and time.monotonic() >= known.expires_at:
            del self._matches[match]
            return None
        return known

    def _known(self, match: str) -> _Match:
        if (known := self._found(match)) is None:
            raise NoSuchMatch(match)
        return known

    def _tell(self, match: str) -> None:
        self._lines = [line for line in self._lines if line.tell(match)]


def _place(known: _Match, request: str) -> int | None:
    """Say which line a request has made."""
    return known.requests.index(request) if request and request in known.requests else None


class _Line:
    """A line on which news is told, in a thread of its own."""

    def __init__(self, on_news: Callable[[str], None]) -> None:
        self._followed: set[str] = set()
        self._queue: SimpleQueue[str | None] = SimpleQueue()
        self._on_news = on_news
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="store-listener", daemon=True)
        self._thread.start()

    def follow(self, match: str) -> None:
        """Hear of a match, the first time at once."""
        self._followed.add(match)
        self._queue.put(match)

    def leave(self, match: str) -> None:
        """Hear of it no more."""
        self._followed.discard(match)

    def tell(self, match: str) -> bool:
        """Pass on news; False where the line was closed."""
        if match in self._followed and not self._closed:
            self._queue.put(match)
        return not self._closed

    def close(self) -> None:
        """Hang up."""
        self._closed = True
        self._queue.put(None)
        if self._thread is not threading.current_thread():
            self._thread.join(SECONDS_TO_HANG_UP)

    def _run(self) -> None:
        while (match := self._queue.get()) is not None:
            if match in self._followed and not self._closed:
                self._on_news(match)
