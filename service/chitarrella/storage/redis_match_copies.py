"""Copies of single matches on Redis or Valkey, for the archive."""

from __future__ import annotations

from chitarrella.matches.backup import MatchCopy
from chitarrella.storage.redis_connection import RedisConnection
from chitarrella.storage.redis_script import Script


class RedisMatchCopyStore:
    """Copies and restores matches, and decides how long they are kept. Thread-safe."""

    def __init__(self, connection: RedisConnection) -> None:
        """Use ``connection``; nothing is sent yet."""
        self._connection = connection
        self._copy, self._restore = Script(connection, "copy_match"), Script(connection, "restore_match")
        self._expire = Script(connection, "expire")

    def copy(self, match: str) -> MatchCopy | None:
        """Copy a match."""
        row, log, tokens, ttl_ms = self._copy(self._connection.match_keys(match), [])
        return MatchCopy(match, dict(zip(row[::2], row[1::2], strict=True)), log, tokens, ttl_ms) if row else None

    def restore(self, copy: MatchCopy, seconds: int) -> None:
        """Store a match again, unless it is there."""
        self.put(copy._replace(ttl_ms=seconds * 1000), replace=False)

    def put(self, copy: MatchCopy, *, replace: bool) -> bool:
        """Store a match as it was copied; False where it exists and may not be replaced."""
        keys = self._connection.match_keys(copy.match)
        head: list[str | int] = [int(replace), copy.ttl_ms, keys[0], len(copy.row), len(copy.log)]
        fields = [text for pair in copy.row.items() for text in pair]
        return bool(self._restore(keys, [*head, *fields, *copy.log, *copy.tokens]))

    def keep(self, match: str, seconds: int) -> None:
        """Extend the time to live of a match to so many seconds at least."""
        self._expire(self._connection.match_keys(match), [seconds * 1000, "GT"])

    def shorten(self, match: str, seconds: int) -> bool:
        """Shorten the time to live of a match to so many seconds at most."""
        return bool(self._expire(self._connection.match_keys(match), [seconds * 1000, "LT"]))
