"""The messages of webhooks: what a delivery in the outbox reports, read from the log of its match."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import NamedTuple

from chitarrella import errors
from chitarrella.api.converters import update_message
from chitarrella.matches.cache import Cache
from chitarrella.matches.history import Cursor, MatchHistory, ViewerFeed
from chitarrella.matches.outbox import ABORTED, TEST, Delivery
from chitarrella.matches.repository import MatchRepository
from chitarrella.matches.webhooks import (
    MATCH_ABORTED,
    MATCH_MOVED,
    WEBHOOK_TEST,
    DeliveryRecord,
    Webhook,
    delivery_id_of,
)
from chitarrella.v1 import matches_pb2 as pb

CACHE_SIZE = 1_000
"""Matches whose history is kept, so that the next delivery continues it instead of replaying the match."""
POLL_SECONDS = (0.002, 0.005, 0.01, 0.03)
"""Pauses between looks for entries whose delivery was leased before they were appended."""


class Message(NamedTuple):
    """A message with its id, and the place in the log of what it reports."""

    number: int
    message_id: str
    body: pb.WebhookMessage

    def new_record(self, delivery_id: str) -> DeliveryRecord:
        """The record of its delivery before the first attempt."""
        return DeliveryRecord(delivery_id, self.message_id, self.body.type, self.body.match_id, self.number)


class MessageReader:
    """Reads the messages of deliveries. Thread-safe, except that each webhook needs a thread of its own."""

    def __init__(self, repository: MatchRepository, closed: threading.Event) -> None:
        """Read from ``repository``; nothing is waited for once ``closed`` is set."""
        self._repository, self._closed = repository, closed
        self._histories: Cache[tuple[MatchHistory, ViewerFeed]] = Cache(CACHE_SIZE)

    def wait_for_messages(self, webhook: Webhook, delivery: Delivery) -> list[Message] | None:
        """Return the messages of a delivery; its entries, and even its match, may be appended a moment after it.

        Returns None where they are not there yet. Raises `errors.NotPossibleNow` for rules that are unknown here.
        """
        for seconds in (*POLL_SECONDS, 0.0):
            with suppress(errors.NotFound):
                if (messages := self._messages(webhook, delivery)) is not None:
                    return messages
            self._closed.wait(seconds)
        return None

    def _messages(self, webhook: Webhook, delivery: Delivery) -> list[Message] | None:
        if delivery.start == TEST:
            return [message_of_test(delivery.record)]
        if delivery.start == ABORTED:
            body = pb.WebhookMessage(type=MATCH_ABORTED, match_id=delivery.match, finished=True)
            is_aborted = self._repository.load(delivery.match).row.aborted
            return [Message(ABORTED, f"{delivery.match}.aborted", body)] if is_aborted else None
        history, feed = self._history_before(webhook, delivery)
        first = history.length
        lines = self._repository.read_log(delivery.match, first)[: delivery.stop - first]
        if first + len(lines) < delivery.stop:
            return None
        found = []
        for number, (revision, events) in enumerate(history.replay(lines), first):
            update = feed.next_update(revision, events)
            if update is not None and number >= delivery.start:
                finished = history.game.is_finished(history.position)
                message = update_message(update)
                body = pb.WebhookMessage(type=MATCH_MOVED, match_id=delivery.match, update=message, finished=finished)
                found.append(Message(number, f"{delivery.match}.{update.cursor.revision}", body))
        return found

    def _history_before(self, webhook: Webhook, delivery: Delivery) -> tuple[MatchHistory, ViewerFeed]:
        """Return the cached history of a match; a new one if that is past ``delivery``, which is late or repeated.

        Each webhook has its own, because a history goes on as it is read.
        """
        key = f"{webhook.webhook_id} {delivery.match}"
        cached = self._histories.get(key)
        if cached is None or cached[0].length > delivery.start:
            snapshot = self._repository.cached(delivery.match)
            cached = MatchHistory(snapshot.game, snapshot.metadata.position), ViewerFeed(None, Cursor())
            self._histories.put(key, cached)
        return cached


def message_of_test(delivery_id: str) -> Message:
    """The test message of a delivery."""
    return Message(TEST, f"test.{delivery_id}", pb.WebhookMessage(type=WEBHOOK_TEST))


def id_of_record(delivery: Delivery, index: int) -> str:
    """The id of the delivery of the message with that index; the same at every attempt, by every worker."""
    if delivery.record:
        return delivery.record
    milliseconds, _, sequence = delivery.name.partition("-")
    return delivery_id_of(int(milliseconds), int(sequence or 0), index)
