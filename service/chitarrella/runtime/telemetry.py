"""Metrics, and the log line of every call. Neither holds a card, a key or the id of a match.

With several workers in one service, each writes its metrics to files of a folder that they share, and whichever is
asked gives the sums: the multiprocess mode of prometheus_client, which an environment variable switches on.

A call leaves one record. The records of a short while are counted and logged together, on the event loop: one by one
they would cost a tenth of a call.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import time
from collections import Counter as Multiset
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal, NamedTuple, TypeVar

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest, values
from prometheus_client.core import CounterMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from chitarrella.runtime.logs import CALL_LOGS, line_of, time_text

T = TypeVar("T")

# The bounds of buckets, in seconds: of requests, of commands to the store, and of the lag of the event loop.
REQUEST_BUCKETS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)
STORE_BUCKETS = (0.00025, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.1, 0.5, 2, 5)
LAG_BUCKETS = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5)

# Every metric by its name, which `PREFIX` precedes: what it counts or measures, its buckets, and its labels.
COUNTERS: Final[Mapping[str, tuple[str, ...]]] = {
    "requests": ("Requests by transport, rpc and reason code.", "transport", "rpc", "code"),
    "matches_created": ("Matches created, by game.", "game"),
    "matches_finished": ("Matches played to their end, by game.", "game"),
    "matches_aborted": ("Matches ended before they were decided, by game.", "game"),
    "moves": ("Moves made, by game; packs and lots are not counted.", "game"),
    "move_refusals": ("Broken clauses of refused moves, by game and reason code.", "game", "code"),
    "bot_moves": ("Moves of bots, by the bot that played.", "bot", "played"),
    "bot_seconds": ("Processor time of bots in seconds.", "bot"),
    "webhook_deliveries": ("Attempts to deliver a webhook message, by outcome.", "platform", "outcome"),
    "store_errors": ("Commands that failed, by the class of their error.", "command", "error"),
    "process_cpu_seconds": ("Processor time of the workers.",),
}
HISTOGRAMS: Final[Mapping[str, tuple[str, tuple[float, ...], tuple[str, ...]]]] = {
    "request_duration_seconds": ("Duration of requests in seconds.", REQUEST_BUCKETS, ("transport", "rpc")),
    "store_command_duration_seconds": ("Duration of commands to the store in seconds.", STORE_BUCKETS, ("command",)),
    "event_loop_lag_seconds": ("How much later than it should the event loop runs a timer.", LAG_BUCKETS, ()),
}
# What waits in the store for all workers. Of several workers the latest figure counts: they measure the same.
STORE_GAUGES: Final = {
    "matches_open": "Matches that are open at all workers.",
    "webhook_deliveries_waiting": "Deliveries to webhooks that wait.",
    "webhook_deliveries_oldest_seconds": "Seconds for which the oldest delivery has waited.",
    "archive_matches_waiting": "Finished matches that wait for the archive.",
    "archive_matches_oldest_seconds": "Seconds for which the oldest match has waited.",
}
PROCESS_GAUGES: Final = {
    "process_resident_memory_bytes": "Resident memory of the worker in bytes.",
    "process_open_fds": "Open files and connections of the worker.",
    "process_max_fds": "Files and connections that the worker may open.",
    "process_start_time_seconds": "When the worker started, in seconds since 1970.",
}
PREFIX: Final = "chitarrella_"

# How a call ends that has no reason code: as it should, with a move that is refused, or by its caller.
OK, REFUSED, CANCELLED = "ok", "refused", "cancelled"
OUTCOMES = frozenset((OK, REFUSED, CANCELLED))


class CallRecord(NamedTuple):
    """What is counted and logged about a call. The code is the reason code of an error, or one of `OUTCOMES`.

    ``at`` is when it ended, in seconds since 1970. ``status`` is that of HTTP, or the name of that of gRPC. ``path`` is
    the route of an HTTP request, without the values of its variables. What is empty is not logged.
    """

    at: float
    transport: str
    rpc: str
    code: str
    seconds: float
    request_id: str
    status: str = ""
    path: str = ""
    platform: str = ""
    trace_id: str = ""


ObserveRequest = Callable[[CallRecord], None]  # called after every call
FLUSH_SECONDS: Final = 0.05  # the longest time that a record waits
MAX_RECORDS: Final = 1000  # so many records do not wait


# The environment variable with the folder in which several workers keep their metrics; empty for one worker.
METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
SAMPLE_SECONDS = 1.0  # seconds between two measurements of the lag of the event loop


class Telemetry:
    def __init__(self, restarts: Callable[[], int] = lambda: 0) -> None:
        """Start all counts at zero; ``restarts`` returns how many workers of this service were replaced so far."""
        self.registry = registry = CollectorRegistry()
        self._metrics: dict[str, Any] = {}
        for name, (text, *labels) in COUNTERS.items():
            self._metrics[name] = Counter(PREFIX + name, text, labels, registry=registry)
        for name, (text, buckets, names) in HISTOGRAMS.items():
            self._metrics[name] = Histogram(PREFIX + name, text, names, buckets=buckets, registry=registry)
        for name, text in STORE_GAUGES.items():
            self._metrics[name] = Gauge(PREFIX + name, text, registry=registry, multiprocess_mode="livemostrecent")
        for name, text in PROCESS_GAUGES.items():
            self._metrics[name] = Gauge(PREFIX + name, text, registry=registry, multiprocess_mode="liveall")
        self._labelled: dict[tuple[str, ...], Any] = {}
        self._records: deque[CallRecord] = deque()
        self._commands: deque[tuple[str, float]] = deque()
        self._sampled: list[tuple[Gauge, Callable[[], float]]] = []
        self._process = ProcessCollector(namespace="chitarrella", registry=None)
        self._cpu_seconds = 0.0
        self._restarts = _RestartCounter(restarts)
        self.registry.register(self._restarts)

    def _labels(self, name: str, *labels: str) -> Any:
        key = name, *labels
        if (found := self._labelled.get(key)) is None:  # a look-up by labels costs more than the count itself
            metric = self._metrics[name]
            found = self._labelled[key] = metric.labels(*labels) if labels else metric
        return found

    def count(self, name: str, *labels: str, amount: float = 1) -> None:
        """Add to the counter ``name``, one of `COUNTERS`."""
        self._labels(name, *labels).inc(amount)

    def observe(self, name: str, seconds: float, *labels: str) -> None:
        """Add to the histogram ``name``, one of `HISTOGRAMS`."""
        self._labels(name, *labels).observe(seconds)

    def set(self, name: str, value: float) -> None:
        """Set the gauge ``name``, one of `STORE_GAUGES`."""
        self._metrics[name].set(value)

    def request(self, record: CallRecord) -> None:
        """Keep the record of a call until the next flush, which comes soon where an event loop runs, else now."""
        self._records.append(record)
        self._flush_soon()

    def _flush_soon(self) -> None:
        if self not in UNWRITTEN:
            UNWRITTEN.add(self)
            try:
                asyncio.get_running_loop().call_later(FLUSH_SECONDS, self.flush)
            except RuntimeError:
                self.flush()
        elif len(self._records) + len(self._commands) >= MAX_RECORDS:
            self.flush()

    def flush(self) -> None:
        """Count and log the calls that have ended. Thread-safe."""
        UNWRITTEN.discard(self)
        counts: Multiset[tuple[str, str, str]] = Multiset()
        lines = []
        for command, seconds in _taken(self._commands):
            self.observe("store_command_duration_seconds", seconds, command)
        for record in _taken(self._records):
            transport, rpc, code = record[1:4]
            counts[transport, rpc, code] += 1
            self.observe("request_duration_seconds", record.seconds, transport, rpc)
            if CALL_LOGS:
                lines.append(line_of(_fields_of(record)))
        for labels, amount in counts.items():
            self.count("requests", *labels, amount=amount)
        if lines:
            for write in CALL_LOGS:
                write(b"".join(lines))

    def store_command(self, command: str, seconds: float, error: str) -> None:
        self._commands.append((command, seconds))
        self._flush_soon()
        if error:
            self.count("store_errors", command, error)

    def bot_move(self, bot: str, played: str, seconds: float) -> None:
        """Count a move of a bot, and the processor time that it took; ``played`` is the bot that chose it."""
        self.count("bot_moves", bot, played)
        self.count("bot_seconds", played, amount=seconds)

    def gauge(
        self, name: str, text: str, value: Callable[[], float], of_several: Literal["livesum", "livemax"] = "livesum"
    ) -> None:
        """Sample ``value`` now and then; ``of_several`` says how the values of several workers make one."""
        made = Gauge(f"{PREFIX}{name}", text, registry=self.registry, multiprocess_mode=of_several)
        self._sampled.append((made, value))

    def sample(self) -> None:
        for family in self._process.collect():
            name, value = family.name.removeprefix(PREFIX), family.samples[0].value
            if name in PROCESS_GAUGES:
                self.set(name, value)
            elif family.type == "counter":
                self.count("process_cpu_seconds", amount=max(0.0, value - self._cpu_seconds))
                self._cpu_seconds = value
        for gauge, read in self._sampled:
            gauge.set(read())

    async def run(self) -> None:
        while True:
            start = time.perf_counter()
            await asyncio.sleep(SAMPLE_SECONDS)
            self.observe("event_loop_lag_seconds", max(0.0, time.perf_counter() - start - SAMPLE_SECONDS))
            self.sample()

    def metrics(self) -> bytes:
        self.flush()
        self.sample()
        if not os.environ.get(METRICS_FOLDER):
            return generate_latest(self.registry)
        time.sleep(2 * FLUSH_SECONDS)  # for the records of the other workers
        registry = CollectorRegistry()
        registry.register(self._restarts)  # counted by the process that replaces workers
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # the library has no type for it
        return generate_latest(registry)


UNWRITTEN: Final[set[Telemetry]] = set()  # those with records that wait


@atexit.register
def flush_all() -> None:
    for telemetry in tuple(UNWRITTEN):
        telemetry.flush()


def _taken(queue: deque[T]) -> Iterator[T]:
    """Yield and remove what waits; of several threads each gets a part."""
    with suppress(IndexError):
        while True:
            yield queue.popleft()


def _fields_of(record: CallRecord) -> dict[str, Any]:
    fields: dict[str, Any] = {"timestamp": time_text(record.at), "level": "info", "event": "request"}
    fields |= zip(record._fields[1:4], record[1:4], strict=True)
    fields["duration_ms"] = round(record.seconds * 1000, 2)
    fields |= {name: value for name, value in zip(record._fields[5:], record[5:], strict=True) if value}
    return fields


@contextmanager
def shared_metrics() -> Iterator[None]:
    """Keep the metrics of workers that are started in the block in one folder, so that each of them gives the sums."""
    with TemporaryDirectory(prefix="chitarrella-metrics-") as folder:
        os.environ[METRICS_FOLDER] = folder
        values.ValueClass = values.get_value_class()  # type: ignore[no-untyped-call]  # the library has no type for it
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
