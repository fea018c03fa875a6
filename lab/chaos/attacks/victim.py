"""A service under attack, its memory, and the callers who share it with the attacker."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from chitarrella_client import Chitarrella
from tests.server.process import Service
from tests.servers import spawn

MEGABYTE = 1 << 20
WARM_SECONDS = 1.5
"""Seconds of ordinary calls before the memory is read: the first calls make it grow."""
RESET_PEAK = "5"
"""Written to ``/proc/PID/clear_refs``, resets the peak of the resident memory."""


class Attacked(NamedTuple):
    """What an attack has done to a service and its other callers."""

    sent: int
    """Hostile requests or connections."""
    calls: int
    """Calls of others meanwhile."""
    failures: int
    """Those among them that failed."""
    longest_ms: int
    """The longest wait of one of them."""
    memory_mb: float
    """By how much the resident memory of the worker rose during the attack."""
    note: str = ""
    is_right: bool = True
    """Whether the check of this attack passed, for example that no watcher missed an event."""


class Effect(NamedTuple):
    """What the attacker itself has seen."""

    sent: int
    note: str = ""
    is_right: bool = True


class Victim:
    """One worker with default settings, but for the limits of callers without an API key, which are off."""

    def __init__(self, folder: Path, *flags: str) -> None:
        """Start it; ``flags`` may name a store, else it has its own."""
        self.service = Service(folder, *flags)
        if self.service.process.poll() is not None:
            raise RuntimeError(f"the service did not start: {self.service.log()[-1000:]}")
        self.grpc, self.rest = self.service.grpc, self.service.rest

    @property
    def rest_address(self) -> tuple[str, int]:
        """Host and port of REST."""
        host, _, port = self.rest.removeprefix("http://").rpartition(":")
        return host, int(port)

    @property
    def grpc_address(self) -> tuple[str, int]:
        """Host and port of gRPC."""
        host, _, port = self.grpc.rpartition(":")
        return host, int(port)

    def memory(self, field: str) -> float:
        """A field of the worker's memory in megabytes: ``VmRSS``, or ``VmHWM`` for its peak."""
        status = Path(f"/proc/{self.service.process.pid}/status").read_text()
        return int(next(line.split()[1] for line in status.splitlines() if line.startswith(f"{field}:"))) / 1024

    def reset_peak(self) -> None:
        """Reset the peak."""
        Path(f"/proc/{self.service.process.pid}/clear_refs").write_text(RESET_PEAK)

    def create(self) -> str:
        """Create a match of Briscola for two, and return its id."""
        with Chitarrella(self.grpc) as client:
            return client.create_match("briscola", players=2).id

    def attacked(self, attack: Callable[[], Effect], *, needs_store: bool = True) -> Attacked:
        """Attack it while others call; without the store these ask nothing about matches."""
        match = self.create() if needs_store else ""
        with bystander_calls(self.grpc, self.rest, match) as found:
            time.sleep(WARM_SECONDS)
            self.reset_peak()
            before = self.memory("VmRSS")
            effect = attack()
            peak = self.memory("VmHWM")
        return Attacked(
            effect.sent,
            sum(one["calls"] for one in found.values()),
            sum(len(one["failures"]) for one in found.values()),
            round(max(one["longest"] for one in found.values()) * 1e3),
            round(max(0.0, peak - before), 1),
            effect.note,
            effect.is_right,
        )

    def close(self) -> None:
        """Kill it."""
        self.service.clear_away()


@contextmanager
def bystander_calls(grpc: str, rest: str, match: str) -> Iterator[dict[str, Any]]:
    """Call the service from another process during the block; then the dictionary holds the measurements."""
    found: dict[str, Any] = {}
    command = [sys.executable, "-m", "lab.chaos.attacks.bystander_calls", grpc, rest, match]
    process = spawn(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert "ready\n" == process.stdout.readline()
        yield found
        output, _ = process.communicate(timeout=60)
        found |= json.loads(output)
    finally:
        process.kill()
        process.wait()


def allow_many_files() -> None:
    """Raise the limit of open files, also for the processes that this one starts."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
