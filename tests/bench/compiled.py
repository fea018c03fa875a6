"""Our tables with compiled rules, which play in a process of their own, in turns with those of this process.

`make compiled` builds the rules. ``python -m tests.bench.compiled`` is that process: it reads a line for each
measurement, ``speed PLACE SECONDS`` or ``notation PLACE POSITIONS``, where a place is that of a table, and answers with
figures.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.connections import LoadFailed
from tests.bench.play import Speed, Table, tables

WHEEL = Path(__file__).parents[2] / "build" / "compiled"
"""The unpacked wheel."""
NOT_BUILT = "not built: make compiled"


class CompiledTable:
    """The table of ours with the same ``place`` in `tables`, in the other process."""

    def __init__(self, name: str, place: int, process: subprocess.Popen[str]) -> None:
        """Keep the process to ask."""
        self.name, self._place, self._process = f"{name}, compiled", place, process

    def speed(self, seconds: float) -> Speed:
        """Measure random play for ``seconds``."""
        return Speed(*self._ask("speed", seconds))

    def notation(self, positions: int) -> float:
        """Measure the microseconds of a move from notation to notation."""
        return self._ask("notation", positions)[0]

    def _ask(self, what: str, amount: float) -> list[float]:
        assert self._process.stdin
        assert self._process.stdout
        print(what, self._place, amount, file=self._process.stdin, flush=True)
        if not (line := self._process.stdout.readline()):
            raise LoadFailed("the process with compiled rules has ended")
        found: list[float] = json.loads(line)
        return found


@contextmanager
def compiled_tables() -> Iterator[list[CompiledTable]]:
    """Start the process and yield its tables, in the order of `tables`; none if the rules have not been compiled."""
    if not any(WHEEL.glob("chitarrella/core/play.*.so")):
        yield []
        return
    command = [sys.executable, "-m", "tests.bench.compiled"]
    paths = {"PYTHONPATH": str(WHEEL)}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ | paths
    ) as process:
        yield [CompiledTable(table.name, place, process) for place, table in enumerate(tables())]
        assert process.stdin
        process.stdin.close()


def main() -> None:
    """Answer each line until there are no more."""
    ours: list[Table] = list(tables())
    for line in sys.stdin:
        what, place, amount = line.split()
        table = ours[int(place)]
        print(json.dumps(table.speed(float(amount)) if what == "speed" else [table.notation(int(amount))]), flush=True)


if __name__ == "__main__":
    main()
