"""Invalid positions: lines that are no position of a rule set, with the field at fault and the reason.

They are chosen out of positions of random play over all rule sets that were corrupted at random: for each game every
fault that was met, in the shortest lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.notation import InvalidPosition
from tests.vectors.blocks import read_blocks, write_blocks
from tests.walks import CATALOGUE

FOLDER = Path(__file__).parent.parent / "vectors" / "invalid_positions"
COMMAND = "python -m tests.invalid_positions.write"


class InvalidLine(NamedTuple):
    """A line that is no position of a rule set; ``field`` is nothing where the line as a whole is wrong."""

    rule_set: RuleSet
    line: str
    field: str
    message: str


def fault(rule_set: RuleSet, line: str) -> InvalidLine | None:
    """Read a line; gives what is wrong with it, None where nothing is."""
    try:
        CATALOGUE.game_for(rule_set).decode(line)
    except InvalidPosition as wrong:
        return InvalidLine(rule_set, line, wrong.field, wrong.message)
    return None


def written(key: str, found: Iterable[InvalidLine]) -> str:
    """Write the file of a game."""
    blocks = ((rule_set, list(_lines(several))) for rule_set, several in groupby(found, key=lambda one: one.rule_set))
    return write_blocks(key, "invalid positions", COMMAND, blocks)


def _lines(found: Iterable[InvalidLine]) -> Iterator[str]:
    for one in found:
        yield f"invalid {one.line}"
        yield f"wrong {one.field}: {one.message}"


def read(text: str) -> Iterator[InvalidLine]:
    """Read a file, line by line."""
    for rule_set, rows in read_blocks(text):
        for (_, line), (_, wrong) in zip(rows[::2], rows[1::2], strict=True):
            field, _, message = wrong.partition(": ")
            yield InvalidLine(rule_set, line, field, message)
