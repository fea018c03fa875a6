"""Webhooks, their deliveries, and the queues of deliveries that wait (the transactional outbox pattern).

One hash holds all webhooks; beside it each has a sorted set of its latest deliveries, and a stream of those that wait,
with a consumer group of which every worker is a member. All these keys are in one slot of a cluster, so that a webhook
is created and deleted with its queue in one atomic step. Redis counts how often a delivery was handed out, and how long
ago; so the pauses between attempts outlive every worker.

A delivery is enqueued before the log entries that it reports are appended: a worker may be killed at any moment, and no
delivery is lost. Whoever takes a delivery reads the log to see whether the entries are there.
"""

from __future__ import annotations

import json
import secrets
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from typing import Any, Literal, NamedTuple, TypeVar

from redis.exceptions import ResponseError

from chitarrella.storage.redis_connection import RedisConnection, Script
from chitarrella.storage.rows import Backlog, StoreError

ID_LENGTH = 20  # hexadecimal digits of the id of a webhook
MAX_DELIVERIES = 1_000  # how many deliveries of a webhook are kept, the latest
DELIVERY_MS = 7 * 24 * 3600 * 1000  # how long deliveries of a webhook are kept

DeliveryState = Literal["pending", "sent", "failed"]  # whether a delivery waits, was received, or is not tried any more


class OldSecret(NamedTuple):
    """A replaced secret, and until when it signs beside the new one, in milliseconds since 1970."""

    secret: bytes
    until: int


@dataclass(frozen=True)
class Webhook:
    """Where messages are sent to a platform, and the secrets that sign them.

    ``create_time`` is in milliseconds since 1970. A ``configured`` webhook stands in the settings of the service, and
    not in the store. ``request_hash`` tells whether a repeated request to create it is the same one. ``event_types``
    are those of the messages that it receives, none for all.
    """

    webhook_id: str
    platform: str
    url: str
    secrets: tuple[bytes, ...] = field(repr=False)  # the secrets that sign, the newest first
    old_secrets: tuple[OldSecret, ...] = field(default=(), repr=False)  # replaced secrets, the latest first
    create_time: int = 0
    disabled: bool = False
    configured: bool = False
    request_hash: str = field(default="", repr=False)
    event_types: tuple[str, ...] = ()

    def wants(self, event_type: str) -> bool:
        return not self.event_types or event_type in self.event_types

    def secrets_at(self, now: int) -> tuple[bytes, ...]:
        """The secrets that sign at ``now``, in milliseconds since 1970, the newest first."""
        return (*self.secrets, *(old.secret for old in self.old_secrets if now < old.until))


class Attempt(NamedTuple):
    """The result of sending a message once: why it failed, empty if it did not, the HTTP status, 0 without one, and
    after how many milliseconds the receiver wants it again, 0 where it does not say.
    """

    error: str
    status_code: int = 0
    retry_after_ms: int = 0


class DeliveryRecord(NamedTuple):
    """What is kept of the delivery of one message; ``number`` is its place in the log, or `ABORTED` or `TEST`. The time
    is in milliseconds since 1970, 0 before the first attempt. Before ``retry_at`` it is not attempted again.
    """

    delivery_id: str
    message_id: str
    type: str
    match: str
    number: int
    state: DeliveryState = "pending"
    attempts: int = 0
    last_attempt_time: int = 0
    status_code: int = 0
    error: str = ""
    retry_at: int = 0

    def attempted(self, attempt: Attempt, now: int, *, is_last: bool) -> DeliveryRecord:
        """The record after one more attempt at ``now``; ``is_last`` where a failure is not followed by another."""
        state: DeliveryState = "sent" if not attempt.error else "failed" if is_last else "pending"
        retry_at = now + attempt.retry_after_ms if attempt.error else 0
        attempted = self._replace(state=state, attempts=self.attempts + 1, last_attempt_time=now, retry_at=retry_at)
        return attempted._replace(status_code=attempt.status_code, error=attempt.error)


