"""The outbox port: durable queues of webhook deliveries (the transactional outbox pattern), one for each webhook.

A delivery is enqueued before the log entries that it reports are appended: a worker may be killed at any moment, and no
delivery is lost. Whoever takes a delivery reads the log to see whether the entries are there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from chitarrella.matches.backlog import Backlog
from chitarrella.matches.webhooks import DeliveryStore, Webhook, WebhookStore

ABORTED = -1
"""In place of ``start``: the match was aborted."""
TEST = -2
"""In place of ``start``: a test message, of no match."""


class Delivery(NamedTuple):
    """Log entries ``start`` (included) to ``stop`` (excluded) of a match; ``tries`` counts the attempts so far.

    ``record`` is the id of a delivery that is sent again, empty for a new one.
    """

    name: str
    match: str
    start: int
    stop: int
    tries: int = 1
    record: str = ""


class NoSuchQueue(LookupError):
    """The webhook of the queue was deleted."""


class Outbox(Protocol):
    """Deliveries that wait, by webhook. Every method may raise `chitarrella.matches.store.StoreError`."""

    def enqueue(self, webhooks: Sequence[Webhook], match: str, start: int, stop: int, record: str = "") -> None:
        """Add a delivery to the queue of each webhook that was not deleted."""

    def take_new(self, webhook: Webhook, count: int, wait: int) -> list[Delivery]:
        """Lease at most ``count`` deliveries that nobody had yet, waiting ``wait`` milliseconds for the first.

        Raises `NoSuchQueue`.
        """

    def take_due(self, webhook: Webhook, count: int, pause: Callable[[int], int]) -> list[Delivery]:
        """Lease at most ``count`` deliveries that may be tried again, without waiting.

        ``pause`` gives, for a number of tries, the milliseconds after which any worker may try a delivery again.
        Raises `NoSuchQueue`.
        """

    def release(self, webhook: Webhook, delivery: Delivery, waited: int) -> None:
        """Return a delivery to the queue, as if ``waited`` milliseconds of its pause were over."""

    def ack(self, webhook: Webhook, delivery: Delivery) -> None:
        """Remove a delivery that is done."""

    def backlog(self, webhooks: Sequence[Webhook]) -> Backlog:
        """Count the deliveries to these webhooks, also those that are being sent."""


class WebhookStores(NamedTuple):
    """Where webhooks, their deliveries and their queues are kept."""

    webhooks: WebhookStore
    deliveries: DeliveryStore
    outbox: Outbox
