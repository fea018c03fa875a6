"""The webhook ports: the webhooks of platforms that calls manage, and what was delivered to each of them.

Every method of a port may raise `chitarrella.matches.store.StoreError`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from typing import Literal, NamedTuple, Protocol

ID_LENGTH = 20
"""Hexadecimal digits of the id of a webhook."""
SECRET_PREFIX = "whsec_"
"""The beginning of the text of a secret, by Standard Webhooks."""
MAX_WEBHOOKS = 10
"""How many webhooks a platform may create."""
MAX_OLD_SECRETS = 3
"""How many replaced secrets of a webhook still sign."""
OLD_SECRET_MS = 24 * 3600 * 1000
"""How long a replaced secret goes on signing."""
MAX_DELIVERIES = 1_000
"""How many deliveries of a webhook are kept, the latest."""
DELIVERY_MS = 7 * 24 * 3600 * 1000
"""How many deliveries of a webhook are kept, and how long."""

TIMED_OUT, UNREACHABLE, GONE, BAD_STATUS = "timed_out", "unreachable", "gone", "bad_status"
"""Errors of an attempt: no answer in time, no connection, status 410, another status."""
NO_SUCH_MATCH, EDITION_NOT_SUPPORTED = "no_such_match", "edition_not_supported"
"""Errors of a delivery that has nothing to send: its match was deleted, or is of rules that are unknown here."""
ADDRESS_NOT_ALLOWED = "address_not_allowed"
"""The error of an attempt whose host has a private address."""
MATCH_MOVED, MATCH_ABORTED, WEBHOOK_TEST = "match.moved", "match.aborted", "webhook.test"
"""The types of messages."""

DeliveryState = Literal["pending", "sent", "failed"]
"""Whether a delivery waits, was received, or is not tried any more."""


class OldSecret(NamedTuple):
    """A replaced secret, and until when it signs beside the new one, in milliseconds since 1970."""

    secret: bytes
    until: int


@dataclass(frozen=True)
class Webhook:
    """Where messages are sent to a platform, and the secrets that sign them.

    ``create_time`` is in milliseconds since 1970. A ``configured`` webhook stands in the settings of the service, and
    not in the store. ``request_hash`` tells whether a repeated request to create it is the same one.
    """

    webhook_id: str
    platform: str
    url: str
    secrets: tuple[bytes, ...] = field(repr=False)
    """The secrets that sign, the newest first."""
    old_secrets: tuple[OldSecret, ...] = field(default=(), repr=False)
    """Replaced secrets, the latest first."""
    create_time: int = 0
    disabled: bool = False
    configured: bool = False
    request_hash: str = field(default="", repr=False)

    def secrets_at(self, now: int) -> tuple[bytes, ...]:
        """The secrets that sign at ``now``, in milliseconds since 1970, the newest first."""
        return (*self.secrets, *(old.secret for old in self.old_secrets if now < old.until))


class Attempt(NamedTuple):
    """The result of sending a message once: why it failed, empty if it did not, and the HTTP status, 0 without one."""

    error: str
    status_code: int = 0


class DeliveryRecord(NamedTuple):
    """What is kept of the delivery of one message.

    ``number`` is the place in the log of what the message reports, negative as in `chitarrella.matches.outbox`. The
    time is in milliseconds since 1970, 0 before the first attempt.
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

    def attempted(self, attempt: Attempt, now: int, *, is_last: bool) -> DeliveryRecord:
        """The record after one more attempt at ``now``; ``is_last`` where a failure is not followed by another."""
        state: DeliveryState = "sent" if not attempt.error else "failed" if is_last else "pending"
        return self._replace(
            state=state,
            attempts=self.attempts + 1,
            last_attempt_time=now,
            status_code=attempt.status_code,
            error=attempt.error,
        )


class WebhookStore(Protocol):
    """The webhooks that were created by calls, of all platforms."""

    def version(self) -> str:
        """A text that changes whenever any webhook does; empty before the first."""

    def all(self) -> list[Webhook]:
        """Read every webhook."""

    def create(self, webhook: Webhook, limit: int) -> Webhook | None:
        """Keep a new webhook, and begin its queue in the outbox, in one atomic step.

        Returns what is kept under its id, which may be an older one; None where its platform has ``limit`` already.
        """

    def replace(self, before: Webhook, after: Webhook) -> bool:
        """Replace a webhook; False, and no change, where neither ``before`` nor ``after`` is what is kept."""

    def delete(self, webhook_id: str) -> None:
        """Delete a webhook with its queue and its deliveries, in one atomic step. Idempotent."""


class DeliveryStore(Protocol):
    """The deliveries of each webhook, by ids that sort by time: the latest `MAX_DELIVERIES`, for `DELIVERY_MS`."""

    def put(self, webhook: Webhook, record: DeliveryRecord) -> None:
        """Keep a record, in place of the one with the same id; nothing where the webhook was deleted."""

    def find(self, webhook: Webhook, delivery_id: str) -> DeliveryRecord | None:
        """Read a record; None where there is none."""

    def page(self, webhook: Webhook, before: str, count: int) -> list[DeliveryRecord]:
        """Read ``count`` records before the id ``before``, the latest first; from the latest on where it is empty."""


def configured_webhook(platform: str, url: str, secrets: tuple[bytes, ...]) -> Webhook:
    """The webhook of a platform in the settings; its id depends on the platform alone, which has only one."""
    webhook_id = sha256(f"configured webhook of {platform}".encode()).hexdigest()[:ID_LENGTH]
    return Webhook(webhook_id, platform, url, secrets, configured=True)


def delivery_id_of(time_ms: int, sequence: int, number: int) -> str:
    """The id of a delivery: 24 hexadecimal digits, which sort by time, then by ``sequence`` and ``number``."""
    return f"{time_ms:012x}{sequence & 0xFFFFFF:06x}{number & 0xFFFFFF:06x}"


def oldest_delivery_id(now: int) -> str:
    """The least id of a delivery that is still kept at ``now``, in milliseconds since 1970."""
    return delivery_id_of(max(0, now - DELIVERY_MS), 0, 0)
