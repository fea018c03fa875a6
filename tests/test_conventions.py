"""Conventions of every file: what a test says, why a check is switched off, and the words of docs/glossary.md.

Scanned for words are the service, its tests, the contract with the code that is generated from it, and the clients.
"""

import ast
import io
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from tests.test_architecture import EVERY_FILE, FOLDERS, NOT_OURS, ROOT, SOURCES, tree

ENDS = (".rs", ".cpp", ".java", ".kt", ".go", ".ts", ".js", ".mjs")
"""The ends of names of files in other languages than Python."""

TESTS = [path for path in EVERY_FILE if path.name.startswith("test_")]

OTHER_SOURCES = sorted(
    path
    for path in (
        ROOT / "Dockerfile",
        *(path for folder in FOLDERS for end in ENDS for path in (ROOT / folder).rglob(f"*{end}")),
    )
    if not (NOT_OURS | {"gen", "dist"}) & set(path.relative_to(ROOT).parts)
)
"""The Dockerfile and what is written by hand in other languages."""

MAX_WORDS = 30  # the most words of the docstring of a test

EXCEPTION = re.compile(
    r"# *(?:type: *ignore|noqa|pragma|pyright|pylint|mypy|ruff):?[^#\s]*(?: *[A-Z]+\d+\b,?| no cover)*(?= |$)"
    r"|# *hadolint +ignore=[\w,]+"
    r"|#!?\[(?:allow|expect)\([^)]*\)\]"
    r"|// *clang-format +off"
    r"|// *NOLINT\w*(?:\([^)]*\))?"
    r"|@(?:Suppress|SuppressWarnings|file:Suppress)\([^)]*\)"
    r"|// *nolint(?::[\w,]+)?"
    r"|(?://|/\*) *@ts-(?:ignore|expect-error|nocheck)"
    r"|(?://|/\*) *biome-ignore(?:-\w+)? +[\w/]+"
)
"""What switches a check off, up to where its reason begins."""

FUNCTIONS = ast.FunctionDef, ast.AsyncFunctionDef
TWINS = {
    "MatchState": ("exchange/round.py", "games/scopa.py", "tricks/table.py"),
    "Rules": ("exchange/rules.py", "tricks/rules.py"),
    "StartDeal": ("exchange/deal.py", "tricks/dealing.py"),
}
"""Classes with one name in both families: the same part of a game, and no module imports from both families."""


def test_every_test_states_its_law() -> None:
    """Each test has a docstring of exactly one sentence, of at most thirty words."""
    functions = ((path, node) for path in TESTS for node in ast.walk(tree(path)) if isinstance(node, FUNCTIONS))
    tests = ((path, node) for path, node in functions if node.name.startswith("test_"))
    laws = {f"{path.relative_to(ROOT)}: {node.name}": ast.get_docstring(node) or "" for path, node in tests}
    assert len(laws) > 1000
    assert [] == [name for name, law in laws.items() if not is_sentence(law)]
    assert [] == [name for name, law in laws.items() if len(law.split()) > MAX_WORDS]


def test_no_two_classes_share_a_name() -> None:
    """A public class of the package has a name of its own, unless it is one of two twins."""
    places = defaultdict(list)
    for path in SOURCES:
        for node in tree(path).body:
            if isinstance(node, ast.ClassDef) and node.name[0] != "_":
                places[node.name].append(str(path.relative_to(ROOT)).removeprefix("service/chitarrella/"))
    assert len(places) > 500
    assert {name: sorted(paths) for name, paths in TWINS.items()} == {
        name: sorted(paths) for name, paths in places.items() if len(paths) > 1
    }


def test_no_docstring_is_an_act_of_speech() -> None:
    """A docstring names what a thing is or returns: none begins with Say, Give, Tell or Let."""
    found = [
        f"{path.relative_to(ROOT)}: {text.splitlines()[0]}"
        for path in EVERY_FILE
        for node in ast.walk(tree(path))
        if isinstance(node, (ast.Module, ast.ClassDef, *FUNCTIONS))
        if re.match(r"(Say|Give|Tell|Let)s?\b", text := ast.get_docstring(node) or "")
    ]
    assert [] == found


def is_sentence(text: str) -> bool:
    """Whether a text begins as a sentence, ends as one, and holds no second one."""
    return bool(re.fullmatch(r"[A-Z0-9`*\"'].*[^.\s]\.", text, re.DOTALL)) and not re.search(r"[.!?]\s|\n\n", text)


