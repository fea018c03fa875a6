"""The rates of calls, and the port of the store that counts them for all workers."""

from __future__ import annotations

import math
from typing import NamedTuple, Protocol


class Rate(NamedTuple):
    """A rate of calls: ``limit`` in ``period`` seconds, and ``burst`` at once after a pause."""

    limit: int
    period: int
    burst: int

    @property
    def block(self) -> int:
        """How many calls a worker takes from the store at once."""
        return max(1, self.burst // 10)

    @property
    def window(self) -> int:
        """Seconds after which whoever has used up the burst has all of it again."""
        return math.ceil(self.burst * self.period / self.limit)


class Grant(NamedTuple):
    """How many calls the store has granted; where it is 0, after how many seconds it will grant the block again.

    ``left`` is how many calls it would still grant.
    """

    units: int
    retry_after: float = 0.0
    left: int = 0


class RateLeft(NamedTuple):
    """What a call has left of the rate that it was counted for.

    ``quota`` is the name of the quota, ``calls`` how many more calls it admits: None where the worker does not know.
    """

    quota: str
    rate: Rate
    calls: int | None


class RateStore(Protocol):
    """Counts the calls of each owner."""

    def take(self, owner: str, rate: Rate, units: int) -> Grant:
        """Take ``units`` calls of an owner, or as many as are left.

        ``owner`` is a digest. Raises `chitarrella.matches.store.StoreError`.
        """
