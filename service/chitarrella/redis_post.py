"""The post on Redis: a stream for each platform, and a consumer group of which every worker is a member.

Redis counts how often a parcel was handed out, and how long ago; so the pauses between tries outlive every worker.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import partial
from typing import Any

from redis.exceptions import ResponseError

from chitarrella.post import Parcel
from chitarrella.redis_store import RedisStore
from chitarrella.store import StoreAway

GROUP = "workers"
AT_ONCE = 10
LOOKED_AT = 200
"""How many parcels that wait for another try are looked at in one go."""


class RedisPost:
    """Parcels on a Redis-like server; safe to be used by many threads."""

    def __init__(self, store: RedisStore) -> None:
        """Use the client of ``store``; nothing is sent yet."""
        self._store = store
        self._redis: Any = store.client
        self._worker = secrets.token_hex(8)
        self._opened: set[str] = set()

    def _key(self, platform: str) -> str:
        return f"{self._store.prefix}:post:{platform}"

    def announce(self, platform: str, match: str, start: int, stop: int) -> None:
        """Put down a parcel."""
        fields = {"match": match, "start": start, "stop": stop}
        self._store.ask(lambda: self._redis.xadd(self._key(platform), fields))

    def collect(self, platform: str, wait: int, pause: Callable[[int], int]) -> list[Parcel]:
        """Take parcels."""
        key = self._key(platform)
        try:
            self._open(key)
            again = self._due(key, pause)
            new = self._store.ask(partial(self._read, key, None if again else wait))
        except StoreAway:
            self._opened.discard(key)  # a server that has lost everything has lost the group too
            raise
        return again + [_parcel(*entry) for _, entries in new or () for entry in entries]

    def _read(self, key: str, wait: int | None) -> Any:
        return self._redis.xreadgroup(GROUP, self._worker, {key: ">"}, count=AT_ONCE, block=wait)

    def _open(self, key: str) -> None:
        """Make the group where there is none yet."""
        if key not in self._opened:
            self._store.ask(partial(self._create, key))
            self._opened.add(key)

    def _create(self, key: str) -> None:
        try:
            self._redis.xgroup_create(key, GROUP, id="0", mkstream=True)
        except ResponseError as error:
            if "BUSYGROUP" not in str(error):
                raise

    def _due(self, key: str, pause: Callable[[int], int]) -> list[Parcel]:
        """Take over the parcels whose pause is over; of several workers one alone is given each."""
        found: list[Parcel] = []
        for one in self._store.ask(partial(self._waiting, key, pause(1))):
            tries = int(one["times_delivered"])
            if int(one["time_since_delivered"]) >= pause(tries) and len(found) < AT_ONCE:
                claim = partial(self._redis.xclaim, key, GROUP, self._worker, pause(tries), [one["message_id"]])
                found += [_parcel(*entry)._replace(tries=tries + 1) for entry in self._store.ask(claim)]
        return found

    def _waiting(self, key: str, idle: int) -> Any:
        return self._redis.xpending_range(key, GROUP, "-", "+", LOOKED_AT, idle=idle)

    def hold(self, platform: str, parcel: Parcel, waited: int) -> None:
        """Put a parcel back."""
        key = self._key(platform)
        self._store.ask(
            lambda: self._redis.xclaim(key, GROUP, self._worker, 0, [parcel.name], idle=waited, justid=True)
        )

    def done(self, platform: str, parcel: Parcel) -> None:
        """Throw a parcel away."""
        key = self._key(platform)
        self._store.ask(lambda: self._redis.xack(key, GROUP, parcel.name))
        self._store.ask(lambda: self._redis.xdel(key, parcel.name))


def _parcel(name: str, fields: dict[str, str]) -> Parcel:
    return Parcel(name, fields["match"], int(fields["start"]), int(fields["stop"]))
