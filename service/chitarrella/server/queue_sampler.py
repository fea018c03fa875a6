"""Measures now and then what waits in the store. Every worker does, and all of them measure the same."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from chitarrella import errors
from chitarrella.api.metrics import QueueMetrics
from chitarrella.matches.match_time import now_ms
from chitarrella.storage.rows import Backlog, StoreError

SAMPLE_SECONDS = 10.0
"""Seconds between two measurements."""
NO_STORE = (StoreError, errors.StoreUnavailable)
"""Errors after which a gauge keeps its value: that the store does not answer is measured elsewhere."""


class QueueSampler:
    """Reads the number of open matches, and the queues of webhooks and of the archive."""

    def __init__(
        self,
        metrics: QueueMetrics,
        open_matches: Callable[[], int],
        deliveries: Callable[[], Backlog],
        archive: Callable[[], Backlog],
    ) -> None:
        """Set the gauges of ``metrics`` by what the others return, each of which asks the store."""
        self._metrics = metrics
        self._open_matches, self._deliveries, self._archive = open_matches, deliveries, archive

    def sample(self) -> None:
        """Measure once, and wait for the store."""
        with suppress(*NO_STORE):
            self._metrics.open_matches(self._open_matches())
        for read, observe in (
            (self._deliveries, self._metrics.webhook_deliveries),
            (self._archive, self._metrics.archive_matches),
        ):
            with suppress(*NO_STORE):
                backlog = read()
                observe(backlog.waiting, backlog.seconds(now_ms()))

    async def run(self) -> None:
        """Measure again and again, in threads; runs until it is cancelled.

        A worker that starts before its store has enough failures already, each of which counts for the circuit breaker.
        """
        while True:
            await asyncio.sleep(SAMPLE_SECONDS)
            await asyncio.to_thread(self.sample)
