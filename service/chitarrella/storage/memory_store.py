"""The store in the memory of one process: for the service inside a process, whose matches end with it. Thread-safe."""

from __future__ import annotations

import secrets
import threading
import time
from bisect import insort
from collections import defaultdict
from collections.abc import Iterable, Sequence

from chitarrella.matches.outbox import ABORTED
from chitarrella.matches.store import (
    Announcement,
    Appended,
    MatchRow,
    NewEntries,
    index_entry,
)
from chitarrella.storage.memory_expiry import AppendResult, StoredMatch, UnexpiredMatches
from chitarrella.storage.memory_searches import MemorySearchQueue
from chitarrella.storage.memory_subscriptions import MemorySubscriptions


class MemoryStore:
    """Everything that a worker needs of one database."""

    def __init__(self) -> None:
        """Create an empty store."""
        self.subscriptions = MemorySubscriptions()
        self.matches = MemoryMatchStore(self.subscriptions)
        self.schedule = MemorySchedule()
        self.searches = MemorySearchQueue()
        self.index = MemoryPlatformIndex()
        self._secret = secrets.token_bytes(32)

    def secret(self) -> bytes:
        """The secret."""
        return self._secret

    def probe(self) -> None:
        """Check nothing: memory always answers."""

    def close(self) -> None:
        """Close nothing: others may use the same store."""


class MemoryMatchStore:
    """Rows and logs of matches."""

    def __init__(self, subscriptions: MemorySubscriptions) -> None:
        """Report every change of a match to ``subscriptions``."""
        self._subscriptions = subscriptions
        self.unexpired = UnexpiredMatches()

    def create(self, match: str, row: MatchRow, entries: tuple[str, ...], ttl_seconds: int, platform: str = "") -> bool:
        """Store a new match."""
        tokens = ("",) * len(entries)
        if not self.unexpired.add(match, StoredMatch(row, entries, tokens, time.monotonic() + ttl_seconds)):
            return False
        self._subscriptions.announce(Announcement(platform, match))
        return True

    def load(self, match: str, token: str = "") -> tuple[MatchRow, int | None]:
        """Read the row."""
        stored = self.unexpired.existing(match)
        return stored.row, stored.position_of(token)

    def load_many(self, matches: Sequence[str]) -> list[MatchRow | None]:
        """Read several rows."""
        return [stored.row if (stored := self.unexpired.find(match)) else None for match in matches]

    def append(
        self, match: str, after: MatchRow, new: NewEntries, token: str, ttl_seconds: int, platform: str = ""
    ) -> AppendResult:
        """Append entries behind a row."""
        result = self.unexpired.append(match, after, new, token, time.monotonic() + ttl_seconds)
        if isinstance(result, Appended):
            self._subscriptions.announce(Announcement(platform, match, after.length))
        return result

    def read_log(self, match: str, start: int = 0) -> list[str]:
        """Read the log."""
        stored = self.unexpired.find(match)
        return list(stored.log[start:]) if stored else []

    def abort(self, match: str, platform: str = "") -> None:
        """Mark a match as aborted."""
        if self.unexpired.abort(match):
            self._subscriptions.announce(Announcement(platform, match, ABORTED))

    def delete(self, match: str) -> None:
        """Delete a match."""
        if self.unexpired.pop(match, None):
            self._subscriptions.notify(match)


class MemorySchedule:
    """Due times of matches."""

    def __init__(self) -> None:
        """Create an empty schedule."""
        self._lock = threading.Lock()
        self._due: dict[str, int] = {}

    def set(self, match: str, when: int | None) -> None:
        """Set when the match is due next."""
        with self._lock:
            self._due.pop(match, None)
            if when is not None:
                self._due[match] = when

    def claim(self, now: int, lease: int, count: int) -> list[str]:
        """Claim matches that are due."""
        with self._lock:
            due = sorted((when, match) for match, when in self._due.items() if when <= now)[:count]
            self._due.update((match, now + lease) for _, match in due)
            return [match for _, match in due]

    def remove(self, match: str, until: int) -> None:
        """Remove a match that is due at ``until``; one that was set again since stays."""
        with self._lock:
            if self._due.get(match) == until:
                del self._due[match]

    def times(self) -> list[int]:
        """When each match is due."""
        with self._lock:
            return list(self._due.values())


class MemoryPlatformIndex:
    """The matches of each platform, by term; the term of the list of all is empty."""

    def __init__(self) -> None:
        """Create an empty index."""
        self.expiries = MemorySchedule()
        self._lock = threading.Lock()
        self._lists: defaultdict[str, dict[str, list[str]]] = defaultdict(dict)

    def add(self, platform: str, match: str, created_at: int, terms: Sequence[str] = ()) -> None:
        """Add a match."""
        entry = index_entry(match, created_at)
        with self._lock:
            for term in ("", *terms):
                if entry not in (entries := self._lists[platform].setdefault(term, [])):
                    insort(entries, entry)

    def page(self, platform: str, after: str, count: int, term: str = "") -> list[str]:
        """Read entries, the latest first."""
        with self._lock:
            entries = reversed(self._lists[platform].get(term, ()))
            return [entry for entry in entries if not after or entry < after][:count]

    def remove(self, platform: str, entries: Iterable[str]) -> None:
        """Remove entries."""
        removed = set(entries)
        with self._lock:
            kept = {term: [one for one in old if one not in removed] for term, old in self._lists[platform].items()}
            self._lists[platform] = {term: left for term, left in kept.items() if left}
