"""The calls that wait for something: how many, and for how long the oldest has."""

from __future__ import annotations

import time


class WaitingCalls:
    """Calls that wait, each with the time at which it began to. Thread-safe."""

    def __init__(self) -> None:
        """Begin without calls."""
        self._since: dict[object, float] = {}

    def __len__(self) -> int:
        """How many calls wait."""
        return len(self._since)

    def add(self) -> object:
        """Note a call that begins to wait; returns what `discard` knows it by."""
        call = object()
        self._since[call] = time.monotonic()
        return call

    def discard(self, call: object) -> None:
        """Forget a call that does not wait any more. Idempotent."""
        self._since.pop(call, None)

    def oldest_seconds(self) -> float:
        """For how many seconds the oldest has waited; 0 where none waits."""
        since = tuple(self._since.values())  # a copy in one step: other threads go on
        return time.monotonic() - min(since) if since else 0.0
