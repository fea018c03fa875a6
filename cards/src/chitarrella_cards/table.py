"""A table as a view shows it: hands, trick, stock, turn-up and stacks, scores, and whose turn it is.

It has no line for one game: whatever zones and facts a view has are drawn.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from chitarrella_cards.packs import PACKS, DrawnPack, pack_of
from chitarrella_cards.shapes import (
    GREEN,
    INK,
    PAPER,
    WHITE,
    YELLOW,
    Drawing,
    Value,
    back,
    box,
    document,
    element,
    ellipse,
    group,
    placement,
    use,
)

# Views of a match as the drawing of a table needs them, whether they come as messages or as Python objects


HAND: Final = "hand"  # the name of the zone with the cards that a seat holds


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
    return getattr(fact, fact.WhichOneof("value")) if hasattr(fact, "WhichOneof") else fact.value


WIDTH, HEIGHT = 1000, 700  # the size of the drawing for up to ten seats; a larger table is drawn larger
ROOMY: Final = 10  # the most seats for which that is enough
CARD: Final = 116  # the height of a card of the viewer, and of one in the middle
SMALL: Final = 80  # the height of a card of another seat
BESIDE: Final = 52  # the height of a card in the stacks beside a hand
SPREAD: Final = 300  # the most that a row of cards may be wide; more cards overlap more
LINE: Final = 15  # the distance between lines of text


def table(view: Any, pack: str = "", viewer: int | None = None) -> Drawing:
    """Draw the table that ``view`` shows: a message of the contract, the view of the Python client or of the rules.

    ``pack`` is the id of a drawn pack; without it the first one that has all visible cards is taken. ``viewer`` is the
    seat at the lower edge, from which the others follow to the right; without it the only seat whose cards are shown.
    Raises `KeyError` for an unknown pack, `chitarrella.core.cards.UnknownCard` for a card that it has not.
    """
    read = read_view(view)
    return _TableDrawing(read, PACKS[pack] if pack else pack_of(*read.cards)).draw(viewer)


def words(text: str, x: float, y: float, size: float = 12, ink: str = WHITE) -> str:
    """Return a line of text, centred at ``x``."""
    font: dict[str, Value] = {"font_size": size, "font_family": "sans-serif", "text_anchor": "middle"}
    return element("text", text, x=x, y=y, fill=ink, **font)


def _name(stack: Stack) -> str:
    """Return what is written under a stack: its name, and how many zones or hidden cards it has, or who led to it."""
    name = stack.name.replace("_", " ")
    if stack.zones > 1:
        return f"{stack.zones} {name}"
    if not stack.cards:
        return f"{name} {stack.size}"
    return name if stack.leader is None else f"{name}, led by seat {stack.leader}"


@dataclass
class _TableDrawing:
    """A drawing in progress: the view, the pack, and what the cards drawn so far copy, by id."""

    view: TableView
    pack: DrawnPack
    parts: dict[str, str] = field(default_factory=dict)

    def draw(self, viewer: int | None) -> Drawing:
        """Draw everything; ``viewer`` is the seat at the lower edge."""
        first = self.view.viewer if viewer is None else viewer
        seats = self.view.seats
        width, height = WIDTH * self._scale, HEIGHT * self._scale
        cloth = ellipse(width / 2, height / 2, (width / 2 - 10, height / 2 - 10), GREEN, stroke=INK, stroke_width=4)
        places = []
        for step in range(seats):
            angle = math.tau * step / seats  # to the right of the viewer, anticlockwise
            x, y = width / 2 + width * 0.34 * math.sin(angle), height / 2 - 30 + height * 0.33 * math.cos(angle)
            places.append(self._seat((first + step) % seats, x, y, CARD if step == 0 else SMALL))
        middle = self._middle(width / 2, height / 2)
        content = box(0, 0, (width, height), PAPER) + cloth + "".join(places) + middle
        return document(content, self._title(), (width, height), self.parts)

    @property
    def _scale(self) -> float:
        return max(1, self.view.seats / ROOMY)

    def _title(self) -> str:
        turn = "" if self.view.turn is None else f", seat {self.view.turn} to move"
        return f"table: {self.view.phase.replace('_', ' ')}{turn}"

    def _seat(self, seat: int, x: float, y: float, size: float) -> str:
        """Draw a seat about (``x``, ``y``): its hand, its name and score, its facts, its other stacks beside it."""
        is_turn = seat == self.view.turn
        score = f": {self.view.scores[seat]}" if seat < len(self.view.scores) else ""
        hand = self.view.hand(seat)
        drawn = self._row(hand, x, y, size) if hand and hand.size else ""
        top = y + size / 2 + 6
        plate = box(x - 55, top, (110, 20), YELLOW if is_turn else INK, rx=10, stroke=INK)
        name = words(f"seat {seat}{score}", x, top + 14, 13, INK if is_turn else WHITE)
        facts = self.view.facts.get(seat, ())
        pairs = [" · ".join(facts[place : place + 2]) for place in range(0, len(facts), 2)]
        lines = "".join(words(text, x, top + 34 + LINE * place, 11) for place, text in enumerate(pairs))
        stacks = self.view.others(seat)
        left = x + max(self._row_width(hand.size if hand else 0, size), 110) / 2 + 10
        if x > WIDTH * self._scale * 0.6:  # to the right there is no room
            left = 2 * x - left - sum(self._stack_width(stack, BESIDE) for stack in stacks)
        return drawn + plate + name + lines + self._stacks(stacks, left, y, BESIDE)

    def _middle(self, x: float, y: float) -> str:
        """Draw the stacks of the table in a row about (``x``, ``y``), and the facts of the table under them."""
        stacks = self.view.others(None)
        drawn = self._stacks(stacks, x - sum(self._stack_width(stack, CARD) for stack in stacks) / 2, y - 40, CARD)
        facts = self.view.facts.get(None, ())
        lines = [" · ".join(facts[place : place + 4]) for place in range(0, len(facts), 4)]
        under = y - 40 + CARD / 2 + 34
        return drawn + "".join(words(text, x, under + LINE * place) for place, text in enumerate(lines))

    def _stacks(self, stacks: tuple[Stack, ...], left: float, y: float, size: float) -> str:
        """Draw stacks side by side from ``left``, each with its name under it; of a hidden one there is one back."""
        drawn = ""
        for stack in stacks:
            width = self._stack_width(stack, size)
            middle = left + width / 2
            drawn += self._row(stack, middle, y, size) if stack.cards else self._card("", middle, y, size)
            drawn += words(_name(stack), middle, y + size / 2 + 14, 11)
            left += width
        return drawn

    def _stack_width(self, stack: Stack, size: float) -> float:
        return max(self._row_width(len(stack.cards) or 1, size), 6 * len(_name(stack))) + 14

    def _row(self, stack: Stack, x: float, y: float, size: float) -> str:
        cards = stack.cards or ("",) * stack.size
        width = self._card_width(size)
        step = self._step(len(cards), size)
        begin = x - self._row_width(len(cards), size) / 2 + width / 2
        return "".join(self._card(card, begin + step * place, y, size) for place, card in enumerate(cards))

    def _card_width(self, size: float) -> float:
        return size * self.pack.size[0] / self.pack.size[1]

    def _step(self, count: int, size: float) -> float:
        width = self._card_width(size)
        return min(width + 4, (SPREAD - width) / max(1, count - 1))

    def _row_width(self, count: int, size: float) -> float:
        return self._card_width(size) + self._step(count, size) * max(0, count - 1)

    def _card(self, code: str, x: float, y: float, size: float) -> str:
        """Draw a card about (``x``, ``y``); without ``code`` its back."""
        name = f"{self.pack.id}-card-{code or 'back'}"
        if name not in self.parts:
            if code:
                card = self.pack.pack.card(code)
                self.parts |= self.pack.parts(card)
                self.parts[name] = self.pack.paper + self.pack.face(card)
            else:
                self.parts[name] = self.pack.paper + back(self.pack.id, self.pack.size)
        scale = size / self.pack.size[1]
        left, top = x - self._card_width(size) / 2, y - size / 2
        return group(use(name), transform=placement(left, top, scale=round(scale, 2)))
