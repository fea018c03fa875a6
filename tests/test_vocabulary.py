"""No retired word comes back: names, pages, docstrings and comments use the terms of docs/glossary.md.

Scanned are the service, its tests, the contract with the code that is generated from it, and the clients.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent

SCANNED = ("service/chitarrella", "tests", "lab", "proto", "clients", "examples")
"""Folders in whose names no retired word is left."""

CONTRACT = ("service/chitarrella/v1", "proto", "clients")
"""Those among them whose names an integrator meets: the contract, what is generated from it, and the clients."""

NOT_SCANNED = {"node_modules", "third_party", "build", "target", "bin", "obj", ".gradle", "validate_pb2.py"}
"""Folders of other people's code and of builds, and the one generated file of another contract."""

TYPED = (".proto", ".go", ".ts", ".rs", ".java", ".kt", ".cs", ".dart", ".swift", ".cpp", ".h", ".hpp")
"""The suffixes of files in other languages whose names are scanned, and their comments."""

COMMENTED = (*TYPED, ".yaml", ".lua")
"""The suffixes of files in other languages whose comments are scanned."""


PYTHON = (".py", ".pyi")

PERSON_NAME = re.compile(r"player_?names?", re.IGNORECASE)
"""The name of a person, which a platform may give to a match."""


def files(folders: Iterable[str], *suffixes: str) -> list[Path]:
    """The files below folders of the repository that are scanned."""
    found = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in suffixes]
    return sorted(path for path in found if not NOT_SCANNED & set(path.relative_to(ROOT).parts))


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


PROSE = "prose"
"""What stands in the last column for a word that has an ordinary meaning in a sentence."""

SERVICE = "service"
"""What stands there for a word that is retired only in `CONTRACT`; the service and its tests use it otherwise."""

LONGEST = 3
"""The greatest number of words of an entry."""


def forms(word: str) -> set[str]:
    """A word, or the last word of several, in the singular and the plural."""
    return {word, f"{word}s", f"{word}es"} | ({f"{word.removesuffix('y')}ies"} if word.endswith("y") else set())


RETIRED = {tuple(form.split()): entry for entry in table() for form in forms(entry.word)}
"""Every retired word, or several that follow each other, in the singular and the plural."""


def entries_in(words: list[str]) -> list[Retired]:
    """The retired words among ``words``."""
    found = [tuple(words[at : at + size]) for at in range(len(words)) for size in range(1, LONGEST + 1)]
    return list(dict.fromkeys(RETIRED[these] for these in found if these in RETIRED))


def parts(name: str) -> list[str]:
    """Split a name at underscores and capitals: ``MatchRow`` is match and row."""
    return [part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]


def retired_in(name: str, *, contract: bool = False) -> list[Retired]:
    """The retired words in a name that may not keep them."""
    found = [entry for entry in entries_in(parts(name)) if contract or SERVICE not in entry.stays]
    return [entry for entry in found if not any(fnmatchcase(name, pattern) for pattern in entry.stays)]


