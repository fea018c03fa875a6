"""Robbing the turn-up, and discarding."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from chitarrella.core.cards import Card, Hand
from chitarrella.core.model import (
    EVERYBODY,
    NOT_IN_HAND,
    Event,
    Move,
    MoveSpec,
    Reason,
    Refusal,
    Seat,
    Visibility,
    hidden_cards_event,
    public_event,
)
from chitarrella.tricks.dealing import EndPhase, StartDeal
from chitarrella.tricks.parts import Action, Phase, Rules
from chitarrella.tricks.table import Table

NOT_ROBBABLE = Reason("not_robbable", "{word} may not be robbed; it must be left where it is.", duty=True)
CUTTER, DEALER = 0, 1  # the roles of the robbers, in the order in which they rob


class Robber(NamedTuple):
    """The record of a robber: the cards that he took, whether he has seen one he did not take, what he laid aside."""

    robbed: Hand = ()
    looked: bool = False
    discarded: Hand = ()


class Robbery(NamedTuple):
    """The own record of a deal with robbing: cards lifted at the cut, both robbers, the declared suit."""

    lifted: int = 0
    robbers: tuple[Robber, ...] = (Robber(), Robber())
    declared: str = ""


def replace_robber(t: Table, role: int, robber: Robber) -> Table:
    cutter, dealer = t.own.robbers
    return t._replace(own=t.own._replace(robbers=(robber, dealer) if role == CUTTER else (cutter, robber)))


@dataclass(frozen=True)
class StartRobbing(StartDeal):
    """The service gives the shuffled pack, which is cut and robbed before it is dealt; no card is turned up yet."""

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        return g.phases[0].enter(g, self.lay_pack(g, t, move.cards, events), events)


class RobbingAction(Action):
    """A move of a robber, who either has a card to decide on, or is free to look at one."""

    looking = False  # whether the robber has a card to decide on

    def is_available(self, g: Rules, t: Table) -> bool:
        """Return whether the move belongs to the robber's present state."""
        rob = g.phases_by_name[t.phase]
        return isinstance(rob, Rob) and t.own.robbers[rob.role].looked == self.looking

    def offers(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        return (Move(self.spec.verb),) if self.is_available(g, t) else ()


@dataclass(frozen=True)
class LookAtStock(RobbingAction):
    """The robber looks at the next card; nobody else sees it."""

    spec = MoveSpec("rob_look", "Look at the next card that may be robbed.", frozenset())

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        rob = current_rob(g, t)
        events.append(hidden_cards_event("rob_looked", seat, (rob.next_card(t),), g.seating.watchers(seat)))
        return replace_robber(t, rob.role, t.own.robbers[rob.role]._replace(looked=True))


@dataclass(frozen=True)
class PassRobbing(RobbingAction, EndPhase):
    """The robber does not look at another card."""

    spec = MoveSpec("rob_pass", "Do not look at another card.", frozenset(), timeout_default=True)
    event_kind = "rob_passed"


@dataclass(frozen=True)
class TakeCard(RobbingAction):
    """The robber takes the card that he has looked at."""

    looking = True

    spec = MoveSpec("rob_take", "Take the card that you have looked at.", frozenset())
    reasons = (NOT_ROBBABLE,)

    def duties(self, g: Rules, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse a card that may not be robbed; the robber, who is to move, must leave it, and nobody else sees it."""
        rob = current_rob(g, t)
        card = rob.next_card(t)
        return () if card.rank in rob.robbable else (g.refuse(NOT_ROBBABLE, word=card),)

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Take the card; the robber goes on unless it was the last that he may have."""
        return current_rob(g, t).take_card(g, t, seat, events)


@dataclass(frozen=True)
class LeaveCard(RobbingAction, EndPhase):
    """The robber leaves the card that he has looked at, whether he might have taken it or not; nobody learns which."""

    looking = True

    spec = MoveSpec("rob_leave", "Leave the card that you have looked at.", frozenset(), timeout_default=True)
    event_kind = "rob_left"


def seen_by_robber(g: Rules, seat: Seat) -> Visibility:
    """Return who sees the hand of the robber at ``seat``."""
    return g.seating.watchers(seat)


def seen_by_all(g: Rules, seat: Seat) -> Visibility:
    return EVERYBODY


@dataclass(frozen=True)
class Rob(Phase):
    """The phase in which one robber may take cards, at most ``limit``.

    ``robbable`` are the ranks that may be taken. ``visibility`` returns who sees what a seat has taken.
    """

    robbable: frozenset[str]
    limit: int = 3
    visibility: Callable[[Rules, Seat], Visibility] = seen_by_robber

    role = CUTTER
    stock_index = -1  # where in the stock the next card lies: at the bottom, or on the top

    actions = (LookAtStock(), PassRobbing(), TakeCard(), LeaveCard())

    def enter(self, g: Rules, t: Table, events: list[Event]) -> Table:
        t = t._replace(phase=self.name)
        return g.next_phase(t, events) if self.is_done(t) else t

    def turn(self, g: Rules, t: Table) -> Seat:
        return robber_seat(g, t.match_state.dealer, self.role)

    def next_card(self, t: Table) -> Card:
        return t.stock[self.stock_index]

    def max_cards(self, t: Table) -> int:
        """Return how many cards the robber may take."""
        return self.limit

    def is_done(self, t: Table) -> bool:
        """Return whether the robber has taken as many cards as he may."""
        return len(t.own.robbers[self.role].robbed) >= self.max_cards(t)

    def take_card(self, g: Rules, t: Table, seat: Seat, events: list[Event]) -> Table:
        card = self.next_card(t)
        events.append(hidden_cards_event("robbed", seat, (card,), self.visibility(g, seat)))
        robber = Robber((*t.own.robbers[self.role].robbed, card))
        t = replace_robber(t, self.role, robber)._replace(stock=t.stock[1:] if self.stock_index == 0 else t.stock[:-1])
        t = self.pick_up(t, seat, card)
        return g.next_phase(t, events) if self.is_done(t) else t

    def pick_up(self, t: Table, seat: Seat, card: Card) -> Table:
        """Put the card where it belongs for now."""
        return t


@dataclass(frozen=True)
class RobBeforeDeal(Rob):
    """The cutter robs from the bottom of the cards that he has lifted; they lie before him until the deal."""

    name: str = "cutter_rob"

    def max_cards(self, t: Table) -> int:
        """Return how many cards the cutter may take: no more than he has lifted, where he cuts by a move."""
        return min(self.limit, t.own.lifted or self.limit)


@dataclass(frozen=True)
class RobAfterDeal(Rob):
    """The cards are dealt; then the dealer robs from the top of the stock, into his hand."""

    name: str = "dealer_rob"

    role = DEALER
    stock_index = 0

    def enter(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Deal, let the cutter pick up what he robbed, and wait for the dealer."""
        t = g.dealing.start.deal_hands(g, t, events)
        for card in t.own.robbers[CUTTER].robbed:
            t = self.pick_up(t, robber_seat(g, t.match_state.dealer, CUTTER), card)
        return super().enter(g, t, events)

    def pick_up(self, t: Table, seat: Seat, card: Card) -> Table:
        return t._replace(hands=(*t.hands[:seat], (*t.hands[seat], card), *t.hands[seat + 1 :]))


def current_rob(g: Rules, t: Table) -> Rob:
    rob = g.phases_by_name[t.phase]
    assert isinstance(rob, Rob), f"nobody robs in the phase {t.phase}"
    return rob


def robber_seat(g: Rules, dealer: Seat, role: int) -> Seat:
    """Return the seat of a robber: the dealer's own, or the one before it."""
    return dealer if role == DEALER else (dealer - 1) % g.seats


# Discarding
WRONG_DISCARD_COUNT = Reason(
    "wrong_discard_count", "As many cards are laid aside as were robbed, and that is {amount}.", depends_on_seat=True
)


def role_of(g: Rules, t: Table, seat: Seat) -> int | None:
    """Return which robber a seat is, None where it is neither."""
    return {robber_seat(g, t.match_state.dealer, role): role for role in (CUTTER, DEALER)}.get(seat)


def cards_due(g: Rules, t: Table, seat: Seat) -> int:
    """Return how many cards a seat has still to lay aside."""
    role = role_of(g, t, seat)
    return 0 if role is None else len(t.own.robbers[role].robbed) - len(t.own.robbers[role].discarded)


@dataclass(frozen=True)
class LayAside(Action):
    """A robber lays aside as many cards as he has robbed; nobody else sees them."""

    spec = MoveSpec("discard", "Lay aside as many cards as you have robbed.", frozenset(), (0, 40))
    reasons = (WRONG_DISCARD_COUNT, NOT_IN_HAND)

    def offers(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        if not (number := cards_due(g, t, seat)):
            return ()
        hand = g.pack.in_order(t.hands[seat])
        return [Move("discard", cards) for cards in dict.fromkeys(combinations(hand, number))]

    def conditions(self, g: Rules, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse another number of cards, then cards not held."""
        number, lacking = cards_due(g, t, seat), self.possession(g, t, seat, move)
        if len(move.cards) == number:
            return lacking
        return (g.refuse(WRONG_DISCARD_COUNT, verb="discard", offending_cards=move.cards, amount=number), *lacking)

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Lay the cards aside, face down; when both robbers have done so the play begins."""
        hand, role = list(t.hands[seat]), role_of(g, t, seat) or CUTTER
        laid = tuple(hand.pop(hand.index(card)) for card in move.cards)
        events.append(hidden_cards_event("discarded", seat, laid, g.seating.watchers(seat)))
        t = t._replace(hands=(*t.hands[:seat], tuple(hand), *t.hands[seat + 1 :]))
        t = replace_robber(t, role, t.own.robbers[role]._replace(discarded=laid))
        return t if next_discarder(g, t) is not None else g.next_phase(t, events)


def next_discarder(g: Rules, t: Table) -> Seat | None:
    """Return the seat that lays cards aside next: the cutter, then the dealer; None when both have done so."""
    seats = (robber_seat(g, t.match_state.dealer, role) for role in (CUTTER, DEALER))
    return next((seat for seat in seats if cards_due(g, t, seat)), None)


@dataclass(frozen=True)
class Discard(Phase):
    """The phase in which the first card that nobody robbed is turned up and laid apart, and the robbers discard."""

    name: str = "discard"
    actions = (LayAside(),)

    def enter(self, g: Rules, t: Table, events: list[Event]) -> Table:
        card = t.stock[0]
        events.append(public_event("trionfo_turned", cards=(card,)))
        t = t._replace(phase=self.name, stock=t.stock[1:], turn_up=card)
        return t if next_discarder(g, t) is not None else g.next_phase(t, events)

    def turn(self, g: Rules, t: Table) -> Seat:
        seat = next_discarder(g, t)
        assert seat is not None, "the phase is left when nobody has cards to lay aside"
        return seat
