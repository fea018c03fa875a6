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
from functools import partial
from tempfile import TemporaryDirectory
from typing import Literal

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from chitarrella.runtime.observer import MatchObserver

# Upper bounds of the buckets for commands to the store, in seconds.
STORE_BUCKETS = (0.00025, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.1, 0.5, 2, 5)
# Upper bounds of the buckets for the lag of the event loop, in seconds.
LAG_BUCKETS = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5)


def _counter(registry: CollectorRegistry, name: str, text: str, *labels: str) -> Counter:
    return Counter(f"chitarrella_{name}", text, labels, registry=registry)


class MatchMetrics(MatchObserver):
    def __init__(self, registry: CollectorRegistry) -> None:
        counter = partial(_counter, registry)
        self._created = counter("matches_created", "Matches created, by game.", "game")
        self._finished = counter("matches_finished", "Matches played to their end, by game.", "game")
        self._aborted = counter("matches_aborted", "Matches ended before they were decided, by game.", "game")
        self._moves = counter("moves", "Moves made, by game; packs and lots are not counted.", "game")
        text = "Broken clauses of refused moves, by game and reason code."
        self._refusals = counter("move_refusals", text, "game", "code")

    def match_created(self, game: str) -> None:
        self._created.labels(game).inc()

    def moves_played(self, game: str, count: int) -> None:
        self._moves.labels(game).inc(count)

    def move_refused(self, game: str, codes: tuple[str, ...]) -> None:
        for code in codes:
            self._refusals.labels(game, code).inc()

    def match_finished(self, game: str) -> None:
        self._finished.labels(game).inc()

    def match_aborted(self, game: str) -> None:
        self._aborted.labels(game).inc()


class StoreMetrics:
    def __init__(self, registry: CollectorRegistry) -> None:
        self._seconds = Histogram(
            "chitarrella_store_command_duration_seconds",
            "Duration of commands to the store in seconds.",
            ("command",),
            buckets=STORE_BUCKETS,
            registry=registry,
        )
        text = "Commands that failed, by the class of their error."
        self._errors = _counter(registry, "store_errors", text, "command", "error")
        self._by_command: dict[str, Histogram] = {}

    def observe(self, command: str, seconds: float, error: str) -> None:
        if command not in self._by_command:  # a look-up by labels costs more than the count itself
            self._by_command[command] = self._seconds.labels(command)
        self._by_command[command].observe(seconds)
        if error:
            self._errors.labels(command, error).inc()


class QueueMetrics:
    """What waits in the store for all workers. Of several workers the latest figure counts: they measure the same."""

    def __init__(self, registry: CollectorRegistry) -> None:
        def gauge(name: str, text: str) -> Gauge:
            return Gauge(f"chitarrella_{name}", text, registry=registry, multiprocess_mode="livemostrecent")

        def queue(name: str, text: str, entry: str) -> tuple[Gauge, Gauge]:
            oldest = gauge(f"{name}_oldest_seconds", f"Seconds for which the oldest {entry} has waited.")
            return gauge(f"{name}_waiting", text), oldest

        self._open = gauge("matches_open", "Matches that are open at all workers.")
        self._deliveries = queue("webhook_deliveries", "Deliveries to webhooks that wait.", "delivery")
        self._archive = queue("archive_matches", "Finished matches that wait for the archive.", "match")

    def open_matches(self, count: int) -> None:
        self._open.set(count)

    def webhook_deliveries(self, waiting: int, oldest_seconds: float) -> None:
        self._deliveries[0].set(waiting)
        self._deliveries[1].set(oldest_seconds)

    def archive_matches(self, waiting: int, oldest_seconds: float) -> None:
        self._archive[0].set(waiting)
        self._archive[1].set(oldest_seconds)


