"""An archive, its queue and copies of matches in the memory of one process. Thread-safe."""

from __future__ import annotations

import json
import time

from chitarrella.matches.backlog import Backlog
from chitarrella.matches.backup import MatchCopy
from chitarrella.matches.store import MatchRow
from chitarrella.storage.memory_expiry import StoredMatch, UnexpiredMatches
from chitarrella.storage.memory_store import MemorySchedule


class MemoryArchive:
    """Texts by name."""

    def __init__(self) -> None:
        """Create an empty archive."""
        self.texts: dict[str, str] = {}

    def put(self, name: str, text: str) -> None:
        """Keep a text."""
        self.texts[name] = text

    def get(self, name: str) -> str | None:
        """Read a text."""
        return self.texts.get(name)

    def delete(self, name: str) -> None:
        """Delete a text."""
        self.texts.pop(name, None)


class MemoryArchiveQueue:
    """Matches that are to be archived, by the time at which each is due."""

    def __init__(self) -> None:
        """Create an empty queue."""
        self._schedule = MemorySchedule()
        self._first_claims: dict[str, int] = {}

    def add(self, match: str, when: int) -> None:
        """Queue a match."""
        self._schedule.set(match, when)

    def claim(self, now: int, lease: int, count: int) -> list[str]:
        """Claim matches that are due."""
        claimed = self._schedule.claim(now, lease, count)
        for match in claimed:
            self._first_claims.setdefault(match, now)
        return claimed

    def remove(self, match: str, until: int) -> None:
        """Remove a match whose lease ends at ``until``."""
        self._first_claims.pop(match, None)
        self._schedule.remove(match, until)

    def backlog(self) -> Backlog:
        """Count the matches in the queue."""
        due = self._schedule.times()
        return Backlog(len(due), min((*due, *self._first_claims.values()), default=0))


class MemoryMatchCopyStore:
    """Copies of the matches of a store in memory."""

    def __init__(self, matches: UnexpiredMatches) -> None:
        """Copy ``matches``."""
        self._matches = matches

    def copy(self, match: str) -> MatchCopy | None:
        """Copy a match."""
        if (stored := self._matches.find(match)) is None:
            return None
        return MatchCopy(match, {"row": json.dumps(stored.row)}, stored.log, stored.tokens, -1)

    def restore(self, copy: MatchCopy, seconds: int) -> None:
        """Store a match again."""
        row = MatchRow(*json.loads(copy.row["row"]))
        stored = StoredMatch(row, tuple(copy.log), tuple(copy.tokens), time.monotonic() + seconds)
        self._matches.add(copy.match, stored)

    def keep(self, match: str, seconds: int) -> None:
        """Extend the time to live of a match to so many seconds at least."""
        self._matches.set_expiry(match, max, time.monotonic() + seconds)

    def shorten(self, match: str, seconds: int) -> bool:
        """Shorten the time to live of a match to so many seconds at most."""
        return self._matches.set_expiry(match, min, time.monotonic() + seconds)
