"""The queue of searches on Redis or Valkey, which all workers share."""

from __future__ import annotations

from chitarrella.storage.redis_connection import RedisConnection, Script
from chitarrella.storage.rows import SearchClaim

MOST_OWNERS = 100
"""So many owners are named at once; of more a random hundred."""


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
