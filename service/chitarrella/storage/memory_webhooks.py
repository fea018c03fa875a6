"""Webhooks and their deliveries in the memory of one process. Thread-safe."""

from __future__ import annotations

import threading
import time
from collections import defaultdict

from chitarrella.matches.webhooks import MAX_DELIVERIES, DeliveryRecord, Webhook, oldest_delivery_id


class MemoryWebhookStore:
    """Webhooks and records of their deliveries: both ports."""

    def __init__(self) -> None:
        """Create an empty store."""
        self._lock = threading.RLock()
        self._version = 0
        self._webhooks: dict[str, Webhook] = {}
        self._deliveries: defaultdict[str, dict[str, DeliveryRecord]] = defaultdict(dict)

    def version(self) -> str:
        """A text that changes whenever any webhook does."""
        return str(self._version or "")

    def all(self) -> list[Webhook]:
        """Read every webhook."""
        with self._lock:
            return list(self._webhooks.values())

    def create(self, webhook: Webhook, limit: int) -> Webhook | None:
        """Keep a new webhook."""
        with self._lock:
            if kept := self._webhooks.get(webhook.webhook_id):
                return kept
            if sum(one.platform == webhook.platform for one in self._webhooks.values()) >= limit:
                return None
            self._webhooks[webhook.webhook_id] = webhook
            self._version += 1
            return webhook

    def replace(self, before: Webhook, after: Webhook) -> bool:
        """Replace a webhook."""
        with self._lock:
            if (kept := self._webhooks.get(before.webhook_id)) != before:
                return kept == after
            self._webhooks[before.webhook_id] = after
            self._version += 1
            return True

    def delete(self, webhook_id: str) -> None:
        """Delete a webhook."""
        with self._lock:
            self._deliveries.pop(webhook_id, None)
            self._version += self._webhooks.pop(webhook_id, None) is not None

    def put(self, webhook: Webhook, record: DeliveryRecord) -> None:
        """Keep a record."""
        with self._lock:
            if webhook.configured or webhook.webhook_id in self._webhooks:
                records = {**self._kept(webhook), record.delivery_id: record}
                latest = sorted(records, reverse=True)[:MAX_DELIVERIES]
                self._deliveries[webhook.webhook_id] = {one: records[one] for one in latest}

    def _kept(self, webhook: Webhook) -> dict[str, DeliveryRecord]:
        """The records of a webhook, the latest first, without those that are too old."""
        oldest = oldest_delivery_id(int(time.time() * 1000))
        with self._lock:
            records = self._deliveries.get(webhook.webhook_id, {})
            return {name: record for name, record in records.items() if name >= oldest}

    def find(self, webhook: Webhook, delivery_id: str) -> DeliveryRecord | None:
        """Read a record."""
        return self._kept(webhook).get(delivery_id)

    def page(self, webhook: Webhook, before: str, count: int) -> list[DeliveryRecord]:
        """Read records, the latest first."""
        found = (record for name, record in self._kept(webhook).items() if not before or name < before)
        return list(found)[:count]
