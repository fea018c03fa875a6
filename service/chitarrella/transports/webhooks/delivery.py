"""One attempt to deliver: reads what a delivery reports, sends its messages, and settles it or puts it back.

Messages are sent on an event loop, many at the same time; reading, and everything that waits for the store, is done in
threads.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

from chitarrella import errors
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.matches.match_time import now_ms
from chitarrella.storage.webhooks import (
    ADDRESS_NOT_ALLOWED,
    BAD_STATUS,
    EDITION_NOT_SUPPORTED,
    GONE,
    NO_SUCH_MATCH,
    TIMED_OUT,
    UNREACHABLE,
    Attempt,
    Delivery,
    DeliveryRecord,
    Webhook,
    WebhookStores,
    delivery_id_of,
)
from chitarrella.transports.webhooks.config import signed_headers
from chitarrella.transports.webhooks.messages import Message, MessageReader, id_of_record, message_of_test
from chitarrella.transports.webhooks.sender import HttpSender

LEASE_MS = 10_000
"""Milliseconds after which a delivery leased by another worker is taken over."""
FIRST_RETRY_MS, MAX_RETRY_MS = 1_000, 3_600_000
"""The back-off before the second attempt, and its maximum; it doubles with each attempt."""
MAX_ATTEMPTS = 24
"""How often a delivery is attempted, for some twelve hours; then it has failed, and the log says so."""
MAX_EMPTY_ATTEMPTS = 4
"""Some seven seconds: entries announced but not in the log by then were never appended."""
SENT, FAILED, NOTHING_YET = "sent", "failed", "nothing_yet"
"""Outcomes of an attempt: all was sent, something is not tried any more, nothing is in the log yet."""
OUTCOMES = frozenset(
    (SENT, FAILED, NOTHING_YET, EDITION_NOT_SUPPORTED, TIMED_OUT, UNREACHABLE, GONE, BAD_STATUS, ADDRESS_NOT_ALLOWED)
)
"""All labels of attempts in the metrics."""
POLL_SECONDS = (0.002, 0.005, 0.01, 0.03)
"""Pauses between looks for entries whose delivery was leased before they were appended."""
STORE_THREADS = 8
"""How many deliveries of a worker read or write in the store at the same time."""
LOG = logging.getLogger("chitarrella")
T = TypeVar("T")


class Outcome(NamedTuple):
    """Result of an attempt: whether the delivery is settled, and its label in the metrics."""

    is_settled: bool
    label: str


class Deliverer:
    """Sends a message to the URL of its webhook, and records the outcome; a failed attempt is repeated later.

    Its coroutines belong to one event loop.
    """

    def __init__(
        self, reader: MessageReader, stores: WebhookStores, sender: HttpSender, observe: Callable[[str, str], None]
    ) -> None:
        """Send what ``reader`` reads; ``observe`` gets the platform and the outcome of each attempt."""
        self._reader, self._sender, self._observe = reader, sender, observe
        self._outbox, self._deliveries = stores.outbox, stores.webhooks
        self._encoder = JsonEncoder()
        self._threads = ThreadPoolExecutor(STORE_THREADS, thread_name_prefix="webhook-store")

    async def close(self) -> None:
        """Close the connections and the threads."""
        await self._sender.close()
        self._threads.shutdown(wait=False)

    async def test(self, webhook: Webhook) -> DeliveryRecord:
        """Send a test message once, and return the record of its delivery."""
        delivery_id = delivery_id_of(now_ms(), secrets.randbits(24), secrets.randbits(24))
        message = message_of_test(delivery_id)
        attempt = await self._send(webhook, message)
        record = message.new_record(delivery_id).attempted(attempt, now_ms(), is_last=True)
        await self._in_thread(self._deliveries.put, webhook, record)
        self._observe(webhook.platform, attempt.error or SENT)
        return record

    async def deliver(self, webhook: Webhook, delivery: Delivery) -> Outcome:
        """Attempt a leased delivery once; one that is not settled is released for another attempt."""
        outcome = await self._attempt(webhook, delivery)
        if outcome.is_settled:
            await self._in_thread(self._outbox.ack, webhook, delivery)
        else:
            await self.release(webhook, delivery, max(0, LEASE_MS - backoff_ms(delivery.tries)))
        self._observe(webhook.platform, outcome.label)
        return outcome

    async def release(self, webhook: Webhook, delivery: Delivery, waited: int = LEASE_MS) -> None:
        """Return a delivery to the queue, as if ``waited`` milliseconds of its pause were over."""
        await self._in_thread(self._outbox.release, webhook, delivery, waited)

    async def _attempt(self, webhook: Webhook, delivery: Delivery) -> Outcome:
        try:
            messages = await self._wait_for_messages(webhook, delivery)
        except errors.NotPossibleNow:  # a worker of another release may know this edition of the rules
            return await self._without_messages(webhook, delivery, MAX_ATTEMPTS, EDITION_NOT_SUPPORTED)
        if messages is None:
            return await self._without_messages(webhook, delivery, MAX_EMPTY_ATTEMPTS, NOTHING_YET)
        label = SENT
        for index, message in enumerate(messages):
            record = await self._record(webhook, delivery, message, id_of_record(delivery, index))
            if record.state == "sent":
                continue  # an earlier attempt has failed at a later message
            attempt = await self._send(webhook, message)
            is_last = attempt.error == GONE or delivery.tries >= MAX_ATTEMPTS
            record = record.attempted(attempt, now_ms(), is_last=is_last)
            await self._in_thread(self._deliveries.put, webhook, record)
            if attempt.error and not is_last:
                return Outcome(False, attempt.error)
            if attempt.error:
                LOG.error("a delivery to a webhook of %s has failed: %s", webhook.platform, attempt.error)
                label = FAILED
        return Outcome(True, label)

    async def _wait_for_messages(self, webhook: Webhook, delivery: Delivery) -> list[Message] | None:
        """The messages of a delivery; its entries, and even its match, may be appended a moment after it.

        None where they are not there yet. Raises `errors.NotPossibleNow` for rules that are unknown here.
        """
        for seconds in (*POLL_SECONDS, None):
            messages = await self._in_thread(self._reader.messages, webhook, delivery)
            if messages is not None or seconds is None:
                return messages
            await asyncio.sleep(seconds)
        raise AssertionError

    async def _without_messages(self, webhook: Webhook, delivery: Delivery, most: int, label: str) -> Outcome:
        """The outcome where there is nothing to send; after ``most`` attempts a delivery that was listed has failed."""
        is_settled = delivery.tries >= most
        if is_settled and delivery.record:
            record = await self._in_thread(self._deliveries.find, webhook, delivery.record)
            if record is not None:
                error = label if label == EDITION_NOT_SUPPORTED else NO_SUCH_MATCH
                failed = record._replace(state="failed", error=error)
                await self._in_thread(self._deliveries.put, webhook, failed)
        return Outcome(is_settled, label)

    async def _record(self, webhook: Webhook, delivery: Delivery, message: Message, delivery_id: str) -> DeliveryRecord:
        """The record of a message so far; of a first attempt there is none in the store."""
        is_new = delivery.tries == 1 and not delivery.record
        kept = None if is_new else await self._in_thread(self._deliveries.find, webhook, delivery_id)
        return kept or message.new_record(delivery_id)

    async def _send(self, webhook: Webhook, message: Message) -> Attempt:
        """Send a message once, signed with every secret that is valid now."""
        body, now = self._encoder.encode(message.body), now_ms()
        headers = signed_headers(webhook.secrets_at(now), message.message_id, now // 1000, body)
        return await self._sender.send(webhook.url, headers, body)

    async def _in_thread(self, function: Callable[..., T], *args: object) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, *args)


def backoff_ms(tries: int) -> int:
    """Return the pause after so many attempts, in milliseconds."""
    return min(MAX_RETRY_MS, FIRST_RETRY_MS << (tries - 1))


def lease_ms(tries: int) -> int:
    """Return how long a delivery stays leased, in milliseconds; a short back-off is counted as part of the lease."""
    return max(LEASE_MS, backoff_ms(tries))
