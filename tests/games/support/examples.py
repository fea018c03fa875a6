"""Reads the files of ``data``: worked examples of the specifications, and scenes."""

from pathlib import Path
from typing import NamedTuple

import pytest

DATA = Path(__file__).parent.parent / "data"


class Block(NamedTuple):
    """One block: its heading (numbered where several have the same), and its lines."""

    name: str
    lines: tuple[str, ...]

    def words(self) -> dict[str, str]:
        """Read lines of ``key: value``."""
        return dict(line.split(": ", 1) for line in self.lines if ": " in line)


def blocks(file: str) -> list[Block]:
    """Read a file of blocks, each under its heading ``## name``, or ``## =`` for the name above once more."""
    found: list[Block] = []
    last = ""
    for part in (DATA / file).read_text(encoding="utf-8").split("\n## ")[1:]:
        name, *lines = part.strip().splitlines()
        last = name = last if name == "=" else name
        again = sum(block.name.partition("/")[0] == name for block in found)
        found.append(Block(f"{name}/{again + 1}" if again else name, tuple(lines)))
    return found


def each(file: str, kind: str) -> pytest.MarkDecorator:
    """Parametrise a test by the examples of one kind."""
    found = [block for block in blocks(file) if block.lines[0] == f"check: {kind}"]
    return pytest.mark.parametrize("block", [pytest.param(block, id=block.name) for block in found])
