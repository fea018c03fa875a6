"""Deliveries to webhooks: reads what each reports, sends its messages, and settles it or puts it back for later.

Messages are sent on an event loop, many at the same time; reading, and everything that waits for the store, is done in
threads.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import socket
import ssl
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from email.utils import parsedate_to_datetime
from ipaddress import ip_address
from itertools import count
from typing import Any, NamedTuple, TypeVar

import aiohttp
from aiohttp.abc import ResolveResult
from aiohttp.resolver import ThreadedResolver

from chitarrella import errors
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.matches.clock import now_ms
from chitarrella.matches.log_writer import OnAppend
from chitarrella.matches.service import MatchService
from chitarrella.matches.webhooks import WebhookRegistry, is_public
from chitarrella.storage.rows import StoreError
from chitarrella.storage.webhooks import (
    Attempt,
    Delivery,
    DeliveryRecord,
    NoSuchQueue,
    Outbox,
    Webhook,
    WebhookStores,
    delivery_id_of,
)
from chitarrella.transports.webhooks.messages import (
    Message,
    MessageReader,
    id_of_record,
    message_of_test,
    signed_headers,
)

TIMEOUT_SECONDS = 5.0  # how long one attempt may take, from the look-up of the host to the head of the answer
MAX_ADDRESSES = 4  # how many addresses of a host are tried
RESOLVED_SECONDS = 1  # how long the addresses of a host are used before the name is resolved again
HTTP_GONE = 410  # the status by which an endpoint refuses every further attempt at a message

TIMED_OUT, UNREACHABLE, GONE, BAD_STATUS = "timed_out", "unreachable", "gone", "bad_status"
NO_SUCH_MATCH, EDITION_NOT_SUPPORTED = "no_such_match", "edition_not_supported"  # nothing is left to send
ADDRESS_NOT_ALLOWED = "address_not_allowed"  # the error of an attempt whose host has a private address


class AddressNotAllowed(OSError):
    """The address of a webhook is not public."""


class HttpSender:
    def __init__(self, *, allow_private: bool = False, timeout: float = TIMEOUT_SECONDS) -> None:
        """With ``allow_private`` every address may be called, also those of this machine and its network."""
        self._allow_private = allow_private
        self._timeout = aiohttp.ClientTimeout(total=timeout)
        self._tls = ssl.create_default_context()
        self._session: aiohttp.ClientSession | None = None

    async def send(self, url: str, headers: dict[str, str], body: bytes) -> Attempt:
        """Send a message by POST; no redirect is followed, and of the answer only the head is read."""
        self._session = self._session or self._open()
        try:
            async with self._session.post(url, data=body, headers=headers, allow_redirects=False) as response:
                status, pause = response.status, retry_after_ms(response.headers.get("retry-after", ""))
        except TimeoutError:
            return Attempt(TIMED_OUT)
        except aiohttp.ClientConnectorError as error:
            return Attempt(ADDRESS_NOT_ALLOWED if isinstance(error.os_error, AddressNotAllowed) else UNREACHABLE)
        except (aiohttp.ClientError, OSError, ValueError):
            return Attempt(UNREACHABLE)
        if 200 <= status < 300:
            return Attempt("", status)
        return Attempt(GONE if status == HTTP_GONE else BAD_STATUS, status, pause)

    def _open(self) -> aiohttp.ClientSession:
        connector = aiohttp.TCPConnector(
            limit=0,
            force_close=True,  # a kept connection may break while a message is sent, which could not be sent again
            resolver=_Resolver(),
            ttl_dns_cache=RESOLVED_SECONDS,
            ssl=self._tls,
            socket_factory=self._checked_socket,
        )
        return aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar(), timeout=self._timeout)

    def _checked_socket(self, info: tuple[Any, ...]) -> socket.socket:
        """A socket for an address. Raises `AddressNotAllowed`."""
        family, kind, protocol, _, address = info
        if not (self._allow_private or is_public(ip_address(address[0]))):
            raise AddressNotAllowed("address not allowed")
        return socket.socket(family, kind, protocol)

    async def close(self) -> None:
        """Close every connection; to be called on the event loop that sent the messages."""
        if self._session is not None:
            await self._session.close()
            self._session = None


def retry_after_ms(text: str) -> int:
    """The milliseconds that the header Retry-After asks for, at most `MAX_RETRY_MS`; 0 where it asks for none."""
    try:
        milliseconds = (
            int(text) * 1000 if text.isdecimal() else 1000 * parsedate_to_datetime(text).timestamp() - now_ms()
        )
    except ValueError:
        return 0
    return int(min(MAX_RETRY_MS, max(0, milliseconds)))


class _Resolver(ThreadedResolver):
    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """The addresses of a host, in the order of preference. Raises `OSError`."""
        return (await asyncio.wait_for(super().resolve(host, port, family), TIMEOUT_SECONDS))[:MAX_ADDRESSES]


LEASE_MS = 10_000  # milliseconds after which a delivery leased by another worker is taken over
# The back-off before the second attempt, and its maximum; it doubles with each attempt.
FIRST_RETRY_MS, MAX_RETRY_MS = 1_000, 3_600_000
MAX_ATTEMPTS = 24  # how often a delivery is attempted, for some twelve hours; then it has failed, and the log says so
MAX_EMPTY_ATTEMPTS = 4  # some seven seconds: entries announced but not in the log by then were never appended
# Outcomes of an attempt: all was sent, something is not tried any more, nothing is in the log yet.
SENT, FAILED, NOTHING_YET = "sent", "failed", "nothing_yet"
OUTCOMES = frozenset(
    (SENT, FAILED, NOTHING_YET, EDITION_NOT_SUPPORTED, TIMED_OUT, UNREACHABLE, GONE, BAD_STATUS, ADDRESS_NOT_ALLOWED)
)
# Pauses between looks for entries whose delivery was leased before they were appended.
POLL_SECONDS = (0.002, 0.005, 0.01, 0.03)
STORE_THREADS = 8  # how many deliveries of a worker read or write in the store at the same time
LOG = logging.getLogger("chitarrella")
T = TypeVar("T")


class Outcome(NamedTuple):
    is_settled: bool
    label: str
    pause_ms: int = 0
    is_attempted: bool = True


class Deliverer:
    """Sends a message to the URL of its webhook, and records the outcome. Its coroutines belong to one event loop."""

    def __init__(
        self, reader: MessageReader, stores: WebhookStores, sender: HttpSender, observe: Callable[[str, str], None]
    ) -> None:
        self._reader, self._sender, self._observe = reader, sender, observe
        self._outbox, self._deliveries = stores.outbox, stores.webhooks
        self._encoder = JsonEncoder()
        self._threads = ThreadPoolExecutor(STORE_THREADS, thread_name_prefix="webhook-store")

    async def close(self) -> None:
        await self._sender.close()
        self._threads.shutdown(wait=False)

    async def test(self, webhook: Webhook) -> DeliveryRecord:
        delivery_id = delivery_id_of(now_ms(), secrets.randbits(24), secrets.randbits(24))
        message = message_of_test(delivery_id)
        attempt = await self._send(webhook, message)
        record = message.new_record(delivery_id).attempted(attempt, now_ms(), is_last=True)
        await self._in_thread(self._deliveries.put, webhook, record)
        self._observe(webhook.platform, attempt.error or SENT)
        return record

    async def deliver(self, webhook: Webhook, delivery: Delivery) -> Delivery | None:
        """Attempt a leased delivery once; one that is not settled is released for another attempt. Returns the next
        one of its match, leased, if that waited for this one.
        """
        outcome, following = await self._attempt(webhook, delivery), None
        if outcome.is_settled:
            following = await self._in_thread(self._outbox.ack, webhook, delivery)
        else:
            pause = max(outcome.pause_ms, backoff_ms(delivery.tries) if outcome.is_attempted else 0)
            waited, tries = max(0, lease_ms(delivery.tries) - pause), delivery.tries - (not outcome.is_attempted)
            await self._in_thread(self._outbox.release, webhook, delivery._replace(tries=tries), waited)
        self._observe(webhook.platform, outcome.label)
        return following

    async def put_back(self, webhook: Webhook, delivery: Delivery) -> None:
        """Return a delivery that was not attempted to the queue."""
        await self._in_thread(self._outbox.put_back, webhook, delivery)

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
            if record.state == "sent" or record.message_id != message.message_id:
                continue  # an earlier attempt has failed at a later message; or another one is sent again
            if (pause := record.retry_at - now_ms()) > 0:
                return Outcome(False, BAD_STATUS, pause, is_attempted=False)
            attempt = await self._send(webhook, message)
            is_last = attempt.error == GONE or delivery.tries >= MAX_ATTEMPTS
            record = record.attempted(attempt, now_ms(), is_last=is_last)
            await self._in_thread(self._deliveries.put, webhook, record)
            if attempt.error and not is_last:
                return Outcome(False, attempt.error, attempt.retry_after_ms)
            if attempt.error:
                LOG.error("a delivery to a webhook of %s has failed: %s", webhook.platform, attempt.error)
                label = FAILED
        return Outcome(True, label)

    async def _wait_for_messages(self, webhook: Webhook, delivery: Delivery) -> list[Message] | None:
        """None where the entries, or their match, are not appended after a moment. Raises `errors.NotPossibleNow`."""
        for seconds in (*POLL_SECONDS, None):
            messages = await self._in_thread(self._reader.messages, webhook, delivery)
            if messages is not None or seconds is None:
                return messages
            await asyncio.sleep(seconds)
        raise AssertionError

    async def _without_messages(self, webhook: Webhook, delivery: Delivery, most: int, label: str) -> Outcome:
        """The outcome where there is nothing to send; after ``most`` attempts what was listed as pending has failed."""
        is_settled = delivery.tries >= most
        for index in count() if is_settled else ():
            record = await self._in_thread(self._deliveries.find, webhook, id_of_record(delivery, index))
            if record is None:
                break
            if record.state == "pending":
                error = label if label == EDITION_NOT_SUPPORTED else NO_SUCH_MATCH
                failed = record._replace(state="failed", error=error)
                await self._in_thread(self._deliveries.put, webhook, failed)
            if delivery.record:
                break
        return Outcome(is_settled, label)

    async def _record(self, webhook: Webhook, delivery: Delivery, message: Message, delivery_id: str) -> DeliveryRecord:
        is_new = delivery.tries == 1 and not delivery.record
        kept = None if is_new else await self._in_thread(self._deliveries.find, webhook, delivery_id)
        return kept or message.new_record(delivery_id)

    async def _send(self, webhook: Webhook, message: Message) -> Attempt:
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


MAX_SENDING = 16  # how many deliveries to one webhook a worker sends at the same time
MAX_TAKEN = 64  # how many deliveries to one webhook a worker leases
TAKE_WAIT_MS = 1_000  # how long a new delivery is waited for, and how often those that are due again are looked for
# How long a leased delivery may wait for its turn; after that the lease may end before the attempt does.
MAX_WAIT_SECONDS = LEASE_MS / 1000 - TIMEOUT_SECONDS
# Errors after which a queue is read again: the store is away, or the webhook was deleted.
EXPECTED = (StoreError, errors.StoreUnavailable, NoSuchQueue)


class DeliveryQueue:
    """Delivers to one webhook until it is stopped; ``webhook`` is replaced when that is changed.

    Deliveries of one match are sent one after the other, in order; those of several matches at the same time. A
    delivery that failed is sent again later, and holds up only those of its match.
    """

    def __init__(self, webhook: Webhook, outbox: Outbox, deliverer: Deliverer, loop: asyncio.AbstractEventLoop) -> None:
        self.webhook, self.stop = webhook, threading.Event()
        self._outbox, self._deliverer, self._loop = outbox, deliverer, loop
        self._room = threading.Semaphore(MAX_TAKEN)
        self._sending = asyncio.Semaphore(MAX_SENDING)
        self._tasks: set[asyncio.Task[None]] = set()
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
        task = self._loop.create_task(self._deliver(delivery))
        self._tasks.add(task)
        task.add_done_callback(self._end)

    def _end(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._room.release()

    async def _deliver(self, delivery: Delivery) -> None:
        """Deliver, and then what has waited for it, each in turn with those of other matches."""
        following: Delivery | None = delivery
        try:
            while following is not None:
                begun = self._loop.time()
                async with self._sending:
                    if self.stop.is_set() or self._loop.time() - begun > MAX_WAIT_SECONDS:
                        await self._deliverer.put_back(self.webhook, following)
                        return
                    following = await self._deliverer.deliver(self.webhook, following)
        except EXPECTED:
            pass  # it is taken again at the end of its lease
        except Exception as error:
            LOG.error("webhook delivery failed: %s", type(error).__name__)  # its text may name a match


REFRESH_SECONDS = 1.0  # how soon a worker notices a webhook that another one has created, changed or deleted
# How many names of hosts are resolved at the same time: a name server that hangs holds up a thread each.
NAME_THREADS = 64
STOP_SECONDS = TIMEOUT_SECONDS + 1  # seconds that a stop waits for an attempt in progress


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
        self._outbox, self._registry = stores.outbox, registry
        self._deliverer = Deliverer(MessageReader(matches.repository), stores, sender, observe)
        self._closed = threading.Event()
        self._queues: dict[str, DeliveryQueue] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._runs = threading.Event()
        self._sender_thread = threading.Thread(target=self._send, name="webhook-sender", daemon=True)
        self._thread = threading.Thread(target=self._follow, name="webhooks", daemon=True)

    def start(self) -> None:
        self._sender_thread.start()
        self._runs.wait()
        self._thread.start()

    def close(self) -> None:
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
        active = {webhook.webhook_id: webhook for webhook in self._registry.active()}
        for webhook_id in self._queues.keys() - active.keys():
            self._queues.pop(webhook_id).stop.set()
        for webhook_id, webhook in active.items():
            if webhook_id in self._queues:
                self._queues[webhook_id].webhook = webhook
            elif not self._closed.is_set() and self._loop is not None:
                self._queues[webhook_id] = DeliveryQueue(webhook, self._outbox, self._deliverer, self._loop)
