"""docs/facts.md: every fact of every game has one meaning, one type and one unit, and stands in the table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from chitarrella.core.game import AnyGame, Position
from chitarrella.core.model import CHANCE, Fact, Money
from tests.walks import CATALOGUE, Walk, defaults, variants, walk

PAGE = Path(__file__).parents[2] / "docs" / "facts.md"
KEYS = [game.key for game in CATALOGUE]
DEALS, MANY, MOST = 2, 40, 1000
"""Deals of a walk; walks of a game with few rule sets; and walks after which a fact that has not come up is missed."""

NUMBERS = {"number", "flag", "seat"}
LAST_TRICK = ("harjan", "hundredogen", "madrasso")
"""The games in which the last trick counts ten."""


class Row(NamedTuple):
    """A line of the table: whether a fact has a seat, its type, and the games that have it."""

    of: str
    kind: str
    games: frozenset[str]


def table() -> dict[str, Row]:
    """Read the table of the page."""
    lines = PAGE.read_text(encoding="utf-8").partition("<!-- facts -->")[2].partition("<!-- end of facts -->")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines.strip().splitlines()[2:]]
    return {name.strip("`"): Row(of, kind, games(named)) for name, of, kind, _, _, named in rows}


def games(named: str) -> frozenset[str]:
    """The keys of the games that a cell names."""
    if named in ("all", "trick games"):
        return frozenset(game.key for game in CATALOGUE if named == "all" or game.trick_rules is not None)
    return frozenset(key.strip(" `") for key in named.split(","))


TABLE = table()


@cache
def walks(key: str) -> tuple[Walk, ...]:
    """Walks of every rule set of a game, and more until each fact of the table has come up."""
    sets = [rule_set for rule_set in (*defaults(), *variants()) if rule_set.game == key]
    missing = {name for name, row in TABLE.items() if key in row.games}
    found: list[Walk] = []
    while len(found) < max(len(sets), MANY) or (missing and len(found) < MOST):
        found.append(walk(sets[len(found) % len(sets)], f"facts {len(found)}", DEALS))
        missing -= {fact.name for p in found[-1].positions for fact in found[-1].game.facts(p)}
    return tuple(found)


def facts(game: AnyGame, p: Position, name: str) -> dict[int | None, object]:
    """The facts of one name by seat."""
    return {fact.seat: fact.value for fact in game.facts(p) if fact.name == name}


def every(key: str) -> Iterator[tuple[Walk, Fact]]:
    """Every fact of the walks of a game."""
    for each in walks(key):
        for p in each.positions:
            yield from ((each, fact) for fact in each.game.facts(p))


def kinds(fact: Fact, game: AnyGame) -> set[str]:
    """The types that a value can have in the table."""
    value = fact.value
    if isinstance(value, tuple):
        return {"shares"}
    if isinstance(value, str):
        return {"word", "card"} if value in game.pack.faces else {"word"}
    if isinstance(value, Money):
        return {"money"}
    found = {"number"} | ({"flag"} if value == 1 else set())
    return found | ({"seat"} if 0 <= value < game.seats else set())


@pytest.mark.parametrize("key", KEYS)
def test_every_fact_stands_in_the_table(key: str) -> None:
    """Each fact of a game has the row of its name, with or without a seat, and a value of its type."""
    for each, fact in every(key):
        row = TABLE[fact.name]
        assert row.of == ("table" if fact.seat is None else "seat"), fact
        assert row.kind in kinds(fact, each.game), fact


@pytest.mark.parametrize("key", KEYS)
def test_every_row_is_of_its_games(key: str) -> None:
    """A game has the facts whose rows name it, and no others."""
    assert {name for name, row in TABLE.items() if key in row.games} == {fact.name for _, fact in every(key)}


def test_the_table_is_in_order() -> None:
    """The facts stand in the order of the alphabet, and their types are those of the page."""
    assert sorted(TABLE) == list(TABLE)
    assert {row.kind for row in TABLE.values()} == NUMBERS | {"word", "card", "money", "shares"}


@pytest.mark.parametrize("key", KEYS)
def test_the_number_of_the_deal(key: str) -> None:
    """In every game ``deal`` is the number of packs that were dealt, while a deal goes on and after it."""
    for each in walks(key):
        dealt = 0
        assert {None: 0} == facts(each.game, each.positions[0], "deal")
        for step in each.steps:
            dealt += step.actor == CHANCE and step.move.verb == "start_deal"
            assert {None: dealt} == facts(each.game, step.after, "deal")


@pytest.mark.parametrize("key", LAST_TRICK)
def test_points_are_those_of_the_event(key: str) -> None:
    """After a deal the points of a side add up to what ``deal_scored`` gave it, the last trick included."""
    compared = 0
    for each in walks(key):
        for step in each.steps:
            scored = {
                int(who): won for event in step.events if event.kind == "deal_scored" for who, won in event.shares
            }
            points = facts(each.game, step.after, "points")
            if not scored or facts(each.game, step.after, "revoke"):
                assert not points or step.after.tricks == step.before.tricks
                continue
            sides = each.game.sides
            assert scored == {
                seat: sum(int(str(points[mate])) for mate in points if sides[mate or 0] == sides[seat])
                for seat in scored
            }
            cards = facts(each.game, step.after, "card_points")
            extra = [int(str(points[seat])) - int(str(cards[seat])) for seat in points]
            assert sorted(extra) in ([0] * len(extra), [0] * (len(extra) - 1) + [10])
            compared += 1
    assert compared > MANY / 2
