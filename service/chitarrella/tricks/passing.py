"""Passing cards: every seat chooses some of its hand, all at the same time, and each choice goes to another seat."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from chitarrella.core.cards import Hand, put
from chitarrella.core.model import EVERYBODY, NOT_IN_HAND, Event, Move, MoveSpec, Seat, hidden_cards_event
from chitarrella.tricks.dealing import deal_order
from chitarrella.tricks.parts import Action, Phase, Rules
from chitarrella.tricks.play import remove_cards
from chitarrella.tricks.table import Table


class Passing(NamedTuple):
    """The own record of a deal with passing: what each seat has chosen so far, and what it has passed in the end.

    The row of a seat that has chosen nothing is empty, and so is that of one whose passed cards a viewer does not know.
    """

    chosen: tuple[Hand, ...] = ()
    passed: tuple[Hand, ...] = ()


@dataclass(frozen=True)
class ChooseCards(Action):
    """Lay ``number`` cards of the hand before oneself, face down; when all have done so they change hands."""

    number: int
    steps: Callable[[int], int]

    reasons = (NOT_IN_HAND,)

    @cached_property
    def spec(self) -> MoveSpec:  # type: ignore[override]  # with this number of cards
        text = "Choose the cards of your hand that go to another seat."
        return MoveSpec("pass_cards", text, frozenset(), (self.number, self.number))

    def offers(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        sets = dict.fromkeys(combinations(g.pack.in_order(t.hands[seat]), self.number))
        return [Move("pass_cards", cards) for cards in sets]

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Put the cards aside; the last choice hands all of them over, and the next phase begins."""
        events.append(hidden_cards_event("cards_chosen", seat, move.cards, g.seating.watchers(seat)))
        chosen = put(t.own.chosen, seat, move.cards)
        t = t._replace(hands=remove_cards(t.hands, seat, move.cards), own=t.own._replace(chosen=chosen))
        return t if () in chosen else g.next_phase(self.hand_over(g, t, events), events)

    def hand_over(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Give what each seat has chosen to the seat that it goes to; both see the cards, the others that they went."""
        hands, chosen = list(t.hands), t.own.chosen
        for seat, cards in enumerate(chosen):
            to = (seat + self.steps(t.match_state.deal)) % g.seats
            hands[to] += cards
            seen_by = frozenset({g.controllers[seat], g.controllers[to]})
            events.append(Event("cards_passed", seat, cards, other=to, known_to=EVERYBODY, seen_by=seen_by))
        return t._replace(hands=tuple(hands), own=t.own._replace(chosen=(), passed=chosen))


@dataclass(frozen=True)
class PassCards(Phase):
    """The phase in which every seat passes ``number`` cards; ``steps`` says by the deal how many seats on they go.

    In a deal with no steps nobody passes. All seats choose at once, in any order, and see the others' cards only when
    the last one has chosen.
    """

    number: int
    steps: Callable[[int], int]
    name: str = "passing"

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        return (ChooseCards(self.number, self.steps),)

    def enter(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Wait for all seats; without passing go on at once."""
        t = t._replace(phase=self.name)
        if not self.steps(t.match_state.deal):
            return g.next_phase(t, events)
        return t._replace(own=t.own._replace(chosen=((),) * g.seats))

    def turns(self, g: Rules, t: Table) -> tuple[Seat, ...]:
        return tuple([seat for seat in deal_order(g, t) if not t.own.chosen[seat]])

    def turn(self, g: Rules, t: Table) -> Seat:
        """Return the first seat that has not chosen yet."""
        return self.turns(g, t)[0]
