"""The rates of calls on Redis: the generic cell rate algorithm (GCRA) of throttled-py, over the client of the store.

The library `limits` has no burst beside its rate. One key for each owner holds the time at which all that it has taken
is regained, and expires then.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from throttled.exceptions import DataError
from throttled.rate_limiter import GCRARateLimiter, per_duration
from throttled.rate_limiter.quota_parser import parse
from throttled.store import BaseAtomicAction, RedisStore, RedisStoreBackend

from chitarrella.limits.rates import Grant, Rate
from chitarrella.storage.redis_connection import RedisConnection

MAX_BURST: Final = 1_000_000_000
"""The greatest burst of a rate, in calls."""


class RedisRateStore:
    """Counts the calls of each owner. Thread-safe."""

    def __init__(self, connection: RedisConnection) -> None:
        """Use ``connection``; nothing is sent yet."""
        self._connection = connection
        self._prefix = connection.key("rate")
        self._store = _SharedClientStore(connection.client)
        self._limiters: dict[Rate, GCRARateLimiter] = {}

    def take(self, owner: str, rate: Rate, units: int) -> Grant:
        """Take calls of an owner; a command that is sent again may take them twice."""
        limiter = self._limiters.get(rate) or self._add(rate)
        key = f"{self._prefix}:{limiter.KEY_SCHEMA_VERSION}:{limiter.Meta.type}:{owner}"
        grant: Grant = self._connection.execute(lambda: _take(limiter, owner, units), key)
        return grant

    def _add(self, rate: Rate) -> GCRARateLimiter:
        quota = per_duration(timedelta(seconds=rate.period), rate.limit, rate.burst)
        limiter = self._limiters[rate] = GCRARateLimiter(quota, self._store, key_prefix=self._prefix)
        return limiter


def _take(limiter: GCRARateLimiter, owner: str, units: int) -> Grant:
    result = limiter.limit(owner, units)
    if result.limited and (left := result.state.remaining):
        units, result = left, limiter.limit(owner, left)
    state = result.state
    return Grant(0, state.retry_after) if result.limited else Grant(units, left=state.remaining)


class _SharedClientStore(RedisStore):
    """The store of the library with a client that is there already."""

    def __init__(self, client: Any) -> None:
        super().__init__()
        self._shared = _SharedClientBackend(client)

    def make_atomic(self, action_cls: type[BaseAtomicAction]) -> BaseAtomicAction:
        return action_cls(backend=self._shared)


class _SharedClientBackend(RedisStoreBackend):
    base_exceptions = ()
    """None is wrapped: the connection has to see which it is."""

    def __init__(self, client: Any) -> None:
        super().__init__()
        self._given = client

    def get_client(self) -> Any:
        return self._given


def parse_rate(text: str) -> Rate | None:
    """Parse a rate such as ``600/s burst 3000``; None for ``0``. Raises `ValueError`."""
    if text.strip() == "0":
        return None
    try:
        (quota,) = parse(text)
    except (DataError, ValueError) as error:
        raise ValueError(f"{text!r} is no rate, such as '600/s burst 3000', or 0 for no limit") from error
    if not 0 < quota.burst <= MAX_BURST:
        raise ValueError(f"the burst of {text!r} is not between 1 and {MAX_BURST}")
    return Rate(quota.get_limit(), quota.get_period_sec(), quota.burst)
