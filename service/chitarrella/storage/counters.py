"""What limits callers: the rates of their calls, their open matches, and the API keys that were closed.

Rates follow the generic cell rate algorithm (GCRA) of throttled-py; the library `limits` has no burst beside its rate.
One key for each owner holds the time at which all that it has taken is regained, and expires then.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from typing import Any, Final, NamedTuple

from throttled.exceptions import DataError
from throttled.rate_limiter import GCRARateLimiter, per_duration
from throttled.rate_limiter.quota_parser import parse
from throttled.store import BaseAtomicAction, RedisStore, RedisStoreBackend

from chitarrella.storage.redis_connection import RedisConnection, Script
from chitarrella.storage.redis_pubsub import Channels, open_unsharded
from chitarrella.storage.rows import SearchClaim

MAX_BURST: Final = 1_000_000_000  # the greatest burst of a rate, in calls


class Rate(NamedTuple):
    """A rate of calls: ``limit`` in ``period`` seconds, and ``burst`` at once after a pause."""

    limit: int
    period: int
    burst: int

    @property
    def block(self) -> int:
        return max(1, self.burst // 10)

    @property
    def window(self) -> int:
        return math.ceil(self.burst * self.period / self.limit)


class Grant(NamedTuple):
    """How many calls the store has granted and would still grant; where none, when it will grant the block."""

    units: int
    retry_after: float = 0.0
    left: int = 0


class RateStore:
    """Counts the calls of each owner. Thread-safe."""

    def __init__(self, connection: RedisConnection) -> None:
        self._connection = connection
        self._prefix = connection.key("rate")
        self._store = _SharedClientStore(connection.client)
        self._limiters: dict[Rate, GCRARateLimiter] = {}

    def take(self, owner: str, rate: Rate, units: int) -> Grant:
        """Take ``units`` calls of an owner (a digest), or as many as are left."""
        if rate not in self._limiters:
            quota = per_duration(timedelta(seconds=rate.period), rate.limit, rate.burst)
            self._limiters[rate] = GCRARateLimiter(quota, self._store, key_prefix=self._prefix)
        limiter = self._limiters[rate]
        key = f"{self._prefix}:{limiter.KEY_SCHEMA_VERSION}:{limiter.Meta.type}:{owner}"
        grant: Grant = self._connection.execute(lambda: _take(limiter, owner, units), key)
        return grant


def _take(limiter: GCRARateLimiter, owner: str, units: int) -> Grant:
    result = limiter.limit(owner, units)
    if result.limited and (left := result.state.remaining):
        units, result = left, limiter.limit(owner, left)
    state = result.state
    return Grant(0, state.retry_after) if result.limited else Grant(units, left=state.remaining)


class _SharedClientStore(RedisStore):
    def __init__(self, client: Any) -> None:
        super().__init__()
        self._shared = _SharedClientBackend(client)

    def make_atomic(self, action_cls: type[BaseAtomicAction]) -> BaseAtomicAction:
        return action_cls(backend=self._shared)


class _SharedClientBackend(RedisStoreBackend):
    base_exceptions = ()  # none is wrapped: the connection has to see which it is

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


CHECKED_AT_ONCE = 20  # how many matches that should have expired a call gets to look at


class Admission(NamedTuple):
    """Whether a match is counted, and some of the matches of its owner that should have expired by now."""

    is_counted: bool
    due: tuple[str, ...] = ()


class OpenMatchStore:
    """The open matches of each owner (a digest), by the milliseconds since 1970 when they expire; and those of all
    owners, to count them. Thread-safe.
    """

    def __init__(self, connection: RedisConnection) -> None:
        self._connection = connection
        self._all = connection.key("open_matches")
        self._add = Script(connection, "add_open_match")

    def _key(self, owner: str) -> str:
        return self._connection.key("open_matches", owner)

    def add(self, owner: str, match: str, expires_at: int, limit: int, now: int) -> Admission:
        is_counted, *due = self._add([self._key(owner)], [match, expires_at, limit, now, CHECKED_AT_ONCE])
        return Admission(bool(is_counted), tuple(due))

    def postpone(self, owner: str, matches: Iterable[str], expires_at: int) -> None:
        key, scores = self._key(owner), dict.fromkeys(matches, expires_at)
        self._connection.execute(lambda: self._connection.client.zadd(key, scores, xx=True), key)

    def remove(self, owner: str, matches: Iterable[str]) -> None:
        key, members = self._key(owner), tuple(matches)
        self._connection.execute(lambda: self._connection.client.zrem(key, *members), key)

    def include(self, pipeline: Any, match: str) -> None:
        pipeline.sadd(self._all, match)

    def exclude(self, matches: list[str]) -> int:
        """Count the open matches of all owners without ``matches``."""

        def write(pipeline: Any) -> None:
            if matches:
                pipeline.srem(self._all, *matches)
            pipeline.scard(self._all)

        return int(self._connection.send_together(write, self._all)[-1])


class ClosedApiKeyStore:
    """The digests of closed keys, each with the time at which it was closed. Thread-safe. A change is announced on a
    channel that is not sharded: every worker follows it.
    """

    def __init__(self, connection: RedisConnection) -> None:
        self._connection = connection
        self._redis: Any = connection.client
        self._key = connection.key("closed_api_keys")

    def all(self) -> Mapping[str, int]:
        """Read every closed key. This and the others raise `chitarrella.storage.rows.StoreError`."""
        found = self._connection.execute(lambda: self._redis.hgetall(self._key), self._key)
        return {digest: int(closed_at) for digest, closed_at in found.items()}

    def add(self, digest: str, closed_at: int) -> None:
        self._connection.execute(lambda: self._redis.hsetnx(self._key, digest, closed_at), self._key)
        self._announce()

    def remove(self, digest: str) -> bool:
        was_closed = bool(self._connection.execute(lambda: self._redis.hdel(self._key, digest), self._key))
        self._announce()
        return was_closed

    def subscribe(self, on_change: Callable[[], None]) -> Callable[[], None]:
        """Call ``on_change`` in another thread after every change, and whenever the subscription begins; returns what
        ends it.
        """
        subscription = open_unsharded(self._connection, Channels(""), lambda *_: on_change())
        subscription.subscribe(self._key)
        return subscription.close

    def _announce(self) -> None:
        self._connection.execute(lambda: self._redis.publish(self._key, ""))


MOST_OWNERS = 100  # so many owners are named at once; of more a random hundred


class RedisSearchQueue:
    """Searches that wait, by owner. The schedule has their matches, too, should the worker die that has claimed one."""

    def __init__(self, connection: RedisConnection) -> None:
        self._key = connection.key
        self._put, self._claim = Script(connection, "put_search"), Script(connection, "claim_search")

    def _keys(self, owner: str) -> list[str]:
        return [self._key("{waiting_searches}", name) for name in ("owners", "times", f"of:{owner}")]

    def put(self, match: str, owner: str, now: int) -> None:
        self._put(self._keys(owner), [owner, match, now])

    def claim(self, owner: str = "") -> SearchClaim:
        match, owners, waiting, oldest = self._claim(self._keys(owner), [owner, MOST_OWNERS])
        return SearchClaim(match, tuple(owners), waiting, oldest)
