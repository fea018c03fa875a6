"""Who may see what lies on the table: nobody, unless it is declared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from chitarrella.core.game import apply_move, view_for, visible_to
from chitarrella.core.model import CHANCE, NOBODY, REFEREE, Event, Fact, Move, Viewer, Zone, can_see
from chitarrella.games.briscola import BRISCOLA
from chitarrella.tricks.base import Rules
from chitarrella.tricks.layout import CommonLayout
from chitarrella.tricks.table import Table

BOX = BRISCOLA.pack.hand(["Ab", "3b"])


class UndeclaredLayout(CommonLayout):
    """The usual layout, and a zone and a fact that do not declare who sees them."""

    def zones(self, g: Rules, t: Table) -> Iterator[Zone]:
        """Add a box with two cards."""
        yield from super().zones(g, t)
        yield Zone("box", None, BOX)

    def facts(self, g: Rules, t: Table) -> Iterator[Fact]:
        """Add a secret number."""
        yield from super().facts(g, t)
        yield Fact("secret", 7)


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_what_is_not_declared_is_hidden(viewer: Viewer) -> None:
    """A zone, a fact and an event without a visibility are for the referee alone: of the zone others learn the size."""
    game = replace(BRISCOLA.seatings[2](BRISCOLA), layout=UndeclaredLayout())
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
