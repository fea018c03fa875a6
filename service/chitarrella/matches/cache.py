"""A least-recently-used cache that several threads may share."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from cachetools import LRUCache

T = TypeVar("T")


class Cache(Generic[T]):
    """The values used last, by key, up to a ``size``: `cachetools.LRUCache` behind a lock."""

    def __init__(self, size: int, size_of: Callable[[T], int] = lambda _: 1) -> None:
        """Create an empty cache; ``size_of`` gives what a value counts."""
        self._values: LRUCache[str, T] = LRUCache(size, size_of)
        self._lock = threading.Lock()

    def get(self, key: str) -> T | None:
        """The value of ``key``, None where it is not cached."""
        with self._lock:
            return self._values.get(key)

    def put(self, key: str, value: T) -> None:
        """Cache a value; where the cache is full the value used least recently goes."""
        with self._lock:
            self._values[key] = value

    def remove(self, key: str) -> None:
        """Remove a value. Idempotent."""
        with self._lock:
            self._values.pop(key, None)

    def take(self, key: str) -> T | None:
        """Remove a value and return it, None where it is not cached."""
        with self._lock:
            return self._values.pop(key, None)
