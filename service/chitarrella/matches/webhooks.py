"""The webhook service: the use cases of webhooks that a platform manages by calls."""

from __future__ import annotations

import hmac
import secrets
import socket
import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from itertools import count
from typing import Any
from urllib.parse import urlsplit

from chitarrella import errors
from chitarrella.matches.clock import now_ms
from chitarrella.matches.log_writer import request_reused
from chitarrella.matches.metadata import digest
from chitarrella.matches.repository import MatchRepository, translate_store_errors
from chitarrella.storage.webhooks import (
    ID_LENGTH,
    MAX_DELIVERIES,
    DeliveryRecord,
    DeliveryState,
    OldSecret,
    Webhook,
    WebhookStore,
    WebhookStores,
)

SECRET_PREFIX = "whsec_"  # the beginning of the text of a secret, by Standard Webhooks
MAX_WEBHOOKS = 10  # how many webhooks a platform may create
MAX_OLD_SECRETS = 3  # how many replaced secrets of a webhook still sign
OLD_SECRET_MS = 24 * 3600 * 1000  # how long a replaced secret goes on signing

MATCH_CREATED, MATCH_MOVED, DEAL_FINISHED = "match.created", "match.moved", "deal.finished"
MATCH_FINISHED, MATCH_ABORTED, MATCH_EXPIRED = "match.finished", "match.aborted", "match.expired"
EVENT_TYPES = (MATCH_CREATED, MATCH_MOVED, DEAL_FINISHED, MATCH_FINISHED, MATCH_ABORTED, MATCH_EXPIRED)
WEBHOOK_TEST = "webhook.test"  # the type of a message that a platform asks for


class WebhookRegistry:
    """A copy of the webhooks that is at most as old as its last `refresh`. Thread-safe."""

    def __init__(self, store: WebhookStore, configured: Iterable[Webhook] = ()) -> None:
        """Copy from ``store``; the ``configured`` webhooks never change. Nothing is read yet."""
        self.changed = threading.Event()  # set after a refresh has found a change; whoever waits for it clears it
        self._store = store
        self._configured = tuple(configured)
        self._read: tuple[str | None, dict[str, tuple[Webhook, ...]]] = None, _by_platform(self._configured)
        self._numbers, self._latest, self._lock = count(1), 0, threading.Lock()

    def refresh(self) -> None:
        """Read the webhooks again where they have changed. Raises `chitarrella.storage.rows.StoreError`."""
        number, before = next(self._numbers), self._read
        version = self._store.version()  # before the webhooks: what changes in between is read the next time
        read = before
        if version != before[0]:
            read = version, _by_platform((*self._configured, *(self._store.all() if version else ())))
        # Nothing is read under the lock, which would hold up an event loop. An answer that was asked for before another
        # one and comes after it does not count: it may lack a webhook whose creation was acknowledged.
        with self._lock:
            if number < self._latest:
                return
            self._latest, is_new, self._read = number, read[0] != self._read[0], read
        if is_new:
            self.changed.set()

    def active(self) -> list[Webhook]:
        found = self._read[1].values()
        return [webhook for webhooks in found for webhook in webhooks if not webhook.disabled]

    def of_platform(self, platform: str) -> tuple[Webhook, ...]:
        if self._read[0] is None:
            self.refresh()
        return self._read[1].get(platform, ())

    def receivers(self, platform: str) -> tuple[Webhook, ...]:
        return tuple(webhook for webhook in self.of_platform(platform) if not webhook.disabled)


def _by_platform(webhooks: Iterable[Webhook]) -> dict[str, tuple[Webhook, ...]]:
    found: dict[str, tuple[Webhook, ...]] = {}
    for webhook in sorted(webhooks, key=lambda one: (not one.configured, one.create_time, one.webhook_id)):
        found[webhook.platform] = (*found.get(webhook.platform, ()), webhook)
    return found


NAT64 = IPv6Network("64:ff9b::/96")  # its last 32 bits are the IPv4 address that a gateway calls (RFC 6052)


def is_http_url(url: str) -> bool:
    try:
        parts = urlsplit(url)
        has_port = parts.port is None or parts.port >= 0
    except ValueError:  # brackets around no IPv6 address, or a port that is no number
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and has_port


