"""The history of a load: each call with the times of its invocation and its answer, as JSON lines for the checker.

``linearizability/history.go`` reads them. Times are nanoseconds of the monotonic clock, which all processes share.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

Result = Literal["accepted", "stale", "lost", "unknown"]
Entry = str
"""A move in the log of a match: its seat and its text."""


def now() -> int:
    """The time, for `History`."""
    return time.monotonic_ns()


class History:
    """Writes the calls of one process to a file."""

    def __init__(self, path: Path) -> None:
        """Create the file."""
        self._file = path.open("w", encoding="utf-8")

    def create(self, match: str, called: int, revision: int) -> None:
        """Write that a match was created."""
        self._write(match=match, kind="create", call=called, revision=revision, **{"return": now()})

    def append(
        self, match: str, client: int, called: int, expected: int, made: Entry, result: Result, revision: int
    ) -> None:
        """Write a move that was sent, and its answer; ``unknown``: it had none."""
        answered = 0 if result == "unknown" else now()
        self._write(
            match=match,
            client=client,
            kind="append",
            call=called,
            expected=expected,
            entry=made,
            result=result,
            revision=revision,
            **{"return": answered},
        )

    def read(self, match: str, called: int, revision: int, entries: Sequence[Entry] | None = None) -> None:
        """Write a read of the revision, or of the whole log."""
        found = {} if entries is None else {"entries": list(entries)}
        self._write(match=match, kind="read", call=called, revision=revision, **{"return": now()}, **found)

    def _write(self, **fields: object) -> None:
        self._file.write(json.dumps(fields) + "\n")

    def close(self) -> None:
        """Write everything to the file."""
        self._file.close()