def test_every_exception_has_its_reason() -> None:
    """What switches a check off for a line says why, behind it or in a comment on the line above."""
    assert {"Dockerfile", ".rs", ".cpp", ".java", ".kt", ".go", ".ts"} <= {p.suffix or p.name for p in OTHER_SOURCES}
    texts = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in (*EVERY_FILE, *OTHER_SOURCES)}
    assert {} == {name: lines for name, text in texts.items() if (lines := list(bare(text)))}


def bare(text: str) -> Iterator[str]:
    """Find the exceptions that have no reason of two words or more."""
    above = ""
    for number, line in enumerate(text.splitlines(), 1):
        if found := EXCEPTION.search(line):
            comment = above if above.startswith(("#", "//", "*", "/*")) and not EXCEPTION.search(above) else ""
            behind = re.sub(r"\w+\(.*|.*[{;]\s*$", "", line[found.end() :])
            if max(len(re.findall(r"\w+", reason)) for reason in (behind, comment)) < 2:
                yield f"line {number}: {line.strip()}"
        above = line.strip()


def test_every_exception_for_a_folder_has_its_reason() -> None:
    """A rule that pyproject.toml switches off has a comment on its line; a table of mypy begins with one."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    lists = [
        *re.findall(r"^(?:ignore|exclude_also|extend-exclude) = \[(.*?)^(?=\S)", text, re.MULTILINE | re.DOTALL),
        *re.findall(r"^\[tool\.ruff\.lint\.per-file-ignores\]\n(.*?)^\[", text, re.MULTILINE | re.DOTALL),
    ]
    rules = [line for found in lists for line in found.splitlines() if '"' in line and not line.endswith("= [")]
    assert len(rules) > 15
    assert [] == [line.strip() for line in rules if not re.search(r" # \w+", line)]
    tables = re.findall(r"^\[\[tool\.mypy\.overrides\]\]\n(.*)$", text, re.MULTILINE)
    assert tables
    assert [] == [line for line in tables if not line.startswith("# ")]


SCANNED = ("service/chitarrella", "cards", "kit", "terminal", "tests", "lab", "proto", "clients", "examples")
"""Folders in whose names no retired word is left."""

CONTRACT = ("service/chitarrella/v1", "proto", "clients")
"""Those among them whose names an integrator meets: the contract, what is generated from it, and the clients."""

NOT_SCANNED = {"node_modules", "third_party", "build", "target", "bin", "obj", ".gradle", "validate_pb2.py"}
"""Folders of other people's code and of builds, and the one generated file of another contract."""

TYPED = (".proto", ".go", ".ts", ".rs", ".java", ".kt", ".cs", ".dart", ".swift", ".cpp", ".h", ".hpp")
"""The suffixes of files in other languages whose names are scanned, and their comments."""

COMMENTED = (*TYPED, ".yaml", ".lua")  # the suffixes of files in other languages whose comments are scanned


PYTHON = (".py", ".pyi")

PERSON_NAME = re.compile(r"player_?names?", re.IGNORECASE)  # the name of a person, which a platform may give to a match


def files(folders: Iterable[str], *suffixes: str) -> list[Path]:
    found = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in suffixes]
    return sorted(path for path in found if not NOT_SCANNED & set(path.relative_to(ROOT).parts))


METRIC = re.compile(r"chitarrella_[a-z_]+")  # the name of a metric, in a string


class Retired(NamedTuple):
    """A word that is not used any more, what is used instead, and the names that keep it."""

    word: str
    instead: str
    stays: tuple[str, ...]


def table() -> list[Retired]:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    lines = text.partition("<!-- retired -->")[2].partition("<!-- end of retired -->")[0].strip().splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    return [
        Retired(word.strip(), instead, tuple(name.strip(" `") for name in stays.split(",") if name))
        for words, instead, stays in rows
        for word in words.split(",")
    ]


PROSE = "prose"  # what stands in the last column for a word that has an ordinary meaning in a sentence

SERVICE = "service"
"""What stands there for a word that is retired only in `CONTRACT`; the service and its tests use it otherwise."""

LONGEST = 3  # the greatest number of words of an entry


def forms(word: str) -> set[str]:
    """A word, or the last word of several, in the singular and the plural."""
    return {word, f"{word}s", f"{word}es"} | ({f"{word.removesuffix('y')}ies"} if word.endswith("y") else set())


