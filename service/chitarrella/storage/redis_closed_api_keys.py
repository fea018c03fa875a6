"""The closed API keys on Redis: a hash of their digests, each with the time at which it was closed.

A change is announced on a channel that has the name of the hash. It is not sharded: every worker follows it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from chitarrella.matches.store import Subscription
from chitarrella.storage.redis_connection import RedisConnection
from chitarrella.storage.redis_pubsub import Channels, open_unsharded


class RedisClosedApiKeys:
    """The closed keys of all workers. Thread-safe."""

    def __init__(self, connection: RedisConnection) -> None:
        """Use ``connection``; nothing is sent yet."""
        self._connection = connection
        self._redis: Any = connection.client
        self._key = connection.key("closed_api_keys")

    def all(self) -> Mapping[str, int]:
        """Read every closed key."""
        found = self._connection.execute(lambda: self._redis.hgetall(self._key), self._key)
        return {digest: int(closed_at) for digest, closed_at in found.items()}

    def add(self, digest: str, closed_at: int) -> None:
        """Close a key."""
        self._connection.execute(lambda: self._redis.hsetnx(self._key, digest, closed_at), self._key)
        self._announce()

    def remove(self, digest: str) -> bool:
        """Open a key."""
        was_closed = bool(self._connection.execute(lambda: self._redis.hdel(self._key, digest), self._key))
        self._announce()
        return was_closed

    def subscribe(self, on_change: Callable[[], None]) -> Subscription:
        """Report every change."""
        subscription = open_unsharded(self._connection, Channels(""), lambda *_: on_change())
        subscription.subscribe(self._key)
        return subscription

    def _announce(self) -> None:
        self._connection.execute(lambda: self._redis.publish(self._key, ""))
