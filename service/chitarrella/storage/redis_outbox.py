"""The outbox on Redis: a stream for each webhook, and a consumer group of which every worker is a member.

Redis counts how often a delivery was handed out, and how long ago; so the pauses between attempts outlive every worker.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from redis.exceptions import ResponseError

from chitarrella.matches.backlog import Backlog
from chitarrella.matches.outbox import Delivery, NoSuchQueue
from chitarrella.matches.store import StoreError
from chitarrella.matches.webhooks import Webhook
from chitarrella.storage.redis_connection import RedisConnection
from chitarrella.storage.redis_webhooks import CONSUMER_GROUP, queue_key

MAX_SCANNED = 200
"""How many deliveries that wait for another attempt are looked at in one call."""


T = TypeVar("T")


class RedisOutbox:
    """Deliveries that wait. Thread-safe."""

    def __init__(self, connection: RedisConnection) -> None:
        """Use ``connection``; nothing is sent yet."""
        self._connection = connection
        self._worker = secrets.token_hex(8)
        self._with_group: set[str] = set()

    def _key(self, webhook: Webhook) -> str:
        return queue_key(self._connection, webhook.webhook_id)

    def enqueue(self, webhooks: Sequence[Webhook], match: str, start: int, stop: int, record: str = "") -> None:
        """Add a delivery to the queue of each webhook; that of a deleted one is not created again."""
        if not webhooks:
            return
        fields = {"match": match, "start": start, "stop": stop, **({"record": record} if record else {})}

        def add() -> None:
            pipeline = self._connection.client.pipeline(transaction=False)
            for webhook in webhooks:
                pipeline.xadd(self._key(webhook), fields, nomkstream=not webhook.configured)
            pipeline.execute()

        self._connection.execute(add)

    def take_new(self, webhook: Webhook, count: int, wait: int) -> list[Delivery]:
        """Lease deliveries that nobody had yet."""
        found = self._in_queue(webhook, lambda key: self._connection.execute(partial(self._read, key, count, wait)))
        return [_delivery(*entry) for _, entries in found or () for entry in entries]

    def take_due(self, webhook: Webhook, count: int, pause: Callable[[int], int]) -> list[Delivery]:
        """Lease deliveries that may be tried again."""
        return self._in_queue(webhook, lambda key: self._due(key, count, pause))

    def _in_queue(self, webhook: Webhook, take: Callable[[str], T]) -> T:
        """Take from the queue of a webhook, whose consumer group is there."""
        key = self._key(webhook)
        try:
            if webhook.configured:
                self._ensure_group(key)
            return take(key)
        except StoreError:
            self._with_group.discard(key)  # a server that has lost everything has lost the group too
            raise

    def _read(self, key: str, count: int, wait: int) -> Any:
        return self._in_group(
            key,
            lambda: self._connection.client.xreadgroup(
                CONSUMER_GROUP, self._worker, {key: ">"}, count=count, block=wait
            ),
        )

    def _in_group(self, key: str, command: Callable[[], Any]) -> Any:
        """Run a command that needs the consumer group, which was created with the webhook and is deleted with it."""
        try:
            return command()
        except ResponseError as error:
            if key in self._with_group or not str(error).startswith(("NOGROUP", "UNBLOCKED")):
                raise
            raise NoSuchQueue(key) from error

    def _ensure_group(self, key: str) -> None:
        """Create the consumer group of a configured webhook where there is none yet."""
        if key not in self._with_group:
            self._connection.execute(partial(self._create_group, key))
            self._with_group.add(key)

    def _create_group(self, key: str) -> None:
        try:
            self._connection.client.xgroup_create(key, CONSUMER_GROUP, id="0", mkstream=True)
        except ResponseError as error:
            if "BUSYGROUP" not in str(error):
                raise

    def _due(self, key: str, count: int, pause: Callable[[int], int]) -> list[Delivery]:
        """Claim the deliveries whose pause is over; of several workers only one gets each."""
        found: list[Delivery] = []
        for one in self._connection.execute(partial(self._pending, key, pause(1))):
            tries = int(one["times_delivered"])
            if int(one["time_since_delivered"]) >= pause(tries) and len(found) < count:
                claim = partial(
                    self._connection.client.xclaim, key, CONSUMER_GROUP, self._worker, pause(tries), [one["message_id"]]
                )
                found += [_delivery(*entry)._replace(tries=tries + 1) for entry in self._connection.execute(claim)]
        return found

    def _pending(self, key: str, idle: int) -> Any:
        return self._in_group(
            key, lambda: self._connection.client.xpending_range(key, CONSUMER_GROUP, "-", "+", MAX_SCANNED, idle=idle)
        )

    def release(self, webhook: Webhook, delivery: Delivery, waited: int) -> None:
        """Return a delivery to the queue."""
        key, ids = self._key(webhook), [delivery.name]
        claim = partial(
            self._connection.client.xclaim, key, CONSUMER_GROUP, self._worker, 0, ids, idle=waited, justid=True
        )
        self._connection.execute(lambda: self._in_group(key, claim))

    def ack(self, webhook: Webhook, delivery: Delivery) -> None:
        """Remove a delivery."""
        key = self._key(webhook)

        def remove() -> None:
            pipeline = self._connection.client.pipeline(transaction=False)
            pipeline.xack(key, CONSUMER_GROUP, delivery.name)
            pipeline.xdel(key, delivery.name)
            pipeline.execute()

        self._connection.execute(remove)

    def backlog(self, webhooks: Sequence[Webhook]) -> Backlog:
        """Count the deliveries to these webhooks: their ids begin with the time at which they were queued."""

        def read() -> Any:
            pipeline = self._connection.client.pipeline(transaction=False)
            for webhook in webhooks:
                pipeline.xlen(self._key(webhook))
                pipeline.xrange(self._key(webhook), count=1)
            return pipeline.execute()

        replies = self._connection.execute(read) if webhooks else []
        times = [int(name.partition("-")[0]) for entries in replies[1::2] for name, _ in entries]
        return Backlog(sum(replies[::2]), min(times, default=0))


def _delivery(name: str, fields: dict[str, str]) -> Delivery:
    start, stop = int(fields["start"]), int(fields["stop"])
    return Delivery(name, fields["match"], start, stop, record=fields.get("record", ""))
