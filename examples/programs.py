"""Programs in any language, as the tests of the examples build and run them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from tests.servers import spawn, until

ROOT = Path(__file__).resolve().parent.parent
BUILD_SECONDS = 900
"""How long one command of a build may take; generous, because the machine may be busy."""
ANSWER_SECONDS = 60.0
"""How long a program may take until it has written what a test waits for."""


def build(folder: Path, *commands: list[str]) -> None:
    """Run the commands of a build in a folder; a missing tool and a failed command are reported by name."""
    for command in commands:
        assert shutil.which(command[0]), f"not on the PATH: {command[0]}"
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=BUILD_SECONDS, check=False)
        assert 0 == done.returncode, f"{' '.join(command)}: {done.stdout}{done.stderr}"


class Service(NamedTuple):
    """Where a service listens: `HOST:PORT` of gRPC, and the URL of REST."""

    grpc: str
    rest: str


class Program:
    """A running program, what it writes, and what it reads."""

    def __init__(self, command: list[str], folder: Path, output: Path, environment: dict[str, str]) -> None:
        """Start a command in a folder, with more in its environment; ``output`` becomes what it writes."""
        self._output = output
        found = shutil.which(command[0])
        assert found, f"not on the PATH: {command[0]}"
        with output.open("w") as out:
            self._process = spawn(
                [found, *command[1:]],
                cwd=folder,
                env=os.environ | environment,
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=subprocess.STDOUT,
                text=True,
            )

    @property
    def output(self) -> str:
        """What it has written so far, errors included."""
        return self._output.read_text()

    def wait_for(self, pattern: str) -> re.Match[str]:
        """Wait until it has written what fits a pattern, and return the first such match; fails if it ends before."""
        until(lambda: self._ended() or re.search(pattern, self.output), f"{pattern!r} is written", ANSWER_SECONDS)
        found = re.search(pattern, self.output)
        assert found, f"it ended after: {self.output}"
        return found

    def write(self, line: str) -> None:
        """Write a line that it reads."""
        assert self._process.stdin
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def exit_status(self) -> int:
        """Wait until it ends, and return its exit status."""
        return int(self._process.wait(ANSWER_SECONDS))

    def stop(self) -> None:
        """End it. Idempotent."""
        self._process.terminate()
        self._process.wait(ANSWER_SECONDS)
        assert self._process.stdin
        self._process.stdin.close()

    def _ended(self) -> bool:
        return self._process.poll() is not None
