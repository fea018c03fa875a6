"""Copies of single matches on Redis or Valkey, for the archive: the texts are encrypted where the store is."""

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
        self._keep, self._shorten = Script(connection, "keep"), Script(connection, "shorten")

    def copy(self, match: str) -> MatchCopy | None:
        """Copy a match."""
        row, log, tokens, ttl_ms = self._copy(self._keys(match), [])
        return MatchCopy(match, dict(zip(row[::2], row[1::2], strict=True)), log, tokens, ttl_ms) if row else None

    def restore(self, copy: MatchCopy, seconds: int) -> None:
        """Store a match again, unless it is there."""
        keys = self._keys(copy.match)
        head: list[str | int] = ["0", seconds * 1000, keys[0], len(copy.row), len(copy.log)]
        fields = [text for pair in copy.row.items() for text in pair]
        self._restore(keys, [*head, *fields, *copy.log, *copy.tokens])

    def keep(self, match: str, seconds: int) -> None:
        """Extend the time to live of a match to so many seconds at least."""
        self._keep(self._keys(match), [seconds * 1000])

    def shorten(self, match: str, seconds: int) -> bool:
        """Shorten the time to live of a match to so many seconds at most."""
        return bool(self._shorten(self._keys(match), [seconds * 1000]))

    def _keys(self, match: str) -> list[str]:
        row = self._connection.key(f"{{{match}}}")
        return [row, f"{row}:log", f"{row}:tokens"]
