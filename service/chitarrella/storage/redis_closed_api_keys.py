"""The closed API keys on Redis: a hash of their digests, each with the time at which it was closed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chitarrella.storage.redis_connection import RedisConnection


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

    def remove(self, digest: str) -> bool:
        """Open a key."""
        return bool(self._connection.execute(lambda: self._redis.hdel(self._key, digest), self._key))
