"""The store on Redis or Valkey."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from chitarrella.matches.store import (
    Announcement,
    Subscription,
    index_entry,
)
from chitarrella.storage.durability import SERVER_DECIDES, Durability
from chitarrella.storage.redis_connection import ObserveCommand, RedisConnection
from chitarrella.storage.redis_match_store import RedisMatchStore
from chitarrella.storage.redis_pubsub import Channels, RedisSubscription, open_unsharded
from chitarrella.storage.redis_script import Script
from chitarrella.storage.redis_searches import RedisSearchQueue
from chitarrella.storage.redis_shard_pubsub import ShardedSubscription
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
        client, channels = self._connection.client, Channels(f"{self._connection.prefix}:{{", "}", is_sharded=True)
        if self._connection.is_cluster:
            return ShardedSubscription(client, channels, lambda match, _: on_change(match))
        return RedisSubscription(client.pubsub, channels, lambda match, _: on_change(match))

    def open_platforms(self, on_change: Callable[[Announcement], None], on_loss: Callable[[], None]) -> Subscription:
        """Open a connection for platforms."""

        def announce(platform: str, text: str) -> None:
            match, _, start = text.partition(" ")
            on_change(Announcement(platform, match, int(start or 0)))

        channels = Channels(self._connection.key("platform", ""))
        return open_unsharded(self._connection, channels, announce, on_loss)
