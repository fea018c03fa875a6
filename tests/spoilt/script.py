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
from tests.vectors.blocks import read_blocks, write_blocks

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
    blocks = (
        (agreement, list(_lines(several))) for agreement, several in groupby(found, key=lambda one: one.agreement)
    )
    return write_blocks(key, "spoilt positions", COMMAND, blocks)


def _lines(found: Iterable[Spoilt]) -> Iterator[str]:
    for one in found:
        yield f"spoilt {one.line}"
        yield f"wrong {one.field}: {one.because}"


def read(text: str) -> Iterator[Spoilt]:
    """Read a file, line by line."""
    for agreement, rows in read_blocks(text):
        for (_, line), (_, wrong) in zip(rows[::2], rows[1::2], strict=True):
            field, _, because = wrong.partition(": ")
            yield Spoilt(agreement, line, field, because)
