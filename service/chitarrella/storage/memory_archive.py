"""An archive and its queue in the memory of one process. Thread-safe."""

from __future__ import annotations

import time

from chitarrella.storage.memory_store import MemorySchedule, UnexpiredMatches


class MemoryArchive:
    """Records by name."""

    def __init__(self) -> None:
        """Create an empty archive."""
        self.records: dict[str, str] = {}

    def put(self, name: str, text: str) -> None:
        """Keep a record."""
        self.records[name] = text


class MemoryArchiveQueue:
    """Matches whose records are to be written, by the time at which each is due."""

    def __init__(self, matches: UnexpiredMatches) -> None:
        """Create an empty queue of ``matches``."""
        self._matches = matches
        self._schedule = MemorySchedule()

    def add(self, match: str, when: int) -> None:
        """Queue a match."""
        self._schedule.set(match, when)

    def claim(self, now: int, lease: int, count: int) -> list[str]:
        """Claim matches that are due."""
        return self._schedule.claim(now, lease, count)

    def remove(self, match: str, until: int) -> None:
        """Remove a match whose lease ends at ``until``."""
        self._schedule.remove(match, until)

    def keep(self, match: str, seconds: int) -> None:
        """Extend the time to live of a match to so many seconds at least."""
        self._matches.keep(match, time.monotonic() + seconds)
