"""The store on Redis or Valkey: matches, their schedule and lists, and the check of its servers.

A match has three keys, hash-tagged so that a cluster keeps them in one slot: a hash with the row, a list with the log,
and a list with the request tokens beside its entries. The row also has the ids of the last calls of
`MatchStore.append`: by its id the script knows a call that is sent again because its reply was lost.
"""

from __future__ import annotations

import random
import re
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from redis import RedisError
from redis.exceptions import RedisClusterException, ResponseError

from chitarrella.storage import rows
from chitarrella.storage.counters import RedisSearchQueue
from chitarrella.storage.redis_connection import SERVER_DECIDES, Durability, ObserveCommand, RedisConnection, Script
from chitarrella.storage.redis_pubsub import Subscriptions
from chitarrella.storage.redis_url import Client, connect

__all__ = ["RedisStore", "connect"]


class RedisStore:
    """Everything that a worker needs of one database. Thread-safe."""

    def __init__(
        self,
        client: Client,
        prefix: str = "chitarrella",
        durability: Durability = SERVER_DECIDES,
        observe: ObserveCommand = lambda *_: None,
    ) -> None:
        """Keys begin with ``prefix``, writes wait for ``durability``, and ``observe`` is called after every command."""
        self.connection = RedisConnection(client, prefix, durability, observe)
        self.matches = MatchStore(self.connection)
        self.schedule = Schedule(self.connection, "schedule")
        self.searches = RedisSearchQueue(self.connection)
        self.index = PlatformIndex(self.connection)
        self.subscriptions = Subscriptions(self.connection)
        self._probe = Script(self.connection, "probe", is_durable=True)

    def secret(self) -> bytes:
        client, key = self.connection.client, self.connection.key("secret")
        self.connection.execute(lambda: client.set(key, secrets.token_hex(32), nx=True))
        return bytes.fromhex(self.connection.execute(lambda: client.get(key)))

    def probe(self) -> None:
        """Check that the server answers, has memory and replicas for a match, and the commands that this user needs."""
        name = self.connection.key("{probe}")
        self._probe([name, f"{name}:list", f"{name}:sorted_set", f"{name}:string"], [name])

    def close(self) -> None:
        self.connection.close()


class Schedule:
    """When something is due at a match, in milliseconds since 1970: a bot to move, or a clock that runs out."""

    def __init__(self, connection: RedisConnection, name: str) -> None:
        self._connection = connection
        self.key = connection.key(name)
        self._claim = Script(connection, "claim")

    def set(self, match: str, when: int | None) -> None:
        client = self._connection.client
        if when is None:
            self._connection.execute(lambda: client.zrem(self.key, match), name="schedule")
        else:
            self._connection.execute(lambda: client.zadd(self.key, {match: when}), name="schedule")

    def claim(self, now: int, lease: int, count: int) -> list[str]:
        """Claim at most ``count`` matches that are due; no other worker gets them for ``lease`` milliseconds."""
        return list(self._claim([self.key], [now, now + lease, count]))


class PlatformIndex:
    """The matches of each platform and term, in sorted sets; a hash holds the terms of each entry, so that it can be
    removed from every list when its match has expired.
    """

    def __init__(self, connection: RedisConnection) -> None:
        self._connection = connection
        self.expiries = Schedule(connection, "expiries")

    def _key(self, platform: str, term: str = "") -> str:
        return self._connection.key("platform", f"{platform} {term}" if term else platform)

    def _terms_key(self, platform: str) -> str:
        return self._connection.key("platform_terms", platform)

    def add(self, platform: str, entry: str, terms: Sequence[str], expires_at: int) -> None:
        """Add an entry, also to the lists of ``terms``; it is looked at again at ``expires_at``. Idempotent."""
        self._connection.send_together(lambda to: self.add_to(to, platform, entry, terms, expires_at), name="index")

    def add_to(self, pipeline: Any, platform: str, entry: str, terms: Sequence[str], expires_at: int) -> None:
        # past the methods of redis-py, which cost as much again
        pipeline.execute_command("ZADD", self.expiries.key, expires_at, f"{platform} {entry}")
        if terms:
            pipeline.hset(self._terms_key(platform), entry, " ".join(terms))
        for term in ("", *terms):
            pipeline.execute_command("ZADD", self._key(platform, term), 0, entry)

    def page(
        self, platform: str, after: str, count: int, term: str = "", *, since: str = "", ascending: bool = False
    ) -> list[str]:
        """Read entries behind ``after`` (empty: from the latest on, or if ``ascending`` from the earliest), of all
        matches or of the list of ``term``; none that lies before ``since``.
        """
        key, client = self._key(platform, term), self._connection.client
        lowest, bound = f"[{since}" if since else "-", f"({after}"
        if ascending:
            read = partial(client.zrangebylex, key, bound if after else lowest, "+", 0, count)
        else:
            read = partial(client.zrevrangebylex, key, bound if after else "+", lowest, 0, count)
        return list(self._connection.execute(read, name="index"))

    def remove(self, platform: str, entries: Iterable[str]) -> None:
        if not (removed := tuple(entries)):
            return
        terms_key = self._terms_key(platform)
        terms = self._connection.execute(lambda: self._connection.client.hmget(terms_key, *removed), name="index")

        def write(pipeline: Any) -> None:
            for entry, text in zip(removed, terms, strict=True):
                for term in (text or "").split():
                    pipeline.zrem(self._key(platform, term), entry)
            pipeline.zrem(self._key(platform), *removed)
            pipeline.hdel(terms_key, *removed)

        self._connection.send_together(write, name="index")


