"""The store on Redis or Valkey.

A match has three keys, hash-tagged so that a cluster keeps them in one slot: a hash with the row, a list with the log,
and a list with the request tokens beside its entries. The row also has the ids of the last calls of
`RedisMatchStore.append`: by its id the script knows a call that is sent again because its reply was lost.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from chitarrella.matches.outbox import ABORTED
from chitarrella.matches.store import (
    Announcement,
    Appended,
    Conflict,
    Duplicate,
    MatchRow,
    NewEntries,
    NoSuchMatch,
    Subscription,
    index_entry,
)
from chitarrella.storage.durability import SERVER_DECIDES, Durability
from chitarrella.storage.redis_connection import ObserveCommand, RedisConnection
from chitarrella.storage.redis_pubsub import Channels, RedisSubscription
from chitarrella.storage.redis_script import Script
from chitarrella.storage.redis_searches import RedisSearchQueue
from chitarrella.storage.redis_url import Client, connect

__all__ = ["RedisStore", "connect"]

CALL_ID_BYTES = 4
ROW_FIELDS = ("metadata", "length", "digest", "position", "revision", "aborted", "control", "earlier")


class RedisStore:
    """Everything that a worker needs of one database. Thread-safe."""

    def __init__(
        self,
        client: Client,
        prefix: str = "chitarrella",
        durability: Durability = SERVER_DECIDES,
        observe: ObserveCommand = lambda *_: None,
    ) -> None:
        """Use ``client``; every key begins with ``prefix``, and writes wait for ``durability``. Nothing is sent yet.

        ``observe`` is called after every command.
        """
        self.connection = RedisConnection(client, prefix, durability, observe)
        self.matches = RedisMatchStore(self.connection)
        self.schedule = RedisSchedule(self.connection, "schedule")
        self.searches = RedisSearchQueue(self.connection)
        self.index = RedisPlatformIndex(self.connection)
        self.subscriptions = RedisSubscriptions(self.connection)
        self._probe = Script(self.connection, "probe", is_durable=True)

    def secret(self) -> bytes:
        """The secret that all workers share."""
        client, key = self.connection.client, self.connection.key("secret")
        self.connection.execute(lambda: client.set(key, secrets.token_hex(32), nx=True))
        return bytes.fromhex(self.connection.execute(lambda: client.get(key)))

    def probe(self) -> None:
        """Check that the server answers, has memory and replicas for a match, and the commands that this user needs."""
        name = self.connection.key("{probe}")
        self._probe([name, f"{name}:list", f"{name}:sorted_set", f"{name}:string"], [name])

    def close(self) -> None:
        """Close every connection."""
        self.connection.close()


class RedisMatchStore:
    """Rows and logs of matches."""

    def __init__(self, connection: RedisConnection) -> None:
        """Use ``connection``."""
        self._connection = connection
        self._create, self._append, self._abort, self._delete, self._confirm = (
            Script(connection, name, is_durable=True) for name in ("create", "append", "abort", "delete", "confirm")
        )

    def _keys(self, match: str) -> list[str]:
        """The keys of the row, the log and the tokens; that of the row is also the channel of its changes."""
        row = self._connection.key(f"{{{match}}}")
        return [row, f"{row}:log", f"{row}:tokens"]

    def _announcement(self, platform: str, match: str, start: int) -> list[str]:
        """The channel of a platform and the announcement to it; both empty without a platform."""
        return [self._connection.key("platform", platform), f"{match} {start}"] if platform else ["", ""]

    def create(self, match: str, row: MatchRow, entries: tuple[str, ...], ttl_seconds: int, platform: str = "") -> bool:
        """Store a new match."""
        fields: list[str | int] = [row.metadata, row.length, row.log_digest, row.position, row.revision, row.control]
        announcement = self._announcement(platform, match, 0)
        is_new = bool(self._create(self._keys(match), [ttl_seconds * 1000, *fields, *announcement, *entries]))
        if not is_new:
            self._confirm_earlier(match)
        return is_new

    def load(self, match: str, token: str = "") -> tuple[MatchRow, int | None]:
        """Read the row."""
        row_key, _, tokens_key = self._keys(match)

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
                pipeline.hmget(self._keys(match)[0], *ROW_FIELDS)
            return pipeline.execute()

        return [
            None if fields[1] is None else _row(fields) for fields in self._connection.execute(read, name="load_many")
        ]

    def append(
        self, match: str, after: MatchRow, new: NewEntries, token: str, ttl_seconds: int, platform: str = ""
    ) -> Appended | Conflict | Duplicate:
        """Append entries behind a row."""
        keys = self._keys(match)
        row = after.extended(new)
        args: list[str | int] = [after.log_digest, token, ttl_seconds * 1000, row.length, row.log_digest]
        args += [row.position, row.revision, row.control, keys[0], secrets.token_hex(CALL_ID_BYTES)]
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
            self._confirm(self._keys(match)[:1], [])

    def read_log(self, match: str, start: int = 0) -> list[str]:
        """Read the log."""
        log_key = self._keys(match)[1]
        return list(
            self._connection.execute(lambda: self._connection.client.lrange(log_key, start, -1), log_key, "read_log")
        )

    def abort(self, match: str, platform: str = "") -> None:
        """Mark a match as aborted."""
        row_key = self._keys(match)[0]
        if not self._abort([row_key], [row_key, *self._announcement(platform, match, ABORTED)]):
            raise NoSuchMatch(match)

    def delete(self, match: str) -> None:
        """Delete a match."""
        keys = self._keys(match)
        self._delete(keys, [keys[0]])


class RedisSchedule:
    """Due times of matches, in a sorted set."""

    def __init__(self, connection: RedisConnection, name: str) -> None:
        """Use ``connection``; ``name`` is that of the sorted set."""
        self._connection = connection
        self._key = connection.key(name)
        self._claim = Script(connection, "claim")

    def set(self, match: str, when: int | None) -> None:
        """Set when the match is due next."""
        client = self._connection.client
        if when is None:
            self._connection.execute(lambda: client.zrem(self._key, match), name="schedule")
        else:
            self._connection.execute(lambda: client.zadd(self._key, {match: when}), name="schedule")

    def claim(self, now: int, lease: int, count: int) -> list[str]:
        """Claim matches that are due."""
        return list(self._claim([self._key], [now, now + lease, count]))


class RedisPlatformIndex:
    """The matches of each platform and term, in sorted sets that sort by entry.

    A hash holds the terms of each entry, so that it can be removed from every list when its match has expired.
    """

    def __init__(self, connection: RedisConnection) -> None:
        """Use ``connection``."""
        self._connection = connection
        self.expiries = RedisSchedule(connection, "expiries")

    def _key(self, platform: str, term: str = "") -> str:
        """The key of a list; neither the name of a platform nor a term has a space."""
        return self._connection.key("platform", f"{platform} {term}" if term else platform)

    def _terms_key(self, platform: str) -> str:
        return self._connection.key("platform_terms", platform)

    def add(self, platform: str, match: str, created_at: int, terms: Sequence[str] = ()) -> None:
        """Add a match; its terms first, so that no list can have an entry that would not be removed."""
        entry = index_entry(match, created_at)

        def write() -> Any:
            pipeline = self._connection.client.pipeline(transaction=False)
            if terms:
                pipeline.hset(self._terms_key(platform), entry, " ".join(terms))
            for term in ("", *terms):
                pipeline.zadd(self._key(platform, term), {entry: 0})
            return pipeline.execute()

        self._connection.execute(write, name="index")

    def page(self, platform: str, after: str, count: int, term: str = "") -> list[str]:
        """Read entries, the latest first."""
        key, highest = self._key(platform, term), f"({after}" if after else "+"
        client = self._connection.client
        return list(self._connection.execute(lambda: client.zrevrangebylex(key, highest, "-", 0, count), name="index"))

    def remove(self, platform: str, entries: Iterable[str]) -> None:
        """Remove entries; their terms last, so that a removal that was cut off can be repeated."""
        if not (removed := tuple(entries)):
            return
        terms_key = self._terms_key(platform)
        terms = self._connection.execute(lambda: self._connection.client.hmget(terms_key, *removed), name="index")

        def write() -> Any:
            pipeline = self._connection.client.pipeline(transaction=False)
            for entry, text in zip(removed, terms, strict=True):
                for term in (text or "").split():
                    pipeline.zrem(self._key(platform, term), entry)
            pipeline.zrem(self._key(platform), *removed)
            pipeline.hdel(terms_key, *removed)
            return pipeline.execute()

        self._connection.execute(write, name="index")


class RedisSubscriptions:
    """Notification of changes, over pub/sub."""

    def __init__(self, connection: RedisConnection) -> None:
        """Use ``connection``."""
        self._connection = connection

    def open(self, on_change: Callable[[str], None]) -> Subscription:
        """Open a connection for matches."""
        channels = Channels(f"{self._connection.prefix}:{{", "}")
        return RedisSubscription(self._connection.client, channels, lambda match, _: on_change(match))

    def open_platforms(self, on_change: Callable[[Announcement], None], on_loss: Callable[[], None]) -> Subscription:
        """Open a connection for platforms."""

        def announce(platform: str, text: str) -> None:
            match, _, start = text.partition(" ")
            on_change(Announcement(platform, match, int(start or 0)))

        channels = Channels(self._connection.key("platform", ""))
        return RedisSubscription(self._connection.client, channels, announce, on_loss)


def _row(fields: list[str | None]) -> MatchRow:
    metadata, length, digest, position, revision, aborted, control, earlier = (field or "" for field in fields)
    return MatchRow(metadata, int(length or 0), digest, position, int(revision or 0), bool(aborted), control, earlier)
