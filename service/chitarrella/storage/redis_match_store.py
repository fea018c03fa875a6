"""The rows and logs of matches on Redis or Valkey.

A match has three keys, hash-tagged so that a cluster keeps them in one slot: a hash with the row, a list with the log,
and a list with the request tokens beside its entries. The row also has the ids of the last calls of
`RedisMatchStore.append`: by its id the script knows a call that is sent again because its reply was lost.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from functools import partial
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
        self._cipher = connection.cipher
        self._create, self._append, self._abort, self._delete, self._confirm = (
            Script(connection, name, is_durable=True) for name in ("create", "append", "abort", "delete", "confirm")
        )

    def _announcement(self, platform: str, match: str, start: int) -> list[str]:
        """The channel of a platform and the announcement to it; both empty without a platform."""
        return [self._connection.key("platform", platform), f"{match} {start}"] if platform else ["", ""]

    def create(self, match: str, row: MatchRow, entries: tuple[str, ...], ttl_seconds: int, platform: str = "") -> bool:
        """Store a new match."""
        seal = partial(self._cipher.seal, match)
        fields: list[str | int] = [seal("metadata", row.metadata), row.length, seal("digest", row.log_digest)]
        fields += [seal("position", row.position), row.revision, seal("control", row.control)]
        fields += [*self._announcement(platform, match, 0), *self._cipher.seal_log(match, entries, 0)]
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
        return self._row(match, fields), position[0] if position else None

    def load_many(self, matches: Sequence[str]) -> list[MatchRow | None]:
        """Read several rows in one pipeline."""

        def read() -> Any:
            pipeline = self._connection.client.pipeline(transaction=False)
            for match in matches:
                pipeline.hmget(self._connection.match_keys(match)[0], *ROW_FIELDS)
            return pipeline.execute()

        rows = zip(matches, self._connection.execute(read, name="load_many"), strict=True)
        return [None if fields[1] is None else self._row(match, fields) for match, fields in rows]

    def append(
        self, match: str, after: MatchRow, new: NewEntries, token: str, ttl_seconds: int, platform: str = ""
    ) -> Appended | Conflict | Duplicate:
        """Append entries behind a row."""
        keys = self._connection.match_keys(match)
        row, seal = after.extended(new), partial(self._cipher.seal, match)
        args: list[str | int] = [token, ttl_seconds * 1000, row.length, seal("digest", row.log_digest)]
        args += [seal("position", row.position), row.revision, seal("control", row.control), keys[0]]
        args += [secrets.token_hex(CALL_ID_BYTES), *self._announcement(platform, match, after.length)]
        args += [seal("earlier", row.earlier), *self._cipher.seal_log(match, new.entries, after.length)]
        expected = seal("digest", after.log_digest)
        answer = self._append(keys, [expected, *args])
        if answer[0] == "conflict" and not answer[6] and answer[3] != expected:
            kept = answer[3]  # it may be the digest that was read, in clear text or under an earlier key
            if self._cipher.open(match, "digest", kept) == after.log_digest:
                answer = self._append(keys, [kept, *args])
        if answer[0] == "appended":
            return Appended(row)
        if answer[0] == "duplicate":
            self._confirm_earlier(match)
            return Duplicate(int(answer[1]))
        if answer[0] == "missing":
            raise NoSuchMatch(match)
        return Conflict(self._row(match, answer[1:]))

    def _confirm_earlier(self, match: str) -> None:
        """Wait for the replicas and disks that the first call of a repeated request may not have waited for."""
        if self._connection.durability != SERVER_DECIDES:
            self._confirm(self._connection.match_keys(match)[:1], [])

    def read_log(self, match: str, start: int = 0) -> list[str]:
        """Read the log."""
        key = self._connection.match_keys(match)[1]
        read = self._connection.execute(lambda: self._connection.client.lrange(key, start, -1), key, "read_log")
        return self._cipher.open_log(match, read, start)

    def _row(self, match: str, fields: list[str | None]) -> MatchRow:
        """Decode a row."""
        row = self._cipher.open_row(match, {name: text or "" for name, text in zip(ROW_FIELDS, fields, strict=True)})
        revision, is_aborted = int(row["revision"] or 0), bool(row["aborted"])
        return MatchRow(
            row["metadata"],
            int(row["length"]),
            row["digest"],
            row["position"],
            revision,
            is_aborted,
            row["control"],
            row["earlier"],
        )

    def abort(self, match: str, platform: str = "") -> None:
        """Mark a match as aborted."""
        row_key = self._connection.match_keys(match)[0]
        if not self._abort([row_key], [row_key, *self._announcement(platform, match, ABORTED)]):
            raise NoSuchMatch(match)

    def delete(self, match: str) -> None:
        """Delete a match."""
        keys = self._connection.match_keys(match)
        self._delete(keys, [keys[0]])
