"""Acts beside the tricks: exchanging the turn-up, and what partners may tell each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from chitarrella.cards import minus
from chitarrella.tricks.act import Act
from chitarrella.tricks.table import Exchange, Signal, Table
from chitarrella.words import NOT_IN_HAND, Event, Form, Move, Reason, Refusal, Seat, public, secret

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame

EXCHANGE_NOT_AVAILABLE = Reason("exchange_not_available", "The turn-up cannot be exchanged now.")
EXCHANGE_WRONG_CARD = Reason("exchange_wrong_card", "Only {word} is exchanged for the turn-up.")
SIGNAL_NOT_AVAILABLE = Reason("signal_not_available", "No signal can be given.")
SIGNAL_REPEATED = Reason("signal_repeated", "The rank {word} was signalled before in this deal.")
SHOW_NOT_AVAILABLE = Reason("show_not_available", "The hand cannot be shown to a partner now.")
SHOW_REPEATED = Reason("show_repeated", "The hand has been shown already.")

SIGNALLED = ("A", "3", "R", "C", "F")
SIGNALS = tuple(Move("signal", word=rank) for rank in SIGNALLED)
SHOWING = (Move("show_hand_to_partner"),)
LAST_CARDS = 3


Moment: TypeAlias = Callable[["TrickGame", Table], bool]


def first_trick(g: TrickGame, t: Table) -> bool:
    """Tell whether the first trick is being played."""
    return not t.tricks


def any_trick(g: TrickGame, t: Table) -> bool:
    """Let every trick be the right one."""
    return True


@dataclass(frozen=True)
class ExchangeTurnUp(Act):
    """A low trump goes under the stock, and the turn-up comes into the hand.

    ``swaps`` name the ranks that may be laid down, each with the ranks of turn-up it is good for (none named: any).
    """

    swaps: tuple[tuple[str, tuple[str, ...]], ...]
    offered: bool = False
    moment: Moment = any_trick

    leaves = "exchanged"
    form = Form("exchange_turn_up", "Lay down a low trump and take the turn-up.", frozenset(), (1, 1))
    reasons = (NOT_IN_HAND, EXCHANGE_NOT_AVAILABLE, EXCHANGE_WRONG_CARD)

    def offers(self, g: TrickGame, t: Table, seat: Seat) -> Iterable[Move]:
        """Offer every trump that may ever be laid down to the seat that holds it."""
        ranks, suit, trump = self.ranks, g.suit, t.trump
        held = t.hands[seat]
        return [Move("exchange_turn_up", (card,)) for card in held if card.rank in ranks and suit[card] == trump]

    @cached_property
    def ranks(self) -> frozenset[str]:
        """The ranks that may ever be laid down."""
        return frozenset(rank for rank, _ in self.swaps)

    def due(self, g: TrickGame, t: Table, seat: Seat) -> bool:
        """Tell whether this is the moment for it."""
        return self.moment(g, t)

    def possession(self, g: TrickGame, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Object out of turn as on turn: all that an exchange hangs on beside the card is public."""
        return self.objections(g, t, seat, move)

    def objections(self, g: TrickGame, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Object out of time, and to any other card."""
        refusals = super().possession(g, t, seat, move)
        if not self.offered or not t.stock or not self.due(g, t, seat):
            refusals = (*refusals, g.refuse(EXCHANGE_NOT_AVAILABLE))
        turn_up = "" if t.turn_up is None else t.turn_up.rank
        wanted = [rank + t.trump for rank, good_for in self.swaps if turn_up in good_for or not good_for]
        if move.cards[0] not in wanted:
            refusals = (*refusals, g.refuse(EXCHANGE_WRONG_CARD, word=" or ".join(wanted) or "no card"))
        return refusals

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Swap the two cards; both are seen by everybody."""
        card = move.cards[0]
        taken = t.stock[-1]
        hand = (*minus(t.hands[seat], card), taken)
        tell.append(public("turn_up_exchanged", seat, (card, taken)))
        return t._replace(
            hands=(*t.hands[:seat], hand, *t.hands[seat + 1 :]),
            stock=(*t.stock[:-1], card),
            turn_up=card,
            exchanged=(*t.exchanged, Exchange(seat, taken)),
        )

    def fault(self, g: TrickGame, t: Table) -> tuple[str, str] | None:
        """Object to exchanges that nobody can have made."""
        if not t.exchanged:
            return None
        if not self.offered or t.turn_up is None or t.turn_up.rank not in self.ranks:
            return "exchanged", "after an exchange, where it is agreed, the card that was laid down is the turn-up"
        if any(g.suit[card] != t.trump or card == t.turn_up for _, card in t.exchanged):
            return "exchanged", "a trump was taken, and not the one that lies there now"
        return None


@dataclass(frozen=True)
class ExchangeOnLead(ExchangeTurnUp):
    """The exchange belongs to the seat that has just won a trick and is about to lead."""

    def due(self, g: TrickGame, t: Table, seat: Seat) -> bool:
        """Tell whether ``seat`` has just won a trick and has not led yet."""
        return bool(t.tricks) and not t.trick and seat == t.leader


@dataclass(frozen=True)
class SignalTrump(Act):
    """A seat tells its partner of a trump it holds; nobody else ever learns of it."""

    mode: str = "truthful"

    leaves = "signals"
    form = Form("signal", "Tell the partner of a trump, out of turn too.", frozenset(), words=SIGNALLED, free=True)
    reasons = (NOT_IN_HAND, SIGNAL_NOT_AVAILABLE, SIGNAL_REPEATED)

    def _available(self, g: TrickGame, t: Table, seat: Seat) -> bool:
        return self.mode != "off" and g.partner(seat) is not None and bool(t.hands[seat])

    def offers(self, g: TrickGame, t: Table, seat: Seat) -> Iterable[Move]:
        """Offer every rank that has a sign, but of trumps that are not held only where that need not be true."""
        if not self._available(g, t, seat):
            return ()
        hand = t.hands[seat]
        return [sign for sign in SIGNALS if sign.word + t.trump in hand or self.mode != "truthful"]

    def possession(self, g: TrickGame, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Object to a truthful signal of a trump that is not held."""
        return self._lacking(g, t, seat, move) if self._available(g, t, seat) else ()

    def _lacking(self, g: TrickGame, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        told = move.word + t.trump
        if told in t.hands[seat] or self.mode != "truthful":
            return ()
        return (g.refuse(NOT_IN_HAND, verb=self.form.verb, word=told),)

    def objections(self, g: TrickGame, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Object where there is no signalling, and to telling the same twice."""
        available = self._available(g, t, seat)
        refusals = self._lacking(g, t, seat, move) if available else (g.refuse(SIGNAL_NOT_AVAILABLE),)
        if t.signals and Signal(seat, move.word) in t.signals:
            refusals = (*refusals, g.refuse(SIGNAL_REPEATED, word=move.word))
        return refusals

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Tell the partner."""
        tell.append(secret("signalled", seat, g.partners(seat), word=move.word))
        return t._replace(signals=(*t.signals, Signal(seat, move.word)))

    def fault(self, g: TrickGame, t: Table) -> tuple[str, str] | None:
        """Object to signals that nobody can give, and to one that was given twice."""
        if len(set(t.signals)) != len(t.signals):
            return "signals", "nobody tells the same twice"
        if any(self.mode == "off" or g.partner(seat) is None or rank not in SIGNALLED for seat, rank in t.signals):
            return "signals", "a partner is told of a rank that has a sign, where signals are agreed"
        return None


@dataclass(frozen=True)
class ShowHand(Act):
    """When the stock is gone a seat lets its partner look at its last three cards."""

    offered: bool = True

    leaves = "shown"
    form = Form(
        "show_hand_to_partner", "Let the partner see the last three cards, out of turn too.", frozenset(), free=True
    )
    reasons = (SHOW_NOT_AVAILABLE, SHOW_REPEATED)

    def offers(self, g: TrickGame, t: Table, seat: Seat) -> Iterable[Move]:
        """Offer it to every seat that has a partner."""
        return () if g.partner(seat) is None else SHOWING

    def objections(self, g: TrickGame, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Object out of time, and to showing twice."""
        refusals: tuple[Refusal, ...] = ()
        hand = t.hands[seat]
        if not self.offered or g.partner(seat) is None or t.stock or len(hand) != LAST_CARDS:
            refusals = (g.refuse(SHOW_NOT_AVAILABLE),)
        if seat in t.shown:
            refusals = (*refusals, g.refuse(SHOW_REPEATED))
        return refusals

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Open the hand to the partner."""
        tell.append(secret("hand_shown", seat, g.partners(seat), t.hands[seat]))
        return t._replace(shown=(*t.shown, seat))

    def fault(self, g: TrickGame, t: Table) -> tuple[str, str] | None:
        """Object to hands that nobody can have shown, and to one that was shown twice."""
        if len(set(t.shown)) != len(t.shown):
            return "shown", "nobody shows a hand twice"
        if t.shown and (not self.offered or t.stock or any(g.partner(seat) is None for seat in t.shown)):
            return "shown", "a partner is shown the last cards, where that is agreed"
        return None
