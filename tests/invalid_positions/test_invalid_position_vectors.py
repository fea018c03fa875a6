"""The invalid positions are refused today for what the files say."""

from __future__ import annotations

import pytest

from tests.invalid_positions.cases import FOLDER, InvalidLine, fault, read

FILES = sorted(path.name for path in FOLDER.glob("*.txt"))


def invalid_positions(file: str) -> list[InvalidLine]:
    """The lines of a file."""
    return list(read((FOLDER / file).read_text(encoding="utf-8")))


@pytest.mark.parametrize("file", FILES)
def test_the_faults_are_what_the_file_says(file: str) -> None:
    """Every line is no position, for the field and the reason that stand below it."""
    for one in invalid_positions(file):
        assert one == fault(one.rule_set, one.line)
