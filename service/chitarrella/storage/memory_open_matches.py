"""The open matches of each owner in the memory of one process. Thread-safe."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterable

from chitarrella.matches.open_matches import Admission

CHECKED_AT_ONCE = 20
"""How many matches that should have expired a call gets to look at."""


class MemoryOpenMatches:
    """Counts open matches."""

    def __init__(self) -> None:
        """Begin without open matches."""
        self._lock = threading.Lock()
        self._of: defaultdict[str, dict[str, int]] = defaultdict(dict)

    def add(self, owner: str, match: str, expires_at: int, limit: int, now: int) -> Admission:
        """Count a match."""
        with self._lock:
            expiries = self._of[owner]
            if match not in expiries and len(expiries) < limit:
                expiries[match] = expires_at
            due = sorted((when, one) for one, when in expiries.items() if when <= now)[:CHECKED_AT_ONCE]
            return Admission(match in expiries, tuple(one for _, one in due))

    def postpone(self, owner: str, matches: Iterable[str], expires_at: int) -> None:
        """Set a later time."""
        with self._lock:
            self._of[owner].update((match, expires_at) for match in matches if match in self._of[owner])

    def remove(self, owner: str, matches: Iterable[str]) -> None:
        """Count no longer."""
        with self._lock:
            for match in matches:
                self._of[owner].pop(match, None)
