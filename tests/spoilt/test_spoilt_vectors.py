"""The spoilt positions are refused today for what the files say."""

from __future__ import annotations

import pytest

from tests.kit import CATALOGUE
from tests.spoilt.script import COMMAND, FOLDER, Spoilt, fault, read, written

FILES = sorted(path.name for path in FOLDER.glob("*.txt"))


def spoilt(file: str) -> list[Spoilt]:
    """The lines of a file."""
    return list(read((FOLDER / file).read_text(encoding="utf-8")))


def test_every_game_has_a_file() -> None:
    """No game is without spoilt positions, and no file is of another."""
    assert FILES == sorted(f"{game.key}.txt" for game in CATALOGUE), f"run {COMMAND}"


@pytest.mark.parametrize("file", FILES)
def test_the_faults_are_what_the_file_says(file: str) -> None:
    """Every line is no position, for the field and the reason that stand below it."""
    for one in spoilt(file):
        assert one == fault(one.agreement, one.line)


@pytest.mark.parametrize("file", FILES)
def test_a_file_reads_back(file: str) -> None:
    """Written again, the lines of a file are word for word that file; it is of the present edition."""
    found = spoilt(file)
    assert (FOLDER / file).read_text(encoding="utf-8") == written(file.removesuffix(".txt"), found)
    assert {CATALOGUE.game(file.removesuffix(".txt")).edition} == {one.agreement.edition for one in found}
