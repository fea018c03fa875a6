"""Records that are copied field by field for speed: no copy loses a field, or puts a value into another field."""

from __future__ import annotations

from typing import Any

from chitarrella.core.model import EVERYBODY, Event, hidden_cards_event, public_event
from chitarrella.exchange.round import Round
from chitarrella.tricks.table import Table

NEW: Any = "new"
"""A value that is in no field."""


def numbered(kind: Any) -> Any:
    """A record in which each field has its own number for a value."""
    return kind(*range(len(kind._fields)))


def test_tables_are_copied_whole() -> None:
    """A table with other cards, another play or another phase differs from the one before in these fields alone."""
    table = numbered(Table)
    assert table._replace(phase=NEW) == table.with_phase(NEW)
    assert table._replace(hands=NEW, trick="trick") == table.with_play(NEW, "trick")
    moved = {"hands": "hands", "stock": "stock", "leader": "leader", "trick": "trick", "tricks": "tricks"}
    assert table._replace(**moved) == table.with_cards(**moved)


def test_rounds_are_copied_whole() -> None:
    """A round with other cards, another turn, exchange or match state differs in these fields alone."""
    one = numbered(Round)
    nothing = {"chain": (), "asker": None, "target": None}
    turn, cards = {"phase": "phase", "at": "at"}, {"held": "held", "pack": "pack"}
    assert one._replace(**cards) == one.with_cards(**cards)
    assert one._replace(**turn, **cards, **nothing) == one.with_next_turn(**turn, **cards)
    assert one._replace(**turn, asker=None, target=None) == one.with_turn(**turn)
    exchange = {"chain": "chain", "asker": "asker", "target": "target"}
    assert one._replace(**exchange) == one.with_exchange(**exchange)
    assert one._replace(match_state=NEW) == one.with_match_state(NEW)


def test_events_are_built_whole() -> None:
    """An event has its values in their fields, and the visibility that its function says."""
    cards: Any = ("card",)
    seats = frozenset({1})
    public = Event("kind", 1, cards, "word", 2, 3, (("4", 5),), EVERYBODY, EVERYBODY)
    assert public == public_event("kind", 1, cards, "word", 2, 3, (("4", 5),))
    assert Event("kind", 1, cards, known_to=EVERYBODY, seen_by=seats) == hidden_cards_event("kind", 1, cards, seats)
