"""What an exchange game is made of: its kinds of moves, and the cards that have a rule of their own.

A part gets the rules of its table as the argument ``g``, and may ask them for everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from chitarrella.core.cards import RankOrder
from chitarrella.core.model import BaseAction, Event, Move, MoveSpec, Seat, plain_move, public_event
from chitarrella.exchange.round import Round

if TYPE_CHECKING:
    from chitarrella.exchange import rules

    Rules: TypeAlias = rules.Rules
else:
    Rules = Any  # every part names the rules in its signatures, and they are made of the parts

Step: TypeAlias = Callable[[Rules, Round, list[Event]], Round]
"""Returns the round after a move without arguments, or the effect of a card; appends what happens to the events."""
Action: TypeAlias = BaseAction[Rules, Round]
"""One kind of move."""
Comparison: TypeAlias = Callable[[RankOrder, Mapping[Seat, str]], tuple[list[Seat], dict[Seat, str]]]
"""Returns who gains a token, and whose card loses one and why, by the order of ranks and the ranks of the seats."""


@dataclass(frozen=True)
class Word(Action):
    """A move without arguments to which no clause objects; ``then`` returns the round after it."""

    spec: MoveSpec
    then: Step

    def legal_moves(self, g: Rules, r: Round, seat: Seat) -> Iterable[Move]:
        return (plain_move(self.spec.verb),)

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        return self.then(g, r, events)


class SpokenWord(Word):
    """A word that is said aloud: a public ``said`` event comes before all others."""

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        events.append(public_event("said", seat, word=self.spec.verb))
        return self.then(g, r, events)


def word(
    verb: str, text: str, *phases: str, kind: type[Word] = SpokenWord, default: bool = False
) -> Callable[[Step], Word]:
    """Make a `Word` of the function that returns the round after it; the seat that says it is ``r.at``."""
    return lambda then: kind(schema(verb, text, *phases, timeout_default=default), then)


def schema(verb: str, text: str, *phases: str, **more: Any) -> MoveSpec:
    """Return the schema of a move that belongs to ``phases``."""
    return MoveSpec(verb, text, frozenset(phases), **more)


INN, CAT, HORSE, HUNTER, CUCKOO = "XI", "XII", "XIII", "XIV", "XV"
"""The special cards; the cuckoo is the highest of all."""
FOOL, NULLA = "MAT", "NUL"
"""The Matto, which has no rank of its own, and the card for whose loss a host at the inn may answer."""