CALL_ID_BYTES = 4  # length of the random id of a call: enough that none of the last eight has the same
# The fields of a row that are read, in the order in which the scripts return them
ROW_FIELDS = (
    *("metadata", "length", "digest", "position", "revision", "aborted", "control", "earlier"),
    *("updated", "details", "reason", "turn_since", "seen"),
)


class MatchStore:
    """Rows and logs of matches. Every method may raise `StoreError`."""

    def __init__(self, connection: RedisConnection) -> None:
        self._connection = connection
        self._create, self._append, self._update, self._abort, self._delete, self._confirm = (
            Script(connection, name, is_durable=True)
            for name in ("create", "append", "update", "abort", "delete", "confirm")
        )
        self._note_seen = Script(connection, "note_seen").text

    def _announcement(self, platform: str, match: str, start: int) -> list[str]:
        """The channel of a platform and the announcement to it; both empty without a platform."""
        return [self._connection.key("platform", platform), f"{match} {start}"] if platform else ["", ""]

    def create(
        self,
        match: str,
        row: rows.MatchRow,
        entries: tuple[str, ...],
        ttl_seconds: int,
        platform: str = "",
        add_beside: Callable[[Any], object] | None = None,
    ) -> bool:
        """Store a new match and announce it to its ``platform``. False where the id is taken, or was until the match
        was deleted or archived. What ``add_beside`` adds to a pipeline is sent with it, and carried out in any case.
        """
        fields: list[str | int] = [row.metadata, row.length, row.log_digest, row.position, row.revision, row.control]
        fields += [*self._announcement(platform, match, 0), row.updated_at, *entries]
        keys, args = self._connection.match_keys_with_mark(match), [ttl_seconds * 1000, *fields]
        is_new = bool(self._create.with_commands(keys, args, add_beside) if add_beside else self._create(keys, args))
        if not is_new:
            self._confirm_earlier(match)
        return is_new

    def load(self, match: str, token: str = "") -> tuple[rows.MatchRow, int | None]:
        """Read the row, and the place in the log of what the request ``token`` added. Raises `NoSuchMatch`."""
        connection, position = self._connection, None
        row_key, _, tokens_key = connection.match_keys(match)
        read = "HMGET", row_key, *ROW_FIELDS
        if token:
            fields, position = connection.send_together(
                lambda to: to.execute_command(*read).lpos(tokens_key, token, rank=-1), row_key, "load"
            )
        else:
            fields = connection.execute(lambda: connection.client.execute_command(*read), row_key, "load")
        if fields[1] is None:
            raise rows.NoSuchMatch(match)
        if position is not None:
            self._confirm_earlier(match)
        return _row(fields), position

    def load_many(self, matches: Sequence[str]) -> list[rows.MatchRow | None]:
        def read(pipeline: Any) -> None:
            for match in matches:
                pipeline.hmget(self._connection.match_keys(match)[0], *ROW_FIELDS)

        found = self._connection.send_together(read, name="load_many")
        return [None if fields[1] is None else _row(fields) for fields in found]

    def append(
        self, match: str, after: rows.MatchRow, new: rows.NewEntries, token: str, ttl_seconds: int, platform: str = ""
    ) -> rows.Appended | rows.Conflict | rows.Duplicate:
        """Append entries right behind the row ``after``, in one atomic step. Where the revision rises the time to live
        is renewed: of what only some may know it tells nobody.

        ``token`` names the request; a token that is in the log already appends nothing. Raises `NoSuchMatch`. After a
        `StoreError` the entries may have been appended or not.
        """
        keys = self._connection.match_keys(match)
        row = after.extended(new)
        ttl_ms = ttl_seconds * 1000 if row.revision > after.revision else 0
        args: list[str | int] = [after.log_digest, token, ttl_ms, row.length, row.log_digest, row.position]
        call_id = random.randbytes(CALL_ID_BYTES).hex()
        args += [row.revision, row.control, keys[0], call_id, *self._announcement(platform, match, after.length)]
        args += [row.earlier, row.updated_at, row.turn_since, row.details, *new.entries]
        answer = self._append(keys, args)
        if answer[0] == "appended":
            return rows.Appended(row)
        if answer[0] == "duplicate":
            self._confirm_earlier(match)
            return rows.Duplicate(int(answer[1]))
        if answer[0] == "missing":
            raise rows.NoSuchMatch(match)
        return rows.Conflict(_row(answer[1:]))

    def _confirm_earlier(self, match: str) -> None:
        """Wait for the replicas and disks that the first call of a repeated request may not have waited for."""
        if self._connection.durability != SERVER_DECIDES:
            self._confirm(self._connection.match_keys(match)[:1], [])

    def read_log(self, match: str, start: int = 0) -> list[str]:
        key = self._connection.match_keys(match)[1]
        read: list[str] = self._connection.execute(
            lambda: self._connection.client.lrange(key, start, -1), key, "read_log"
        )
        return read

    def update(self, match: str, before: str, details: str, ttl_seconds: int, now: int = 0) -> bool:
        """Replace the details ``before`` of a match and, unless ``ttl_seconds`` is 0, its time to live from ``now`` on.
        False where others stand there.
        """
        answer = self._update(self._connection.match_keys(match), [before, details, ttl_seconds * 1000, now])
        if answer is None:
            raise rows.NoSuchMatch(match)
        return bool(answer)

    def note_seen(self, seats: Mapping[str, Iterable[int]], now: int) -> None:
        """Note that persons are at the table ``now``, in milliseconds since 1970; not where the match is gone."""

        def write(pipeline: Any) -> None:
            for match, found in seats.items():  # a pipeline for a cluster takes no EVALSHA
                pipeline.execute_command("EVAL", self._note_seen, 1, self._connection.match_keys(match)[0], now, *found)

        self._connection.send_together(write, name="note_seen")

    def abort(
        self, match: str, after: rows.MatchRow, ttl_seconds: int, platform: str = "", *, now: int = 0, reason: str = ""
    ) -> bool:
        """Abort a match right behind the row ``after`` and renew its time to live; False where others were faster."""
        keys, announcement = self._connection.match_keys(match), self._announcement(platform, match, rows.ABORTED)
        answer = self._abort(keys, [after.log_digest, ttl_seconds * 1000, keys[0], *announcement, now, reason])
        if answer is None:
            raise rows.NoSuchMatch(match)
        return bool(answer)

    def delete(self, match: str) -> None:
        keys = self._connection.match_keys(match)
        self._delete(keys, [keys[0]])


