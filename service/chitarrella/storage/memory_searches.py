"""The queue of searches in the memory of one process. Thread-safe."""

from __future__ import annotations

import threading

from chitarrella.matches.store import SearchClaim


class MemorySearchQueue:
    """Searches that wait, by owner: each with the time at which it was queued."""

    def __init__(self) -> None:
        """Create an empty queue."""
        self._lock = threading.Lock()
        self._of: dict[str, list[tuple[int, SearchClaim]]] = {}
        self._passes: dict[str, int] = {}
        self._virtual_time = 0

    def put(self, match: str, owner: str, expected_ms: int, now: int) -> None:
        """Queue a search."""
        with self._lock:
            if any(match == one.match for queue in self._of.values() for _, one in queue):
                return
            if owner not in self._of:
                self._passes = {
                    name: used for name, used in self._passes.items() if used > self._virtual_time or name in self._of
                }
                self._passes.setdefault(owner, self._virtual_time)
            self._of.setdefault(owner, []).append((now, SearchClaim(match, owner, expected_ms)))

    def claim(self) -> SearchClaim:
        """Take the next search out of the queue."""
        with self._lock:
            if not self._of:
                return SearchClaim()
            owner = min(self._of, key=lambda name: (self._passes[name], name))
            _, search = self._of[owner].pop(0)
            if not self._of[owner]:
                del self._of[owner]
            self._virtual_time = max(self._virtual_time, self._passes[owner])
            self._passes[owner] += search.expected_ms
            times = [queued_at for queue in self._of.values() for queued_at, _ in queue]
            return search._replace(waiting=len(times), oldest=min(times, default=0))

    def settle(self, owner: str, difference_ms: int) -> None:
        """Charge an owner the difference."""
        with self._lock:
            self._passes[owner] = self._passes.get(owner, self._virtual_time) + difference_ms
