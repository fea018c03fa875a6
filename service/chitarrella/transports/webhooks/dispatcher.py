"""Delivery of messages to webhooks, with retries.

Every worker runs a dispatcher on the shared outbox. A message is delivered at least once, always with the same id. A
webhook that hangs or fails is retried with exponential back-off, and delays no other webhook.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable
from typing import NamedTuple

from chitarrella import errors
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.matches.log_writer import OnAppend
from chitarrella.matches.match_time import now_ms
from chitarrella.matches.outbox import Delivery, NoSuchQueue, Outbox, WebhookStores
from chitarrella.matches.service import MatchService
from chitarrella.matches.store import StoreError
from chitarrella.matches.webhook_registry import WebhookRegistry
from chitarrella.matches.webhooks import (
    FAILED,
    GONE,
    Attempt,
    DeliveryRecord,
    Webhook,
    delivery_id_of,
)
from chitarrella.transports.webhooks.config import signed_headers
from chitarrella.transports.webhooks.messages import Message, MessageReader, id_of_record, message_of_test
from chitarrella.transports.webhooks.sender import TIMEOUT_SECONDS, HttpSender

LEASE_MS = 10_000
"""Milliseconds after which a delivery leased by another worker is taken over."""
FIRST_RETRY_MS, MAX_RETRY_MS = 1_000, 3_600_000
"""The back-off before the second attempt, and its maximum; it doubles with each attempt."""
MAX_ATTEMPTS = 24
"""Some twelve hours; then the delivery is abandoned and logged."""
MAX_EMPTY_ATTEMPTS = 4
"""Some seven seconds: entries announced but not in the log by then were never appended."""
LEASE_WAIT_MS = 1_000
REFRESH_SECONDS = 1.0
"""How soon a worker notices a webhook that another one has created, changed or deleted."""
LOG = logging.getLogger("chitarrella")


class Outcome(NamedTuple):
    """Result of an attempt: whether the delivery is settled, and its label in the metrics."""

    is_settled: bool
    label: str


def enqueue_updates(outbox: Outbox, registry: WebhookRegistry) -> OnAppend:
    """Return the hook that enqueues a delivery for each webhook of a platform at every append to one of its matches."""

    def on_append(platform: str, match: str, start: int, stop: int) -> None:
        if receivers := registry.receivers(platform):
            outbox.enqueue(receivers, match, start, stop)

    return on_append


class WebhookDispatcher:
    """Delivers messages, those of each webhook in a thread of its own, which begins and ends with the webhook."""

    def __init__(
        self,
        matches: MatchService,
        stores: WebhookStores,
        registry: WebhookRegistry,
        sender: HttpSender,
        observe: Callable[[str, str], None],
    ) -> None:
        """Deliver the updates of ``matches``; ``observe`` gets the platform and the outcome of each attempt."""
        self._outbox, self._deliveries = stores.outbox, stores.deliveries
        self._registry, self._sender, self._observe = registry, sender, observe
        self._encoder = JsonEncoder()
        self._closed = threading.Event()
        self._reader = MessageReader(matches.repository, self._closed)
        self._queues: dict[str, _Queue] = {}
        self._thread = threading.Thread(target=self._follow, name="webhooks", daemon=True)

    def start(self) -> None:
        """Start the threads."""
        self._thread.start()

    def close(self) -> None:
        """Stop the threads; other workers deliver the rest."""
        self._closed.set()
        self._registry.changed.set()
        if self._thread.is_alive():
            self._thread.join(TIMEOUT_SECONDS)
        for queue in self._queues.values():
            queue.stop.set()
        for queue in self._queues.values():
            queue.thread.join(TIMEOUT_SECONDS + 1)

    def _follow(self) -> None:
        """Start and stop threads as webhooks are created, changed and deleted, by this worker or another one."""
        while not self._closed.is_set():
            self._registry.changed.clear()
            try:
                self._registry.refresh()
            except StoreError:
                pass  # the webhooks stay as they are
            except Exception as error:
                LOG.error("reading the webhooks failed: %s", type(error).__name__)
            self._match_threads()
            self._registry.changed.wait(REFRESH_SECONDS)

    def _match_threads(self) -> None:
        """Run a thread for each webhook that is active, and for no other."""
        active = {webhook.webhook_id: webhook for webhook in self._registry.active()}
        for webhook_id in self._queues.keys() - active.keys():
            self._queues.pop(webhook_id).stop.set()
        for webhook_id, webhook in active.items():
            if webhook_id in self._queues:
                self._queues[webhook_id].webhook = webhook
            elif not self._closed.is_set():
                self._queues[webhook_id] = _Queue(webhook, self._run)

    def _run(self, queue: _Queue) -> None:
        while not (self._closed.is_set() or queue.stop.is_set()):
            try:
                for delivery in self._outbox.lease(queue.webhook, LEASE_WAIT_MS, lease_ms):
                    if queue.stop.is_set() or self._closed.is_set():  # whoever goes on need not wait for its lease
                        self._outbox.release(queue.webhook, delivery, LEASE_MS)
                    else:
                        self.deliver(queue.webhook, delivery)
            except (StoreError, errors.StoreUnavailable, NoSuchQueue):
                queue.stop.wait(LEASE_WAIT_MS / 1000)
            except Exception as error:
                LOG.error("webhook delivery failed: %s", type(error).__name__)  # its text may name a match
                queue.stop.wait(LEASE_WAIT_MS / 1000)

    def test(self, webhook: Webhook) -> DeliveryRecord:
        """Send a test message once, and return the record of its delivery."""
        delivery_id = delivery_id_of(now_ms(), secrets.randbits(24), secrets.randbits(24))
        message = message_of_test(delivery_id)
        attempt = self._send(webhook, message)
        record = message.new_record(delivery_id).attempted(attempt, now_ms(), is_last=True)
        self._deliveries.put(webhook, record)
        self._observe(webhook.platform, attempt.error or "sent")
        return record

    def deliver(self, webhook: Webhook, delivery: Delivery) -> Outcome:
        """Attempt a leased delivery once; one that is not settled is released for another attempt."""
        outcome = self._attempt(webhook, delivery)
        if outcome.is_settled:
            self._outbox.ack(webhook, delivery)
        else:
            self._outbox.release(webhook, delivery, max(0, LEASE_MS - backoff_ms(delivery.tries)))
        self._observe(webhook.platform, outcome.label)
        return outcome

    def _attempt(self, webhook: Webhook, delivery: Delivery) -> Outcome:
        try:
            messages = self._reader.wait_for_messages(webhook, delivery)
        except errors.NotPossibleNow:  # a worker of another release may know this edition of the rules
            return self._without_messages(webhook, delivery, MAX_ATTEMPTS, "edition_not_supported")
        if messages is None:
            return self._without_messages(webhook, delivery, MAX_EMPTY_ATTEMPTS, "nothing_yet")
        label = "sent"
        for index, message in enumerate(messages):
            record = self._record(webhook, delivery, message, id_of_record(delivery, index))
            if record.state == "sent":
                continue  # an earlier attempt has failed at a later message
            attempt = self._send(webhook, message)
            is_last = attempt.error == GONE or delivery.tries >= MAX_ATTEMPTS
            self._deliveries.put(webhook, record.attempted(attempt, now_ms(), is_last=is_last))
            if attempt.error and not is_last:
                return Outcome(False, attempt.error)
            if attempt.error:
                LOG.error("abandoned a message to the webhook of %s: %s", webhook.platform, attempt.error)
                label = "given_up"
        return Outcome(True, label)

    def _without_messages(self, webhook: Webhook, delivery: Delivery, most: int, label: str) -> Outcome:
        """The outcome where there is nothing to send; after ``most`` attempts a delivery that was listed has failed."""
        is_settled = delivery.tries >= most
        if is_settled and delivery.record:
            record = self._deliveries.find(webhook, delivery.record)
            if record is not None:
                self._deliveries.put(webhook, record._replace(state="failed", error=FAILED))
        return Outcome(is_settled, label)

    def _record(self, webhook: Webhook, delivery: Delivery, message: Message, delivery_id: str) -> DeliveryRecord:
        """The record of a message so far; of a first attempt there is none in the store."""
        is_new = delivery.tries == 1 and not delivery.record
        kept = None if is_new else self._deliveries.find(webhook, delivery_id)
        return kept or message.new_record(delivery_id)

    def _send(self, webhook: Webhook, message: Message) -> Attempt:
        """Send a message once, signed with every secret that is valid now."""
        body, now = self._encoder.encode(message.body), now_ms()
        headers = signed_headers(webhook.secrets_at(now), message.message_id, now // 1000, body)
        return self._sender.send(webhook.url, headers, body)


class _Queue:
    """The thread that delivers to one webhook; ``webhook`` is replaced when that is changed."""

    def __init__(self, webhook: Webhook, run: Callable[[_Queue], None]) -> None:
        """Start the thread."""
        self.webhook, self.stop = webhook, threading.Event()
        name = f"webhook-{webhook.webhook_id}"
        self.thread = threading.Thread(target=run, args=(self,), name=name, daemon=True)
        self.thread.start()


def backoff_ms(tries: int) -> int:
    """Return the pause after so many attempts, in milliseconds."""
    return min(MAX_RETRY_MS, FIRST_RETRY_MS << (tries - 1))


def lease_ms(tries: int) -> int:
    """Return how long a delivery stays leased, in milliseconds; a short back-off is counted as part of the lease."""
    return max(LEASE_MS, backoff_ms(tries))
