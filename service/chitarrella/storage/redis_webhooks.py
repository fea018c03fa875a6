"""Webhooks and their deliveries on Redis.

One hash holds all webhooks; beside it each has a sorted set of its latest deliveries, and its queue in the outbox. All
these keys are in one slot of a cluster, so that a webhook is created and deleted with its queue in one atomic step.
"""

from __future__ import annotations

import secrets
import time

from chitarrella.matches.webhooks import (
    DELIVERY_MS,
    MAX_DELIVERIES,
    DeliveryRecord,
    Webhook,
    oldest_delivery_id,
)
from chitarrella.storage.redis_connection import RedisConnection
from chitarrella.storage.redis_script import Script
from chitarrella.storage.webhook_codec import decode_record, decode_webhook, encode_record, encode_webhook

CONSUMER_GROUP = "workers"
"""The consumer group of every queue of deliveries."""
TAG = "{webhooks}"
"""The part that is common to all keys of webhooks; its braces put them into one slot of a cluster."""


def queue_key(connection: RedisConnection, webhook_id: str) -> str:
    """The key of the queue of a webhook."""
    return connection.key(TAG, webhook_id, "outbox")


class RedisWebhookStore:
    """Webhooks and records of their deliveries: both ports. Thread-safe."""

    def __init__(self, connection: RedisConnection) -> None:
        """Use ``connection``; nothing is sent yet."""
        self._connection = connection
        self._key, self._version_key = connection.key(TAG), connection.key(TAG, "version")
        self._create, self._replace, self._delete = (
            Script(connection, name, is_durable=True)
            for name in ("create_webhook", "replace_webhook", "delete_webhook")
        )
        self._put = Script(connection, "put_delivery")

    def _deliveries(self, webhook_id: str) -> str:
        return self._connection.key(TAG, webhook_id, "deliveries")

    def version(self) -> str:
        """A text that changes whenever any webhook does."""
        return self._connection.execute(lambda: self._connection.client.get(self._version_key)) or ""

    def all(self) -> list[Webhook]:
        """Read every webhook."""
        return list(map(decode_webhook, self._connection.execute(lambda: self._connection.client.hvals(self._key))))

    def create(self, webhook: Webhook, limit: int) -> Webhook | None:
        """Keep a new webhook."""
        keys = [self._key, self._version_key, queue_key(self._connection, webhook.webhook_id)]
        text = encode_webhook(webhook)
        kept = self._create(keys, [webhook.webhook_id, text, webhook.platform, limit, new_version(), CONSUMER_GROUP])
        return decode_webhook(kept) if kept else None

    def replace(self, before: Webhook, after: Webhook) -> bool:
        """Replace a webhook."""
        texts = [encode_webhook(before), encode_webhook(after)]
        return bool(self._replace([self._key, self._version_key], [before.webhook_id, *texts, new_version()]))

    def delete(self, webhook_id: str) -> None:
        """Delete a webhook."""
        own = [queue_key(self._connection, webhook_id), self._deliveries(webhook_id)]
        self._delete([self._key, self._version_key, *own], [webhook_id, new_version()])

    def put(self, webhook: Webhook, record: DeliveryRecord) -> None:
        """Keep a record."""
        needed = "" if webhook.configured else webhook.webhook_id
        oldest = oldest_delivery_id(_now_ms())
        keys = [self._key, self._deliveries(webhook.webhook_id)]
        self._put(keys, [needed, record.delivery_id, encode_record(record), MAX_DELIVERIES, oldest, DELIVERY_MS])

    def find(self, webhook: Webhook, delivery_id: str) -> DeliveryRecord | None:
        """Read a record."""
        key = self._deliveries(webhook.webhook_id)
        if delivery_id < oldest_delivery_id(_now_ms()):
            return None
        found = self._connection.execute(
            lambda: self._connection.client.zrangebylex(key, f"[{delivery_id} ", f"({delivery_id}!")
        )
        return decode_record(found[0]) if found else None

    def page(self, webhook: Webhook, before: str, count: int) -> list[DeliveryRecord]:
        """Read records, the latest first."""
        key, highest = self._deliveries(webhook.webhook_id), f"({before}" if before else "+"
        lowest = f"[{oldest_delivery_id(_now_ms())}"
        found = self._connection.execute(lambda: self._connection.client.zrevrangebylex(key, highest, lowest, 0, count))
        return list(map(decode_record, found))


def new_version() -> str:
    """A text that the version of the webhooks never was."""
    return secrets.token_hex(8)


def _now_ms() -> int:
    return int(time.time() * 1000)
