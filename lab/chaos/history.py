"""The histories of clients, and the checker of their linearizability, which is written in Go."""

import json
import shutil
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

Result = Literal["accepted", "stale", "lost", "unknown"]
Entry = str  # a move in the log of a match: its seat and its text


def now() -> int:
    return time.monotonic_ns()


class History:
    def __init__(self, path: Path) -> None:
        self._file = path.open("w", encoding="utf-8")

    def create(self, match: str, called: int, revision: int) -> None:
        self._write(match, "create", called, revision=revision)

    def append(
        self, match: str, client: int, called: int, expected: int, made: Entry, result: Result, revision: int
    ) -> None:
        """Write a move that was sent, and its answer; ``unknown``: it had none."""
        sent = {"client": client, "expected": expected, "entry": made, "result": result}
        self._write(match, "append", called, revision=revision, **sent)

    def read(self, match: str, called: int, revision: int, entries: Sequence[Entry] | None = None) -> None:
        """Write a read of the revision, or of the whole log."""
        self._write(match, "read", called, revision=revision, entries=entries)

    def _write(self, match: str, kind: str, called: int, **fields: object) -> None:
        answered = 0 if fields.get("result") == "unknown" else now()
        line = {"match": match, "kind": kind, "call": called, "return": answered, **fields}
        self._file.write(json.dumps(line) + "\n")

    def close(self) -> None:
        self._file.close()


HERE = Path(__file__).with_name("linearizability")
PROGRAM = HERE.parents[2] / "build" / "chaos" / "linearizability"


class Checked(NamedTuple):
    matches: int
    operations: int
    accepted: int
    unknown: int  # moves without an answer, which may or may not have been made
    lost: int  # answers that the match has lost moves
    illegal: list[str]  # the matches whose history no order of the calls explains
    undecided: list[str]  # the matches whose search took too long

    @property
    def is_linearizable(self) -> bool:
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
