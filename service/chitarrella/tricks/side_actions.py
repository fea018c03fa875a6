"""Actions beside the tricks: exchanging the turn-up, and what partners may signal or show to each other.

Where one of them is not agreed it is always refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from chitarrella.core.cards import Card, minus
from chitarrella.core.model import (
    NOT_IN_HAND,
    Event,
    Move,
    MoveSpec,
    Reason,
    Refusal,
    Seat,
    private_event,
    public_event,
)
from chitarrella.tricks.parts import Action, Fault, Rules
from chitarrella.tricks.table import Signal, Table, TurnUpExchange

EXCHANGE_NOT_AVAILABLE = Reason("exchange_not_available", "The turn-up cannot be exchanged now.", depends_on_seat=True)
EXCHANGE_WRONG_CARD = Reason("exchange_wrong_card", "Only {word} is exchanged for the turn-up.")
SIGNAL_NOT_AVAILABLE = Reason("signal_not_available", "No signal can be given.")
SIGNAL_REPEATED = Reason("signal_repeated", "The rank {word} was signalled before in this deal.")
SHOW_NOT_AVAILABLE = Reason("show_not_available", "The hand cannot be shown to a partner now.")
SHOW_REPEATED = Reason("show_repeated", "The hand has been shown already.")

SIGNAL_RANKS = ("A", "3", "R", "C", "F")  # the ranks of trumps that can be signalled to the partner
SIGNAL_MOVES = {rank: Move("signal", choice=rank) for rank in SIGNAL_RANKS}  # the move that signals each rank
SHOW_MOVES = (Move("show_hand_to_partner"),)  # the only move that shows a hand
LAST_CARDS = 3  # the number of cards in a hand that may be shown


# The turn-up
Moment: TypeAlias = Callable[[Rules, Table, Seat], bool]  # whether a seat may act beside the tricks now


def first_trick(g: Rules, t: Table, seat: Seat) -> bool:
    """Return whether ``seat`` is still to play to the first trick of the deal."""
    return not t.tricks and (seat - t.leader) % g.seats >= len(t.trick)


def any_trick(g: Rules, t: Table, seat: Seat) -> bool:
    """Return True: the exchange, or the signal, is possible in every trick."""
    return True


def after_first_trick(g: Rules, t: Table, seat: Seat) -> bool:
    """Return whether a trick of the deal has been taken."""
    return bool(t.tricks)


def after_winning(g: Rules, t: Table, seat: Seat) -> bool:
    """Return whether ``seat`` has just won a trick and has not led to the next."""
    return bool(t.tricks) and not t.trick and seat == t.leader


def without_stock(g: Rules, t: Table, seat: Seat) -> bool:
    """Return whether the stock is gone."""
    return not t.stock


def never(g: Rules, t: Table, seat: Seat) -> bool:
    """Return False: the action is not agreed."""
    return False


@dataclass(frozen=True)
class ExchangeTurnUp(Action):
    """A low trump goes under the stock, and the turn-up comes into the hand.

    ``swaps`` are the ranks that may be laid down, each with the ranks of turn-up that it is good for (none: any).
    """

    swaps: tuple[tuple[str, tuple[str, ...]], ...]
    moment: Moment

    recorded_in = "exchanged"
    spec = MoveSpec("exchange_turn_up", "Lay down a low trump and take the turn-up.", frozenset(), (1, 1))
    reasons = (NOT_IN_HAND, EXCHANGE_NOT_AVAILABLE, EXCHANGE_WRONG_CARD)

    def offers(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        """Return one move for each trump in the hand that may ever be laid down."""
        ranks, suit, trump = self.ranks, g.cards.suit, t.trump
        held = t.hands[seat]
        return [Move("exchange_turn_up", (card,)) for card in held if card.rank in ranks and suit[card] == trump]

    def is_agreed(self, g: Rules) -> bool:
        return self.moment is not never

    def is_due(self, g: Rules, t: Table, seat: Seat) -> bool:
        return self.moment(g, t, seat)

    @cached_property
    def ranks(self) -> frozenset[str]:
        """The ranks that may ever be laid down."""
        return frozenset(rank for rank, _ in self.swaps)

    def conditions(self, g: Rules, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse an exchange at another moment or without a stock, and any other card."""
        refusals = self.possession(g, t, seat, move)
        if not t.stock or not self.is_due(g, t, seat):
            refusals = (*refusals, g.refuse(EXCHANGE_NOT_AVAILABLE))
        wanted = self.good_cards(g, t)
        if move.cards[0] not in wanted:
            refusals = (*refusals, g.refuse(EXCHANGE_WRONG_CARD, word=" or ".join(wanted) or "no card"))
        return refusals

    def good_cards(self, g: Rules, t: Table) -> list[Card]:
        """Return the cards that may be laid down for the present turn-up."""
        turn_up = "" if t.turn_up is None else t.turn_up.rank
        return [g.pack.face(rank, t.trump) for rank, good_for in self.swaps if turn_up in good_for or not good_for]

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Swap the two cards; both are public."""
        card, taken = move.cards[0], t.stock[-1]
        hand = (*minus(t.hands[seat], card), taken)
        events.append(public_event("turn_up_exchanged", seat, (card, taken)))
        return t._replace(
            hands=(*t.hands[:seat], hand, *t.hands[seat + 1 :]),
            stock=(*t.stock[:-1], card),
            turn_up=card,
            exchanged=(*t.exchanged, TurnUpExchange(seat, taken)),
        )

    def fault(self, g: Rules, t: Table) -> Fault | None:
        if not t.exchanged:
            return None
        if self.moment is never or t.turn_up is None or t.turn_up.rank not in self.ranks:
            return "exchanged", "after an exchange, where it is agreed, the card that was laid down is the turn-up"
        if any(g.cards.suit[card] != t.trump or card == t.turn_up for _, card in t.exchanged):
            return "exchanged", "a trump was taken, and not the one that lies there now"
        return None


# Signals
def own_trumps(t: Table, seat: Seat) -> Sequence[str]:
    """Return the ranks of the trumps in the hand: a signal is true."""
    trump = t.trump
    return [card.rank for card in t.hands[seat] if card.suit == trump]


def any_rank(t: Table, seat: Seat) -> Sequence[str]:
    """Return every rank that has a sign: a signal may be false."""
    return SIGNAL_RANKS


@dataclass(frozen=True)
class SignalTrump(Action):
    """A seat signals a high trump at its ``moment``, to its partner alone: one of the ``ranks``."""

    moment: Moment = any_trick
    ranks: Callable[[Table, Seat], Sequence[str]] = own_trumps

    recorded_in = "signals"
    spec = MoveSpec(
        "signal", "Tell the partner of a trump, out of turn too.", frozenset(), choices=SIGNAL_RANKS, out_of_turn=True
    )
    reasons = (NOT_IN_HAND, SIGNAL_NOT_AVAILABLE, SIGNAL_REPEATED)

    def is_agreed(self, g: Rules) -> bool:
        return self.moment is not never and any(g.seating.partner(seat) is not None for seat in g.seating.everybody)

    def may_signal(self, g: Rules, t: Table, seat: Seat) -> bool:
        """Return whether it is the agreed moment for ``seat``, and it has a partner."""
        return self.moment(g, t, seat) and g.seating.partner(seat) is not None

    def _is_possible(self, g: Rules, t: Table, seat: Seat) -> bool:
        return self.may_signal(g, t, seat) and bool(t.hands[seat])

    def offers(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        ranks = self.ranks(t, seat)
        if not ranks or not self._is_possible(g, t, seat):
            return ()
        return [SIGNAL_MOVES[rank] for rank in SIGNAL_RANKS if rank in ranks]

    def legal_moves(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        moves, given = self.offers(g, t, seat), t.signals
        return [move for move in moves if Signal(seat, move.choice) not in given] if given else moves

    def possession(self, g: Rules, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        if move.choice in self.ranks(t, seat):
            return ()
        return (g.refuse(NOT_IN_HAND, verb=self.spec.verb, word=g.pack.face(move.choice, t.trump)),)

    def conditions(self, g: Rules, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse an untrue signal, any signal where there are none, and a second one of the same rank."""
        possible = self._is_possible(g, t, seat)
        refusals = self.possession(g, t, seat, move) if possible else (g.refuse(SIGNAL_NOT_AVAILABLE),)
        if t.signals and Signal(seat, move.choice) in t.signals:
            refusals = (*refusals, g.refuse(SIGNAL_REPEATED, word=move.choice))
        return refusals

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        events.append(private_event("signalled", seat, g.seating.partners(seat), word=move.choice))
        return t._replace(signals=(*t.signals, Signal(seat, move.choice)))

    def fault(self, g: Rules, t: Table) -> Fault | None:
        if len(set(t.signals)) != len(t.signals):
            return "signals", "nobody tells the same twice"
        if not all(self.may_signal(g, t, seat) and rank in SIGNAL_RANKS for seat, rank in t.signals):
            return "signals", "a partner is told of a rank that has a sign, where signals are agreed"
        return None


