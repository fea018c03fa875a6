"""The check of histories for linearizability: builds the Go program of ``linearizability/`` and runs it."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).with_name("linearizability")
PROGRAM = HERE.parents[2] / "build" / "chaos" / "linearizability"


class Checked(NamedTuple):
    """What the checker found in the histories of some matches."""

    matches: int
    operations: int
    accepted: int
    unknown: int
    """Moves without an answer, which may or may not have been made."""
    lost: int
    """Answers that the match has lost moves."""
    illegal: list[str]
    """The matches whose history no order of the calls explains."""
    undecided: list[str]
    """The matches whose search took too long."""

    @property
    def is_linearizable(self) -> bool:
        """Whether every history is linearizable."""
        return not self.illegal and not self.undecided


def is_available() -> bool:
    """Whether Go is installed, which builds the checker."""
    return shutil.which("go") is not None


def check(histories: Sequence[Path]) -> Checked:
    """Check the histories in these files. Raises `RuntimeError` if the checker cannot be built or cannot read them."""
    _run(["go", "build", "-o", str(PROGRAM), "."], {0})
    return Checked(**json.loads(_run([str(PROGRAM), *map(str, histories)], {0, 1})))


def _run(command: list[str], expected: set[int]) -> str:
    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=False)
    if done.returncode not in expected:
        raise RuntimeError(f"{command[0]} failed: {done.stderr[-2000:]}")
    return done.stdout
