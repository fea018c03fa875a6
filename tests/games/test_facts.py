"""docs/facts.md: every fact of every game has one meaning, one type and one unit, and stands in the table."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import ITALIAN
from chitarrella.core.game import AnyGame, Position, apply_move
from chitarrella.core.model import CHANCE, NOBODY, REFEREE, Event, Fact, Money, Move, Viewer, Zone
from chitarrella.core.visibility import can_see, view_for, visible_to
from chitarrella.games.briscola import BRISCOLA
from chitarrella.i18n.narration import GAME_EVENTS, TEXTS, event_kinds
from chitarrella.tricks.layout import CommonLayout
from chitarrella.tricks.rules import Rules
from chitarrella.tricks.table import Table
from tests.games.support.scenes import Scene, scenes
from tests.walks import CATALOGUE, Walk, defaults, variants, walk

FACTS = Path(__file__).parents[2] / "docs" / "facts.md"
KEYS = [game.key for game in CATALOGUE]
DEALS, MANY, MOST = 2, 40, 1000
"""Deals of a walk; walks of a game with few rule sets; and walks after which a fact that has not come up is missed."""

NUMBERS = {"number", "flag", "seat"}
EMPTY = {name: Event._field_defaults[name] for name in Event._fields[1:] if name not in ("known_to", "seen_by")}
SHORTEST = {
    "bohemian-schneider": RuleSet("bohemian-schneider", 2, (("match_deals", "2"),)),
    "zifuli": RuleSet("zifuli", 5, (("match_deals", "1"),)),
}
"""Rule sets in which matches are soon over, won or drawn."""
LAST_TRICK = ("harjan", "hundredogen", "madrasso")  # the games in which the last trick counts ten


class Row(NamedTuple):
    """A line of the table: whether a fact has a seat, its type, and the games that have it."""

    of: str
    kind: str
    games: frozenset[str]


def table() -> dict[str, Row]:
    lines = FACTS.read_text(encoding="utf-8").partition("<!-- facts -->")[2].partition("<!-- end of facts -->")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines.strip().splitlines()[2:]]
    return {name.strip("`"): Row(of, kind, games(named)) for name, of, kind, _, _, named in rows}


def games(named: str) -> frozenset[str]:
    if named in ("all", "trick games"):
        return frozenset(game.key for game in CATALOGUE if named == "all" or game.trick_rules is not None)
    return frozenset(key.strip(" `") for key in named.split(","))


TABLE = table()


@lru_cache(maxsize=1)
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
    return {fact.seat: fact.value for fact in game.facts(p) if fact.name == name}


def every(key: str) -> Iterator[tuple[Walk, Fact]]:
    for each in walks(key):
        for p in each.positions:
            yield from ((each, fact) for fact in each.game.facts(p))


def kinds(fact: Fact, game: AnyGame) -> set[str]:
    value = fact.value
    if isinstance(value, tuple):
        return {"shares"}
    if isinstance(value, str):
        return {"word", "card"} if value in game.pack.faces else {"word"}
    if isinstance(value, Money):
        return {"money"}
    found = {"number"} | ({"flag"} if value == 1 else set())
    return found | ({"seat"} if 0 <= value < game.seats else set())


@pytest.fixture(params=KEYS, scope="module")
def key(request: pytest.FixtureRequest) -> str:
    """Each game in turn: all tests of its walks run one after the other, so that one process plays them once."""
    return str(request.param)


@pytest.mark.sampled
@pytest.mark.unmeasured
def test_every_fact_stands_in_the_table(key: str) -> None:
    """Each fact of a game has the row of its name, with or without a seat, and a value of its type."""
    for each, fact in every(key):
        row = TABLE[fact.name]
        assert row.of == ("table" if fact.seat is None else "seat"), fact
        assert row.kind in kinds(fact, each.game), fact


@pytest.mark.unmeasured
def test_every_row_is_of_its_games(key: str) -> None:
    """A game has the facts whose rows name it, and no others."""
    assert {name for name, row in TABLE.items() if key in row.games} == {fact.name for _, fact in every(key)}


@pytest.mark.sampled
@pytest.mark.unmeasured
def test_every_event_stands_in_the_list(key: str) -> None:
    """A game has the kinds of events of its list, no others, each with no field but those of the list."""
    # They come up in walks, in scenes, and in more walks until none is missing. A kind of one game has all its fields.
    kinds = event_kinds(CATALOGUE.game(key), {})
    declared = {kind: row for kind, row in kinds if kind not in TEXTS["match event"]}
    many = " ".join(line for name, line in GAME_EVENTS.items() if name != key).split()
    found: dict[str, set[str]] = {}
    for event in happened(key, lambda: declared.keys() <= found.keys()):
        seen = filter(None, (visible_to(event, viewer) for viewer in (None, REFEREE)))
        fields = {name for one in seen for name, empty in EMPTY.items() if getattr(one, name) != empty}
        found.setdefault(event.kind, set()).update(fields)
    assert declared.keys() == found.keys(), f"take the line of {key} from game_events.json, and run make evidence"
    for kind, names in found.items():
        assert names <= set(declared[kind].fields.split()), kind
        assert names == set(declared[kind].fields.split()) or kind in many, kind


def test_the_kinds_of_events_are_those_of_the_lines() -> None:
    """A game has the kinds of its family but for those that its line takes away, those of its line, and the match's."""
    added = "sung", ("seat", "A seat sings.")
    for game in CATALOGUE:
        words = {word for name in (game.family, game.key) for word in GAME_EVENTS.get(name, "").split()}
        expected = {word for word in words if f"-{word}" not in words and word[0] != "-"} | TEXTS["match event"].keys()
        assert expected | {"sung"} == {kind for kind, _ in event_kinds(game, dict([added]))}


