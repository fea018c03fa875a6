"""No retired word comes back: identifiers and file names use the terms of docs/glossary.md.

The generated code is not scanned, and the names that it takes from the contract may be used (column "Stays"): they
change with the contract.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent

SCANNED = ("service/chitarrella", "tests", "proto")
"""Folders in which no retired word is left."""

METRIC = re.compile(r"chitarrella_[a-z_]+")
"""The name of a metric, in a string."""


class Retired(NamedTuple):
    """A word that is not used any more, what is used instead, and the names that keep it."""

    word: str
    instead: str
    stays: tuple[str, ...]


def table() -> list[Retired]:
    """Read the table of retired words in docs/glossary.md."""
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    lines = text.partition("<!-- retired -->")[2].partition("<!-- end of retired -->")[0].strip().splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    return [
        Retired(word.strip(), instead, tuple(name.strip(" `") for name in stays.split(",") if name))
        for words, instead, stays in rows
        for word in words.split(",")
    ]


RETIRED = {form: entry for entry in table() for form in (entry.word, f"{entry.word}s")} | {
    f"{entry.word.removesuffix('y')}ies": entry for entry in table() if entry.word.endswith("y")
}
"""Every retired word, in the singular and the plural."""


def parts(name: str) -> list[str]:
    """Split a name at underscores and capitals: ``MatchRow`` is match and row."""
    return [part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]


def retired_in(name: str) -> list[Retired]:
    """The retired words in a name that may not keep them."""
    found = [RETIRED[part] for part in parts(name) if part in RETIRED]
    return [entry for entry in found if not any(fnmatchcase(name, pattern) for pattern in entry.stays)]


def names(source: str) -> Iterator[tuple[int, str]]:
    """The identifiers of a Python file, and the names of metrics in its strings, with their lines."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NAME:
            yield token.start[0], token.string
        elif token.type == tokenize.STRING:
            yield from ((token.start[0], name) for name in METRIC.findall(token.string))


SOURCES = sorted(path for folder in SCANNED for path in (ROOT / folder).rglob("*.py") if "v1" not in path.parts)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_retired_word_in_a_name(path: Path) -> None:
    """No identifier, metric or file name has a retired word in it; the failure names the word to use instead."""
    found = {f"{path.name}: {entry.word} -> {entry.instead}" for entry in retired_in(path.stem)}
    for line, name in names(path.read_text(encoding="utf-8")):
        found |= {f"line {line}: {name}: {entry.word} -> {entry.instead}" for entry in retired_in(name)}
    assert not found, "\n".join(sorted(found))


def test_no_retired_word_in_a_folder() -> None:
    """No folder has a retired word for a name."""
    folders = {part for path in SOURCES for part in path.relative_to(ROOT).parts[:-1]}
    assert [] == [folder for folder in folders if retired_in(folder)]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("open_door", ["door"]),
        ("ListenersEars", ["ear"]),
        ("stories", ["story"]),
        ("REFEREE", []),
        ("Referee", ["referee"]),
        ("indoors", []),
        ("heartbeat", []),
    ],
)
def test_words_are_found_as_parts_of_names(name: str, words: list[str]) -> None:
    """A retired word is found as a whole part of a name, in the singular and the plural."""
    assert words == [entry.word for entry in retired_in(name)]
