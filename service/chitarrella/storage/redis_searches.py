"""The queue of searches on Redis or Valkey: all workers share it, so that the shares of owners hold across them."""

from __future__ import annotations

from chitarrella.matches.store import SearchClaim
from chitarrella.storage.redis_connection import RedisConnection
from chitarrella.storage.redis_script import Script


class RedisSearchQueue:
    """Searches that wait, in sorted sets that a cluster keeps in one slot.

    A search that was claimed is gone from here: the schedule has the match, should the worker die.
    """

    def __init__(self, connection: RedisConnection) -> None:
        """Use ``connection``."""
        names = ("entries", "times", "owners", "passes", "virtual_time")
        self._keys = [connection.key("{searches}", name) for name in names]
        self._put, self._claim, self._settle = (
            Script(connection, name) for name in ("put_search", "claim_search", "settle_search")
        )

    def put(self, match: str, owner: str, expected_ms: int, now: int) -> None:
        """Queue a search."""
        self._put(self._keys, [match, owner, now, f"{owner} {now:013d} {expected_ms} {match}"])

    def claim(self) -> SearchClaim:
        """Take the next search out of the queue."""
        return SearchClaim(*self._claim(self._keys, []))

    def settle(self, owner: str, difference_ms: int) -> None:
        """Charge an owner the difference."""
        self._settle(self._keys, [owner, difference_ms])