STRING_OR_COMMENT = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|`[^`]*`|'(?:\\.|[^'\\\n])'""", re.DOTALL)
"""What is no name in the languages of `TYPED`."""


def names(path: Path) -> Iterator[tuple[int, str]]:
    """The identifiers of a file with their lines; of a Python file also the names of metrics in its strings."""
    source = path.read_text(encoding="utf-8")
    if path.suffix not in PYTHON:
        code = STRING_OR_COMMENT.sub(lambda text: "\n" * text[0].count("\n"), source)
        yield from (
            (n, name) for n, line in enumerate(code.splitlines(), 1) for name in re.findall(r"[A-Za-z_]\w*", line)
        )
        return
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NAME:
            yield token.start[0], token.string
        elif token.type == tokenize.STRING:
            yield from ((token.start[0], name) for name in METRIC.findall(token.string))


PHRASES = [stays for entry in table() for stays in entry.stays if " " in stays]
"""Phrases that keep a retired word."""

CODE = re.compile(r"``[^`]*``|`[^`]*`|\]\([^)]*\)|<[^>]*>")
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"(?:(?<!:)//[/!]?|^\s*/?\*+|(?:^|\s)#|(?:^|\s)--)\s(.*)")
"""A comment of Go, C++, Rust, Java, YAML or Lua, to the end of its line."""


def prose_retired_in(text: str) -> list[Retired]:
    """The retired words in a sentence that may not keep them; what is marked as code is left out."""
    for phrase in PHRASES:
        text = re.sub(rf"\b{phrase}\b", "", text, flags=re.IGNORECASE)
    found = entries_in(re.findall(r"[a-z]+", CODE.sub("", text).lower()))
    return [entry for entry in found if PROSE not in entry.stays]


def prose(path: Path) -> Iterator[tuple[int, str]]:
    """The prose of a file with its lines: docstrings and comments, or the text of a page."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        text = text.replace(text.partition("<!-- retired -->")[2].partition("<!-- end of retired -->")[0], "")
        yield from enumerate(FENCED.sub(lambda block: "\n" * block[0].count("\n"), text).splitlines(), 1)
    elif path.suffix not in PYTHON:
        yield from ((n, found[1]) for n, line in enumerate(text.splitlines(), 1) if (found := COMMENT.search(line)))
    else:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Expr) and isinstance(said := getattr(node.value, "value", None), str):
                yield from enumerate(said.splitlines(), node.lineno)


SOURCES = files(SCANNED, *PYTHON, *TYPED)
PROSE_SOURCES = [
    *ROOT.glob("*.md"),
    *files(("docs", "deploy", "clients", "examples", "tests", "lab"), ".md"),
    *files(SCANNED, *PYTHON),
    *files(("clients", "deploy", "examples", "proto", "service"), *COMMENTED),
]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_retired_word_in_a_name(path: Path) -> None:
    """No identifier, metric or file name has a retired word in it; the failure names the word to use instead."""
    contract = any(path.is_relative_to(ROOT / folder) for folder in CONTRACT) and "mcp" not in path.parts
    named = {(0, path.stem), *names(path)}
    found = [
        f"line {line}: {name}: {entry.word} -> {entry.instead}"
        for line, name in sorted(named)
        for entry in retired_in(name, contract=contract)
    ]
    assert not found, "\n".join(found)


def test_a_place_at_the_table_is_a_seat() -> None:
    """No name in the service calls a seat a player: players are counted, named, and leave the table; a seat acts."""
    found = {name for path in files(("service",), ".py") for _, name in names(path)}
    of_players = {name for name in found if "player" in parts(name) and not PERSON_NAME.search(name)}
    assert {"PlayerLeft", "TwoPlayerPoolSplit"} == of_players


RULES = tuple(f"service/chitarrella/{folder}" for folder in ("core", "tricks", "exchange", "games"))


def test_players_are_a_number_in_the_rules() -> None:
    """In the rules `players` is how many there are: nothing counts, indexes or iterates over it, as over seats."""
    found = {str(path.relative_to(ROOT)) for path in files(RULES, ".py") if list(seats_as_players(path.read_text()))}
    assert set() == found


def seats_as_players(text: str) -> Iterator[str]:
    """Find the places where `players` is used as a collection."""
    for node in ast.walk(ast.parse(text)):
        used: list[ast.expr] = []
        if isinstance(node, ast.For | ast.comprehension):
            used = [node.iter]
        elif isinstance(node, ast.Subscript):
            used = [node.value]
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("len", "sorted", "set", "tuple"):
            used = node.args
        elif isinstance(node, ast.Compare) and any(isinstance(operator, ast.In | ast.NotIn) for operator in node.ops):
            used = node.comparators
        yield from (ast.unparse(node) for one in used if isinstance(one, ast.Name) and one.id == "players")


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("players = in_game(r)\nif len(players) == 1: pass", 1),
        ("[seat for seat in players]", 1),
        ("players[0]", 1),
        ("seat not in players", 1),
        ("{players: seat(players) for players in (4, 2)}", 0),
        ("f(players) + players - 1 in (2, 3)", 0),
    ],
)
def test_seats_as_players_are_found(text: str, count: int) -> None:
    """Players that are counted, indexed, iterated over or searched are found; their number is not."""
    assert count == len(list(seats_as_players(text)))


def test_no_retired_word_in_a_sentence() -> None:
    """No page, docstring or comment uses a retired word; the failure names the word to use instead."""
    found = [
        f"{path.relative_to(ROOT)}:{line}: {entry.word} -> {entry.instead}"
        for path in PROSE_SOURCES
        if path != ROOT / "tests/vectors/rules.md"  # written from the rule books
        for line, text in prose(path)
        for entry in prose_retired_in(text)
    ]
    assert not found, "\n".join(found)


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
        ("asked_back", ["asked back"]),
        ("AskedBack", ["asked back"]),
        ("asked", []),
        ("rob_look", []),
        ("fault", []),
        ("indoors", []),
        ("heartbeat", []),
    ],
)
def test_words_are_found_as_parts_of_names(name: str, words: list[str]) -> None:
    """A retired word is found as a whole part of a name, in the singular and the plural."""
    assert words == [entry.word for entry in retired_in(name)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The doors of the house.", ["door", "house"]),
        ("A house rule, and other house rules.", []),
        ("The field `eyes` of ``Look``, see [eyes](eyes.md).", ["eye"]),
        ("A Deck of cards, as the stories tell.", ["deck", "story"]),
        ("Indoors, a deckchair.", []),
    ],
)
def test_words_are_found_in_sentences(text: str, words: list[str]) -> None:
    """A retired word is found as a whole word of a sentence, unless it is code or keeps an ordinary meaning."""
    assert words == [entry.word for entry in prose_retired_in(text)]


def test_terms_are_where_the_glossary_says() -> None:
    """The file that the glossary gives for a term has the name that stands beside it."""
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    places = re.findall(r"\| `([\w/]+\.py)`, `([\w.]+)` \|$", text, re.MULTILINE)
    assert len(places) > 30
    for file, name in places:
        last = name.rpartition(".")[2]
        defined = re.compile(rf"^ *(?:class|def) {last}\b|^ *{last}\b[^(]*[:=]", re.MULTILINE)
        path = ROOT / file if file.startswith("tests/") else ROOT / "service/chitarrella" / file
        assert defined.search(path.read_text(encoding="utf-8")), f"{file}: {name}"
