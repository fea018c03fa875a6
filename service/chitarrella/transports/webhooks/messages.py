"""The messages of webhooks: what a delivery in the outbox reports, read from the log of its match."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import NamedTuple

import standardwebhooks

from chitarrella import errors
from chitarrella.api.streams import update_message
from chitarrella.matches.history import Cursor, MatchHistory, ViewerFeed
from chitarrella.matches.metadata import Cache
from chitarrella.matches.repository import MatchRepository
from chitarrella.matches.webhooks import is_http_url
from chitarrella.storage.rows import ABORTED
from chitarrella.storage.webhooks import (
    MATCH_ABORTED,
    MATCH_MOVED,
    SECRET_PREFIX,
    TEST,
    WEBHOOK_TEST,
    Delivery,
    DeliveryRecord,
    Webhook,
    configured_webhook,
    delivery_id_of,
)
from chitarrella.v1 import matches_pb2 as pb

# Matches whose history is kept, so that the next delivery continues it instead of replaying the match.
CACHE_SIZE = 1_000
BOT_EVENTS = ("bot_seated", "bot_left")  # not reported: nothing has moved


class Message(NamedTuple):
    number: int
    message_id: str
    body: pb.WebhookMessage

    def new_record(self, delivery_id: str) -> DeliveryRecord:
        return DeliveryRecord(delivery_id, self.message_id, self.body.type, self.body.match_id, self.number)


class MessageReader:
    def __init__(self, repository: MatchRepository) -> None:
        self._repository = repository
        self._histories: Cache[tuple[MatchHistory, ViewerFeed]] = Cache(CACHE_SIZE)

    def messages(self, webhook: Webhook, delivery: Delivery) -> list[Message] | None:
        """None where the entries are not there yet. Raises `errors.NotPossibleNow` for unknown rules."""
        try:
            return self._messages(webhook, delivery)
        except errors.NotFound:
            return None

    def _messages(self, webhook: Webhook, delivery: Delivery) -> list[Message] | None:
        if delivery.start == TEST:
            return [message_of_test(delivery.record)]
        if delivery.start == ABORTED:
            body = pb.WebhookMessage(type=MATCH_ABORTED, match_id=delivery.match, finished=True)
            is_aborted = self._repository.load(delivery.match).row.aborted
            return [Message(ABORTED, f"{delivery.match}.aborted", body)] if is_aborted else None
        key = f"{webhook.webhook_id} {delivery.match}"  # each webhook has its own, because a history goes on
        history, feed = self._take_history(key, delivery)
        first = history.length
        lines = self._repository.read_log(delivery.match, first)[: delivery.stop - first]
        found = None
        if first + len(lines) == delivery.stop:
            found = [*_moves(history, feed, lines, delivery)]
        self._histories.put(key, (history, feed))
        return found

    def _take_history(self, key: str, delivery: Delivery) -> tuple[MatchHistory, ViewerFeed]:
        """Take a history out of the cache; a new one if that is past ``delivery``, which is late or repeated."""
        cached = self._histories.take(key)
        if cached is not None and cached[0].length <= delivery.start:
            return cached
        snapshot = self._repository.cached(delivery.match)
        return MatchHistory(snapshot.game, snapshot.metadata.position), ViewerFeed(None, Cursor())


def _moves(history: MatchHistory, feed: ViewerFeed, lines: list[str], delivery: Delivery) -> Iterator[Message]:
    """Continue a history with the entries ``lines``, and give the messages of those that ``delivery`` reports."""
    for number, (revision, events) in enumerate(history.replay(lines), history.length):
        update = feed.next_update(revision, events)
        if update is not None and number >= delivery.start and events[0].kind not in BOT_EVENTS:
            finished = history.game.is_finished(history.position)
            message = update_message(update)
            body = pb.WebhookMessage(type=MATCH_MOVED, match_id=delivery.match, update=message, finished=finished)
            yield Message(number, f"{delivery.match}.{update.cursor.revision}", body)


def message_of_test(delivery_id: str) -> Message:
    return Message(TEST, f"test.{delivery_id}", pb.WebhookMessage(type=WEBHOOK_TEST))


def id_of_record(delivery: Delivery, index: int) -> str:
    """The id of the delivery of the message with that index; the same at every attempt, by every worker."""
    if delivery.record:
        return delivery.record
    milliseconds, _, sequence = delivery.name.partition("-")
    return delivery_id_of(int(milliseconds), int(sequence or 0), index)


# Configuration of webhooks, and the signed headers of their messages


# The least and the greatest length of a secret, in bytes, by Standard Webhooks.
MIN_SECRET_BYTES, MAX_SECRET_BYTES = 24, 64


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
