"""The drawing of a table: all that a view shows, and nothing else."""

import re
from collections import Counter
from random import Random
from xml.etree import ElementTree

import pytest

import chitarrella_cards as svg
from chitarrella import v1
from chitarrella.api.converters import view_fields
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import Card, UnknownCard
from chitarrella.core.model import CHANCE, View, Viewer
from chitarrella.core.visibility import view_for
from chitarrella_cards.shapes import NAMESPACE, Drawing
from chitarrella_client.decoders import decoder
from chitarrella_client.types import View as ClientView
from tests.walks import CATALOGUE, known_walk, name, tables

as_client = decoder(ClientView, v1.View)
"""Reads a message as the Python client does."""


def rule_sets() -> list[RuleSet]:
    """Each game with the fewest and the most players."""
    return [RuleSet(game.key, players) for game in CATALOGUE for players in sorted({*ends(tables(game))})]


def ends(numbers: list[int]) -> tuple[int, int]:
    return numbers[0], numbers[-1]


def drawn_cards(drawing: Drawing, pack: str) -> Counter[str]:
    """The cards of a drawing, ``back`` for a hidden one, each as often as it is drawn."""
    root = ElementTree.fromstring(drawing.text)
    prefix = f"#{pack}-card-"
    names = [element.get("href", "") for element in root.iter(f"{{{NAMESPACE}}}use")]
    return Counter(name.removeprefix(prefix) for name in names if name.startswith(prefix))


def words(drawing: Drawing) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(drawing.text).iter(f"{{{NAMESPACE}}}text")]


def shown_cards(view: View) -> Counter[str]:
    """What has to be drawn: each visible card, a back for each hidden card of a hand, and one for each other stack."""
    stacks: dict[tuple[int | None, str], list[tuple[tuple[str, ...], int]]] = {}
    for zone in view.zones:
        stacks.setdefault((zone.seat, zone.name), []).append((zone.cards, zone.size))
    found: Counter[str] = Counter()
    for (_, kind), zones in stacks.items():
        (cards, _), size = zones[0], sum(size for _, size in zones)
        if cards and len(zones) == 1:
            found.update(cards)
        elif size:
            found["back"] += size if kind == "hand" else 1
    return found


@pytest.mark.parametrize("rule_set", rule_sets(), ids=name)
def test_table_shows_what_the_view_shows(rule_set: RuleSet) -> None:
    """The drawing has the cards of the view, backs for hidden ones, and no other card, in every game."""
    walk = known_walk(rule_set, "table", 1, 6)
    pack = svg.id_of(walk.game.pack)
    for place in walk.sample(Random(name(rule_set))):
        position = walk.positions[place]
        for viewer in (None, 0, len(walk.game.sides) - 1):
            view = view_for(walk.game, position, viewer)
            drawing = svg.table(view, pack)
            assert shown_cards(view) == drawn_cards(drawing, pack)
            assert not re.search(r'(?:style|on\w+)="|<script|href="[^#]', drawing.text)


@pytest.mark.parametrize("rule_set", rule_sets(), ids=name)
def test_views_of_all_kinds_give_one_drawing(rule_set: RuleSet) -> None:
    """A message of the contract, the view of the Python client and that of the rules are drawn alike."""
    walk = known_walk(rule_set, "table", 1, 6)
    pack = svg.id_of(walk.game.pack)
    viewers: tuple[Viewer, ...] = (None, 0)
    for place in walk.sample(Random(name(rule_set))):
        for viewer in viewers:
            message = v1.View(**view_fields(view_for(walk.game, walk.positions[place], viewer)))
            drawn = svg.table(view_for(walk.game, walk.positions[place], viewer), pack)
            assert drawn == svg.table(message, pack) == svg.table(as_client(message), pack)


def briscola() -> View:
    """The view of seat 1 at a table of Briscola, of which some cards are played."""
    walk = known_walk(RuleSet("briscola", 4), "table", 1, 6)
    position = next(p for p in walk.positions if view_for(walk.game, p, 1).turn == 3)
    return view_for(walk.game, position, 1)


def test_table_says_whose_turn_it_is() -> None:
    """Name, seats, scores, the number of hidden cards and facts can be read."""
    drawing = svg.table(briscola())
    assert "<title>table: play, seat 3 to move</title>" in drawing.text
    lines = words(drawing)
    for wanted in ("seat 0: 0", "seat 3: 0", "turn up"):
        assert wanted in lines
    assert any(re.fullmatch(r"stock \d+", line) for line in lines)
    assert any(re.fullmatch(r"trick, led by seat \d", line) for line in lines)
    assert any("trump" in line for line in lines)


def test_table_is_seen_from_the_viewer() -> None:
    """The seat whose hand is shown is at the lower edge, or the one that the caller names."""
    view = briscola()

    def lowest(drawing: Drawing) -> str:
        plates = [
            (float(element.get("y", 0)), element.text or "")
            for element in ElementTree.fromstring(drawing.text).iter(f"{{{NAMESPACE}}}text")
        ]
        return max(plate for plate in plates if plate[1].startswith("seat "))[1]

    assert ("seat 1: 0", "seat 2: 0") == (lowest(svg.table(view)), lowest(svg.table(view, viewer=2)))


def test_pack_of_a_table() -> None:
    """Without a name the pack is the first that has every visible card; one that has not is an error."""
    view = briscola()
    assert svg.table(view) == svg.table(view, "italian")
    with pytest.raises(UnknownCard):
        svg.table(view, "cucco")
    with pytest.raises(KeyError):
        svg.table(view, "tarot")
    other = view.zones[0]._replace(name="other", seat=None, cards=(Card("K", "s"), Card("A", "b")), size=2)
    mixed = view._replace(zones=(*view.zones, other))
    with pytest.raises(UnknownCard):
        svg.table(mixed)


def test_chance_has_no_turn() -> None:
    """Before the first deal nobody is to move."""
    game = CATALOGUE.game_for(RuleSet("elfern", 2))
    view = view_for(game, game.start(), None)
    assert CHANCE == view.turn
    assert "to move" not in str(svg.table(view))