def _row(fields: list[str | None]) -> rows.MatchRow:
    metadata, length, digest, position, revision, aborted, control, *others = [text or "" for text in fields]
    earlier, updated, details, reason, since, seen = others
    numbers = int(length), digest, position, int(revision or 0)
    times = int(updated or 0), details, reason, int(since or 0)
    return rows.MatchRow(metadata, *numbers, bool(aborted), control, earlier, *times, seen=seen)


MINIMUM = (7, 0)  # the oldest version of Redis; Valkey names the version of Redis that it is compatible with
COMMAND_NAMES = (
    "get set del exists hset hget hmget hgetall hdel hexists hvals hkeys hlen rpush lrange lpos zadd zcard "
    "zrem zscore zrange zrangebyscore zrangebylex zrevrangebylex zremrangebylex zremrangebyrank sadd srem "
    "scard srandmember xadd xdel xack xclaim xpending xgroup xreadgroup xrange xlen pexpire pexpireat "
    "pexpiretime pttl persist eval evalsha publish subscribe unsubscribe scan wait spublish ssubscribe "
    "sunsubscribe"
)
COMMANDS = frozenset(COMMAND_NAMES.split())  # those that the service and its scripts send


def check_servers(connection: RedisConnection) -> list[str]:
    """Warnings about each server; raises `ValueError` where one is too old or lacks a command, `StoreError`."""
    warnings: list[str] = []
    for server in connection.masters():
        try:
            warnings += _check_version(server)
            warnings += _check_commands(server)
            warnings += _check_settings(server)
        except (RedisError, RedisClusterException, OSError) as error:
            raise rows.StoreError(type(error).__name__) from error
    return list(dict.fromkeys(warnings))


def _asked(command: Callable[[], Any]) -> Any:
    try:
        return command()
    except ResponseError:
        return None


def _check_version(server: Any) -> list[str]:
    if (info := _asked(lambda: server.info("server"))) is None:
        return ["the version of the store could not be checked: it refuses INFO"]
    text = str(info.get("redis_version", ""))
    found = re.match(r"(\d+)\.(\d+)", text)
    if not found:
        return ["the version of the store could not be checked: it names none"]
    if (int(found[1]), int(found[2])) < MINIMUM:
        minimum = ".".join(map(str, MINIMUM))
        raise ValueError(f"the store is version {text}; Redis {minimum} or newer is needed, or Valkey")
    return []


def _check_commands(server: Any) -> list[str]:
    if (known := _asked(server.command_list)) is None:
        return ["the commands of the store could not be checked: it refuses COMMAND"]
    if missing := COMMANDS - {str(name).lower() for name in known}:
        raise ValueError(f"the store has no command {', '.join(sorted(missing)).upper()}")
    return []


def _check_settings(server: Any) -> list[str]:
    settings = _asked(lambda: server.config_get("maxmemory", "maxmemory-policy", "appendonly")) or {}
    warnings = []
    policy = settings.get("maxmemory-policy", "noeviction")
    if policy != "noeviction":
        warnings.append(f"the store has maxmemory-policy {policy}: it deletes matches when memory runs out")
    if settings.get("appendonly") == "no":
        warnings.append("the store has appendonly no: moves that were acknowledged are lost when it is restarted")
    return warnings