def configured_webhook(platform: str, url: str, secrets: tuple[bytes, ...]) -> Webhook:
    """The webhook of a platform in the settings; its id depends on the platform alone, which has only one."""
    webhook_id = sha256(f"configured webhook of {platform}".encode()).hexdigest()[:ID_LENGTH]
    return Webhook(webhook_id, platform, url, secrets, configured=True)


def delivery_id_of(time_ms: int, sequence: int, number: int) -> str:
    """The id of a delivery: 24 hexadecimal digits, which sort by time, then by ``sequence`` and ``number``."""
    return f"{time_ms:012x}{sequence & 0xFFFFFF:06x}{number & 0xFFFFFF:06x}"


def oldest_delivery_id(now: int) -> str:
    return delivery_id_of(max(0, now - DELIVERY_MS), 0, 0)


TEST = -2  # in place of ``start``: a test message, of no match


class Delivery(NamedTuple):
    """Log entries ``start`` to before ``stop``; ``tries`` counts attempts, ``record`` is the id of one sent again."""

    name: str
    match: str
    start: int
    stop: int
    tries: int = 1
    record: str = ""


class NoSuchQueue(LookupError):
    """The webhook of the queue was deleted."""


class WebhookStores(NamedTuple):
    """Where webhooks with their deliveries, and their queues, are kept."""

    webhooks: WebhookStore
    outbox: Outbox


def encode_webhook(webhook: Webhook) -> str:
    """Write a webhook, with its secrets: always the same text for the same webhook, as `WebhookStore.replace` needs."""
    secrets = [b64encode(secret).decode() for secret in webhook.secrets]
    old_secrets = [[b64encode(old.secret).decode(), old.until] for old in webhook.old_secrets]
    fields = {**vars(webhook), "secrets": secrets, "old_secrets": old_secrets}
    del fields["configured"]
    return json.dumps(fields)


def decode_webhook(text: str) -> Webhook:
    fields = json.loads(text)
    secrets = tuple(map(b64decode, fields.pop("secrets")))
    old = tuple(OldSecret(b64decode(secret), until) for secret, until in fields.pop("old_secrets"))
    types = tuple(fields.pop("event_types", ()))
    return Webhook(**fields, secrets=secrets, old_secrets=old, event_types=types)


def decode_record(text: str) -> DeliveryRecord:
    delivery_id, _, fields = text.partition(" ")
    return DeliveryRecord(delivery_id, *json.loads(fields))


CONSUMER_GROUP = "workers"  # the consumer group of every queue of deliveries
TAG = "{webhooks}"  # the part that is common to all keys of webhooks; its braces put them into one slot of a cluster


def queue_key(connection: RedisConnection, webhook_id: str) -> str:
    return connection.key(TAG, webhook_id, "outbox")


def lines_key(connection: RedisConnection, webhook_id: str) -> str:
    return connection.key(TAG, webhook_id, "lines")


