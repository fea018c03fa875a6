"""Webhooks and records of deliveries as text: one JSON object each, always the same text for the same value."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode

from chitarrella.matches.webhooks import DeliveryRecord, OldSecret, Webhook


def encode_webhook(webhook: Webhook) -> str:
    """Write a webhook, with its secrets."""
    return json.dumps(
        {
            "webhook_id": webhook.webhook_id,
            "platform": webhook.platform,
            "url": webhook.url,
            "secrets": [b64encode(secret).decode() for secret in webhook.secrets],
            "old_secrets": [[b64encode(old.secret).decode(), old.until] for old in webhook.old_secrets],
            "create_time": webhook.create_time,
            "disabled": webhook.disabled,
            "request_hash": webhook.request_hash,
        }
    )


def decode_webhook(text: str) -> Webhook:
    """Read a webhook."""
    fields = json.loads(text)
    secrets = tuple(map(b64decode, fields.pop("secrets")))
    old = tuple(OldSecret(b64decode(secret), until) for secret, until in fields.pop("old_secrets"))
    return Webhook(**fields, secrets=secrets, old_secrets=old)


def encode_record(record: DeliveryRecord) -> str:
    """Write a record; it begins with its id, a space behind."""
    return f"{record.delivery_id} {json.dumps(record[1:])}"


def decode_record(text: str) -> DeliveryRecord:
    """Read a record."""
    delivery_id, _, fields = text.partition(" ")
    return DeliveryRecord(delivery_id, *json.loads(fields))
