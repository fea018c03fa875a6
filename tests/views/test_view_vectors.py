"""The views are what each viewer sees today."""

from __future__ import annotations

import pytest

from tests.views.cases import BACKS, FOLDER, OMNISCIENT, PUBLIC, Seen, again, read

FILES = sorted(path.name for path in FOLDER.glob("*.txt"))


def views(file: str) -> list[Seen]:
    """The views of a file."""
    return list(read((FOLDER / file).read_text(encoding="utf-8")))


@pytest.mark.parametrize("file", FILES)
def test_everybody_sees_what_the_file_says(file: str) -> None:
    """Looked at again, every position shows the same zones and facts to the same viewer."""
    for seen in views(file):
        assert seen == again(seen)


@pytest.mark.parametrize("file", FILES)
def test_nobody_but_the_referee_sees_all(file: str) -> None:
    """In every file the public and a seat look at cards of which they see the backs, and the referee at none."""
    backs = {seen.viewer for seen in views(file) if any(line.endswith(f" {BACKS}") for line in seen.lines)}
    assert PUBLIC in backs
    assert OMNISCIENT not in backs
    assert any(viewer.isdecimal() for viewer in backs)