# Showing the last cards
@dataclass(frozen=True)
class ShowHand(Action):
    """A seat lets its partner see its last three cards at the ``moment``."""

    moment: Moment = without_stock

    recorded_in = "shown"
    spec = MoveSpec(
        "show_hand_to_partner",
        "Let the partner see the last three cards, out of turn too.",
        frozenset(),
        out_of_turn=True,
    )
    reasons = (SHOW_NOT_AVAILABLE, SHOW_REPEATED)

    def is_agreed(self, g: Rules) -> bool:
        return self.moment is not never and any(g.seating.partner(seat) is not None for seat in g.seating.everybody)

    def may_show(self, g: Rules, t: Table, seat: Seat) -> bool:
        """Return whether it is the agreed moment, and ``seat`` has a partner."""
        return self.moment(g, t, seat) and g.seating.partner(seat) is not None

    def is_due(self, g: Rules, t: Table, seat: Seat) -> bool:
        """Return whether ``seat`` may show its last cards now."""
        return len(t.hands[seat]) == LAST_CARDS and self.may_show(g, t, seat)

    def offers(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        return () if g.seating.partner(seat) is None else SHOW_MOVES

    def conditions(self, g: Rules, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse at another time, with another number of cards, and a second time."""
        refusals: tuple[Refusal, ...] = ()
        if not self.is_due(g, t, seat):
            refusals = (g.refuse(SHOW_NOT_AVAILABLE),)
        if seat in t.shown:
            refusals = (*refusals, g.refuse(SHOW_REPEATED))
        return refusals

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        events.append(private_event("hand_shown", seat, g.seating.partners(seat), t.hands[seat]))
        return t._replace(shown=(*t.shown, seat))

    def fault(self, g: Rules, t: Table) -> Fault | None:
        if len(set(t.shown)) != len(t.shown):
            return "shown", "nobody shows a hand twice"
        if not all(self.may_show(g, t, seat) for seat in t.shown):
            return "shown", "a partner is shown the last cards, where that is agreed"
        return None
