"""Events of the exchange family as the rule books write them: ``swap 0 1``, with the faces that are seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Final

from chitarrella.core.game import visible_to
from chitarrella.core.model import Event, Viewer

UNWRITTEN: Final = {"said", "deal_started", "match_won"}
"""Public events without a notation in the rule books: a card is kept, a deal begins, a match is won."""


def in_words(events: Iterable[Event], viewer: Viewer, *, faces: bool = True) -> list[str]:
    """Write the events that a viewer receives; without ``possible_cards`` no cards of a swap are written."""
    visible = [
        event for each in events if (event := visible_to(each, viewer)) is not None and event.kind not in UNWRITTEN
    ]
    said: list[str] = []
    for kind, group in groupby(visible, lambda event: event.kind):
        if kind == "showdown":
            said.append(" ".join([kind, *(f"{event.seat}:{event.cards[0]}" for event in group)]))
        else:
            said += [one_event(event, faces) for event in group]
    return said


def one_event(event: Event, faces: bool) -> str:
    """Write one event."""
    parts = [event.kind, *WORDS[event.kind](event)]
    if event.kind in ("swap", "undo", "reverse") and faces:
        parts += event.cards
    return " ".join(map(str, parts))


def _card(event: Event) -> list[object]:
    return [event.seat, event.cards[0] if event.cards else "?"]


def _two(event: Event) -> list[object]:
    return [event.seat, event.other]


def _shares(event: Event) -> list[object]:
    seat = [] if event.seat is None else [event.seat]
    return [*seat, *(f"{person}:{amount}" for person, amount in event.shares)]


WORDS: dict[str, Callable[[Event], list[object]]] = {
    **dict.fromkeys(("deal", "draw", "show"), _card),
    **dict.fromkeys(("swap", "undo", "reverse", "jump", "guarantee"), _two),
    **dict.fromkeys(("asked", "dead", "gain", "eliminated", "set_aside", "next_dealer"), lambda event: [event.seat]),
    **dict.fromkeys(("announce", "lose"), lambda event: [event.seat, event.word]),
    **dict.fromkeys(("proposal", "agreement"), _shares),
    **dict.fromkeys(("pay", "promise"), lambda event: [event.seat, event.other, event.amount]),
    "offer": lambda event: [event.seat, event.amount, sum(percent for _, percent in event.shares)],
    "free_reentry": lambda event: [],
    "reenter": lambda event: [event.seat, sum(amount for _, amount in event.shares)],
    "prize": lambda event: [*event.shares[0]],
}
"""The arguments of an event after its name, in the order of the rule books."""


def in_any_order(said: Iterable[str]) -> list[str]:
    """Sort the prizes, whose order means nothing; they are last."""
    return sorted(said, key=lambda words: words if words.startswith("prize ") else "")
