"""The cap on live watches of a worker: how many of a platform, or of an address without one, are open at a time."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable

from chitarrella import errors


class WatchCounter:
    """Counts the live watches of a worker. Thread-safe."""

    def __init__(self, *, platform: int = 0, address: int = 0) -> None:
        """Allow so many watches of a ``platform``, and of an ``address`` without one; 0 for no cap."""
        self._caps = {"watches_per_platform": platform, "watches_per_address": address}
        self._lock = threading.Lock()
        self._counts: Counter[tuple[str, str]] = Counter()

    def open(self, platform: str, network: str) -> Callable[[], None]:
        """Count a watch of a platform, or of a network where it is empty; returns what ends it, once.

        Raises `errors.QuotaExceeded`.
        """
        quota = "watches_per_platform" if platform else "watches_per_address"
        owner, cap = (quota, platform or network), self._caps[quota]
        with self._lock:
            if cap and self._counts[owner] >= cap:
                message = "There are as many watches as a worker of the service allows; end some."
                raise errors.QuotaExceeded("quota_exceeded", message, quota=quota, limit=str(cap))
            self._counts[owner] += 1
        return self._closer(owner)

    def _closer(self, owner: tuple[str, str]) -> Callable[[], None]:
        is_open = [True]

        def close() -> None:
            with self._lock:
                if is_open and is_open.pop():
                    self._counts[owner] -= 1
                    if not self._counts[owner]:
                        del self._counts[owner]

        return close

    @property
    def owners(self) -> int:
        """How many platforms and addresses watch now."""
        return len(self._counts)
