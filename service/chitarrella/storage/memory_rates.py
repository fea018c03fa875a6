"""The rates of calls in the memory of one process: the generic cell rate algorithm (GCRA). Thread-safe."""

from __future__ import annotations

import threading
import time

from chitarrella.limits.rates import Grant, Rate


class MemoryRateStore:
    """Counts the calls of each owner: for each the time at which all that it has taken is regained."""

    def __init__(self) -> None:
        """Begin with nobody who has taken anything."""
        self._lock = threading.Lock()
        self._regained_at: dict[str, float] = {}

    def take(self, owner: str, rate: Rate, units: int) -> Grant:
        """Take calls of an owner."""
        seconds = rate.period / rate.limit  # in which one call is regained
        with self._lock:
            now = time.monotonic()
            owed = max(0.0, self._regained_at.get(owner, now) - now)
            left = rate.burst - owed / seconds
            if left < 1:
                return Grant(0, (min(units, rate.burst) - left) * seconds)
            granted = min(units, int(left))
            self._regained_at[owner] = now + owed + granted * seconds
            return Grant(granted, left=int(left) - granted)
