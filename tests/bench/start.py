"""Cold start: from the command line to the first answer, with a new store."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

from tests.bench.lines import GrpcLine, grpc_call
from tests.bench.load import drive
from tests.bench.plans import ACCEPTED, RULES, validation_requests
from tests.bench.servers import running, service_command


def seconds_to_answer(folder: Path, times: int, done: Callable[[str], None]) -> float:
    """Return the seconds from the start of ``chitarrella serve`` to its first answer, the median of several starts."""
    call = grpc_call(f"{RULES}ValidateMove", validation_requests(1)[0], answer=ACCEPTED)
    seen = []
    for number in range(times):
        home = folder / str(number)
        begun = perf_counter()
        with running(service_command(home), home) as service:
            drive(lambda port=service.grpc: GrpcLine(port), [iter([call])])  # type: ignore[misc]  # mypy cannot infer lambdas with defaults
            seen.append(perf_counter() - begun)
        done("start to first answer")
    return median(seen)