RETIRED = {tuple(form.split()): entry for entry in table() for form in forms(entry.word)}
"""Every retired word, or several that follow each other, in the singular and the plural."""


def entries_in(words: list[str]) -> list[Retired]:
    found = [tuple(words[at : at + size]) for at in range(len(words)) for size in range(1, LONGEST + 1)]
    return list(dict.fromkeys(RETIRED[these] for these in found if these in RETIRED))


def parts(name: str) -> list[str]:
    """Split a name at underscores and capitals: ``MatchRow`` is match and row."""
    return [part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]


def retired_in(name: str, *, contract: bool = False) -> list[Retired]:
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
            (n, word) for n, line in enumerate(code.splitlines(), 1) for word in re.findall(r"[A-Za-z_]\w*", line)
        )
        return
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NAME:
            yield token.start[0], token.string
        elif token.type == tokenize.STRING:
            yield from ((token.start[0], name) for name in METRIC.findall(token.string))


PHRASES = [stays for entry in table() for stays in entry.stays if " " in stays]  # phrases that keep a retired word

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
    """The prose of a file with its lines: docstrings, comments, texts of errors and the log, or the text of a page."""
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
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Expr) and isinstance(said := getattr(node.value, "value", None), str):
                yield from enumerate(said.splitlines(), node.lineno)
            elif isinstance(node, ast.Raise) or (
                isinstance(node, ast.Call) and re.match(r"(errors|LOG)\.", ast.unparse(node.func))
            ):
                leaves = (leaf for leaf in ast.walk(node) if isinstance(leaf, ast.Constant))
                yield from (
                    (one.lineno, one.value) for one in leaves if isinstance(one.value, str) and " " in one.value
                )


WORDED = files(SCANNED, *PYTHON, *TYPED)
PROSE_SOURCES = [
    *ROOT.glob("*.md"),
    *files(("docs", "deploy", "cards", "kit", "terminal", "clients", "examples", "tests", "lab"), ".md"),
    *files(SCANNED, *PYTHON),
    *files(("clients", "deploy", "examples", "proto", "service"), *COMMENTED),
]


def test_no_retired_word_in_a_name() -> None:
    """No identifier, metric, file or folder has a retired word in it; the failure names the word to use instead."""
    found = []
    for path in WORDED:
        inside = path.relative_to(ROOT)
        contract = any(path.is_relative_to(ROOT / folder) for folder in CONTRACT) and "mcp" not in inside.parts
        named = {*((0, part) for part in inside.with_suffix("").parts), *names(path)}
        retired = ((line, name, one) for line, name in sorted(named) for one in retired_in(name, contract=contract))
        found += [f"{inside}:{line}: {name}: {one.word} -> {one.instead}" for line, name, one in retired]
    assert not found, "\n".join(found)


def test_a_place_at_the_table_is_a_seat() -> None:
    """No name in the product calls a seat a player: players are counted, named, and leave the table; a seat acts."""
    found = {name for path in files(("service", "terminal"), ".py") for _, name in names(path)}
    of_players = {name for name in found if "player" in parts(name) and not PERSON_NAME.search(name)}
    assert {"PlayerLeft"} == of_players


def test_no_retired_word_in_a_sentence() -> None:
    """No page, docstring, comment, error or log line uses a retired word; the failure names the word to use instead."""
    texts = ((f"{path.relative_to(ROOT)}:{line}", text) for path in PROSE_SOURCES for line, text in prose(path))
    found = [f"{at}: {entry.word} -> {entry.instead}" for at, text in texts for entry in prose_retired_in(text)]
    assert not found, "\n".join(found)


def test_terms_are_where_the_glossary_says() -> None:
    """The file that the glossary gives for a term has the name that stands beside it."""
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    places = re.findall(r"\| `([\w/]+\.py)`, `([\w.]+)` \|$", text, re.MULTILINE)
    assert len(places) > 30
    for file, name in places:
        last = name.rpartition(".")[2]
        defined = re.compile(rf"^ *(?:class|def) {last}\b|^ *{last}\b[^(]*[:=]", re.MULTILINE)
        path = ROOT / file if file.startswith(("tests/", "kit/")) else ROOT / "service/chitarrella" / file
        assert defined.search(path.read_text(encoding="utf-8")), f"{file}: {name}"
