"""What is said of the vectors is so: their figures, their words, and that no file is without its kind."""

from __future__ import annotations

import re

import pytest

from chitarrella.perft_file import read_cases
from tests.kit import CATALOGUE, defaults, variants
from tests.perft import script as perft
from tests.playthroughs import script as records
from tests.refusals import script as refusals
from tests.spoilt import script as spoilt
from tests.vectors import plain
from tests.vectors.blocks import read_all
from tests.vectors.write import COMMAND, FOLDER, WORDS, words
from tests.views import script as views

README = (FOLDER / "README.md").read_text(encoding="utf-8")


def row(folder: str) -> str:
    """What the README says of a folder."""
    (found,) = re.findall(rf"^\| `{re.escape(folder)}` \|[^|]*\| (.*) \|$", README, re.MULTILINE)
    return str(found)


def test_the_figures_of_perft() -> None:
    """The README says how many counts there are, of how many stride deals and rule sets."""
    cases = read_all(perft.FOLDER, read_cases, "*.perft")
    deals = {written.case[:4] for written in cases if written.case.strides}
    rule_sets = {CATALOGUE.settle(agreement) for agreement, *_ in deals}
    assert {CATALOGUE.settle(agreement) for agreement in (*defaults(), *variants())} <= rule_sets
    figures = sum(written.figures for written in cases)
    said = f"{figures:,} counts of {len(deals):,} stride deals, of {len(rule_sets)} rule sets"
    assert said == row("perft/")


def test_the_figures_of_records() -> None:
    """The README says how many records there are."""
    assert f"{len(records.manifest()):,} records" == row("records/")


def test_the_figures_of_refusals() -> None:
    """The README says how many moves are asked, and how many broken clauses are the answer."""
    asked = [asked for scene in read_all(refusals.FOLDER, refusals.read_scenes) for asked in scene.asked]
    broken = sum(line != refusals.ALLOWED for one in asked for line in one.answer)
    assert f"{len(asked):,} moves, {broken:,} broken clauses" == row("refusals/")


def test_the_figures_of_spoilt_positions() -> None:
    """The README says how many there are."""
    assert f"{len(read_all(spoilt.FOLDER, spoilt.read)):,} lines" == row("spoilt/")


def test_the_figures_of_views() -> None:
    """The README says how many there are."""
    assert f"{len(read_all(views.FOLDER, views.read)):,} views" == row("views/")


def test_the_words() -> None:
    """The words are those of the catalogue today."""
    assert f"{len(list(CATALOGUE))} games" == row("words.md")
    assert WORDS.read_text(encoding="utf-8") == words(), f"run {COMMAND}"


def test_every_field_of_a_position_is_described() -> None:
    """The README has a row for each field that stands in any position of the vectors."""
    rows = [line.split(" | ") for line in README.splitlines() if line.startswith("| ")]
    described = {name for cells in rows for cell in cells[:2] for name in re.findall(r"`(\w+)`", cell)}
    texts = [path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.txt")]
    lines = {line for text in texts for line in text.splitlines() if line.startswith("position ")}
    used = {word.partition("=")[0] for line in lines for word in line.split()[1:]}
    assert used <= described
    assert {"hands", "held", "talk", "lives"} <= used


PLAIN = [
    path.name
    for path in sorted(perft.FOLDER.glob("brisc*-2*.perft"))
    if path.name.startswith(("briscola-2", "briscolone-2")) and "deuce_exchange" not in path.name
]


@pytest.mark.parametrize("file", PLAIN)
def test_a_plain_program_counts_the_same(file: str) -> None:
    """Who follows the README and knows nothing of this engine comes to the same counts, line for line."""
    said, cases = plain.read((perft.FOLDER / file).read_text(encoding="utf-8"))
    assert (len(cases) == 0) == ("-first-12-" in file)
    for case in cases:
        assert list(plain.counted(said, case)) == case.lines