def happened(key: str, is_enough: Callable[[], bool]) -> Iterator[Event]:
    """The events of all walks and scenes of a game, and of more walks until it ``is_enough``."""
    for each in walks(key):
        yield from (event for step in each.steps for event in step.events)
    for _, _, lines in scenes():
        if lines[0].split()[0] == key:
            scene = Scene(lines[0])
            for line in lines[1:]:
                scene.follow(line)
            yield from scene.match.events
    sets = [SHORTEST[key]] if key in SHORTEST else [rule_set for rule_set in variants() if rule_set.game == key]
    for number in range(MOST):
        if is_enough():
            return
        each = walk(sets[number % len(sets)], f"more {number}", DEALS)
        yield from (event for step in each.steps for event in step.events)


def test_the_table_is_in_order() -> None:
    """The facts stand in the order of the alphabet, and their types are those of the page."""
    assert sorted(TABLE) == list(TABLE)
    assert {row.kind for row in TABLE.values()} == NUMBERS | {"word", "card", "money", "shares"}


@pytest.mark.unmeasured
def test_the_number_of_the_deal(key: str) -> None:
    """In every game ``deal`` is the number of packs that were dealt, while a deal goes on and after it."""
    for each in walks(key):
        dealt = 0
        assert {None: 0} == facts(each.game, each.positions[0], "deal")
        for step in each.steps:
            dealt += step.actor == CHANCE and step.move.verb == "start_deal"
            assert {None: dealt} == facts(each.game, step.after, "deal")


@pytest.mark.unmeasured
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
            counts = {
                event.word: [won for _, won in event.shares] for event in step.events if event.kind == "deal_counted"
            }
            assert not counts or counts.get("last_trick", []) == [10] * (len(sides) // len(set(sides))) * (10 in extra)
            compared += 1
    assert compared > MANY / 2


def test_nobody_exchanges_before_the_deal() -> None:
    """Where no exchange is going on there are no parties to it."""
    with pytest.raises(LookupError):
        CATALOGUE.game_for(RuleSet("cucu")).start().asker_and_target()


# ---------------------------------------------------------------------- visibility


BOX = ITALIAN.hand(["Ab", "3b"])


class UndeclaredLayout(CommonLayout):
    """The usual layout, and a zone and a fact that do not declare who sees them."""

    def zones(self, g: Rules, t: Table) -> Iterator[Zone]:
        yield from super().zones(g, t)
        yield Zone("box", None, BOX)

    def facts(self, g: Rules, t: Table) -> Iterator[Fact]:
        yield from super().facts(g, t)
        yield Fact("secret", 7)


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_what_is_not_declared_is_hidden(viewer: Viewer) -> None:
    """A zone, a fact and an event without a visibility are for the referee alone: of the zone others learn the size."""
    game: Rules = replace(BRISCOLA.configure(2, {}), layout=UndeclaredLayout())
    pack = list(game.pack.cards)
    Random(1).shuffle(pack)
    p, _ = apply_move(game, game.start(), CHANCE, Move("start_deal", tuple(pack)))
    views = {who: view_for(game, p, who) for who in (viewer, REFEREE)}
    boxes = {who: next(zone for zone in view.zones if zone.name == "box") for who, view in views.items()}
    assert ((), 2, BOX) == (boxes[viewer].cards, boxes[viewer].size, boxes[REFEREE].cards)
    assert [False, True] == ["secret" in {fact.name for fact in views[who].facts} for who in (viewer, REFEREE)]
    event = Event("peeked", cards=BOX)
    assert (None, event) == (visible_to(event, viewer), visible_to(event, REFEREE))


@pytest.mark.parametrize("viewer", [None, 0])
def test_none_is_no_visibility(viewer: Viewer) -> None:
    """Where None stands in place of a visibility nothing is shown: it is an error."""
    forgotten: Any = None
    assert not can_see(NOBODY, viewer)
    with pytest.raises(TypeError):
        can_see(forgotten, viewer)
