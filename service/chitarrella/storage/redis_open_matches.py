"""The open matches of each owner on Redis: a sorted set by the time at which each will have expired."""

from __future__ import annotations

from collections.abc import Iterable

from chitarrella.matches.open_matches import Admission
from chitarrella.storage.redis_connection import RedisConnection
from chitarrella.storage.redis_script import Script

CHECKED_AT_ONCE = 20
"""How many matches that should have expired a call gets to look at."""


class RedisOpenMatches:
    """Counts open matches. Thread-safe."""

    def __init__(self, connection: RedisConnection) -> None:
        """Use ``connection``; nothing is sent yet."""
        self._connection = connection
        self._add = Script(connection, "add_open_match")

    def _key(self, owner: str) -> str:
        return self._connection.key("open_matches", owner)

    def add(self, owner: str, match: str, expires_at: int, limit: int, now: int) -> Admission:
        """Count a match."""
        is_counted, *due = self._add([self._key(owner)], [match, expires_at, limit, now, CHECKED_AT_ONCE])
        return Admission(bool(is_counted), tuple(due))

    def postpone(self, owner: str, matches: Iterable[str], expires_at: int) -> None:
        """Set a later time."""
        key, scores = self._key(owner), dict.fromkeys(matches, expires_at)
        self._connection.execute(lambda: self._connection.client.zadd(key, scores, xx=True), key)

    def remove(self, owner: str, matches: Iterable[str]) -> None:
        """Count no longer."""
        key, members = self._key(owner), tuple(matches)
        self._connection.execute(lambda: self._connection.client.zrem(key, *members), key)
