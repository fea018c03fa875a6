"""The queue of records that are to be archived, in a sorted set by the time at which they are due."""

from __future__ import annotations

from chitarrella.storage.redis_connection import RedisConnection
from chitarrella.storage.redis_script import Script

ARCHIVE = "archive"
"""The last part of the key."""


class RedisArchiveQueue:
    """Matches whose records are to be written. Thread-safe."""

    def __init__(self, connection: RedisConnection) -> None:
        """Use ``connection``; nothing is sent yet."""
        self._connection = connection
        self._key = connection.key(ARCHIVE)
        self._claim, self._settle = Script(connection, "claim"), Script(connection, "settle")

    def add(self, match: str, when: int) -> None:
        """Queue a match."""
        self._connection.execute(lambda: self._connection.client.zadd(self._key, {match: when}))

    def claim(self, now: int, lease: int, count: int) -> list[str]:
        """Claim matches that are due."""
        return list(self._claim([self._key], [now, now + lease, count]))

    def remove(self, match: str, until: int) -> None:
        """Remove a match whose lease ends at ``until``."""
        self._settle([self._key], [match, until])
