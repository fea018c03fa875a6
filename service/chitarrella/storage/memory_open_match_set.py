"""The open matches of all owners in the memory of one process. Thread-safe."""

from __future__ import annotations

import threading


class MemoryOpenMatchSet:
    """Counts the open matches of all owners."""

    def __init__(self) -> None:
        """Begin without open matches."""
        self._lock = threading.Lock()
        self._matches: set[str] = set()

    def include(self, match: str) -> None:
        """Count a match."""
        with self._lock:
            self._matches.add(match)

    def exclude(self, matches: list[str]) -> int:
        """Count matches no longer, and return how many are open."""
        with self._lock:
            self._matches.difference_update(matches)
            return len(self._matches)
