"""The views are what each pair of eyes sees today."""

from __future__ import annotations

import pytest

from tests.kit import CATALOGUE
from tests.views.script import BACKS, COMMAND, FOLDER, OMNISCIENT, PUBLIC, Seen, again, read, written

FILES = sorted(path.name for path in FOLDER.glob("*.txt"))


def views(file: str) -> list[Seen]:
    """The views of a file."""
    return list(read((FOLDER / file).read_text(encoding="utf-8")))


def test_every_game_has_a_file() -> None:
    """No game is without views, and no file is of another."""
    assert FILES == sorted(f"{game.key}.txt" for game in CATALOGUE), f"run {COMMAND}"


@pytest.mark.parametrize("file", FILES)
def test_everybody_sees_what_the_file_says(file: str) -> None:
    """Looked at again, every position shows the same piles and facts to the same eyes."""
    for seen in views(file):
        assert seen == again(seen)


@pytest.mark.parametrize("file", FILES)
def test_a_file_reads_back(file: str) -> None:
    """Written again, the views of a file are word for word that file; it is of the present edition."""
    found = views(file)
    assert (FOLDER / file).read_text(encoding="utf-8") == written(file.removesuffix(".txt"), found)
    assert {CATALOGUE.game(file.removesuffix(".txt")).edition} == {seen.agreement.edition for seen in found}


@pytest.mark.parametrize("file", FILES)
def test_nobody_but_the_referee_sees_all(file: str) -> None:
    """In every file the public and a seat look at cards of which they see the backs, and the referee at none."""
    backs = {seen.eyes for seen in views(file) if any(line.endswith(f" {BACKS}") for line in seen.lines)}
    assert PUBLIC in backs
    assert OMNISCIENT not in backs
    assert any(eyes.isdecimal() for eyes in backs)
