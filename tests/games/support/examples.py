"""Reads the files of ``data``, one for each game, which begins with its title.

Then come lines that it may have: ``examples: BR-EX 17``, how many worked examples its specification numbers so;
``totals: card_points=120``, what the rule book says a whole pack counts; ``refusals: BR-5.10``, clauses that the rows
below prove together; ``deals: not won``, where lives or tokens are lost, or points added up; ``page: refuses``, if the
example on the page of its rule book has a refused card; and ``measured: 4``, the numbers of players with which coverage
is measured. Rows of tables stand below ``## options``, ``## refusals`` and perhaps ``## more refusals``; all other
blocks are scenes and worked examples.
"""

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


def blocks(path: Path) -> list[Block]:
    """Read a file: its head, and blocks, each under a heading ``## name``, or ``## =`` for the name above once more."""
    found: list[Block] = []
    last = ""
    for part in path.read_text(encoding="utf-8").split("\n## "):
        name, *lines = part.strip().splitlines()
        last = name = last if name == "=" else name
        again = sum(block.name.partition("/")[0] == name for block in found)
        found.append(Block(f"{name}/{again + 1}" if again else name, tuple(lines)))
    return found


GAMES = {path.stem: blocks(path) for path in sorted(DATA.glob("*.txt"))}
HEADS = {key: found[0].words() for key, found in GAMES.items()}


def stated(name: str) -> dict[str, list[str]]:
    """The words of such a line, by the games that have one."""
    return {key: head[name].split() for key, head in HEADS.items() if name in head}


def section(key: str, name: str) -> tuple[str, ...]:
    """The rows of a section of a game, none where there is no such section."""
    lines = next((block.lines for block in GAMES[key] if block.name == name), ())
    return tuple(line for line in lines if line[:1] not in ("", "#"))


def each(key: str, kind: str) -> pytest.MarkDecorator:
    """Parametrise a test by the examples of one kind."""
    found = [block for block in GAMES[key] if f"check: {kind}" in block.lines[:1]]
    return pytest.mark.parametrize("block", [pytest.param(block, id=block.name) for block in found])
