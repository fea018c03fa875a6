"""The queue of records that are to be archived, in a sorted set by the time at which they are due.

Beside it a sorted set has the matches that were claimed, by the time of the first claim: a lease moves the time at
which a match is due, and how long it has waited would be lost. The two may be on different servers of a cluster. So a
match is removed from the second set first: one that is left there alone would seem to wait for ever.
"""

from __future__ import annotations

from typing import Any

from chitarrella.matches.backlog import Backlog
from chitarrella.storage.redis_connection import RedisConnection
from chitarrella.storage.redis_script import Script

ARCHIVE = "archive"
"""The last part of the key."""
CLAIMS = "archive_claims"
"""The last part of the key of the claimed matches."""


class RedisArchiveQueue:
    """Matches whose records are to be written. Thread-safe."""

    def __init__(self, connection: RedisConnection) -> None:
        """Use ``connection``; nothing is sent yet."""
        self._connection = connection
        self._key, self._claims_key = connection.key(ARCHIVE), connection.key(CLAIMS)
        self._claim, self._settle = Script(connection, "claim"), Script(connection, "settle")

    def add(self, match: str, when: int) -> None:
        """Queue a match."""
        self._connection.execute(lambda: self._connection.client.zadd(self._key, {match: when}))

    def claim(self, now: int, lease: int, count: int) -> list[str]:
        """Claim matches that are due."""
        claimed = list(self._claim([self._key], [now, now + lease, count]))
        if claimed:
            scores = dict.fromkeys(claimed, now)
            self._connection.execute(lambda: self._connection.client.zadd(self._claims_key, scores, nx=True))
        return claimed

    def remove(self, match: str, until: int) -> None:
        """Remove a match whose lease ends at ``until``."""
        self._forget_claim(match)
        self._settle([self._key], [match, until])

    def _forget_claim(self, match: str) -> None:
        self._connection.execute(lambda: self._connection.client.zrem(self._claims_key, match))

    def backlog(self) -> Backlog:
        """Count the matches in the queue."""

        def read() -> Any:
            pipeline = self._connection.client.pipeline(transaction=False)
            pipeline.zcard(self._key)
            pipeline.zrange(self._key, 0, 0, withscores=True)
            pipeline.zrange(self._claims_key, 0, 0, withscores=True)
            return pipeline.execute()

        waiting, due, claimed = self._connection.execute(read)
        if claimed and not self._is_queued(claimed[0][0]):  # a worker has claimed it and was late to note it
            self._forget_claim(claimed[0][0])
            claimed = []
        return Backlog(waiting, min((int(when) for _, when in (*due, *claimed)), default=0))

    def _is_queued(self, match: str) -> bool:
        return self._connection.execute(lambda: self._connection.client.zscore(self._key, match)) is not None
