"""What differs between two games: from the command, and from the service."""

from __future__ import annotations

import json
from itertools import permutations

import pytest

from chitarrella.catalogue import Agreement
from chitarrella.comparing import Difference, Table, alike, differences
from tests.commands.running import CATALOGUE, invoke
from tests.kit import defaults, name, variants

PAIRS = list(permutations([game.key for game in CATALOGUE], 2))


def table(agreement: Agreement) -> Table:
    """A game that is seated, with what was chosen."""
    settled = CATALOGUE.settle(agreement)
    return Table(CATALOGUE.seat(settled), settled.players, dict(settled.options))


def turned(one: Difference) -> Difference:
    """The same difference, seen from the other side."""
    return one._replace(
        first=one.second, second=one.first, first_clause=one.second_clause, second_clause=one.first_clause
    )


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_every_clause_is_accounted_for(first: str, second: str) -> None:
    """Every clause of both says the same in the other, or stands in one difference; from either side it is the same."""
    tables = table(Agreement(first)), table(Agreement(second))
    found = differences(*tables)
    for number, side in enumerate(tables):
        here = [clause for one in found if (clause := (one.first_clause, one.second_clause)[number])]
        said = {clause.says for clause in tables[1 - number].game.clauses}
        assert sorted(here) == sorted(clause for clause in side.game.clauses if clause.says not in said)
    assert alike(*tables) == alike(*reversed(tables)) > 0
    other = {turned(one) for one in differences(*reversed(tables)) if one.about not in ("reason", "clause")}
    assert other == {one for one in found if one.about not in ("reason", "clause")}


@pytest.mark.parametrize("agreement", [*defaults(), *variants()], ids=name)
def test_a_variant_differs_in_what_was_chosen(agreement: Agreement) -> None:
    """A game differs in nothing from itself, and with an option in that option, besides moves that come with it."""
    usual = table(agreement._replace(options=()))
    assert () == differences(table(agreement), table(agreement))
    options = [(one.name, one.second) for one in differences(usual, table(agreement)) if one.about == "option"]
    assert list(CATALOGUE.settle(agreement).options) == sorted(options)


def test_the_command() -> None:
    """The command prints the differences, for people and for programs, in the language asked for."""
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
