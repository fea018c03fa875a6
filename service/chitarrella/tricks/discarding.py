"""Laying aside: who has robbed puts as many cards away, face down and out of play, once the turn-up is known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from chitarrella.tricks.act import Act, Phase
from chitarrella.tricks.robbing import CUTTER, DEALER, robber_seat, robber_with
from chitarrella.tricks.table import Table
from chitarrella.words import NOT_IN_HAND, Event, Form, Move, Reason, Refusal, Seat, covert, public

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame

WRONG_DISCARD_COUNT = Reason(
    "wrong_discard_count", "As many cards are laid aside as were robbed, and that is {amount}."
)


def role_of(g: TrickGame, t: Table, seat: Seat) -> int | None:
    """Say which robber a seat is, None where it is neither."""
    return {robber_seat(g, t.standing.dealer, role): role for role in (CUTTER, DEALER)}.get(seat)


def due(g: TrickGame, t: Table, seat: Seat) -> int:
    """Say how many cards a seat has still to lay aside."""
    role = role_of(g, t, seat)
    return 0 if role is None else len(t.own.robbers[role].robbed) - len(t.own.robbers[role].discarded)


@dataclass(frozen=True)
class LayAside(Act):
    """A robber lays as many cards aside as he has robbed; nobody else sees them."""

    form = Form("discard", "Lay aside as many cards as you have robbed.", frozenset(), (0, 40))
    reasons = (WRONG_DISCARD_COUNT, NOT_IN_HAND)

    def offers(self, g: TrickGame, t: Table, seat: Seat) -> Iterable[Move]:
        """Offer every choice of so many cards once."""
        if not (number := due(g, t, seat)):
            return ()
        hand = g.pack.in_order(t.hands[seat])
        return [Move("discard", cards) for cards in dict.fromkeys(combinations(hand, number))]

    def objections(self, g: TrickGame, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Object to another number of cards, then to cards not held."""
        number, lacking = due(g, t, seat), self.possession(g, t, seat, move)
        if len(move.cards) == number:
            return lacking
        return (g.refuse(WRONG_DISCARD_COUNT, verb="discard", held=move.cards, amount=number), *lacking)

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Lay them face down; when both have done so the play begins."""
        hand, role = list(t.hands[seat]), role_of(g, t, seat) or CUTTER
        laid = tuple(hand.pop(hand.index(card)) for card in move.cards)
        tell.append(covert("discarded", seat, laid, g.watchers(seat)))
        t = t._replace(hands=(*t.hands[:seat], tuple(hand), *t.hands[seat + 1 :]))
        t = robber_with(t, role, t.own.robbers[role]._replace(discarded=laid))
        return t if discarding(g, t) is not None else g.leave(t, tell)


def discarding(g: TrickGame, t: Table) -> Seat | None:
    """Name the seat that lays cards aside next: the cutter, then the dealer."""
    seats = (robber_seat(g, t.standing.dealer, role) for role in (CUTTER, DEALER))
    return next((seat for seat in seats if due(g, t, seat)), None)


@dataclass(frozen=True)
class Discard(Phase):
    """The first card that nobody robbed is turned up and laid apart; then the robbers lay cards aside."""

    name: str = "discard"

    @property
    def acts(self) -> tuple[Act, ...]:
        """Laying aside, and nothing else."""
        return (LayAside(),)

    def enter(self, g: TrickGame, t: Table, tell: list[Event]) -> Table:
        """Turn the card up, and wait for whoever has robbed."""
        card = t.stock[0]
        tell.append(public("trionfo_turned", cards=(card,)))
        t = t._replace(phase=self.name, stock=t.stock[1:], turn_up=card)
        return t if discarding(g, t) is not None else g.leave(t, tell)

    def turn(self, g: TrickGame, t: Table) -> Seat:
        """Name the robber whose turn it is."""
        seat = discarding(g, t)
        assert seat is not None, "the phase is left when nobody has cards to lay aside"
        return seat
