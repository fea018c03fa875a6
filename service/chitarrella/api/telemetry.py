"""Logs and metrics: one log line and one count for every call. Neither holds a card, a key or the id of a match."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable

import orjson
import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

BUCKETS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)
"""Upper bounds of the duration histogram, in seconds."""

ObserveRequest = Callable[[str, str, str, float, str], None]
"""Called after every call with transport, rpc, reason code ("ok" if none), seconds and request id."""


class Telemetry:
    """The log and the metrics of one worker."""

    def __init__(self, watchers: Callable[[], int] = lambda: 0) -> None:
        """Start all counts at zero; ``watchers`` returns how many watch a match at this moment."""
        self.registry = CollectorRegistry()
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
        self._labelled: dict[tuple[str, str, str], tuple[Counter, Histogram]] = {}
        gauge = Gauge("chitarrella_watchers", "Watchers of matches.", registry=self.registry)
        gauge.set_function(watchers)
        self._log = structlog.get_logger("chitarrella")

    def request(self, transport: str, rpc: str, code: str, seconds: float, request_id: str) -> None:
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
        )

    def webhook(self, platform: str, outcome: str) -> None:
        """Count an attempt to deliver a webhook message."""
        self._deliveries.labels(platform, outcome).inc()

    def metrics(self) -> bytes:
        """Return the metrics in the text format of Prometheus."""
        return generate_latest(self.registry)


def configure_logging(level: str) -> None:
    """Write the log as lines of JSON to the standard error, warnings of libraries as plain text beside them."""
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
