"""The webhooks of platforms as documents describe them: OpenAPI as operations, AsyncAPI as messages."""

from __future__ import annotations

from typing import Final, NamedTuple

from chitarrella.transports.rest.api_documents.schemas import COMMENTS, Schema, Schemas
from chitarrella.v1.matches_pb2 import WebhookMessage

DESCRIPTOR: Final = WebhookMessage.DESCRIPTOR
"""The message that a webhook sends."""


class WebhookType(NamedTuple):
    """A kind of webhook message: the value of its field ``type``, when it is sent, and what it always holds."""

    name: str
    summary: str
    required: tuple[str, ...]

    @property
    def operation_id(self) -> str:
        """Its name as the id of an operation, such as ``matchMoved``."""
        first, *others = self.name.split(".")
        return first + "".join(map(str.capitalize, others))

    def schema(self, schemas: Schemas) -> Schema:
        """Return the schema of its body."""
        own = {"type": "object", "properties": {"type": {"const": self.name}}, "required": ["type", *self.required]}
        return {"allOf": [schemas.reference(DESCRIPTOR), own]}


WEBHOOK_TYPES: Final = (
    WebhookType("match.moved", "A match has a new revision that everybody may know of", ("update",)),
    WebhookType("match.aborted", "The referee has aborted a match", ()),
    WebhookType("webhook.test", "The platform has asked for a test", ()),
)
"""The types of messages, with the fields that each has."""
WEBHOOK_DESCRIPTION: Final = COMMENTS[DESCRIPTOR.full_name]
"""What the contract says about the message."""

WEBHOOK_HEADERS: Final[dict[str, Schema]] = {
    "webhook-id": {
        "type": "string",
        "description": "The id of the message, the same at every delivery: MATCH.REVISION, MATCH.aborted or test.ID.",
    },
    "webhook-timestamp": {
        "type": "string",
        "pattern": "^[0-9]+$",
        "description": "When this delivery was signed, in seconds since 1970.",
    },
    "webhook-signature": {
        "type": "string",
        "description": "The signatures of Standard Webhooks, one for each secret, with a space between.",
    },
}
"""The headers of Standard Webhooks, by which a receiver verifies a message and recognises a repeated one."""
