"""The messages of webhooks: what a delivery in the outbox reports, read from the log of its match."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import NamedTuple

import standardwebhooks

from chitarrella import errors
from chitarrella import v1 as pb
from chitarrella.api.converters import Fields, time_fields
from chitarrella.api.match_message import STATES, outcome_fields
from chitarrella.api.streams import update_message
from chitarrella.core.model import CHANCE
from chitarrella.matches.history import Cursor, MatchHistory, ViewerFeed
from chitarrella.matches.metadata import ABORTED as ENDED_BY_ABORT
from chitarrella.matches.metadata import FINISHED, OPEN
from chitarrella.matches.repository import Cache, MatchRepository
from chitarrella.matches.webhooks import (
    DEAL_FINISHED,
    MATCH_ABORTED,
    MATCH_CREATED,
    MATCH_EXPIRED,
    MATCH_FINISHED,
    MATCH_MOVED,
    SECRET_PREFIX,
    WEBHOOK_TEST,
    is_http_url,
)
from chitarrella.storage.rows import ABORTED, EXPIRED
from chitarrella.storage.webhooks import TEST, Delivery, DeliveryRecord, Webhook, configured_webhook, delivery_id_of

# Matches whose history is kept, so that the next delivery continues it instead of replaying the match.
CACHE_SIZE = 1_000
BOT_EVENTS = ("bot_seated", "bot_left")  # not reported: nothing has moved


class Message(NamedTuple):
    number: int
    message_id: str
    body: pb.WebhookMessage

    def new_record(self, delivery_id: str) -> DeliveryRecord:
        return DeliveryRecord(delivery_id, self.message_id, self.body.type, self.body.data.match_id, self.number)


class MessageReader:
    def __init__(self, repository: MatchRepository) -> None:
        self._repository = repository
        self._histories: Cache[tuple[MatchHistory, ViewerFeed]] = Cache(CACHE_SIZE)

    def messages(self, webhook: Webhook, delivery: Delivery) -> list[Message] | None:
        """Those that the webhook wants; None where the entries are not there yet. Raises `errors.NotPossibleNow` for
        unknown rules.
        """
        try:
            found = self._messages(webhook, delivery)
        except errors.NotFound:
            return None
        return found and [one for one in found if one.number == TEST or webhook.wants(one.body.type)]

    def _messages(self, webhook: Webhook, delivery: Delivery) -> list[Message] | None:
        if delivery.start == TEST:
            return [message_of_test(delivery.record)]
        if delivery.start == EXPIRED:
            at = int(delivery.name.partition("-")[0])
            return [_message(EXPIRED, delivery.match, MATCH_EXPIRED, at, {"match_id": delivery.match})]
        snapshot = self._repository.load(delivery.match)
        data = {
            "match_id": delivery.match,
            "external_id": snapshot.metadata.external_id,
            "labels": dict(snapshot.metadata.labels),
        }
        if delivery.start == ABORTED:
            state = {"state": STATES[ENDED_BY_ABORT]}
            aborted = _message(ABORTED, delivery.match, MATCH_ABORTED, snapshot.row.updated_at, data | state)
            return [aborted] if snapshot.row.aborted else None
        key = f"{webhook.webhook_id} {delivery.match}"  # each webhook has its own, because a history goes on
        history, feed = self._take_history(key, delivery)
        first = history.length
        lines = self._repository.read_log(delivery.match, first)[: delivery.stop - first]
        found = None
        if first + len(lines) == delivery.stop:
            found = [*_moves(history, feed, lines, delivery, data)]
            if not delivery.start:
                created, state = snapshot.metadata.created_at * 1000, {"state": STATES[OPEN]}
                found.insert(0, _message(0, delivery.match, MATCH_CREATED, created, data | state))
        self._histories.put(key, (history, feed))
        return found

    def _take_history(self, key: str, delivery: Delivery) -> tuple[MatchHistory, ViewerFeed]:
        """Take a history out of the cache; a new one if that is past ``delivery``, which is late or repeated."""
        cached = self._histories.take(key)
        if cached is not None and cached[0].length <= delivery.start:
            return cached
        snapshot = self._repository.cached(delivery.match)
        return MatchHistory(snapshot.game, snapshot.metadata.position), ViewerFeed(None, Cursor())


def _moves(
    history: MatchHistory, feed: ViewerFeed, lines: list[str], delivery: Delivery, data: Fields
) -> Iterator[Message]:
    """Continue a history with the entries ``lines``, and give the messages of those that ``delivery`` reports."""
    was_over = history.is_over
    for number, step in enumerate(history.replay(lines), history.length):
        ends, was_over = history.is_over and not was_over, history.is_over
        update = feed.next_update(step)
        if update is None or number < delivery.start:
            continue
        state, what = STATES[FINISHED if history.is_over else OPEN], f"{delivery.match}.{update.cursor.revision}"
        now = data | {"state": state, "outcome": outcome_fields(history.game, history.position, history.control)}
        if step.events[0].kind not in BOT_EVENTS:
            yield _message(number, what, MATCH_MOVED, step.at, now | {"update": update_message(update)})
        if step.is_move and (ends or history.game.turn(history.position) == CHANCE):
            yield _message(number, what, DEAL_FINISHED, step.at, now)
        if ends:
            yield _message(number, what, MATCH_FINISHED, step.at, now)


def _message(number: int, what: str, event_type: str, at: int, data: Fields) -> Message:
    body = pb.WebhookMessage(type=event_type, timestamp=time_fields(at or None), data=data)
    return Message(number, what if event_type == MATCH_MOVED else f"{what}.{event_type}", body)


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
