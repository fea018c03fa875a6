"""The open matches of all owners on Redis or Valkey, in a set."""

from __future__ import annotations

from typing import Any

from chitarrella.storage.redis_connection import RedisConnection


class RedisOpenMatchSet:
    """Counts the open matches of all owners. Thread-safe."""

    def __init__(self, connection: RedisConnection) -> None:
        """Use ``connection``; nothing is sent yet."""
        self._connection = connection
        self._key = connection.key("open_matches")

    def include(self, match: str) -> None:
        """Count a match."""
        self._connection.execute(lambda: self._connection.client.sadd(self._key, match), self._key)

    def exclude(self, matches: list[str]) -> int:
        """Count matches no longer, and return how many are open."""

        def write() -> Any:
            pipeline = self._connection.client.pipeline(transaction=False)
            if matches:
                pipeline.srem(self._key, *matches)
            pipeline.scard(self._key)
            return pipeline.execute()

        return int(self._connection.execute(write, self._key)[-1])
