"""The refusal cases are what the rules answer today, and every clause that can be cited is cited in one of them."""

from __future__ import annotations

import pytest

from tests.refusals.cases import ALLOWED, FOLDER, Scene, answers, citable, cited, read_scenes
from tests.walks import CATALOGUE, defaults, variants

FILES = sorted(path.name for path in FOLDER.glob("*.txt"))
NEVER: dict[tuple[str, str, str], str] = {}
"""Codes with clauses that no move can be refused with, though the rule book names them, and why."""


def scenes(file: str) -> list[Scene]:
    """The scenes of a file."""
    return list(read_scenes((FOLDER / file).read_text(encoding="utf-8")))


@pytest.mark.parametrize("file", FILES)
def test_the_answers_are_what_the_file_says(file: str) -> None:
    """Asked again, every move is answered with the same clauses in the same order, and the same particulars."""
    for scene in scenes(file):
        for asked, now in answers(scene):
            assert asked.answer == now, (scene, asked)


@pytest.mark.parametrize("file", FILES)
def test_every_clause_is_cited(file: str) -> None:
    """Every code that a game can refuse with is there with every clause it cites for it, or it is said why not."""
    key = file.removesuffix(".txt")
    found = {cited(line) for scene in scenes(file) for asked in scene.asked for line in asked.answer if line != ALLOWED}
    rule_sets = [rule_set for rule_set in (*defaults(), *variants()) if rule_set.game == key]
    known = {pair for rule_set in rule_sets for pair in citable(CATALOGUE.game_for(rule_set))}
    assert found <= known
    assert known - found == {(code, clause) for game, code, clause in NEVER if game == key}


def test_several_clauses_at_once() -> None:
    """There are cases with two and more broken clauses, and cases in which an option changes the answer."""
    answered = [asked.answer for file in FILES for scene in scenes(file) for asked in scene.asked]
    assert 100 <= sum(len(answer) > 1 for answer in answered)
    assert 40 <= sum(answer == (ALLOWED,) for answer in answered)
