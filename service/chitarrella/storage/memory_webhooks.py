"""Webhooks, their deliveries and their queues in the memory of one process. Thread-safe."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import count as numbers

from chitarrella.matches.backlog import Backlog
from chitarrella.matches.outbox import Delivery, NoSuchQueue
from chitarrella.matches.webhooks import MAX_DELIVERIES, DeliveryRecord, Webhook, oldest_delivery_id


class MemoryWebhookStore:
    """The webhooks that were created by calls. The functions in ``on_delete`` get the id of each deleted webhook."""

    def __init__(self) -> None:
        """Create an empty store."""
        self.on_delete: list[Callable[[str], object]] = []
        self._lock, self._version = threading.RLock(), 0
        self._webhooks: dict[str, Webhook] = {}

    def __contains__(self, webhook: Webhook) -> bool:
        """Whether a webhook was not deleted; one that stands in the settings never is."""
        return webhook.configured or webhook.webhook_id in self._webhooks

    def version(self) -> str:
        """A text that changes whenever any webhook does."""
        return str(self._version or "")

    def all(self) -> list[Webhook]:
        """Read every webhook."""
        return list(self._webhooks.copy().values())

    def create(self, webhook: Webhook, limit: int) -> Webhook | None:
        """Keep a new webhook."""
        with self._lock:
            if kept := self._webhooks.get(webhook.webhook_id):
                return kept
            if sum(one.platform == webhook.platform for one in self._webhooks.values()) >= limit:
                return None
            self._put(webhook)
            return webhook

    def replace(self, before: Webhook, after: Webhook) -> bool:
        """Replace a webhook."""
        with self._lock:
            if (kept := self._webhooks.get(before.webhook_id)) != before:
                return kept == after
            self._put(after)
            return True

    def _put(self, webhook: Webhook) -> None:
        self._webhooks[webhook.webhook_id] = webhook
        self._version += 1

    def delete(self, webhook_id: str) -> None:
        """Delete a webhook."""
        with self._lock:
            self._version += self._webhooks.pop(webhook_id, None) is not None
            for forget in self.on_delete:
                forget(webhook_id)


class MemoryDeliveryStore:
    """The deliveries of each webhook."""

    def __init__(self, webhooks: MemoryWebhookStore) -> None:
        """Create an empty store; records of a webhook go with it."""
        self._webhooks = webhooks
        self._lock = threading.Lock()
        self._of: dict[str, dict[str, DeliveryRecord]] = {}
        webhooks.on_delete.append(lambda webhook_id: self._of.pop(webhook_id, None))

    def put(self, webhook: Webhook, record: DeliveryRecord) -> None:
        """Keep a record."""
        with self._lock:
            if webhook in self._webhooks:
                records = {**self._kept(webhook), record.delivery_id: record}
                latest = sorted(records, reverse=True)[:MAX_DELIVERIES]
                self._of[webhook.webhook_id] = {one: records[one] for one in latest}

    def _kept(self, webhook: Webhook) -> dict[str, DeliveryRecord]:
        """The records of a webhook, the latest first, without those that are too old."""
        oldest = oldest_delivery_id(int(time.time() * 1000))
        records = self._of.get(webhook.webhook_id, {})
        return {name: record for name, record in records.items() if name >= oldest}

    def find(self, webhook: Webhook, delivery_id: str) -> DeliveryRecord | None:
        """Read a record."""
        return self._kept(webhook).get(delivery_id)

    def page(self, webhook: Webhook, before: str, count: int) -> list[DeliveryRecord]:
        """Read records, the latest first."""
        found = (record for name, record in self._kept(webhook).items() if not before or name < before)
        return list(found)[:count]


class MemoryOutbox:
    """Deliveries that wait, by webhook and name: the time, and a number. Beside each is the time of its last lease."""

    def __init__(self, webhooks: MemoryWebhookStore) -> None:
        """Create empty queues; that of a webhook goes with it."""
        self._webhooks, self._numbers, self._changed = webhooks, numbers(1), threading.Condition()
        self._of: defaultdict[str, dict[str, tuple[Delivery, float]]] = defaultdict(dict)
        webhooks.on_delete.append(lambda webhook_id: self._of.pop(webhook_id, None))

    def enqueue(self, webhooks: Sequence[Webhook], match: str, start: int, stop: int, record: str = "") -> None:
        """Add a delivery to the queue of each webhook."""
        with self._changed:
            for webhook in filter(self._webhooks.__contains__, webhooks):
                name = f"{time.time_ns() // 1_000_000}-{next(self._numbers)}"
                self._of[webhook.webhook_id][name] = Delivery(name, match, start, stop, 0, record), 0.0
            self._changed.notify_all()

    def _lease(self, webhook: Webhook, count: int, is_ready: Callable[[int, float], bool]) -> list[Delivery]:
        """Lease the first deliveries that are ready by their tries and the seconds since. Raises `NoSuchQueue`."""
        now, queue = time.monotonic(), self._queue(webhook)
        ready = [one for one, leased_at in queue.values() if is_ready(one.tries, now - leased_at)]
        leased = [one._replace(tries=one.tries + 1) for one in ready[:count]]
        queue.update((one.name, (one, now)) for one in leased)
        return leased

    def _queue(self, webhook: Webhook) -> dict[str, tuple[Delivery, float]]:
        if webhook in self._webhooks:
            return self._of[webhook.webhook_id]
        raise NoSuchQueue(webhook.webhook_id)

    def take_new(self, webhook: Webhook, count: int, wait: int) -> list[Delivery]:
        """Lease deliveries that nobody had yet."""
        with self._changed:
            return self._changed.wait_for(lambda: self._lease(webhook, count, lambda tries, _: tries == 0), wait / 1000)

    def take_due(self, webhook: Webhook, count: int, pause: Callable[[int], int]) -> list[Delivery]:
        """Lease deliveries that may be tried again."""
        with self._changed:
            return self._lease(webhook, count, lambda tries, waited: tries > 0 and waited >= pause(tries) / 1000)

    def release(self, webhook: Webhook, delivery: Delivery, waited: int) -> None:
        """Return a delivery to the queue."""
        with self._changed:
            if delivery.name in (queue := self._queue(webhook)):
                queue[delivery.name] = queue[delivery.name][0], time.monotonic() - waited / 1000

    def ack(self, webhook: Webhook, delivery: Delivery) -> None:
        """Remove a delivery."""
        with self._changed:
            self._of[webhook.webhook_id].pop(delivery.name, None)

    def backlog(self, webhooks: Sequence[Webhook]) -> Backlog:
        """Count the deliveries to these webhooks."""
        with self._changed:
            names = [name for webhook in webhooks for name in self._of.get(webhook.webhook_id, ())]
        times = [int(name.partition("-")[0]) for name in names]
        return Backlog(len(times), min(times, default=0))
