"""Delivery of match updates to webhooks, with retries.

Every worker runs a dispatcher on the shared outbox. A message is delivered at least once, always with the same id. A
webhook that hangs or fails is retried with exponential back-off, and delays no other webhook.
"""

from __future__ import annotations

import importlib
import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

from chitarrella import errors
from chitarrella.api.converters import update_message
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.matches.cache import Cache
from chitarrella.matches.history import Cursor, MatchHistory, Update, ViewerFeed
from chitarrella.matches.log_writer import OnAppend
from chitarrella.matches.outbox import ABORTED, Delivery, Outbox
from chitarrella.matches.service import MatchService
from chitarrella.matches.store import StoreError
from chitarrella.transports.webhooks.config import Webhook, signed_headers
from chitarrella.v1 import matches_pb2 as pb

TIMEOUT_SECONDS = 5.0
LEASE_MS = 10_000
"""Milliseconds after which a delivery leased by another worker is taken over."""
FIRST_RETRY_MS, MAX_RETRY_MS = 1_000, 3_600_000
"""The back-off before the second attempt, and its maximum; it doubles with each attempt."""
HTTP_GONE = 410
MAX_ATTEMPTS = 24
"""Some twelve hours; then the delivery is abandoned and logged."""
MAX_EMPTY_ATTEMPTS = 4
"""Some seven seconds: entries announced but not in the log by then were never appended."""
CACHE_SIZE = 1_000
"""Matches whose history is kept, so that the next delivery continues it instead of replaying the match."""
LEASE_WAIT_MS = 1_000
POLL_SECONDS = (0.002, 0.005, 0.01, 0.03)
"""Pauses between looks for entries whose delivery was leased before they were appended."""
LOG = logging.getLogger("chitarrella")


class Outcome(NamedTuple):
    """Result of an attempt: whether the delivery is settled, and its label in the metrics."""

    is_settled: bool
    label: str


def enqueue_updates(outbox: Outbox, webhooks: Iterable[Webhook]) -> OnAppend:
    """Return the hook that enqueues a delivery for every append to a match of a platform with a webhook."""
    platforms = frozenset(webhook.platform for webhook in webhooks)

    def on_append(platform: str, match: str, start: int, stop: int) -> None:
        if platform in platforms:
            outbox.enqueue(platform, match, start, stop)

    return on_append


