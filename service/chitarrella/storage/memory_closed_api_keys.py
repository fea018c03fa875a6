"""The closed API keys in the memory of one process. Thread-safe."""

from __future__ import annotations

from collections.abc import Mapping


class MemoryClosedApiKeys:
    """The closed keys, each with the time at which it was closed."""

    def __init__(self) -> None:
        """Begin with no closed key."""
        self._closed_at: dict[str, int] = {}

    def all(self) -> Mapping[str, int]:
        """Read every closed key."""
        return self._closed_at.copy()

    def add(self, digest: str, closed_at: int) -> None:
        """Close a key."""
        self._closed_at.setdefault(digest, closed_at)

    def remove(self, digest: str) -> bool:
        """Open a key."""
        return self._closed_at.pop(digest, None) is not None
