"""The outbox on Redis: a stream for each platform, and a consumer group of which every worker is a member.

Redis counts how often a delivery was handed out, and how long ago; so the pauses between attempts outlive every worker.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import partial
from typing import Any

from redis.exceptions import ResponseError

from chitarrella.matches.outbox import Delivery
from chitarrella.matches.store import StoreError
from chitarrella.storage.redis_connection import RedisConnection

CONSUMER_GROUP = "workers"
BATCH = 10
MAX_SCANNED = 200
"""How many deliveries that wait for another attempt are looked at in one call."""


class RedisOutbox:
    """Deliveries that wait. Thread-safe."""

    def __init__(self, connection: RedisConnection) -> None:
        """Use ``connection``; nothing is sent yet."""
        self._connection = connection
        self._redis: Any = connection.client
        self._worker = secrets.token_hex(8)
        self._with_group: set[str] = set()

    def _key(self, platform: str) -> str:
        return self._connection.key("outbox", platform)

    def enqueue(self, platform: str, match: str, start: int, stop: int) -> None:
        """Add a delivery."""
        fields = {"match": match, "start": start, "stop": stop}
        self._connection.execute(lambda: self._redis.xadd(self._key(platform), fields))

    def lease(self, platform: str, wait: int, pause: Callable[[int], int]) -> list[Delivery]:
        """Take deliveries."""
        key = self._key(platform)
        try:
            self._ensure_group(key)
            due = self._due(key, pause)
            new = self._connection.execute(partial(self._read, key, None if due else wait))
        except StoreError:
            self._with_group.discard(key)  # a server that has lost everything has lost the group too
            raise
        return due + [_delivery(*entry) for _, entries in new or () for entry in entries]

    def _read(self, key: str, wait: int | None) -> Any:
        return self._redis.xreadgroup(CONSUMER_GROUP, self._worker, {key: ">"}, count=BATCH, block=wait)

    def _ensure_group(self, key: str) -> None:
        """Create the consumer group where there is none yet."""
        if key not in self._with_group:
            self._connection.execute(partial(self._create_group, key))
            self._with_group.add(key)

    def _create_group(self, key: str) -> None:
        try:
            self._redis.xgroup_create(key, CONSUMER_GROUP, id="0", mkstream=True)
        except ResponseError as error:
            if "BUSYGROUP" not in str(error):
                raise

    def _due(self, key: str, pause: Callable[[int], int]) -> list[Delivery]:
        """Claim the deliveries whose pause is over; of several workers only one gets each."""
        found: list[Delivery] = []
        for one in self._connection.execute(partial(self._pending, key, pause(1))):
            tries = int(one["times_delivered"])
            if int(one["time_since_delivered"]) >= pause(tries) and len(found) < BATCH:
                claim = partial(
                    self._redis.xclaim, key, CONSUMER_GROUP, self._worker, pause(tries), [one["message_id"]]
                )
                found += [_delivery(*entry)._replace(tries=tries + 1) for entry in self._connection.execute(claim)]
        return found

    def _pending(self, key: str, idle: int) -> Any:
        return self._redis.xpending_range(key, CONSUMER_GROUP, "-", "+", MAX_SCANNED, idle=idle)

    def release(self, platform: str, delivery: Delivery, waited: int) -> None:
        """Return a delivery to the queue."""
        key, ids = self._key(platform), [delivery.name]
        self._connection.execute(
            lambda: self._redis.xclaim(key, CONSUMER_GROUP, self._worker, 0, ids, idle=waited, justid=True)
        )

    def ack(self, platform: str, delivery: Delivery) -> None:
        """Remove a delivery."""
        key = self._key(platform)
        self._connection.execute(lambda: self._redis.xack(key, CONSUMER_GROUP, delivery.name))
        self._connection.execute(lambda: self._redis.xdel(key, delivery.name))


def _delivery(name: str, fields: dict[str, str]) -> Delivery:
    return Delivery(name, fields["match"], int(fields["start"]), int(fields["stop"]))
