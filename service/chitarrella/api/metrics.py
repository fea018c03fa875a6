"""The metrics of matches, of the store, and of the worker's process. No label names a match, a caller or a card."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector

from chitarrella.matches.observer import MatchObserver

STORE_BUCKETS = (0.00025, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.1, 0.5, 2, 5)
"""Upper bounds of the buckets for commands to the store, in seconds."""
LAG_BUCKETS = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5)
"""Upper bounds of the buckets for the lag of the event loop, in seconds."""


class MatchMetrics(MatchObserver):
    """Matches, moves and refusals by game."""

    def __init__(self, registry: CollectorRegistry) -> None:
        """Register the counters, at zero."""

        def by_game(name: str, text: str, *more: str) -> Counter:
            return Counter(f"chitarrella_{name}", text, ("game", *more), registry=registry)

        self._created = by_game("matches_created", "Matches created, by game.")
        self._finished = by_game("matches_finished", "Matches played to their end, by game.")
        self._aborted = by_game("matches_aborted", "Matches ended before they were decided, by game.")
        self._moves = by_game("moves", "Moves made, by game; packs and lots are not counted.")
        self._refusals = by_game("move_refusals", "Broken clauses of refused moves, by game and reason code.", "code")

    def match_created(self, game: str) -> None:
        """Count a match that was created."""
        self._created.labels(game).inc()

    def moves_played(self, game: str, count: int) -> None:
        """Count the moves of one append."""
        self._moves.labels(game).inc(count)

    def move_refused(self, game: str, codes: tuple[str, ...]) -> None:
        """Count a refused move once for each reason code."""
        for code in codes:
            self._refusals.labels(game, code).inc()

    def match_finished(self, game: str) -> None:
        """Count a match that was played to its end."""
        self._finished.labels(game).inc()

    def match_aborted(self, game: str) -> None:
        """Count a match that was ended before it was decided."""
        self._aborted.labels(game).inc()


class StoreMetrics:
    """Round trips to the store, with their repetitions where a connection broke."""

    def __init__(self, registry: CollectorRegistry) -> None:
        """Register the metrics."""
        self._seconds = Histogram(
            "chitarrella_store_command_duration_seconds",
            "Duration of commands to the store in seconds.",
            ("command",),
            buckets=STORE_BUCKETS,
            registry=registry,
        )
        self._errors = Counter(
            "chitarrella_store_errors",
            "Commands that failed, by the class of their error.",
            ("command", "error"),
            registry=registry,
        )
        self._by_command: dict[str, Histogram] = {}

    def observe(self, command: str, seconds: float, error: str) -> None:
        """Count a command, which failed where ``error`` is not empty."""
        if command not in self._by_command:  # a look-up by labels costs more than the count itself
            self._by_command[command] = self._seconds.labels(command)
        self._by_command[command].observe(seconds)
        if error:
            self._errors.labels(command, error).inc()


class QueueMetrics:
    """What waits in the store for all workers. Of several workers the latest figure counts: they measure the same."""

    def __init__(self, registry: CollectorRegistry) -> None:
        """Register the gauges, at zero."""

        def gauge(name: str, text: str) -> Gauge:
            return Gauge(f"chitarrella_{name}", text, registry=registry, multiprocess_mode="livemostrecent")

        def queue(name: str, text: str, entry: str) -> tuple[Gauge, Gauge]:
            oldest = gauge(f"{name}_oldest_seconds", f"Seconds for which the oldest {entry} has waited.")
            return gauge(f"{name}_waiting", text), oldest

        self._open = gauge("matches_open", "Matches that are open at all workers.")
        self._deliveries = queue("webhook_deliveries", "Deliveries to webhooks that wait.", "delivery")
        self._archive = queue("archive_matches", "Finished matches that wait for the archive.", "match")

    def open_matches(self, count: int) -> None:
        """Set how many matches are open."""
        self._open.set(count)

    def webhook_deliveries(self, waiting: int, oldest_seconds: float) -> None:
        """Set how many deliveries wait, and for how many seconds the oldest has."""
        self._deliveries[0].set(waiting)
        self._deliveries[1].set(oldest_seconds)

    def archive_matches(self, waiting: int, oldest_seconds: float) -> None:
        """Set how many matches wait for the archive, and for how many seconds the oldest has."""
        self._archive[0].set(waiting)
        self._archive[1].set(oldest_seconds)


class WorkerMetrics:
    """What a worker samples of itself now and then: its process, and the lag of its event loop."""

    def __init__(self, registry: CollectorRegistry) -> None:
        """Register the metrics; their values come with the first `sample`."""
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
        self._cpu = Counter("chitarrella_process_cpu_seconds", "Processor time of the workers.", registry=registry)
        self._cpu_seconds = 0.0
        self._lag = Histogram(
            "chitarrella_event_loop_lag_seconds",
            "How much later than it should the event loop runs a timer.",
            buckets=LAG_BUCKETS,
            registry=registry,
        )

    def sample(self) -> None:
        """Read the figures of the process."""
        for family in self._process.collect():
            value = family.samples[0].value
            if family.name in self._gauges:
                self._gauges[family.name].set(value)
            elif family.type == "counter":
                self._cpu.inc(max(0.0, value - self._cpu_seconds))
                self._cpu_seconds = value

    def observe_lag(self, seconds: float) -> None:
        """Count how late a timer of the event loop was."""
        self._lag.observe(max(0.0, seconds))
