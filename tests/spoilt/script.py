"""Spoilt positions: lines that no table can come to, with the field at fault and what is wrong, for any engine to read.

They are chosen out of positions of random play over all rule sets that were spoilt at random: for each game every
fault that was met, in the shortest lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from chitarrella.catalogue import Agreement
from chitarrella.sheet import BadPosition
from tests.kit import CATALOGUE

FOLDER = Path(__file__).parent.parent / "vectors" / "spoilt"
COMMAND = "python -m tests.spoilt.write"


class Spoilt(NamedTuple):
    """A line that is no position of a rule set; ``field`` is nothing where the line as a whole is wrong."""

    agreement: Agreement
    line: str
    field: str
    because: str


def fault(agreement: Agreement, line: str) -> Spoilt | None:
    """Read a line; gives what is wrong with it, None where nothing is."""
    try:
        CATALOGUE.seat(agreement).read(line)
    except BadPosition as wrong:
        return Spoilt(agreement, line, wrong.field, wrong.because)
    return None


def written(key: str, found: Iterable[Spoilt]) -> str:
    """Write the file of a game."""
    game = CATALOGUE.game(key)
    blocks = [f"# {game.title}: spoilt positions. Written by {COMMAND}.\ngame {key}\nedition {game.edition}\n"]
    for agreement, several in groupby(found, key=lambda one: one.agreement):
        lines = [f"players {agreement.players}", *(f"option {name} {value}" for name, value in agreement.options)]
        for one in several:
            lines += [f"spoilt {one.line}", f"wrong {one.field}: {one.because}"]
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def read(text: str) -> Iterator[Spoilt]:
    """Read a file: its heading, then a block for each rule set, with an empty line between."""
    head, *blocks = text.split("\n\n")
    said = dict(line.split(" ", 1) for line in head.splitlines() if not line.startswith("#"))
    for block in blocks:
        rows = [line.partition(" ")[::2] for line in block.splitlines()]
        players = next(int(rest) for head, rest in rows if head == "players")
        options = tuple((rest.split(" ")[0], rest.split(" ")[1]) for head, rest in rows if head == "option")
        agreement = Agreement(said["game"], players, options, int(said["edition"]))
        lines = [rest for head, rest in rows if head == "spoilt"]
        faults = [rest.partition(": ")[::2] for head, rest in rows if head == "wrong"]
        for line, (field, because) in zip(lines, faults, strict=True):
            yield Spoilt(agreement, line, field, because)
