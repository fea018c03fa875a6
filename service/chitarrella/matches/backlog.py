"""What waits in a queue: how much, and for how long."""

from __future__ import annotations

from typing import NamedTuple


class Backlog(NamedTuple):
    """How many entries of a queue wait, and since when the oldest does, in milliseconds since 1970; 0 for none."""

    waiting: int = 0
    oldest: int = 0

    def seconds(self, now: int) -> float:
        """For how many seconds the oldest has waited at ``now``, in milliseconds since 1970."""
        return max(0.0, (now - self.oldest) / 1000) if self.oldest else 0.0
