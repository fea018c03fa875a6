"""Webhooks of a platform, and what was delivered to them, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum


@dataclass(frozen=True, slots=True)
class Webhook:
    """Where the service sends messages to a platform."""

    webhook_id: str
    url: str
    create_time: datetime | None = None
    """When it was created, in UTC; None for one in the settings of the service."""
    disabled: bool = False
    """It receives no messages."""
    configured: bool = False
    """It stands in the settings of the service; no call changes it."""


@dataclass(frozen=True, slots=True)
class CreatedWebhook:
    """A new webhook with its secret, which is returned only here."""

    webhook: Webhook
    secret: str = field(repr=False)
    """The secret that signs its messages, for a library of Standard Webhooks."""


class DeliveryState(Enum):
    """The state of a delivery; a value added by a newer service is read as ``UNKNOWN``."""

    UNKNOWN = 0
    PENDING = 1
    """It will be attempted, perhaps again."""
    SENT = 2
    """The webhook has received it."""
    FAILED = 3
    """It is not attempted any more."""

    @classmethod
    def _missing_(cls, value: object) -> DeliveryState:
        return cls.UNKNOWN


@dataclass(frozen=True, slots=True)
class Delivery:
    """The delivery of a message to a webhook."""

    delivery_id: str
    message_id: str
    """The id of the message: its header ``webhook-id``."""
    type: str
    """The type of the message, such as "match.moved"."""
    match_id: str
    """The id of the match; empty for a test message."""
    state: DeliveryState
    attempts: int = 0
    last_attempt_time: datetime | None = None
    """When the last attempt was made, in UTC; None without one."""
    status_code: int = 0
    """The HTTP status of the last attempt; 0 without one."""
    error: str = ""
    """Why the last attempt failed, such as "timed_out"; empty if it did not."""