def names_forbidden_address(url: str) -> bool:
    """Whether the host is this machine or an address, in any spelling, that is not public. No name is resolved."""
    host = (urlsplit(url).hostname or "").rstrip(".")  # in small letters
    if host == "localhost" or host.endswith(".localhost"):  # this machine everywhere (RFC 6761)
        return True
    try:
        return not is_public(ip_address(host))
    except ValueError:
        pass
    try:
        return not is_public(IPv4Address(socket.inet_aton(host)))  # "127.1", "0x7f000001", "2130706433"
    except OSError:
        return False


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address is one of the internet; an IPv6 address that stands for an IPv4 one is as public as that."""
    if isinstance(address, IPv6Address):
        inner = _ipv4_within(address)
        if inner is not None:
            return is_public(inner)
        if address.is_site_local:
            return False
    return address.is_global and not (
        address.is_multicast
        or address.is_reserved
        or address.is_loopback
        or address.is_link_local
        or address.is_unspecified
        or address.is_private
    )


def _ipv4_within(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that packets to an IPv6 address may be sent to; None where it stands for itself."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address in NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    if address.sixtofour is not None:
        return address.sixtofour
    return address.teredo[1] if address.teredo is not None else None


MAX_ATTEMPTS = 16  # how often a change is tried again when others changed the same webhook meanwhile
MAX_TESTS = 4  # how many test messages a worker sends at the same time: each holds the thread of a call
SECRET_BYTES = 32  # random bytes of the secret of a webhook


class WebhookService:
    """Creates, changes, tests and deletes webhooks. Thread-safe; all state is in the store. Where a platform has no
    such webhook `errors.NotFound` is raised.
    """

    def __init__(
        self,
        stores: WebhookStores,
        registry: WebhookRegistry,
        repository: MatchRepository,
        store_secret: Callable[[], bytes],
        send_test: Callable[[Webhook], DeliveryRecord],
        *,
        allow_private: bool = False,
    ) -> None:
        """``store_secret`` returns the secret of all workers. With ``allow_private`` a URL may name any address."""
        self._stores, self._registry, self._repository = stores, registry, repository
        self._store_secret, self._send_test = store_secret, send_test
        self._allow_private = allow_private
        self._tests = threading.BoundedSemaphore(MAX_TESTS)

    def create(self, platform: str, url: str, request_id: str, event_types: tuple[str, ...]) -> tuple[Webhook, bytes]:
        """Create a webhook, or find that of a repeated request; returns it with its first secret."""
        self._check_url(url)
        webhook_id, secret = self._derive(platform, request_id)
        asked = digest(f"{url} {' '.join(event_types)}".rstrip())
        new = Webhook(
            webhook_id, platform, url, (secret,), create_time=now_ms(), request_hash=asked, event_types=event_types
        )
        with translate_store_errors():
            kept = self._stores.webhooks.create(new, MAX_WEBHOOKS)
            self._registry.refresh()
        if kept is None:
            raise errors.TooMany("too_many_webhooks", f"A platform may have {MAX_WEBHOOKS} webhooks.")
        if kept.request_hash != new.request_hash:
            raise request_reused()
        return kept, secret

    def _derive(self, platform: str, request_id: str) -> tuple[str, bytes]:
        if not request_id:
            return secrets.token_hex(ID_LENGTH // 2), secrets.token_bytes(SECRET_BYTES)
        with translate_store_errors():
            key = self._store_secret()
        parts = (f"webhook {part} of {platform} {request_id}".encode() for part in ("id", "secret"))
        name, secret = (hmac.digest(key, part, "sha256") for part in parts)
        return name.hex()[:ID_LENGTH], secret

    def all_of(self, platform: str) -> tuple[Webhook, ...]:
        with translate_store_errors():
            self._registry.refresh()
            return self._registry.of_platform(platform)

    def update(
        self, platform: str, webhook_id: str, url: str | None, disabled: bool | None, event_types: tuple[str, ...]
    ) -> Webhook:
        """Change a webhook; None and no types leave what there is. Raises `BadRequest` and `NotPossibleNow`."""
        if url is not None:
            self._check_url(url)

        fields: dict[str, Any] = {"url": url, "disabled": disabled, "event_types": event_types or None}
        given = {name: value for name, value in fields.items() if value is not None}
        return self._change(platform, webhook_id, lambda webhook: replace(webhook, **given))

    def rotate_secret(self, platform: str, webhook_id: str) -> bytes:
        secret, now = secrets.token_bytes(SECRET_BYTES), now_ms()

        def change(webhook: Webhook) -> Webhook:
            old = (*(OldSecret(one, now + OLD_SECRET_MS) for one in webhook.secrets), *webhook.old_secrets)
            valid = tuple(one for one in old if now < one.until)
            return replace(webhook, secrets=(secret,), old_secrets=valid[:MAX_OLD_SECRETS])

        self._change(platform, webhook_id, change)
        return secret

    def delete(self, platform: str, webhook_id: str) -> None:
        self._changeable(platform, webhook_id)
        with translate_store_errors():
            self._stores.webhooks.delete(webhook_id)
            self._registry.refresh()

    def test(self, platform: str, webhook_id: str) -> DeliveryRecord:
        webhook = self.find(platform, webhook_id)
        if not self._tests.acquire(blocking=False):
            raise errors.TooMany("too_many", "Too many test messages are being sent at once; try again.")
        try:
            with translate_store_errors():
                return self._send_test(webhook)
        finally:
            self._tests.release()

    def deliveries(
        self, platform: str, webhook_id: str, before: str, count: int, state: DeliveryState | None
    ) -> tuple[list[DeliveryRecord], str]:
        """One page of the deliveries, the latest first, and the id to go on from, empty after the last."""
        webhook = self.find(platform, webhook_id)
        with translate_store_errors():
            found = self._stores.webhooks.page(webhook, before, MAX_DELIVERIES if state else count + 1)
        chosen = [record for record in found if state in (None, record.state)]
        page = chosen[:count]
        return page, page[-1].delivery_id if len(chosen) > count else ""

    def resend(self, platform: str, webhook_id: str, delivery_id: str) -> DeliveryRecord:
        """Put a delivery into the queue again. Raises `errors.NotFound`, also where its match was deleted."""
        webhook = self.find(platform, webhook_id)
        with translate_store_errors():
            record = self._stores.webhooks.find(webhook, delivery_id)
        if record is None:
            message = "The webhook has no such delivery, or it is not kept any more."
            raise errors.NotFound("no_such_delivery", message, "delivery_id")
        if record.type not in (WEBHOOK_TEST, MATCH_EXPIRED):
            self._repository.load_without_rules(record.match)
        pending = record._replace(state="pending")
        stop = record.number + 1 if record.number >= 0 else record.number
        with translate_store_errors():
            self._stores.webhooks.put(webhook, pending)  # before it can be sent: its result comes after this
            self._stores.outbox.enqueue((webhook,), record.match, record.number, stop, delivery_id)
        return pending

    def find(self, platform: str, webhook_id: str) -> Webhook:
        for webhook in self.all_of(platform):
            if webhook.webhook_id == webhook_id:
                return webhook
        raise errors.NotFound("no_such_webhook", "The platform has no such webhook.", "webhook_id")

    def _check_url(self, url: str) -> None:
        if not is_http_url(url):
            raise errors.BadRequest("bad_request", "url: must be an http or https URL with a host", "url")
        if "@" in urlsplit(url).netloc:
            raise errors.BadRequest("bad_request", "url: must hold no user name and no password", "url")
        if not self._allow_private and names_forbidden_address(url):
            raise errors.BadRequest("bad_request", "url: names an address that is not public", "url")

    def _changeable(self, platform: str, webhook_id: str) -> Webhook:
        webhook = self.find(platform, webhook_id)
        if webhook.configured:
            message = "This webhook stands in the settings of the service, and only its operator can change it."
            raise errors.NotPossibleNow("webhook_configured", message, "webhook_id")
        return webhook

    def _change(self, platform: str, webhook_id: str, change: Callable[[Webhook], Webhook]) -> Webhook:
        for _ in range(MAX_ATTEMPTS):
            before = self._changeable(platform, webhook_id)
            after = change(before)
            with translate_store_errors():
                is_changed = after == before or self._stores.webhooks.replace(before, after)
                self._registry.refresh()
            if is_changed:
                return after
        raise errors.TooMany("too_many", "Too many change this webhook at once; try again.")