class WebhookStore:
    """The webhooks that calls manage, and the latest deliveries of each webhook. Thread-safe."""

    def __init__(self, connection: RedisConnection) -> None:
        self._connection = connection
        self._key, self._version_key = connection.key(TAG), connection.key(TAG, "version")
        self._create, self._replace, self._delete = (
            Script(connection, name, is_durable=True)
            for name in ("create_webhook", "replace_webhook", "delete_webhook")
        )
        self._put = Script(connection, "put_delivery")

    def _queue(self, webhook_id: str) -> list[str]:
        return [queue_key(self._connection, webhook_id), lines_key(self._connection, webhook_id)]

    def _deliveries(self, webhook_id: str) -> str:
        return self._connection.key(TAG, webhook_id, "deliveries")

    def version(self) -> str:
        return self._connection.execute(lambda: self._connection.client.get(self._version_key)) or ""

    def all(self) -> list[Webhook]:
        return list(map(decode_webhook, self._connection.execute(lambda: self._connection.client.hvals(self._key))))

    def create(self, webhook: Webhook, limit: int) -> Webhook | None:
        """Keep a webhook and begin its queue, atomically; returns what is kept by its id, None at the ``limit``."""
        keys = [self._key, self._version_key, *self._queue(webhook.webhook_id)]
        text = encode_webhook(webhook)
        kept = self._create(keys, [webhook.webhook_id, text, webhook.platform, limit, new_version(), CONSUMER_GROUP])
        return decode_webhook(kept) if kept else None

    def replace(self, before: Webhook, after: Webhook) -> bool:
        """Replace a webhook; False, and no change, where neither ``before`` nor ``after`` is what is kept."""
        texts = [encode_webhook(before), encode_webhook(after)]
        return bool(self._replace([self._key, self._version_key], [before.webhook_id, *texts, new_version()]))

    def delete(self, webhook_id: str) -> None:
        """Delete a webhook with its queue and its deliveries, in one atomic step. Idempotent."""
        own = [*self._queue(webhook_id), self._deliveries(webhook_id)]
        self._delete([self._key, self._version_key, *own], [webhook_id, new_version()])

    def put(self, webhook: Webhook, record: DeliveryRecord) -> None:
        """Keep a record, in place of the one with the same id; nothing where the webhook was deleted."""
        needed = "" if webhook.configured else webhook.webhook_id
        oldest = oldest_delivery_id(_now_ms())
        keys = [self._key, self._deliveries(webhook.webhook_id)]
        text = f"{record.delivery_id} {json.dumps(record[1:])}"
        self._put(keys, [needed, record.delivery_id, text, MAX_DELIVERIES, oldest, DELIVERY_MS])

    def find(self, webhook: Webhook, delivery_id: str) -> DeliveryRecord | None:
        key = self._deliveries(webhook.webhook_id)
        if delivery_id < oldest_delivery_id(_now_ms()):
            return None
        found = self._connection.execute(
            lambda: self._connection.client.zrangebylex(key, f"[{delivery_id} ", f"({delivery_id}!")
        )
        return decode_record(found[0]) if found else None

    def page(self, webhook: Webhook, before: str, count: int) -> list[DeliveryRecord]:
        key, highest = self._deliveries(webhook.webhook_id), f"({before}" if before else "+"
        lowest = f"[{oldest_delivery_id(_now_ms())}"
        found = self._connection.execute(lambda: self._connection.client.zrevrangebylex(key, highest, lowest, 0, count))
        return list(map(decode_record, found))


def new_version() -> str:
    return secrets.token_hex(8)


def _now_ms() -> int:
    return int(time.time() * 1000)


MAX_SCANNED = 200  # how many deliveries that wait for another attempt are looked at in one call
MAX_PAUSES = 32  # after so many tries the pauses do not grow
WAITING = "waiting"  # the consumer of deliveries that wait for an earlier one of their match, and that no worker has


T = TypeVar("T")


