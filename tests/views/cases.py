"""Views: what each viewer sees of a position, as text that any engine can read.

They are chosen out of random play over all rule sets: for each game positions in which every zone and every fact is
seen by those who may see it, and by those who may not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import AnyGame, Position, view_for
from chitarrella.core.model import REFEREE, Fact, Seat, Viewer, ZoneView
from chitarrella.core.notation import format_actor, format_share
from tests.vectors.blocks import read_blocks, write_blocks
from tests.walks import CATALOGUE

FOLDER = Path(__file__).parent.parent / "vectors" / "views"
COMMAND = "python -m tests.views.write"
PUBLIC, OMNISCIENT = "public", "referee"
BACKS = "backs"


class Seen(NamedTuple):
    """A position of a rule set, its viewer, and what the viewer sees, a line for each thing."""

    rule_set: RuleSet
    position: str
    viewer: str
    lines: tuple[str, ...]


def write_viewer(viewer: Viewer) -> str:
    """Name a viewer."""
    return PUBLIC if viewer is None else OMNISCIENT if viewer == REFEREE else str(viewer)


def read_viewer(text: str) -> Viewer:
    """Read what `write_viewer` has written."""
    return None if text == PUBLIC else REFEREE if text == OMNISCIENT else int(text)


def looked(game: AnyGame, p: Position, viewer: Viewer) -> tuple[str, ...]:
    """Write down a view."""
    view = view_for(game, p, viewer)
    turn = "nobody" if view.turn is None else format_actor(view.turn)
    ends = [] if view.winners is None else [" ".join(["winners", *map(str, sorted(view.winners))])]
    return (
        f"sees phase {view.phase} turn {turn}",
        *map(_zone, view.zones),
        *map(_fact, view.facts),
        " ".join(["sees", "scores", *map(str, view.scores)]),
        *(f"sees {line}" for line in ends),
    )


def _zone(zone: ZoneView) -> str:
    """Write the name, whose it is, how many cards, who led it, and the cards, or that only their backs are seen."""
    led = [] if zone.leader is None else [f"led by {zone.leader}"]
    cards = zone.cards or [BACKS] * bool(zone.size)
    return " ".join(["sees zone", zone.name, _of(zone.seat), str(zone.size), *led, *cards])


def _fact(fact: Fact) -> str:
    """Write the name, of whom it is said, and the value."""
    if isinstance(fact.value, tuple):
        value = " ".join(map(format_share, fact.value)) or "-"
    else:
        value = quote(str(fact.value), safe="") or "."
    return f"sees fact {fact.name} {_of(fact.seat)} {value}"


def _of(seat: Seat | None) -> str:
    return "-" if seat is None else str(seat)


def again(seen: Seen) -> Seen:
    """Look once more."""
    game = CATALOGUE.game_for(seen.rule_set)
    return seen._replace(lines=looked(game, game.decode(seen.position), read_viewer(seen.viewer)))


def written(key: str, found: Iterable[Seen]) -> str:
    """Write the file of a game."""
    positions = groupby(found, key=lambda one: (one.rule_set, one.position))
    blocks = ((rule_set, list(_lines(position, several))) for (rule_set, position), several in positions)
    return write_blocks(key, "views", COMMAND, blocks)


def _lines(position: str, found: Iterable[Seen]) -> Iterator[str]:
    yield f"position {position}"
    for one in found:
        yield f"viewer {one.viewer}"
        yield from one.lines


def read(text: str) -> Iterator[Seen]:
    """Read a file, view by view."""
    for rule_set, ((_, position), *rows) in read_blocks(text):
        views: list[Seen] = []
        for head, rest in rows:
            if head == "viewer":
                views.append(Seen(rule_set, position, rest, ()))
            else:
                views[-1] = views[-1]._replace(lines=(*views[-1].lines, f"{head} {rest}"))
        yield from views
