"""The corpus: one file a target, one input a line, with unprintable bytes escaped as in Python."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

FOLDER = Path(__file__).parent / "corpus"
SIZE = 30_000
"""Characters kept of a target: the shortest inputs first, as everybody reads and replays them."""


def kept(target: str) -> list[bytes]:
    """The inputs of a target."""
    path = FOLDER / f"{target}.txt"
    lines = path.read_text(encoding="ascii").splitlines() if path.exists() else []
    return [line.encode("ascii").decode("unicode_escape").encode("latin-1") for line in lines]


def keep(target: str, inputs: Iterable[bytes]) -> int:
    """Replace the inputs of a target; return how many fit."""
    lines, room = [], SIZE
    for line in sorted({escaped(data) for data in inputs}, key=lambda line: (len(line), line)):
        room -= len(line) + 1
        if room < 0:
            break
        lines.append(line)
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{target}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
    return len(lines)


def escaped(data: bytes) -> str:
    """Escape an input to one line."""
    return data.decode("latin-1").encode("unicode_escape").decode("ascii")
