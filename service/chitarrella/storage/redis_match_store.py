"""The rows and logs of matches on Redis or Valkey.

A match has three keys, hash-tagged so that a cluster keeps them in one slot: a hash with the row, a list with the log,
and a list with the request tokens beside its entries. The row also has the ids of the last calls of
`RedisMatchStore.append`: by its id the script knows a call that is sent again because its reply was lost.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from chitarrella.matches.outbox import ABORTED
from chitarrella.matches.store import Appended, Conflict, Duplicate, MatchRow, NewEntries, NoSuchMatch
from chitarrella.storage.durability import SERVER_DECIDES
from chitarrella.storage.redis_connection import RedisConnection
from chitarrella.storage.redis_script import Script

CALL_ID_BYTES = 4
"""Length of the random id of a call: enough that none of the last eight has the same."""
ROW_FIELDS = ("metadata", "length", "digest", "position", "revision", "aborted", "control", "earlier")
"""The fields of a row that are read, in the order in which the scripts return them."""


class RedisMatchStore:
    """Rows and logs of matches."""

    def __init__(self, connection: RedisConnection) -> None:
        """Use ``connection``."""
        self._connection = connection
        self._create, self._append, self._abort, self._delete, self._confirm = (
            Script(connection, name, is_durable=True) for name in ("create", "append", "abort", "delete", "confirm")
        )

    def _announcement(self, platform: str, match: str, start: int) -> list[str]:
        """The channel of a platform and the announcement to it; both empty without a platform."""
        return [self._connection.key("platform", platform), f"{match} {start}"] if platform else ["", ""]

    def create(self, match: str, row: MatchRow, entries: tuple[str, ...], ttl_seconds: int, platform: str = "") -> bool:
        """Store a new match."""
        fields: list[str | int] = [row.metadata, row.length, row.log_digest, row.position, row.revision, row.control]
        fields += [*self._announcement(platform, match, 0), *entries]
        is_new = bool(self._create(self._connection.match_keys(match), [ttl_seconds * 1000, *fields]))
        if not is_new:
            self._confirm_earlier(match)
        return is_new

    def load(self, match: str, token: str = "") -> tuple[MatchRow, int | None]:
        """Read the row."""
        row_key, _, tokens_key = self._connection.match_keys(match)

        def read() -> Any:
            pipeline = self._connection.client.pipeline(transaction=False)
            pipeline.hmget(row_key, *ROW_FIELDS)
            if token:
                pipeline.lpos(tokens_key, token, rank=-1)
            return pipeline.execute()

        fields, *position = self._connection.execute(read, row_key, "load")
        if fields[1] is None:
            raise NoSuchMatch(match)
        if any(place is not None for place in position):
            self._confirm_earlier(match)
        return _row(fields), position[0] if position else None

    def load_many(self, matches: Sequence[str]) -> list[MatchRow | None]:
        """Read several rows in one pipeline."""

        def read() -> Any:
            pipeline = self._connection.client.pipeline(transaction=False)
            for match in matches:
                pipeline.hmget(self._connection.match_keys(match)[0], *ROW_FIELDS)
            return pipeline.execute()

        rows = self._connection.execute(read, name="load_many")
        return [None if fields[1] is None else _row(fields) for fields in rows]

    def append(
        self, match: str, after: MatchRow, new: NewEntries, token: str, ttl_seconds: int, platform: str = ""
    ) -> Appended | Conflict | Duplicate:
        """Append entries behind a row."""
        keys = self._connection.match_keys(match)
        row = after.extended(new)
        args: list[str | int] = [after.log_digest, token, ttl_seconds * 1000, row.length, row.log_digest, row.position]
        args += [row.revision, row.control, keys[0], secrets.token_hex(CALL_ID_BYTES)]
        args += [*self._announcement(platform, match, after.length), row.earlier, *new.entries]
        answer = self._append(keys, args)
        if answer[0] == "appended":
            return Appended(row)
        if answer[0] == "duplicate":
            self._confirm_earlier(match)
            return Duplicate(int(answer[1]))
        if answer[0] == "missing":
            raise NoSuchMatch(match)
        return Conflict(_row(answer[1:]))

    def _confirm_earlier(self, match: str) -> None:
        """Wait for the replicas and disks that the first call of a repeated request may not have waited for."""
        if self._connection.durability != SERVER_DECIDES:
            self._confirm(self._connection.match_keys(match)[:1], [])

    def read_log(self, match: str, start: int = 0) -> list[str]:
        """Read the log."""
        key = self._connection.match_keys(match)[1]
        read: list[str] = self._connection.execute(
            lambda: self._connection.client.lrange(key, start, -1), key, "read_log"
        )
        return read

    def abort(self, match: str, platform: str = "") -> None:
        """Mark a match as aborted."""
        row_key = self._connection.match_keys(match)[0]
        if not self._abort([row_key], [row_key, *self._announcement(platform, match, ABORTED)]):
            raise NoSuchMatch(match)

    def delete(self, match: str) -> None:
        """Delete a match."""
        keys = self._connection.match_keys(match)
        self._delete(keys, [keys[0]])


def _row(fields: list[str | None]) -> MatchRow:
    metadata, length, digest, position, revision, aborted, control, earlier = (text or "" for text in fields)
    return MatchRow(metadata, int(length), digest, position, int(revision or 0), bool(aborted), control, earlier)
