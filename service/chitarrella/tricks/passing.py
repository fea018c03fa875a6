"""Passing cards: every seat chooses some of its hand, all at the same time, and each choice goes to another seat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, zip_longest
from typing import Final, NamedTuple

from chitarrella.core.cards import Hand, put
from chitarrella.core.model import (
    EVERYBODY,
    NOT_IN_HAND,
    Event,
    Fact,
    Inference,
    Move,
    MoveSpec,
    Seat,
    Viewer,
    held_card,
    hidden_cards_event,
)
from chitarrella.core.visibility import can_see
from chitarrella.tricks.checks import cards_played_by
from chitarrella.tricks.dealing import deal_order
from chitarrella.tricks.layout import CommonLayout
from chitarrella.tricks.parts import Action, Fault, Phase, Place, Rules
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
    """Lay cards of the hand before oneself, face down; when all have done so they change hands."""

    passing: PassCards

    reasons = (NOT_IN_HAND,)

    @cached_property
    def spec(self) -> MoveSpec:  # type: ignore[override]  # with this number of cards
        text = "Choose the cards of your hand that go to another seat."
        return MoveSpec("pass_cards", text, frozenset(), (self.passing.number, self.passing.number))

    def offers(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        sets = dict.fromkeys(combinations(g.pack.in_order(t.hands[seat]), self.passing.number))
        return [Move("pass_cards", cards) for cards in sets]

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Put the cards aside; the last choice hands all of them over, and the next phase begins."""
        events.append(hidden_cards_event("cards_chosen", seat, move.cards, g.seating.watchers(seat)))
        chosen = put(t.own.chosen, seat, move.cards)
        t = t._replace(hands=remove_cards(t.hands, seat, move.cards), own=t.own._replace(chosen=chosen))
        return t if () in chosen else g.next_phase(self.hand_over(g, t, events), events)

    def hand_over(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Pass on what each seat has chosen; giver and receiver see the cards, and everybody sees that they went."""
        hands, chosen = list(t.hands), t.own.chosen
        for seat, cards in enumerate(chosen):
            to = self.passing.receiver(g, t, seat)
            hands[to] += cards
            seen_by = frozenset({g.controllers[seat], g.controllers[to]})
            events.append(Event("cards_passed", seat, cards, other=to, known_to=EVERYBODY, seen_by=seen_by))
        return t._replace(hands=tuple(hands), own=t.own._replace(chosen=(), passed=chosen))


@dataclass(frozen=True)
class PassCards(Phase):
    """The phase in which every seat passes ``number`` cards; the rules also have ``own=Passing`` and a `PassingLayout`.

    ``steps`` says by the number of the deal, from 1 on, how many seats on in the order of play they go: 1 to the next
    seat; 0 means that nobody passes. All seats choose at once, in any order, and see the others' cards only when the
    last one has chosen.
    """

    number: int
    steps: Callable[[int], int]
    name: str = "passing"

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        return (ChooseCards(self),)

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

    def receiver(self, g: Rules, t: Table, seat: Seat) -> Seat:
        """Return who gets the cards of ``seat``."""
        return (seat + self.steps(t.match_state.deal)) % g.seats

    def fault(self, g: Rules, t: Table) -> Fault | None:
        own, passes, here = t.own, bool(self.steps(t.match_state.deal)), t.phase == self.name
        sizes = [len(cards) for cards in (*own.chosen, *own.passed)]
        if (
            any(size not in (0, self.number) for size in sizes)
            or len(own.chosen) != g.seats * here
            or (here and 0 not in sizes)
        ):
            return "chosen", f"every seat chooses {self.number} cards, and the last one hands them over"
        if len(own.passed) != g.seats * (passes and bool(t.hands) and not here):
            return "passed", "what every seat has passed is known when all have chosen"
        for seat, cards in enumerate(own.passed):
            to = self.receiver(g, t, seat)
            if not set(cards) <= {*t.hands[to], *cards_played_by(g, t, to)}:
                return "passed", "who was passed a card holds it, or has played it"
        return None


def lay_chosen(g: Rules, t: Table, cards: dict[Seat | None, Hand]) -> Table:
    chosen = tuple(cards.get(seat, ()) for seat in range(len(t.own.chosen)))
    return t._replace(own=t.own._replace(chosen=chosen))


CHOSEN: Final = Place(
    "chosen",
    "The cards that a seat has chosen to pass.",
    lambda g, seat: g.seating.watchers(seat),
    lambda g, t: [(seat, cards) for seat, cards in enumerate(t.own.chosen) if cards],
    lay_chosen,
)


@dataclass(frozen=True, kw_only=True)
class PassingLayout(CommonLayout):
    """The common layout, with the cards that seats have chosen in the phase ``passing``.

    Giver and receiver know what was passed.
    """

    passing: PassCards
    places: tuple[Place, ...] = (CHOSEN,)

    def forget_private(self, g: Rules, t: Table, viewer: Viewer) -> Table:
        """Return ``t`` without what was passed between seats that are not ``viewer``."""
        passed = tuple(cards if can_see(seen_by, viewer) else () for _, _, cards, seen_by in self.passed(g, t))
        return super().forget_private(g, t._replace(own=t.own._replace(passed=passed)), viewer)

    def passed(self, g: Rules, t: Table) -> Iterator[tuple[Seat, Seat, Hand, frozenset[Seat]]]:
        """Yield giver, receiver, cards and who knows them of every choice that was handed over in this deal."""
        for seat, cards in enumerate(t.own.passed):
            to = self.passing.receiver(g, t, seat)
            yield seat, to, cards, frozenset({seat, to})

    def facts(self, g: Rules, t: Table) -> Iterator[Fact]:
        """Yield also what was passed, to those who know it."""
        yield from super().facts(g, t)
        for seat, _, cards, seen_by in self.passed(g, t):
            yield from (Fact("passed", card, seat, seen_by) for card in cards)

    def inferences(self, g: Rules, t: Table, viewer: Viewer) -> Iterator[Inference]:
        """Yield also where the cards are that ``viewer`` has passed."""
        yield from super().inferences(g, t, viewer)
        for _, to, cards, seen_by in self.passed(g, t):
            if can_see(seen_by, viewer):
                yield from (held_card(to, card) for card in cards if card in t.hands[to])

    def held(self, g: Rules, t: Table) -> list[int]:
        return [len(hand) + len(cards) for hand, cards in zip_longest(t.hands, t.own.chosen, fillvalue=())]
