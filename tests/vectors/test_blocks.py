"""What holds of all vectors that stand in blocks: every game has them, and they are written as they are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.invalid_positions import cases as invalid_positions
from tests.refusals import cases as refusals
from tests.views import cases as views
from tests.walks import CATALOGUE


class Kind(NamedTuple):
    """Where the files of one kind lie, what writes them anew, and how they are read and written."""

    folder: Path
    command: str
    read: Callable[[str], Iterator[Any]]
    written: Callable[[str, list[Any]], str]


KINDS = {
    "invalid_positions": Kind(
        invalid_positions.FOLDER, invalid_positions.COMMAND, invalid_positions.read, invalid_positions.written
    ),
    "refusals": Kind(refusals.FOLDER, refusals.COMMAND, refusals.read_scenes, refusals.written),
    "views": Kind(views.FOLDER, views.COMMAND, views.read, views.written),
}
FILES = [(name, path.name) for name, kind in KINDS.items() for path in sorted(kind.folder.glob("*.txt"))]


@pytest.mark.parametrize("kind", KINDS)
def test_every_game_has_a_file(kind: str) -> None:
    """No game is without vectors of a kind, and no file is of another."""
    files = [file for name, file in FILES if name == kind]
    assert files == sorted(f"{game.key}.txt" for game in CATALOGUE), f"run {KINDS[kind].command}"


@pytest.mark.parametrize(("kind", "file"), FILES)
def test_a_file_reads_back(kind: str, file: str) -> None:
    """Written again, what a file holds is word for word that file; it is of the present edition."""
    folder, _, read, written = KINDS[kind]
    text, key = (folder / file).read_text(encoding="utf-8"), file.removesuffix(".txt")
    found = list(read(text))
    assert text == written(key, found)
    assert {CATALOGUE.game(key).edition} == {one.rule_set.edition for one in found}
