"""The outbox port: a durable queue of webhook deliveries (the transactional outbox pattern).

A delivery is enqueued before the log entries that it reports are appended: a worker may be killed at any moment, and no
delivery is lost. Whoever takes a delivery reads the log to see whether the entries are there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

ABORTED = -1
"""In place of ``start``: the match was aborted."""


class Delivery(NamedTuple):
    """Log entries ``start`` (included) to ``stop`` (excluded) of a match; ``tries`` counts the attempts so far."""

    name: str
    match: str
    start: int
    stop: int
    tries: int = 1


class Outbox(Protocol):
    """Deliveries that wait, by platform. Every method may raise `chitarrella.matches.store.StoreError`."""

    def enqueue(self, platform: str, match: str, start: int, stop: int) -> None:
        """Add a delivery."""

    def lease(self, platform: str, wait: int, pause: Callable[[int], int]) -> list[Delivery]:
        """Take new deliveries, waiting ``wait`` milliseconds for them, and those that may be tried again.

        ``pause`` gives, for a number of tries, the milliseconds after which any worker may try a delivery again.
        """

    def release(self, platform: str, delivery: Delivery, waited: int) -> None:
        """Return a delivery to the queue, as if ``waited`` milliseconds of its pause were over."""

    def ack(self, platform: str, delivery: Delivery) -> None:
        """Remove a delivery that is done."""
