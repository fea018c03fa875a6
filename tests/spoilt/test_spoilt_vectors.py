"""The spoilt positions are refused today for what the files say."""

from __future__ import annotations

import pytest

from tests.spoilt.script import FOLDER, Spoilt, fault, read

FILES = sorted(path.name for path in FOLDER.glob("*.txt"))


def spoilt(file: str) -> list[Spoilt]:
    """The lines of a file."""
    return list(read((FOLDER / file).read_text(encoding="utf-8")))


@pytest.mark.parametrize("file", FILES)
def test_the_faults_are_what_the_file_says(file: str) -> None:
    """Every line is no position, for the field and the reason that stand below it."""
    for one in spoilt(file):
        assert one == fault(one.agreement, one.line)
