"""Moves under kills, cuts and failovers: a load plays while faults are injected, and its history is checked."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from lab.chaos.deployments import (
    ClusterFailover,
    CutConnections,
    Deployment,
    FaultKind,
    KilledEmbedded,
    KilledStore,
    KilledWorkers,
    SentinelFailover,
)
from lab.chaos.history import Checked, check, is_available
from lab.chaos.load import Job
from tests.servers import spawn

LOADS = 2
"""Processes that play."""
MATCHES = 20
"""Matches that each of them plays at once."""
POLL_SECONDS = 0.05
END_SECONDS = 90.0
"""Seconds for the loads to play their matches to the end when no more faults come."""


class Run(NamedTuple):
    """A way of failing."""

    name: str
    start: Callable[[Path, Random], Deployment]
    share: float
    """Its share of all moves."""
    time: float
    """Its share of the time."""
    between: int
    """Moves between the end of one fault and the next, on average; more where a restart takes long."""


RUNS = (
    Run("workers killed", KilledWorkers, 0.2, 0.18, 800),
    Run("store killed", KilledStore, 0.4, 0.28, 400),
    Run("service with its store killed", KilledEmbedded, 0.08, 0.15, 1500),
    Run("connections cut", CutConnections, 0.16, 0.17, 200),
    Run("Sentinel failover", SentinelFailover, 0.08, 0.11, 1000),
    Run("cluster failover", ClusterFailover, 0.08, 0.11, 1000),
)


class Killed(NamedTuple):
    """What a run has shown."""

    name: str
    faults: dict[FaultKind, int]
    accepted: int
    """Moves that were acknowledged."""
    unknown: int
    """Moves without an answer."""
    repeated: int
    """Moves whose answer was lost and that were acknowledged when they were sent again."""
    longest_ms: int
    """The longest time from the first attempt of a move to its answer."""
    seconds: float
    checked: Checked | None
    """The result of the checker; None without Go."""

    @property
    def is_right(self) -> bool:
        """Whether every match is linearizable, and every acknowledged move was checked."""
        checked = self.checked
        return checked is not None and checked.is_linearizable and checked.accepted == self.accepted > 0


class LoadProcess:
    """A load in a process of its own."""

    def __init__(self, job: Job) -> None:
        """Start it."""
        self._log = Path(job.history).with_suffix(".err")
        with self._log.open("wb") as log:
            command = [sys.executable, "-m", "lab.chaos.load", job.text()]
            self.process = spawn(command, stdout=subprocess.PIPE, stderr=log, text=True)
        self.counts: dict[str, Any] = {}
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.counts = json.loads(line)

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.process.poll() is not None

    def finish(self) -> None:
        """Wait until it has played its matches to the end. Raises `RuntimeError` if it failed."""
        try:
            status = self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            raise RuntimeError(f"a load does not end: {self.counts}") from None
        self._reader.join()
        if status:
            raise RuntimeError(f"a load failed: {self._log.read_text()[-3000:]}")

    def kill(self) -> None:
        """Kill it, and read the end of its output. Idempotent."""
        self.process.kill()
        self.process.wait()
        self._reader.join()
        if self.process.stdout is not None:
            self.process.stdout.close()


def run_kills(
    run: Run,
    folder: Path,
    moves: int,
    seconds: float,
    seed: int = 0,
    matches: int = MATCHES,
    report: Callable[[int], None] = lambda moves: None,
) -> Killed:
    """Play ``moves``, but not longer than ``seconds``, while faults are injected; ``report`` gets the moves so far.

    Each load plays so many ``matches`` at once.
    """
    between = min(run.between, moves // 4)
    folder.mkdir(parents=True, exist_ok=True)
    rng = Random(f"{seed} {run.name}")
    begun = time.monotonic()
    with closing(run.start(folder, rng)) as deployment:
        histories = [folder / f"{number}.jsonl" for number in range(LOADS)]
        loads = [
            LoadProcess(Job(deployment.grpc, (deployment.rest,), str(path), moves // LOADS, matches, seed + number))
            for number, path in enumerate(histories)
        ]
        try:
            _inject(deployment, loads, begun + seconds, partial(rng.randint, between // 2, between * 3 // 2), report)
            for load in loads:
                with suppress(ProcessLookupError):
                    load.process.terminate()
            for load in loads:
                load.finish()
        finally:
            for load in loads:
                load.kill()
    counts = sum((Counter(load.counts) for load in loads), Counter())
    return Killed(
        run.name,
        dict(deployment.faults),
        counts["accepted"],
        counts["unknown"],
        counts["repeated"],
        max(load.counts.get("longest_ms", 0) for load in loads),
        time.monotonic() - begun,
        check(histories) if is_available() else None,
    )


def _inject(
    deployment: Deployment,
    loads: list[LoadProcess],
    end: float,
    pause: Callable[[], int],
    report: Callable[[int], None],
) -> None:
    """Inject a fault, let some moves be played, and so on until the loads have played enough or the time is over."""
    next_fault = pause()
    while time.monotonic() < end and not all(load.is_over for load in loads):
        played = sum(load.counts.get("accepted", 0) for load in loads)
        report(played)
        if any(load.process.poll() for load in loads):
            return  # it failed: `finish` says why
        if played >= next_fault:
            deployment.inject()
            played = sum(load.counts.get("accepted", 0) for load in loads)
            next_fault = played + pause()
        time.sleep(POLL_SECONDS)
