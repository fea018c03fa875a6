"""Metrics, and the log line of every call. Neither holds a card, a key or the id of a match.

With several workers in one service, each writes its metrics to files of a folder that they share, and whichever is
asked gives the sums: the multiprocess mode of prometheus_client, which an environment variable switches on.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Literal

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from chitarrella.api.metrics import MatchMetrics, QueueMetrics, StoreMetrics, WorkerMetrics

BUCKETS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)
"""Upper bounds of the duration histogram, in seconds."""

OK, REFUSED, CANCELLED = "ok", "refused", "cancelled"
"""How a call ends that has no reason code: as it should, with a move that is refused, or by its caller."""
OUTCOMES = frozenset((OK, REFUSED, CANCELLED))
"""All of them."""
ObserveRequest = Callable[[str, str, str, float, str, str], None]
"""Called after every call: transport, rpc, code, seconds, request id, trace id (may be empty).

The code is the reason code of an error, or one of `OUTCOMES`.
"""


METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable with the folder in which several workers keep their metrics; empty for one worker."""
SAMPLE_SECONDS = 1.0
"""Seconds between two measurements of the lag of the event loop."""


class Telemetry:
    """The log and the metrics of one worker."""

    def __init__(self, restarts: Callable[[], int] = lambda: 0) -> None:
        """Start all counts at zero; ``restarts`` returns how many workers of this service were replaced so far."""
        self.registry = CollectorRegistry()
        self.matches = MatchMetrics(self.registry)
        self.store = StoreMetrics(self.registry)
        self.queues = QueueMetrics(self.registry)
        self._worker = WorkerMetrics(self.registry)
        self._sampled: list[tuple[Gauge, Callable[[], float]]] = []
        self._requests = Counter(
            "chitarrella_requests",
            "Requests by transport, rpc and reason code.",
            ("transport", "rpc", "code"),
            registry=self.registry,
        )
        self._durations = Histogram(
            "chitarrella_request_duration_seconds",
            "Duration of requests in seconds.",
            ("transport", "rpc"),
            buckets=BUCKETS,
            registry=self.registry,
        )
        self._deliveries = Counter(
            "chitarrella_webhook_deliveries",
            "Attempts to deliver a webhook message, by outcome.",
            ("platform", "outcome"),
            registry=self.registry,
        )
        self._bot_seconds = Counter(
            "chitarrella_bot_seconds", "Processor time of bots in seconds.", ("bot",), registry=self.registry
        )
        self._bot_moves = Counter(
            "chitarrella_bot_moves", "Moves of bots, by the bot that played.", ("bot", "played"), registry=self.registry
        )
        self._labelled: dict[tuple[str, str, str], tuple[Counter, Histogram]] = {}
        self._restarts = _RestartCounter(restarts)
        self.registry.register(self._restarts)
        self._log = structlog.get_logger("chitarrella").bind()  # otherwise it would be bound for every line

    def request(self, transport: str, rpc: str, code: str, seconds: float, request_id: str, trace_id: str = "") -> None:
        """Count and log a call; see `ObserveRequest`."""
        labels = transport, rpc, code
        if labels not in self._labelled:  # a look-up by labels costs more than the count itself
            self._labelled[labels] = self._requests.labels(*labels), self._durations.labels(transport, rpc)
        requests, durations = self._labelled[labels]
        requests.inc()
        durations.observe(seconds)
        self._log.info(
            "request",
            transport=transport,
            rpc=rpc,
            code=code,
            duration_ms=round(seconds * 1000, 2),
            request_id=request_id,
            **({"trace_id": trace_id} if trace_id else {}),
        )

    def webhook(self, platform: str, outcome: str) -> None:
        """Count an attempt to deliver a webhook message."""
        self._deliveries.labels(platform, outcome).inc()

    def gauge(
        self,
        name: str,
        text: str,
        value: Callable[[], float],
        of_several: Literal["livesum", "livemax"] = "livesum",
    ) -> None:
        """Add a gauge that is sampled; of several workers it is the sum of their values, or the greatest."""
        made = Gauge(f"chitarrella_{name}", text, registry=self.registry, multiprocess_mode=of_several)
        self._sampled.append((made, value))

    def sample(self) -> None:
        """Read the values of all gauges."""
        self._worker.sample()
        for gauge, value in self._sampled:
            gauge.set(value())

    async def run(self) -> None:
        """Sample now and then, and measure the lag of the event loop; runs until it is cancelled."""
        while True:
            start = time.perf_counter()
            await asyncio.sleep(SAMPLE_SECONDS)
            self._worker.observe_lag(time.perf_counter() - start - SAMPLE_SECONDS)
            self.sample()

    def observe_searches(self, waiting: Callable[[], tuple[int, float]]) -> None:
        """Sample from ``waiting`` how many searches of bots wait, and for how many seconds the oldest has."""
        self.gauge("bot_searches_waiting", "Searches of bots that wait.", lambda: waiting()[0], "livemax")
        text = "Seconds for which the oldest waiting search has waited."
        self.gauge("bot_searches_oldest_seconds", text, lambda: waiting()[1], "livemax")

    def bot_move(self, bot: str, played: str, seconds: float) -> None:
        """Count a move of a bot, and the processor time that it took; ``played`` is the bot that chose it."""
        self._bot_moves.labels(bot, played).inc()
        self._bot_seconds.labels(played).inc(seconds)

    def metrics(self) -> bytes:
        """Return the metrics in the text format of Prometheus; those of all workers where they share a folder."""
        self.sample()
        if not os.environ.get(METRICS_FOLDER):
            return generate_latest(self.registry)
        registry = CollectorRegistry()
        registry.register(self._restarts)  # counted by the process that replaces workers
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # the library has no type for it
        return generate_latest(registry)


@contextmanager
def shared_metrics() -> Iterator[None]:
    """Keep the metrics of workers that are started in the block in one folder, so that each of them gives the sums."""
    with TemporaryDirectory(prefix="chitarrella-metrics-") as folder:
        os.environ[METRICS_FOLDER] = folder
        yield
        del os.environ[METRICS_FOLDER]


def forget_worker(pid: int | None) -> None:
    """Leave the gauges of a worker that has ended out of the sums."""
    mark_process_dead(pid)  # type: ignore[no-untyped-call]  # the library has no type for it


class _RestartCounter(Collector):
    """The number of workers that were replaced, which the process that replaces them counts."""

    def __init__(self, restarts: Callable[[], int]) -> None:
        self._restarts = restarts

    def collect(self) -> Iterator[CounterMetricFamily]:
        """Read the count."""
        yield CounterMetricFamily("chitarrella_worker_restarts", "Workers that were replaced.", self._restarts())
