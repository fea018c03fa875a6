"""Cards of the hands that everybody has seen: declared combinations, and cards that were drawn in the open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from chitarrella.core.cards import Card, Hand
from chitarrella.core.model import (
    EVERYBODY,
    NOT_IN_HAND,
    Event,
    Fact,
    Inference,
    Move,
    MoveSpec,
    Reason,
    Refusal,
    Seat,
    Viewer,
    held_card,
    public_event,
)
from chitarrella.tricks.checks import cards_played_by
from chitarrella.tricks.layout import CommonLayout
from chitarrella.tricks.parts import Action, Fault, Rules, TrickEffect
from chitarrella.tricks.side_actions import Moment, first_trick, never
from chitarrella.tricks.table import Table, Trick

NO_COMBINATION = Reason(
    "no_combination", "Declared are all aces, twos or threes of a hand, three at least, or those of one suit."
)
DECLARATION_NOT_AVAILABLE = Reason("declaration_not_available", "Nothing can be declared now.", depends_on_seat=True)
DECLARATION_REPEATED = Reason("declaration_repeated", "These cards were declared already.", depends_on_seat=True)


class Declaration(NamedTuple):
    """The cards that a seat has declared together."""

    seat: Seat
    cards: Hand


class Shown(NamedTuple):
    """What everybody has seen of the hands in this deal: the declarations, and the drawn cards in order."""

    declarations: tuple[Declaration, ...] = ()
    drawn: Hand = ()


def shown(g: Rules, t: Table) -> Iterator[tuple[str, Seat, Card]]:
    """Yield each card that was shown, once: how, and by which seat."""
    yield from dict.fromkeys(("declared", seat, card) for seat, cards in t.own.declarations for card in cards)
    for trick, drawn in zip(t.tricks, zip(*[iter(t.own.drawn)] * g.seats, strict=False), strict=False):
        yield from (("drawn", *one) for one in zip(g.seating.rotations[trick.winner], drawn, strict=True))


@dataclass(frozen=True)
class Declare(Action):
    """At the ``moment`` a seat shows a combination of the ``ranks``.

    It is all cards of a rank that the hand holds, if they are three or more, or one of each rank in a suit.
    """

    ranks: tuple[str, ...]
    moment: Moment = first_trick

    spec = MoveSpec("declare", "Declare a combination of the hand.", frozenset(), (3, 4))
    reasons = (NOT_IN_HAND, DECLARATION_NOT_AVAILABLE, NO_COMBINATION, DECLARATION_REPEATED)

    def is_agreed(self, g: Rules) -> bool:
        return self.moment is not never

    def offers(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        """Return every combination of the hand."""
        cards = [card for card in g.pack.in_order(t.hands[seat]) if card.rank in self.ranks]
        sets = [[card for card in cards if card.suit == suit] for suit in g.pack.suits]
        sets += [[card for card in cards if card.rank == rank] for rank in self.ranks]
        return [Move("declare", tuple(some)) for some in sets if len(some) >= 3]

    def is_due(self, g: Rules, t: Table, seat: Seat) -> bool:
        return self.moment(g, t, seat)

    def conditions(self, g: Rules, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse cards that are not held, another moment, other cards, and a second time."""
        refusals = lacking = self.possession(g, t, seat, move)
        if not self.is_due(g, t, seat):
            refusals = (*refusals, g.refuse(DECLARATION_NOT_AVAILABLE))
        if not lacking and move not in self.offers(g, t, seat):
            refusals = (*refusals, g.refuse(NO_COMBINATION))
        if Declaration(seat, move.cards) in t.own.declarations:
            refusals = (*refusals, g.refuse(DECLARATION_REPEATED))
        return refusals

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        events.append(public_event("declared", seat, move.cards, amount=len(move.cards)))
        declarations = (*t.own.declarations, Declaration(seat, move.cards))
        return t._replace(own=t.own._replace(declarations=declarations))

    def fault(self, g: Rules, t: Table) -> Fault | None:
        declarations = t.own.declarations
        if len(set(declarations)) < len(declarations) or (declarations and (self.moment is never or not t.hands)):
            return "declarations", "each combination is declared once, from a hand, where that is agreed"
        for seat, cards in declarations:
            held = t._replace(hands=(cards,))
            if seat not in g.seating.seat_set or Move("declare", cards) not in self.offers(g, held, 0):
                return "declarations", "a seat declares a combination"
        return None


@dataclass(frozen=True)
class DrawInTheOpen(TrickEffect):
    """After a trick every seat draws a card of the stock, the winner first, and shows it."""

    def apply(self, g: Rules, t: Table, trick: Trick, events: list[Event]) -> Table:
        if not t.stock:
            return t
        hands = list(t.hands)
        for seat, card in zip(g.seating.rotations[trick.winner], t.stock, strict=False):
            hands[seat] += (card,)
            events.append(public_event("card_drawn", seat, (card,)))  # this card, by which the laws know its place
        own = t.own._replace(drawn=t.own.drawn + t.stock[: g.seats])
        return t._replace(hands=tuple(hands), stock=t.stock[g.seats :], own=own)


@dataclass(frozen=True)
class ShownCards(CommonLayout):
    """The common layout, with the cards of the hands that everybody has seen."""

    def facts(self, g: Rules, t: Table) -> Iterator[Fact]:
        yield from super().facts(g, t)
        yield from (Fact(how, card, seat, EVERYBODY) for how, seat, card in shown(g, t))

    def inferences(self, g: Rules, t: Table, viewer: Viewer) -> Iterator[Inference]:
        yield from super().inferences(g, t, viewer)
        yield from (held_card(seat, card) for _, seat, card in shown(g, t) if card in t.hands[seat])

    def shape_fault(self, g: Rules, t: Table) -> Fault | None:
        """Check that all drawn cards were shown, and that each shown card is held, or was played, by its seat."""
        if fault := super().shape_fault(g, t):
            return fault
        if len(t.own.drawn) != (len(g.pack.cards) - g.seats * g.dealing.start.size - len(t.stock) if t.hands else 0):
            return "drawn", "the cards that were drawn from the stock were shown"
        for _, seat, card in shown(g, t):
            if card not in (*t.hands[seat], *cards_played_by(g, t, seat)):
                return "declarations", "a seat holds the cards that it has shown, or has played them"
        return None
