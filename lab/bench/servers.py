"""The service and the baseline, each in its own process with its own store."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from lab.bench.connections import LoadFailed
from tests.servers import UNLIMITED, spawn

SECONDS_TO_STOP = 20


class Running(NamedTuple):
    """A running server: its ports, its process and its store; at the echo, the port of Flask on granian too."""

    grpc: int
    rest: int
    pid: int
    redis_url: str
    granian: int = 0

    def cpu(self) -> float:
        """CPU seconds of the process, without its store."""
        return cpu_seconds(self.pid)


def cpu_seconds(pid: int) -> float:
    """CPU seconds of a process: its own clock is more exact than the hundredths of a second in ``/proc``."""
    return time.clock_gettime(~pid << 3 | 2)  # as clock_getcpuclockid computes it, which Python does not have


def service_command(folder: Path) -> list[str]:
    """The command that starts the service with its own store in ``folder``."""
    transports = ["--grpc", "127.0.0.1:0", "--rest", "127.0.0.1:0"]
    return [sys.executable, "-m", "chitarrella", "serve", *transports, "--data", str(folder)]


def echo_command(folder: Path) -> list[str]:
    """The command that starts the baseline."""
    return [sys.executable, "-m", "lab.bench.echo", str(folder)]


@contextmanager
def running(command: list[str], folder: Path) -> Iterator[Running]:
    """Start a server and wait until it prints its addresses; stop it afterwards. Raises `LoadFailed`."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "stderr").open("wb") as log:
        process = spawn(command, stdout=subprocess.PIPE, stderr=log, text=True, env={**os.environ, **UNLIMITED})
    assert process.stdout is not None
    ports: dict[str, int] = {}
    try:
        while "REST" not in ports and (line := process.stdout.readline()):
            transport, _, place = line.strip().partition(" ")
            if transport in ("gRPC", "granian", "REST"):
                ports[transport] = int(place.rpartition(":")[2])
        if "REST" not in ports:
            raise LoadFailed(f"a server did not start: {(folder / 'stderr').read_text()[-600:]}")
        yield Running(
            ports["gRPC"], ports["REST"], process.pid, f"unix://{folder}/valkey.sock", ports.get("granian", 0)
        )
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=SECONDS_TO_STOP)
