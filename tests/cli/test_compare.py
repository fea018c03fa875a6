"""The differences between two games, from the command and from the service."""

from __future__ import annotations

import json
from itertools import permutations

import pytest

from chitarrella.catalogue.compare import ComparedGame, Difference, compare, count_same_clauses
from chitarrella.catalogue.registry import RuleSet
from tests.cli.run_command import CATALOGUE, invoke
from tests.walks import defaults, name, variants

pytestmark = pytest.mark.measured

PAIRS = list(permutations([game.key for game in CATALOGUE], 2))


def table(rule_set: RuleSet) -> ComparedGame:
    """A game with its options."""
    settled = CATALOGUE.normalize(rule_set)
    return ComparedGame(CATALOGUE.game_for(settled), settled.players, dict(settled.options))


def turned(one: Difference) -> Difference:
    """The same difference in the other direction."""
    return one._replace(
        first=one.second, second=one.first, first_clause=one.second_clause, second_clause=one.first_clause
    )


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_every_clause_is_accounted_for(first: str, second: str) -> None:
    """Every clause of both games is equal in the other or in one difference, in both directions."""
    tables = table(RuleSet(first)), table(RuleSet(second))
    found = compare(*tables)
    for number, side in enumerate(tables):
        here = [clause for one in found if (clause := (one.first_clause, one.second_clause)[number])]
        said = {clause.text for clause in tables[1 - number].game.clauses}
        assert sorted(here) == sorted(clause for clause in side.game.clauses if clause.text not in said)
    assert count_same_clauses(*tables) == count_same_clauses(*reversed(tables)) > 0
    other = {turned(one) for one in compare(*reversed(tables)) if one.about not in ("reason", "clause")}
    assert other == {one for one in found if one.about not in ("reason", "clause")}


@pytest.mark.parametrize("rule_set", [*defaults(), *variants()], ids=name)
def test_a_variant_differs_in_what_was_chosen(rule_set: RuleSet) -> None:
    """A game does not differ from itself; with an option it differs in that option and its moves."""
    usual = table(rule_set._replace(options=()))
    assert () == compare(table(rule_set), table(rule_set))
    options = [(one.name, one.second) for one in compare(usual, table(rule_set)) if one.about == "option"]
    assert list(CATALOGUE.normalize(rule_set).options) == sorted(options)


def test_the_command() -> None:
    """The command prints the differences as text and as JSON, in the chosen language."""
    page = invoke("compare", "briscola", "Briscolone").output
    assert "option signals" in page
    assert "BN-5.3" in page
    found = json.loads(invoke("compare", "coech", "zifuli", "--json", "--language", "de").output)
    assert {"about": "players", "name": "", "first": "4", "second": "5"} in found
    assert any("Stich" in one["second"] for one in found)
    chosen = json.loads(
        invoke("compare", "briscola", "briscola", "--players", "4", "--second", "signals=off", "--json").output
    )
    assert ["signals"] == [one["name"] for one in chosen if one["about"] == "option"]
    assert 2 == invoke("compare", "briscola", "poker").exit_code
    assert 2 == invoke("compare", "briscola", "briscola", "--first", "signals=loud").exit_code
