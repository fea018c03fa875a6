"""Playing a card where leading the trionfo declares the suit to be followed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from chitarrella.core.model import NOT_IN_HAND, Event, Move, MoveSpec, Reason, Refusal, Seat, public_event
from chitarrella.tricks.base import Rules
from chitarrella.tricks.phases.play import PlayCard
from chitarrella.tricks.table import Table
from chitarrella.tricks.trionfo import NUMBERS, PICTURES

DECLARATION_MISSING = Reason(
    "declaration_missing", "Who leads the trionfo says which suit is to be followed.", duty=True
)
DECLARATION_NOT_ALLOWED = Reason("declaration_not_allowed", "A suit is declared with the trionfo, when it is led.")


def with_declarations(t: Table, moves: Iterable[Move]) -> Iterable[Move]:
    """Return the moves that play a card; the lead of the trionfo is replaced by one for each suit, at the end."""
    trionfo = t.turn_up
    if t.trick or trionfo is None:
        return moves
    plain = [move for move in moves if move.cards[0] != trionfo]
    leads = [move for move in moves if move.cards[0] == trionfo]
    return [*plain, *(move._replace(choice=suit) for move in leads for suit in (NUMBERS, PICTURES))]


@dataclass(frozen=True)
class PlayOrDeclare(PlayCard):
    """A card of the hand goes to the trick; leading the trionfo declares the suit to be followed."""

    spec = MoveSpec("play_card", "Play a card to the trick.", frozenset(), (1, 1), choices=("", NUMBERS, PICTURES))
    reasons = (NOT_IN_HAND, DECLARATION_MISSING, DECLARATION_NOT_ALLOWED)

    def offers(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        """Return one move for each face of the hand; leading the trionfo is one move for each suit."""
        return with_declarations(t, super().offers(g, t, seat))

    def legal_moves(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        """Return one move for each face that may be played; leading the trionfo is one move for each suit."""
        return with_declarations(t, super().legal_moves(g, t, seat))

    def conditions(self, g: Rules, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse a card that is not held, and a declaration with another card than the trionfo, or during a trick."""
        lacking = super().conditions(g, t, seat, move)
        if not move.choice or (move.cards[0] == t.turn_up and not t.trick):
            return lacking
        return (*lacking, g.refuse(DECLARATION_NOT_ALLOWED, word=move.choice))

    def duties(self, g: Rules, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse the trionfo led without a declaration, then what `PlayCard` refuses."""
        against = super().duties(g, t, seat, move)
        if move.choice or t.trick or move.cards[0] != t.turn_up:
            return against
        return (g.refuse(DECLARATION_MISSING), *against)

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Play the card, and record the declared suit."""
        if not move.choice:
            return super().apply(g, t, seat, move, events)
        t = super().apply(g, t._replace(own=t.own._replace(declared=move.choice)), seat, move, events)
        events.append(public_event("suit_declared", seat, word=move.choice))
        return t
