"""The rule book is covered like code: every clause is proved by a test that says so, and every example is one.

The markers are read from the syntax trees of the tests, so it does not matter which of them run, or where. The examples
in ``data/*.yaml`` name their clauses themselves; each is a test of its own.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.games.support.exchange_examples import documents, proved_by
from tests.walks import CATALOGUE

pytestmark = pytest.mark.unmeasured

TESTS = Path(__file__).parent.parent
EXAMPLES = {"SN-EX": 17, "EL-EX": 16, "HU-EX": 18} | {
    "BR-EX": 17,
    "BN-EX": 12,
    "BQ-EX": 15,
    "CO-E": 25,
    "CC-E": 28,
    "CT-E": 30,
    "BC-EX": 20,
    "MA-EX": 19,
    "HA-EX": 22,
    "BS-EX": 15,
    "BG-EX": 20,
    "BB-EX": 18,
    "ZI-E": 22,
    "CU-E": 66,
    "LS-E": 56,
}
"""The worked examples of the specifications, and how many each has."""

CLAUSES = {clause.key for game in CATALOGUE for clause in game.clauses}


@cache
def marked() -> tuple[tuple[str, str], ...]:
    """All markers: the clause, and the test that proves it."""
    return tuple(_marked())


def _marked() -> Iterator[tuple[str, str]]:
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                for decorator in node.decorator_list:
                    for key in _keys(decorator):
                        yield key, f"{path.name}::{node.name}"
    for path in sorted(Path(__file__).parent.glob("data/*.yaml")):
        for said in documents(path.stem):
            for key in proved_by(said["rules"]):
                yield key, said["id"]


def _keys(decorator: ast.expr) -> list[str]:
    """The clauses of ``@pytest.mark.clause(...)``; raises `AssertionError` where they are not plain words."""
    if not isinstance(decorator, ast.Call) or ast.unparse(decorator.func) != "pytest.mark.clause":
        return []
    keys = [argument.value for argument in decorator.args if isinstance(argument, ast.Constant)]
    assert len(decorator.args) == len(keys) > 0, ast.unparse(decorator)
    return [str(key) for key in keys]


@pytest.mark.parametrize("key", [game.key for game in CATALOGUE])
def test_every_clause_is_proved(key: str) -> None:
    """No clause of a game's rule book, the common ones included, is without a test that proves it."""
    proved = {clause for clause, _ in marked()}
    assert [] == [clause.key for clause in CATALOGUE.game(key).clauses if clause.key not in proved]


def test_every_marker_names_a_clause() -> None:
    """No test claims to prove a clause that no rule book has."""
    assert [] == [(clause, test) for clause, test in marked() if clause not in CLAUSES]


def test_clauses_are_sentences_with_a_source() -> None:
    """Every clause is a sentence of its own, with a full stop, and says what it rests on."""
    for game in CATALOGUE:
        for clause in game.clauses:
            assert re.fullmatch(r"[A-Z0-9].*\.", clause.text), clause
            assert clause.source
        assert len({clause.text for clause in game.clauses}) == len(game.clauses)


@pytest.mark.parametrize("kind", EXAMPLES)
def test_every_example_is_a_test(kind: str) -> None:
    """No worked example of a specification is without a test, or a block of data, that bears its number."""
    folder = Path(__file__).parent
    files = (*folder.glob("test_*.py"), *folder.glob("data/*.txt"), *folder.glob("data/*.yaml"))
    texts = [path.read_text(encoding="utf-8") for path in files]
    named = {int(number) for text in texts for number in re.findall(rf"{kind}(\d+)", text)}
    assert set(range(1, EXAMPLES[kind] + 1)) == named
