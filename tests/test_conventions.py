"""Conventions of every Python file: a test states its law, and an exception from a check states its reason."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests import test_architecture

ROOT = Path(__file__).parent.parent
FOLDERS = ("service", "tests", "lab", "clients", "examples", "proto", ".ci")
NOT_OURS = {"node_modules", "v1"}
"""Folders of other people's and of generated code."""

ENDS = (".rs", ".cpp", ".hpp", ".java", ".kt", ".go", ".ts", ".js", ".mjs")
"""The ends of names of files in other languages than Python."""

FILES = sorted(
    path
    for path in (*ROOT.glob("*.py"), *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")))
    if not NOT_OURS & set(path.relative_to(ROOT).parts)
)
TESTS = [path for path in FILES if path.name.startswith("test_")]

SOURCES = sorted(
    path
    for path in (
        ROOT / "Dockerfile",
        *(path for folder in FOLDERS for end in ENDS for path in (ROOT / folder).rglob(f"*{end}")),
    )
    if not (NOT_OURS | {"gen", "build", "dist", "target"}) & set(path.relative_to(ROOT).parts)
)
"""The Dockerfile and what is written by hand in other languages."""

MAX_WORDS = 30
"""The most words of the docstring of a test."""

EXCEPTION = re.compile(r"# *(?:type: *ignore|noqa|pragma:|pyright:|pylint:|mypy:|ruff:)")
"""The beginning of a comment that switches a check off."""
DIRECTIVE = re.compile(rf"{EXCEPTION.pattern}[^#\s]*(?: *[A-Z]+\d+\b,?| no cover)*")
"""The comment up to where its reason begins."""

OTHER_EXCEPTION = re.compile(
    r"# *hadolint +ignore=[\w,]+"
    r"|#!?\[(?:allow|expect)\([^)]*\)\]"
    r"|// *clang-format +off"
    r"|// *NOLINT\w*(?:\([^)]*\))?"
    r"|@(?:Suppress|SuppressWarnings|file:Suppress)\([^)]*\)"
    r"|// *nolint(?::[\w,]+)?"
    r"|(?://|/\*) *@ts-(?:ignore|expect-error|nocheck)"
    r"|(?://|/\*) *biome-ignore(?:-\w+)? +[\w/]+"
)
"""What switches a check off in another language than Python, up to where its reason begins."""

TWINS = {
    "Action": ("exchange/base.py", "tricks/base.py"),
    "MatchState": ("exchange/round.py", "tricks/table.py"),
    "Rules": ("exchange/base.py", "tricks/base.py"),
    "StartDeal": ("exchange/turns.py", "tricks/dealing.py"),
}
"""Classes with one name in both families: the same part of a game, and no module imports from both families."""


def test_every_test_states_its_law() -> None:
    """Each test has a docstring of exactly one sentence, of at most thirty words."""
    laws = {
        f"{path.relative_to(ROOT)}: {node.name}": ast.get_docstring(node) or ""
        for path in TESTS
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    }
    assert len(laws) > 1000
    assert [] == [name for name, law in laws.items() if not is_sentence(law)]
    assert [] == [name for name, law in laws.items() if len(law.split()) > MAX_WORDS]


def test_no_two_classes_share_a_name() -> None:
    """A public class of the package has a name of its own, unless it is one of two twins."""
    places = defaultdict(list)
    for path in test_architecture.SOURCES:
        for node in test_architecture.tree(path).body:
            if isinstance(node, ast.ClassDef) and node.name[0] != "_":
                places[node.name].append(str(path.relative_to(test_architecture.PACKAGE)))
    assert len(places) > 500
    assert {name: sorted(paths) for name, paths in TWINS.items()} == {
        name: sorted(paths) for name, paths in places.items() if len(paths) > 1
    }


def test_no_docstring_is_an_act_of_speech() -> None:
    """A docstring names what a thing is or returns: none begins with Say, Give, Tell or Let."""
    found = [
        f"{path.relative_to(ROOT)}: {text.splitlines()[0]}"
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        if re.match(r"(Say|Give|Tell|Let)s?\b", text := ast.get_docstring(node) or "")
    ]
    assert [] == found


def test_files_and_functions_are_short() -> None:
    """No file outside the service, which has its own test, has more than 600 lines, and no function 60 or more."""
    texts = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in FILES}
    assert set() == {name for name, text in texts.items() if len(text.splitlines()) > 600}
    assert [] == [
        f"{name}: {node.name}"
        for name, text in texts.items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (node.end_lineno or 0) - node.lineno >= 60
    ]


def is_sentence(text: str) -> bool:
    """Whether a text begins as a sentence, ends as one, and holds no second one."""
    return bool(re.fullmatch(r"[A-Z0-9`*\"'].*[^.\s]\.", text, re.DOTALL)) and not re.search(r"[.!?]\s|\n\n", text)


def test_every_exception_has_its_reason() -> None:
    """A comment that switches a check off for a line says why, behind it or in a comment on the line above."""
    found = {str(path.relative_to(ROOT)): list(bare(path.read_text(encoding="utf-8"))) for path in FILES}
    assert {} == {name: lines for name, lines in found.items() if lines}


def bare(text: str) -> Iterator[str]:
    """Find the comments with an exception that has no reason of two words or more."""
    if not EXCEPTION.search(text):
        return
    lines = text.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and EXCEPTION.search(token.string):
            above = lines[token.start[0] - 2].strip() if token.start[0] > 1 else ""
            comment = above if above.startswith("#") and not EXCEPTION.search(above) else ""
            if max(len(re.findall(r"\w+", reason)) for reason in (DIRECTIVE.sub("", token.string), comment)) < 2:
                yield f"line {token.start[0]}: {token.line.strip()}"


def test_every_exception_in_another_language_has_its_reason() -> None:
    """What switches a check off in a file that is not Python says why, behind it or in a comment on the line above."""
    assert {"Dockerfile", ".rs", ".cpp", ".hpp", ".java", ".kt", ".go", ".ts"} <= {p.suffix or p.name for p in SOURCES}
    texts = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in SOURCES}
    assert {} == {name: lines for name, text in texts.items() if (lines := list(bare_elsewhere(text)))}


def bare_elsewhere(text: str) -> Iterator[str]:
    """Find the exceptions that have no reason of two words or more, in a file that is not Python."""
    above = ""
    for number, line in enumerate(text.splitlines(), 1):
        if found := OTHER_EXCEPTION.search(line):
            comment = above if above.startswith(("#", "//", "*", "/*")) and not OTHER_EXCEPTION.search(above) else ""
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
