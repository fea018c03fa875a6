"""What the outside may know of a running service: a log line and a count for every call, never a card or a key."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable

import orjson
import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

BUCKETS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)


class Observation:
    """The log and the metrics of one worker."""

    def __init__(self, watchers: Callable[[], int] = lambda: 0) -> None:
        """Count from now on; ``watchers`` says how many follow a match at this moment."""
        self.registry = CollectorRegistry()
        self._calls = Counter(
            "chitarrella_calls", "Calls by door, rpc and reason code.", ("door", "rpc", "code"), registry=self.registry
        )
        self._seconds = Histogram(
            "chitarrella_call_seconds", "Seconds a call took.", ("door", "rpc"), buckets=BUCKETS, registry=self.registry
        )
        self._webhooks = Counter(
            "chitarrella_webhooks", "Attempts to tell a webhook, by what came of them.", ("platform", "outcome"),
            registry=self.registry,
        )  # fmt: skip
        self._kinds: dict[tuple[str, str, str], tuple[Counter, Histogram]] = {}
        gauge = Gauge("chitarrella_watchers", "Watchers of matches.", registry=self.registry)
        gauge.set_function(watchers)
        self._log = structlog.get_logger("chitarrella")

    def call(self, door: str, rpc: str, code: str, seconds: float, request_id: str) -> None:
        """Take note of a call."""
        kind = door, rpc, code
        if kind not in self._kinds:  # finding them by their labels anew costs more than counting
            self._kinds[kind] = self._calls.labels(*kind), self._seconds.labels(door, rpc)
        calls, waits = self._kinds[kind]
        calls.inc()
        waits.observe(seconds)
        self._log.info("call", door=door, rpc=rpc, code=code, ms=round(seconds * 1000, 2), request_id=request_id)

    def webhook(self, platform: str, outcome: str) -> None:
        """Take note of an attempt to tell a webhook."""
        self._webhooks.labels(platform, outcome).inc()

    def metrics(self) -> bytes:
        """Write the metrics in the text format of Prometheus."""
        return generate_latest(self.registry)


def log_to_stderr(level: str) -> None:
    """Write the log as lines of JSON; the libraries' own warnings among them."""
    number = logging.getLevelNamesMapping()[level.upper()]
    logging.basicConfig(level=max(number, logging.WARNING), format="%(message)s")
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(number),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(serializer=orjson.dumps),
        ],
        logger_factory=structlog.BytesLoggerFactory(file=sys.stderr.buffer),
        cache_logger_on_first_use=True,
    )
