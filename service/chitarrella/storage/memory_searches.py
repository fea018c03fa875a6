"""The queue of searches in the memory of one process. Thread-safe."""

from __future__ import annotations

import threading
from collections import defaultdict

from chitarrella.matches.store import SearchClaim


class MemorySearchQueue:
    """Searches that wait, by owner: each match with the time at which it was queued."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._of: defaultdict[str, dict[str, int]] = defaultdict(dict)

    def put(self, match: str, owner: str, now: int) -> None:
        with self._lock:
            self._of[owner].setdefault(match, now)

    def claim(self, owner: str = "") -> SearchClaim:
        with self._lock:
            match = min(self._of[owner], key=self._of[owner].__getitem__, default="")
            self._of[owner].pop(match, None)
            times = [time for queue in self._of.values() for time in queue.values()]
            owners = tuple(name for name, queue in self._of.items() if queue)
            return SearchClaim(match, owners, len(times), min(times, default=0))