class Outbox:
    """Deliveries that wait, by webhook. Thread-safe.

    Of a match a delivery is leased only if everything that was appended before its entries is settled, by whichever
    worker; so its messages are sent in order. One that is sent again on request waits for no other.
    """

    def __init__(self, connection: RedisConnection) -> None:
        self._connection = connection
        self._worker = secrets.token_hex(8)
        self._with_group: set[str] = set()
        self._scanned: dict[str, str] = {}  # by webhook: where the next look for deliveries that are due begins
        self._script = Script(connection, "outbox")

    def _key(self, webhook: Webhook) -> str:
        return queue_key(self._connection, webhook.webhook_id)

    def enqueue(self, webhooks: Sequence[Webhook], match: str, start: int, stop: int, record: str = "") -> None:
        if not webhooks:
            return
        fields = {"match": match, "start": start, "stop": stop, **({"record": record} if record else {})}

        def add(pipeline: Any) -> None:
            for webhook in webhooks:
                pipeline.xadd(self._key(webhook), fields, nomkstream=not webhook.configured)

        self._connection.send_together(add)

    def take_new(self, webhook: Webhook, count: int, wait: int) -> list[Delivery]:
        """Lease deliveries nobody had yet, waiting ``wait`` milliseconds for the first. Raises `NoSuchQueue`.

        Those that may not be sent yet, because an earlier one of their match is not settled, are left in the queue.
        """
        found = self._in_queue(webhook, lambda key: self._connection.execute(partial(self._read, key, count, wait)))
        ids = [name for _, entries in found or () for name, _ in entries]
        return self._run(webhook, "new", *ids)[1] if ids else []

    def take_due(self, webhook: Webhook, count: int, pause: Callable[[int], int]) -> list[Delivery]:
        """Lease deliveries that may be tried again, without waiting; ``pause`` gives the milliseconds to wait after a
        number of tries. Raises `NoSuchQueue`.
        """
        pauses = map(pause, range(1, MAX_PAUSES + 1))
        begin = self._scanned.get(webhook.webhook_id, "-")
        scanned, found = self._in_queue(
            webhook, lambda _: self._run(webhook, "due", begin, MAX_SCANNED, count, *pauses)
        )
        self._scanned[webhook.webhook_id] = scanned
        return found

    def _run(self, webhook: Webhook, what: str, *args: str | int) -> tuple[str, list[Delivery]]:
        key = self._key(webhook)
        keys = [key, lines_key(self._connection, webhook.webhook_id)]
        answer = self._script(keys, [CONSUMER_GROUP, self._worker, what, *args])
        if answer is None and what != "settle":
            raise StoreError("no queue") if key in self._with_group else NoSuchQueue(key)
        first, *entries = answer or ("",)
        return first, [
            _delivery(name, dict(zip(fields[::2], fields[1::2], strict=True)))._replace(tries=tries)
            for name, fields, tries in entries
        ]

    def _in_queue(self, webhook: Webhook, take: Callable[[str], T]) -> T:
        key = self._key(webhook)
        try:
            if webhook.configured and key not in self._with_group:
                self._connection.execute(partial(self._create_group, key))
                self._with_group.add(key)
            return take(key)
        except StoreError:
            self._with_group.discard(key)  # a server that has lost everything has lost the group too
            raise

    def _read(self, key: str, count: int, wait: int) -> Any:
        read = self._connection.client.xreadgroup
        return self._in_group(key, partial(read, CONSUMER_GROUP, self._worker, {key: ">"}, count=count, block=wait))

    def _in_group(self, key: str, command: Callable[[], Any]) -> Any:
        try:
            return command()
        except ResponseError as error:
            if key in self._with_group or not str(error).startswith(("NOGROUP", "UNBLOCKED")):
                raise
            raise NoSuchQueue(key) from error

    def _create_group(self, key: str) -> None:
        try:
            self._connection.client.xgroup_create(key, CONSUMER_GROUP, id="0", mkstream=True)
        except ResponseError as error:
            if "BUSYGROUP" not in str(error):
                raise

    def release(self, webhook: Webhook, delivery: Delivery, waited: int) -> None:
        self._hand_to(self._worker, webhook, delivery, idle=waited, retrycount=delivery.tries)

    def put_back(self, webhook: Webhook, delivery: Delivery) -> None:
        """Return a delivery that was not attempted; any worker may take it at once."""
        self._hand_to(WAITING, webhook, delivery, retrycount=delivery.tries)

    def _hand_to(self, consumer: str, webhook: Webhook, delivery: Delivery, **how: int) -> None:
        key, claim = self._key(webhook), self._connection.client.xclaim
        handed = partial(claim, key, CONSUMER_GROUP, consumer, 0, [delivery.name], justid=True, **how)
        self._connection.execute(lambda: self._in_group(key, handed))

    def ack(self, webhook: Webhook, delivery: Delivery) -> Delivery | None:
        """Settle a delivery; returns the next one of its match if that waited for this one, and is leased now."""
        _, found = self._run(webhook, "settle", delivery.name, "" if delivery.record else delivery.match)
        return found[0] if found else None

    def backlog(self, webhooks: Sequence[Webhook]) -> Backlog:
        def read(pipeline: Any) -> None:
            for webhook in webhooks:
                pipeline.xlen(self._key(webhook))
                pipeline.xrange(self._key(webhook), count=1)

        replies = self._connection.send_together(read) if webhooks else []
        times = [int(name.partition("-")[0]) for entries in replies[1::2] for name, _ in entries]
        return Backlog(sum(replies[::2]), min(times, default=0))


def _delivery(name: str, fields: dict[str, str]) -> Delivery:
    start, stop = int(fields["start"]), int(fields["stop"])
    return Delivery(name, fields["match"], start, stop, record=fields.get("record", ""))
