"""Cold start: from the command line to the first answer, with a new store, beside the barest server of the stack."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from lab.bench.connections import GrpcConnection, grpc_call
from lab.bench.load import drive
from lab.bench.plans import ACCEPTED, RULES, validation_requests
from lab.bench.round_statistics import Measured, of_rounds, ratio_of_rounds, rounds_within
from lab.bench.servers import running, service_command

PLANNED_SECONDS = 2.0
"""For a start of each server."""


class Start(NamedTuple):
    """Seconds to the first answer: of the service, of a bare server, and the ratio."""

    service: Measured
    bare: Measured
    ratio: Measured


def starts(folder: Path, times: int, done: Callable[[str], None]) -> Start:
    """Start the service and the bare server in turns."""
    seen: list[list[float]] = [[], []]
    for number in rounds_within(times, times * PLANNED_SECONDS):
        for place, command in enumerate((service_command, bare_command)):
            home = folder / f"{number} {place}"
            seen[place].append(_seconds_to_answer(command(home), home))
        done("start to first answer")
    return Start(of_rounds(seen[0]), of_rounds(seen[1]), ratio_of_rounds(*seen))


def bare_command(folder: Path) -> list[str]:
    """The command that starts the bare server."""
    return [sys.executable, "-m", "lab.bench.minimal_server", str(folder)]


def _seconds_to_answer(command: list[str], home: Path) -> float:
    call = grpc_call(f"{RULES}ValidateMove", validation_requests(1)[0], answer=ACCEPTED)
    begun = perf_counter()
    with running(command, home) as server:
        drive(lambda: GrpcConnection(server.grpc), [iter([call])])
        return perf_counter() - begun
