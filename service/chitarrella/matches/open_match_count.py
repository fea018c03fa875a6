"""The number of open matches of all owners, for operators.

A match that was created is counted at once. One that is not open any more is noted here, and removed from the store
when the number is next read: no move waits for that. What a killed worker had noted counts until the match expires.
"""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from typing import Final

from chitarrella import errors
from chitarrella.storage.counters import OpenMatchSet
from chitarrella.storage.rows import StoreError

MAX_NOTED: Final = 100_000
"""How many matches that are not open any more are noted between two readings."""


class OpenMatchCount:
    """Counts open matches. Thread-safe."""

    def __init__(self) -> None:
        """Count nothing, until there is a store to count in."""
        self.store: OpenMatchSet | None = None
        """Where matches are counted."""
        self._noted: deque[str] = deque(maxlen=MAX_NOTED)

    def include(self, match: str) -> None:
        """Count a match; where the store does not answer, it is left out."""
        if self.store is not None:
            with suppress(StoreError, errors.StoreUnavailable):
                self.store.include(match)

    def exclude(self, match: str) -> None:
        """Count a match no longer, from the next `read` on."""
        if self.store is not None:
            self._noted.append(match)

    def flush(self) -> None:
        """Exclude what is noted, where the store answers."""
        if self._noted:
            with suppress(StoreError, errors.StoreUnavailable):
                self.read()

    def read(self) -> int:
        """Return how many matches are open. Raises `chitarrella.storage.rows.StoreError`."""
        if self.store is None:
            return 0
        matches: list[str] = []
        with suppress(IndexError):
            while True:
                matches.append(self._noted.popleft())
        try:
            return self.store.exclude(matches)
        except BaseException:
            self._noted.extend(matches)
            raise
