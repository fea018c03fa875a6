"""Discarding: a robber lays aside as many cards as were robbed, face down, once the turn-up is known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from chitarrella.core.model import (
    NOT_IN_HAND,
    Event,
    Move,
    MoveSpec,
    Reason,
    Refusal,
    Seat,
    hidden_cards_event,
    public_event,
)
from chitarrella.tricks.base import Action, Phase, Rules
from chitarrella.tricks.phases.robbing import CUTTER, DEALER, replace_robber, robber_seat
from chitarrella.tricks.table import Table

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
        """Return one move for each choice of so many cards."""
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
        events.append(hidden_cards_event("discarded", seat, laid, g.watchers(seat)))
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

    @property
    def actions(self) -> tuple[Action, ...]:
        """Laying cards aside."""
        return (LayAside(),)

    def enter(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Turn the card up, and wait for the robbers."""
        card = t.stock[0]
        events.append(public_event("trionfo_turned", cards=(card,)))
        t = t._replace(phase=self.name, stock=t.stock[1:], turn_up=card)
        return t if next_discarder(g, t) is not None else g.next_phase(t, events)

    def turn(self, g: Rules, t: Table) -> Seat:
        """Return the robber whose turn it is."""
        seat = next_discarder(g, t)
        assert seat is not None, "the phase is left when nobody has cards to lay aside"
        return seat