class WorkerMetrics:
    """What a worker samples of itself now and then: its process, and the lag of its event loop."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._process = ProcessCollector(namespace="chitarrella", registry=None)
        self._gauges = {
            name: Gauge(name, text, registry=registry, multiprocess_mode="liveall")
            for name, text in (
                ("chitarrella_process_resident_memory_bytes", "Resident memory of the worker in bytes."),
                ("chitarrella_process_open_fds", "Open files and connections of the worker."),
                ("chitarrella_process_max_fds", "Files and connections that the worker may open."),
                ("chitarrella_process_start_time_seconds", "When the worker started, in seconds since 1970."),
            )
        }
        self._cpu = _counter(registry, "process_cpu_seconds", "Processor time of the workers.")
        self._cpu_seconds = 0.0
        self._lag = Histogram(
            "chitarrella_event_loop_lag_seconds",
            "How much later than it should the event loop runs a timer.",
            buckets=LAG_BUCKETS,
            registry=registry,
        )

    def sample(self) -> None:
        for family in self._process.collect():
            value = family.samples[0].value
            if family.name in self._gauges:
                self._gauges[family.name].set(value)
            elif family.type == "counter":
                self._cpu.inc(max(0.0, value - self._cpu_seconds))
                self._cpu_seconds = value

    def observe_lag(self, seconds: float) -> None:
        self._lag.observe(max(0.0, seconds))


# Upper bounds of the duration histogram, in seconds.
BUCKETS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)

# How a call ends that has no reason code: as it should, with a move that is refused, or by its caller.
OK, REFUSED, CANCELLED = "ok", "refused", "cancelled"
OUTCOMES = frozenset((OK, REFUSED, CANCELLED))
# Called after every call: transport, rpc, code, seconds, request id, trace id (may be empty). The code is the reason
# code of an error, or one of `OUTCOMES`.
ObserveRequest = Callable[[str, str, str, float, str, str], None]


# The environment variable with the folder in which several workers keep their metrics; empty for one worker.
METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
SAMPLE_SECONDS = 1.0  # seconds between two measurements of the lag of the event loop


class Telemetry:
    def __init__(self, restarts: Callable[[], int] = lambda: 0) -> None:
        """Start all counts at zero; ``restarts`` returns how many workers of this service were replaced so far."""
        self.registry = CollectorRegistry()
        self.matches = MatchMetrics(self.registry)
        self.store = StoreMetrics(self.registry)
        self.queues = QueueMetrics(self.registry)
        self._worker = WorkerMetrics(self.registry)
        self._sampled: list[tuple[Gauge, Callable[[], float]]] = []
        counter = partial(_counter, self.registry)
        self._requests = counter("requests", "Requests by transport, rpc and reason code.", "transport", "rpc", "code")
        self._durations = Histogram(
            "chitarrella_request_duration_seconds",
            "Duration of requests in seconds.",
            ("transport", "rpc"),
            buckets=BUCKETS,
            registry=self.registry,
        )
        text = "Attempts to deliver a webhook message, by outcome."
        self._deliveries = counter("webhook_deliveries", text, "platform", "outcome")
        self._bot_seconds = counter("bot_seconds", "Processor time of bots in seconds.", "bot")
        self._bot_moves = counter("bot_moves", "Moves of bots, by the bot that played.", "bot", "played")
        self._labelled: dict[tuple[str, str, str], tuple[Counter, Histogram]] = {}
        self._restarts = _RestartCounter(restarts)
        self.registry.register(self._restarts)
        self._log = structlog.get_logger("chitarrella").bind()  # otherwise it would be bound for every line

    def request(self, transport: str, rpc: str, code: str, seconds: float, request_id: str, trace_id: str = "") -> None:
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
        self._deliveries.labels(platform, outcome).inc()

    def gauge(
        self, name: str, text: str, value: Callable[[], float], of_several: Literal["livesum", "livemax"] = "livesum"
    ) -> None:
        made = Gauge(f"chitarrella_{name}", text, registry=self.registry, multiprocess_mode=of_several)
        self._sampled.append((made, value))

    def sample(self) -> None:
        self._worker.sample()
        for gauge, value in self._sampled:
            gauge.set(value())

    async def run(self) -> None:
        while True:
            start = time.perf_counter()
            await asyncio.sleep(SAMPLE_SECONDS)
            self._worker.observe_lag(time.perf_counter() - start - SAMPLE_SECONDS)
            self.sample()

    def observe_searches(self, waiting: Callable[[], tuple[int, float]]) -> None:
        self.gauge("bot_searches_waiting", "Searches of bots that wait.", lambda: waiting()[0], "livemax")
        text = "Seconds for which the oldest waiting search has waited."
        self.gauge("bot_searches_oldest_seconds", text, lambda: waiting()[1], "livemax")

    def bot_move(self, bot: str, played: str, seconds: float) -> None:
        """Count a move of a bot, and the processor time that it took; ``played`` is the bot that chose it."""
        self._bot_moves.labels(bot, played).inc()
        self._bot_seconds.labels(played).inc(seconds)

    def metrics(self) -> bytes:
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
        yield CounterMetricFamily("chitarrella_worker_restarts", "Workers that were replaced.", self._restarts())
