"""Delivery of messages to webhooks, with retries.

Every worker runs a dispatcher on the shared outbox. A message is delivered at least once, always with the same id. A
webhook that hangs or fails is retried with exponential back-off, and delays no other webhook.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from chitarrella import errors
from chitarrella.matches.log_writer import OnAppend
from chitarrella.matches.service import MatchService
from chitarrella.matches.webhook_registry import WebhookRegistry
from chitarrella.storage.rows import StoreError
from chitarrella.storage.webhooks import DeliveryRecord, Outbox, Webhook, WebhookStores
from chitarrella.transports.webhooks.delivery import Deliverer
from chitarrella.transports.webhooks.messages import MessageReader
from chitarrella.transports.webhooks.queue import DeliveryQueue
from chitarrella.transports.webhooks.sender import TIMEOUT_SECONDS, HttpSender

REFRESH_SECONDS = 1.0
"""How soon a worker notices a webhook that another one has created, changed or deleted."""
NAME_THREADS = 64
"""How many names of hosts are resolved at the same time: a name server that hangs holds up a thread each."""
STOP_SECONDS = TIMEOUT_SECONDS + 1
"""Seconds that a stop waits for an attempt in progress."""
LOG = logging.getLogger("chitarrella")


def enqueue_updates(outbox: Outbox, registry: WebhookRegistry) -> OnAppend:
    """Return the hook that enqueues a delivery for each webhook of a platform at every append to one of its matches."""

    def on_append(platform: str, match: str, start: int, stop: int) -> None:
        if receivers := registry.receivers(platform):
            outbox.enqueue(receivers, match, start, stop)

    return on_append


class WebhookDispatcher:
    """Delivers messages: each webhook has a queue, which begins and ends with it; one event loop sends for all."""

    def __init__(
        self,
        matches: MatchService,
        stores: WebhookStores,
        registry: WebhookRegistry,
        sender: HttpSender,
        observe: Callable[[str, str], None],
    ) -> None:
        """Deliver the updates of ``matches``; ``observe`` gets the platform and the outcome of each attempt."""
        self._outbox, self._registry = stores.outbox, registry
        self._deliverer = Deliverer(MessageReader(matches.repository), stores, sender, observe)
        self._closed = threading.Event()
        self._queues: dict[str, DeliveryQueue] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._runs = threading.Event()
        self._sender_thread = threading.Thread(target=self._send, name="webhook-sender", daemon=True)
        self._thread = threading.Thread(target=self._follow, name="webhooks", daemon=True)

    def start(self) -> None:
        """Start the threads."""
        self._sender_thread.start()
        self._runs.wait()
        self._thread.start()

    def close(self) -> None:
        """Stop the threads; other workers deliver the rest."""
        if self._loop is None:
            return
        self._closed.set()
        self._registry.changed.set()
        self._thread.join(TIMEOUT_SECONDS)
        for queue in self._queues.values():
            queue.stop.set()
        for queue in self._queues.values():
            queue.thread.join(STOP_SECONDS)
        self._loop.call_soon_threadsafe(self._stop.set)
        self._sender_thread.join(2 * STOP_SECONDS)

    def test(self, webhook: Webhook) -> DeliveryRecord:
        """Send a test message once, and return the record of its delivery. Raises `errors.ShuttingDown`."""
        if self._loop is None or self._closed.is_set():
            raise errors.ShuttingDown
        return asyncio.run_coroutine_threadsafe(self._deliverer.test(webhook), self._loop).result()

    def _send(self) -> None:
        with asyncio.Runner() as runner:
            runner.run(self._send_until_stopped())

    async def _send_until_stopped(self) -> None:
        """Run the event loop on which messages are sent; at its end, attempts in progress are finished."""
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        self._loop.set_default_executor(ThreadPoolExecutor(NAME_THREADS, thread_name_prefix="webhook-names"))
        self._runs.set()
        await self._stop.wait()
        if attempts := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(attempts, timeout=STOP_SECONDS)
        await self._deliverer.close()

    def _follow(self) -> None:
        """Begin and end queues as webhooks are created, changed and deleted, by this worker or another one."""
        while not self._closed.is_set():
            self._registry.changed.clear()
            try:
                self._registry.refresh()
            except StoreError:
                pass  # the webhooks stay as they are
            except Exception as error:
                LOG.error("reading the webhooks failed: %s", type(error).__name__)
            self._match_queues()
            self._registry.changed.wait(REFRESH_SECONDS)

    def _match_queues(self) -> None:
        """Run a queue for each webhook that is active, and for no other."""
        active = {webhook.webhook_id: webhook for webhook in self._registry.active()}
        for webhook_id in self._queues.keys() - active.keys():
            self._queues.pop(webhook_id).stop.set()
        for webhook_id, webhook in active.items():
            if webhook_id in self._queues:
                self._queues[webhook_id].webhook = webhook
            elif not self._closed.is_set() and self._loop is not None:
                self._queues[webhook_id] = DeliveryQueue(webhook, self._outbox, self._deliverer, self._loop)
