"""Views of a match as the drawing of a table needs them, whether they come as messages or as Python objects.

A view is a message of the contract, `chitarrella.v1.table_pb2.View`, the view of the Python client, or
`chitarrella.core.model.View`: their fields have the same names.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

HAND: Final = "hand"
"""The name of the zone with the cards that a seat holds."""


@dataclass(frozen=True)
class Stack:
    """The zones of one name that a seat, or the table, has.

    ``cards`` are those of the only zone, where they may be seen; ``size`` counts the cards of all zones. ``zones`` is
    how many there are: each trick that a seat has taken is a zone of its own.
    """

    name: str
    cards: tuple[str, ...]
    size: int
    zones: int
    leader: int | None


@dataclass(frozen=True)
class TableView:
    """What a view says: stacks and facts by seat, those of the table under None."""

    stacks: Mapping[int | None, tuple[Stack, ...]]
    facts: Mapping[int | None, tuple[str, ...]]
    scores: tuple[int, ...]
    turn: int | None
    phase: str

    @property
    def seats(self) -> int:
        """The number of seats."""
        return max([len(self.scores), *(seat + 1 for seat in (*self.stacks, *self.facts) if seat is not None)])

    @property
    def cards(self) -> frozenset[str]:
        """Every card that can be seen."""
        return frozenset(card for stacks in self.stacks.values() for stack in stacks for card in stack.cards)

    def hand(self, seat: int | None) -> Stack | None:
        """The hand of a seat, None where the view has none."""
        return next((stack for stack in self.stacks.get(seat, ()) if stack.name == HAND), None)

    def others(self, seat: int | None) -> tuple[Stack, ...]:
        """The stacks of a seat, or of the table, that are no hand and have a card."""
        return tuple(stack for stack in self.stacks.get(seat, ()) if stack.name != HAND and stack.size)

    @property
    def viewer(self) -> int:
        """The only seat whose cards can be seen; the first one if there are several or none."""
        open_hands = [seat for seat in range(self.seats) if (hand := self.hand(seat)) and hand.cards]
        return open_hands[0] if len(open_hands) == 1 else 0


def read_view(view: Any) -> TableView:
    """Return what ``view`` says of the table; `AttributeError` for what is no view."""
    facts: defaultdict[int | None, list[str]] = defaultdict(list)
    for fact in view.facts:
        value = _value(fact)
        if isinstance(value, str | int):
            facts[_field(fact, "seat")].append(f"{fact.name.replace('_', ' ')} {value}")
    turn = _field(view, "turn")  # the rules name chance by a negative number
    return TableView(
        stacks=_stacks(view.zones),
        facts={seat: tuple(texts) for seat, texts in facts.items()},
        scores=tuple(view.scores),
        turn=None if turn is None or turn < 0 else turn,
        phase=view.phase,
    )


def _stacks(zones: Iterable[Any]) -> dict[int | None, tuple[Stack, ...]]:
    """Return the stacks by seat, in the order in which the view names them."""
    grouped: defaultdict[int | None, defaultdict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
    for zone in zones:
        grouped[_field(zone, "seat")][zone.name].append(zone)
    return {
        seat: tuple(
            Stack(
                name=name,
                cards=tuple(map(str, same[0].cards)) if len(same) == 1 else (),
                size=sum(zone.size for zone in same),
                zones=len(same),
                leader=_field(same[0], "leader"),
            )
            for name, same in by_name.items()
        )
        for seat, by_name in grouped.items()
    }


def _field(record: Any, name: str) -> Any:
    """Return an optional field; None where it is not set, which a message says by itself."""
    return None if hasattr(record, "HasField") and not record.HasField(name) else getattr(record, name)


def _value(fact: Any) -> Any:
    """Return the value of a fact, of whatever type."""
    return getattr(fact, fact.WhichOneof("value")) if hasattr(fact, "WhichOneof") else fact.value
