"""The deliveries to one webhook: taken by a thread, and sent several at once on an event loop."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from contextlib import suppress

from chitarrella import errors
from chitarrella.storage.rows import StoreError
from chitarrella.storage.webhooks import Delivery, NoSuchQueue, Outbox, Webhook
from chitarrella.transports.webhooks.delivery import LEASE_MS, Deliverer, lease_ms
from chitarrella.transports.webhooks.sender import TIMEOUT_SECONDS

MAX_SENDING = 16
"""How many deliveries to one webhook a worker sends at the same time."""
MAX_TAKEN = 64
"""How many deliveries to one webhook a worker leases. They are more, because those of one match are sent in turn."""
TAKE_WAIT_MS = 1_000
"""How long a new delivery is waited for, and how often those that are due again are looked for."""
MAX_WAIT_SECONDS = LEASE_MS / 1000 - TIMEOUT_SECONDS
"""How long a leased delivery may wait for its turn; after that the lease may end before the attempt does."""
LOG = logging.getLogger("chitarrella")
EXPECTED = (StoreError, errors.StoreUnavailable, NoSuchQueue)
"""Errors after which a queue is read again: the store is away, or the webhook was deleted."""


class DeliveryQueue:
    """Delivers to one webhook until it is stopped; ``webhook`` is replaced when that is changed.

    Deliveries of one match are sent one after the other, in order; those of several matches at the same time. A
    delivery that failed is sent again later, and holds up no other.
    """

    def __init__(self, webhook: Webhook, outbox: Outbox, deliverer: Deliverer, loop: asyncio.AbstractEventLoop) -> None:
        """Start the thread; send on ``loop``."""
        self.webhook, self.stop = webhook, threading.Event()
        self._outbox, self._deliverer, self._loop = outbox, deliverer, loop
        self._room = threading.Semaphore(MAX_TAKEN)
        self._sending = asyncio.Semaphore(MAX_SENDING)
        self._last: dict[str, asyncio.Task[None]] = {}
        self._next_due = 0.0
        name = f"webhook-{webhook.webhook_id}"
        self.thread = threading.Thread(target=self._run, name=name, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        while not self.stop.is_set():
            if not (count := self._reserve()):
                continue
            taken: list[Delivery] = []
            try:
                taken = self._take(count)
            except EXPECTED:
                self.stop.wait(TAKE_WAIT_MS / 1000)
            except Exception as error:
                LOG.error("taking webhook deliveries failed: %s", type(error).__name__)  # its text may name a match
                self.stop.wait(TAKE_WAIT_MS / 1000)
            if count > len(taken):
                self._room.release(count - len(taken))
            with suppress(RuntimeError):  # the loop has ended: another worker takes them at the end of their lease
                for delivery in taken:
                    self._loop.call_soon_threadsafe(self._begin, delivery)

    def _reserve(self) -> int:
        """Wait for room, for a second at most; returns how many deliveries may be taken."""
        count = int(self._room.acquire(timeout=TAKE_WAIT_MS / 1000))
        while count and self._room.acquire(blocking=False):
            count += 1
        return count

    def _take(self, count: int) -> list[Delivery]:
        """Lease deliveries: those that are due again once a second, else new ones."""
        if time.monotonic() >= self._next_due:
            due = self._outbox.take_due(self.webhook, count, lease_ms)
            if due:
                return due
            self._next_due = time.monotonic() + TAKE_WAIT_MS / 1000
        return self._outbox.take_new(self.webhook, count, TAKE_WAIT_MS)

    def _begin(self, delivery: Delivery) -> None:
        task = self._loop.create_task(self._deliver_after(self._last.get(delivery.match), delivery))
        self._last[delivery.match] = task
        task.add_done_callback(lambda done: self._end(delivery.match, done))

    def _end(self, match: str, task: asyncio.Task[None]) -> None:
        if self._last[match] is task:
            del self._last[match]
        self._room.release()

    async def _deliver_after(self, before: asyncio.Task[None] | None, delivery: Delivery) -> None:
        """Deliver when the delivery before it has been attempted, unless that has taken too long."""
        begun = self._loop.time()
        if before is not None:
            await asyncio.wait((before,))
        try:
            async with self._sending:
                if self.stop.is_set() or self._loop.time() - begun > MAX_WAIT_SECONDS:
                    await self._deliverer.release(self.webhook, delivery)  # whoever goes on need not wait for its lease
                else:
                    await self._deliverer.deliver(self.webhook, delivery)
        except EXPECTED:
            pass  # it is taken again at the end of its lease
        except Exception as error:
            LOG.error("webhook delivery failed: %s", type(error).__name__)  # its text may name a match
