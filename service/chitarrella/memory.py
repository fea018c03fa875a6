"""A bounded memory of what was kept last, safe to be used by many threads."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Generic, TypeVar

T = TypeVar("T")


class Memory(Generic[T]):
    """Remembers the last ``size`` things by name."""

    def __init__(self, size: int) -> None:
        """Begin empty."""
        self._size = size
        self._things: OrderedDict[str, T] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, name: str) -> T | None:
        """Recall a thing, None where it is not remembered."""
        return self._things.get(name)

    def keep(self, name: str, thing: T) -> None:
        """Remember a thing, and forget the one not kept for longest where there are too many."""
        with self._lock:
            self._things[name] = thing
            self._things.move_to_end(name)
            if len(self._things) > self._size:
                self._things.popitem(last=False)

    def forget(self, name: str) -> None:
        """Forget a thing."""
        with self._lock:
            self._things.pop(name, None)
