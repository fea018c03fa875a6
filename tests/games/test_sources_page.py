"""``docs/sources.md`` explains every source that a clause or an option names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.walks import CATALOGUE

pytestmark = pytest.mark.unmeasured
PAGE = (Path(__file__).parents[2] / "docs" / "sources.md").read_text(encoding="utf-8")
TABLES = "\n".join(line for line in PAGE.splitlines() if line.startswith("|"))
KEY = r"[A-Z]{2}-[A-Z]?\d+(\.\d+)?"
"""The number of a clause, a ruling or an option."""
TITLES = "|".join(re.escape(game.title) for game in CATALOGUE)
PLACEHOLDERS = {"KEYS": f"{KEY}((, | and | to ){KEY})*", "KEY": f"{KEY}( and {KEY})?", "GAME": f"({TITLES})"}
"""What the words in capitals stand for in a term of the page."""


def pattern(term: str) -> str:
    """The regular expression of a term."""
    return r"\b" + re.sub("KEYS|KEY|GAME", lambda word: PLACEHOLDERS[word[0]], re.escape(term)) + r"(?!\w)"


def preference(term: str) -> tuple[bool, int]:
    """Terms with a word that stands for others come first, then the longest."""
    return not any(word in term for word in PLACEHOLDERS), -len(term)


TERMS = sorted(re.findall(r"`([^`]+)`", TABLES), key=preference)
"""Every term that the tables explain."""


def unexplained(source: str) -> str:
    """What is left of a source without the terms that the page explains, and the signs and words between them."""
    rest = source
    for term in TERMS:
        rest = re.sub(pattern(term), "", rest)
    return re.sub(r"\band\b|[;:,\s]", "", rest)


SOURCES = sorted(
    {clause.source for game in CATALOGUE for clause in game.clauses}
    | {option.source for game in CATALOGUE for option in game.options}
    | {source for game in CATALOGUE for source in game.sources}
)


@pytest.mark.parametrize("source", SOURCES)
def test_every_source_is_explained(source: str) -> None:
    """The page has a row for each part of each source."""
    assert unexplained(source) == ""


def test_the_sources_of_a_game_are_those_of_the_page() -> None:
    """The page lists for each main source the games that cite it; one row stands for all games not named."""
    cells = {line[3:7]: line.split("|")[4].strip() for line in TABLES.splitlines() if re.match(r"\| `S\d{3}` ", line)}
    listed = {number: set(re.findall(r"`([\w-]+)`", cell)) for number, cell in cells.items()}
    (rest,) = [number for number, cell in cells.items() if cell == "all others"]
    listed[rest] = {game.key for game in CATALOGUE}.difference(*listed.values())
    for number, games in listed.items():
        assert games == {game.key for game in CATALOGUE if number in game.sources}, number
