"""Webhooks: where platforms that keep no streams want to be told what happens at their matches.

One a line, ``PLATFORM URL SECRET``, the platform being one of the API keys. A secret is ``whsec_`` and the base64 of 24
to 64 bytes; several joined by commas all sign, so that one can be replaced while the old one still counts. Messages are
signed as the Standard Webhooks have it, in three lines: what supplies that would bring six packages.
"""

from __future__ import annotations

import hmac
from base64 import b64decode, b64encode
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import urlsplit

MARK = "whsec_"
LEAST_BYTES, MOST_BYTES = 24, 64


class Webhook(NamedTuple):
    """Where a platform is told, and the secrets that sign."""

    platform: str
    url: str
    secrets: tuple[bytes, ...]


class BadWebhooks(ValueError):
    """A line that says nothing; names it by its number, not by what stands there."""


def read_webhooks(text: str) -> tuple[Webhook, ...]:
    """Read lines; blank ones and what follows `` #`` are passed over; raises `BadWebhooks`."""
    found = []
    for number, raw in enumerate(text.splitlines(), 1):
        parts = f" {raw}".partition(" #")[0].split()
        if not parts:
            continue
        if len(parts) != 3:
            raise BadWebhooks(f"line {number} of the webhooks is not PLATFORM URL SECRET")
        if not _is_web(parts[1]):
            raise BadWebhooks(f"line {number} of the webhooks names no http or https URL")
        found.append(Webhook(parts[0], parts[1], tuple(_secret(number, secret) for secret in parts[2].split(","))))
    if len({hook.platform for hook in found}) != len(found):
        raise BadWebhooks("a platform has two webhooks")
    return tuple(found)


def _is_web(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:  # brackets that hold no address
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)


def _secret(number: int, text: str) -> bytes:
    try:
        secret = b64decode(text.removeprefix(MARK), validate=True)
    except ValueError:
        secret = b""
    if not LEAST_BYTES <= len(secret) <= MOST_BYTES:
        raise BadWebhooks(f"line {number} of the webhooks: a secret is {MARK} and the base64 of 24 to 64 bytes")
    return secret


def headers(secrets: Iterable[bytes], name: str, second: int, body: bytes) -> dict[str, str]:
    """Give the headers of a message: its name, when it is sent (seconds since 1970), a signature by each secret."""
    said = f"{name}.{second}.".encode() + body
    signatures = [b64encode(hmac.digest(secret, said, "sha256")).decode() for secret in secrets]
    return {
        "content-type": "application/json",
        "user-agent": "chitarrella",
        "webhook-id": name,
        "webhook-timestamp": str(second),
        "webhook-signature": " ".join(f"v1,{signature}" for signature in signatures),
    }
