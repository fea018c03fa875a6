"""Configuration of webhooks, and the signed headers of their messages.

One webhook a line, ``PLATFORM URL SECRET``; the platform is the name of an API key. A secret is ``whsec_`` and the
base64 of 24 to 64 bytes. Of several secrets, joined by commas, each one signs, so that a secret can be replaced while
the old one is still valid. Messages are signed according to Standard Webhooks (https://www.standardwebhooks.com).
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterable
from datetime import UTC, datetime

import standardwebhooks

from chitarrella.matches.webhook_urls import is_http_url
from chitarrella.storage.webhooks import SECRET_PREFIX, Webhook, configured_webhook

MIN_SECRET_BYTES, MAX_SECRET_BYTES = 24, 64
"""The least and the greatest length of a secret, in bytes, by Standard Webhooks."""


class InvalidWebhooks(ValueError):
    """Invalid configuration line. Reports the line number, never its content (it may hold a secret)."""


def parse_webhooks(text: str) -> tuple[Webhook, ...]:
    """Parse the configuration; blank lines and everything behind `` #`` are ignored. Raises `InvalidWebhooks`."""
    found = []
    for number, raw in enumerate(text.splitlines(), 1):
        parts = f" {raw}".partition(" #")[0].split()
        if not parts:
            continue
        if len(parts) != 3:
            raise InvalidWebhooks(f"line {number} of the webhooks is not PLATFORM URL SECRET")
        if not is_http_url(parts[1]):
            raise InvalidWebhooks(f"line {number} of the webhooks names no http or https URL")
        secrets = tuple(_secret(number, secret) for secret in parts[2].split(","))
        found.append(configured_webhook(parts[0], parts[1], secrets))
    if len({hook.platform for hook in found}) != len(found):
        raise InvalidWebhooks("a platform has two webhooks")
    return tuple(found)


def _secret(number: int, text: str) -> bytes:
    try:
        secret = b64decode(text.removeprefix(SECRET_PREFIX), validate=True)
    except ValueError:
        secret = b""
    if not MIN_SECRET_BYTES <= len(secret) <= MAX_SECRET_BYTES:
        raise InvalidWebhooks(
            f"line {number} of the webhooks: a secret is {SECRET_PREFIX} and the base64 of 24 to 64 bytes"
        )
    return secret


def signed_headers(secrets: Iterable[bytes], message_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """Return the HTTP headers of a message sent at ``timestamp`` (seconds since 1970), signed with each secret."""
    sent_at, text = datetime.fromtimestamp(timestamp, UTC), body.decode()
    signatures = [standardwebhooks.Webhook(secret).sign(message_id, sent_at, text) for secret in secrets]
    return {
        "content-type": "application/json",
        "user-agent": "chitarrella",
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signatures),
    }