class WebhookDispatcher:
    """Delivers messages, those of each platform in a thread of its own."""

    def __init__(
        self, matches: MatchService, outbox: Outbox, webhooks: Iterable[Webhook], observe: Callable[[str, str], None]
    ) -> None:
        """Deliver the updates of ``matches``; ``observe`` gets the platform and the outcome of each attempt."""
        self._matches = matches
        self._outbox = outbox
        self._observe = observe
        self._library = importlib.import_module("urllib3")  # imported late: its import opens a socket as a probe
        self._http = self._library.PoolManager(timeout=TIMEOUT_SECONDS, retries=False, maxsize=1)
        self._encoder = JsonEncoder()
        self._histories: Cache[tuple[MatchHistory, ViewerFeed]] = Cache(CACHE_SIZE)
        self._closed = threading.Event()
        self._threads = [
            threading.Thread(target=self._run, args=(webhook,), name=f"webhook-{webhook.platform}", daemon=True)
            for webhook in webhooks
        ]

    def start(self) -> None:
        """Start the threads."""
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Stop the threads; other workers deliver the rest."""
        self._closed.set()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(TIMEOUT_SECONDS + 1)
        self._http.clear()

    def _run(self, webhook: Webhook) -> None:
        while not self._closed.is_set():
            try:
                for delivery in self._outbox.lease(webhook.platform, LEASE_WAIT_MS, lease_ms):
                    self.deliver(webhook, delivery)
            except (StoreError, errors.StoreUnavailable):
                self._closed.wait(LEASE_WAIT_MS / 1000)
            except Exception as error:
                LOG.error("webhook delivery failed: %s", type(error).__name__)  # its text may name a match
                self._closed.wait(LEASE_WAIT_MS / 1000)

    def deliver(self, webhook: Webhook, delivery: Delivery) -> Outcome:
        """Attempt a leased delivery once; one that is not settled is released for another attempt."""
        outcome = self._attempt(webhook, delivery)
        if outcome.is_settled:
            self._outbox.ack(webhook.platform, delivery)
        else:
            self._outbox.release(webhook.platform, delivery, max(0, LEASE_MS - backoff_ms(delivery.tries)))
        self._observe(webhook.platform, outcome.label)
        return outcome

    def _attempt(self, webhook: Webhook, delivery: Delivery) -> Outcome:
        try:
            messages = self._wait_for_messages(delivery)
        except errors.NotPossibleNow:  # a worker of another release may know this edition of the rules
            return Outcome(delivery.tries >= MAX_ATTEMPTS, "edition_not_supported")
        if messages is None:
            return Outcome(delivery.tries >= MAX_EMPTY_ATTEMPTS, "nothing_yet")
        for message_id, message in messages:
            result = self._send(webhook, message_id, self._encoder.encode(message))
            if result == "gone" or (result != "sent" and delivery.tries >= MAX_ATTEMPTS):
                LOG.error("abandoned a message to the webhook of %s: %s", webhook.platform, result)
                return Outcome(True, "given_up")
            if result != "sent":
                return Outcome(False, result)
        return Outcome(True, "sent")

    def _wait_for_messages(self, delivery: Delivery) -> Iterator[tuple[str, pb.WebhookMessage]] | None:
        """Return the messages of a delivery; its entries, and even its match, may be appended a moment after it."""
        for seconds in (*POLL_SECONDS, 0.0):
            with suppress(errors.NotFound):
                if (messages := self._messages(delivery)) is not None:
                    return messages
            self._closed.wait(seconds)
        return None

    def _messages(self, delivery: Delivery) -> Iterator[tuple[str, pb.WebhookMessage]] | None:
        """Return the messages of a delivery with their ids; None where its entries are not appended yet."""
        if delivery.start == ABORTED:
            message = pb.WebhookMessage(type="match.aborted", match_id=delivery.match, finished=True)
            return (
                iter([(f"{delivery.match}.aborted", message)])
                if self._matches.repository.load(delivery.match).row.aborted
                else None
            )
        history, feed = self._history_before(delivery)
        first = history.length
        lines = self._matches.repository.read_log(delivery.match, first)[: delivery.stop - first]
        if first + len(lines) < delivery.stop:
            return None
        updates = [
            (number, update, history.game.is_finished(history.position))
            for number, (revision, events) in enumerate(history.replay(lines), first)
            if (update := feed.next_update(revision, events)) is not None
        ]
        return (
            _message(delivery.match, update, finished)
            for number, update, finished in updates
            if number >= delivery.start
        )

    def _history_before(self, delivery: Delivery) -> tuple[MatchHistory, ViewerFeed]:
        """Return the cached history of a match; a new one if that is past ``delivery``, which is late or repeated."""
        cached = self._histories.get(delivery.match)
        if cached is None or cached[0].length > delivery.start:
            snapshot = self._matches.repository.cached(delivery.match)
            cached = MatchHistory(snapshot.game, snapshot.metadata.position), ViewerFeed(None, Cursor())
            self._histories.put(delivery.match, cached)
        return cached

    def _send(self, webhook: Webhook, message_id: str, body: bytes) -> str:
        """Send a message and return the outcome. Only the status of the response is read."""
        headers = signed_headers(webhook.secrets, message_id, int(time.time()), body)
        exceptions = self._library.exceptions
        try:
            response = self._http.request(
                "POST", webhook.url, body=body, headers=headers, redirect=False, preload_content=False
            )
        except exceptions.TimeoutError:
            return "timed_out"
        except exceptions.HTTPError:
            return "unreachable"
        response.close()
        if response.status == HTTP_GONE:
            return "gone"
        return "sent" if 200 <= response.status < 300 else "failed"


def _message(match: str, update: Update, finished: bool) -> tuple[str, pb.WebhookMessage]:
    message_id = f"{match}.{update.cursor.revision}"
    return message_id, pb.WebhookMessage(
        type="match.moved", match_id=match, update=update_message(update), finished=finished
    )


def backoff_ms(tries: int) -> int:
    """Return the pause after so many attempts, in milliseconds."""
    return min(MAX_RETRY_MS, FIRST_RETRY_MS << (tries - 1))


def lease_ms(tries: int) -> int:
    """Return how long a delivery stays leased, in milliseconds; a short back-off is counted as part of the lease."""
    return max(LEASE_MS, backoff_ms(tries))
