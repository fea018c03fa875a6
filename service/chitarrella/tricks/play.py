"""Playing tricks: a card a seat, the winner takes, everybody draws while there is a stock to draw from."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from chitarrella.cards import Hand, minus
from chitarrella.tricks.act import Act, Phase
from chitarrella.tricks.table import Table, Trick
from chitarrella.words import NOT_IN_HAND, Event, Form, Move, Reason, Refusal, Seat, covert, public

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame

Drawing: TypeAlias = Callable[["TrickGame", Table, list[Event]], Table]
"""What is done with the stock after a trick, while there is one."""


@dataclass(frozen=True)
class PlayCard(Act):
    """A card of the hand goes to the trick."""

    form = Form("play_card", "Play a card to the trick.", frozenset(), (1, 1), seat=True)
    reasons: ClassVar[tuple[Reason, ...]] = (NOT_IN_HAND,)

    def offers(self, g: TrickGame, t: Table, seat: Seat) -> Iterable[Move]:
        """Offer every face of the hand once."""
        plays = g.plays[seat]
        return [plays[card] for card in dict.fromkeys(t.hands[seat])]

    def objections(self, g: TrickGame, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Object to a card that is not held, or that may not answer the lead."""
        card = move.cards[0]
        hand = t.hands[seat]
        if card not in hand:
            return (g.refuse(NOT_IN_HAND, word=card),)
        return g.duty(t, hand, card)

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Lay the card down; a full trick is taken, and the last one ends the phase."""
        hands = t.hands
        hands = (*hands[:seat], minus(hands[seat], move.cards[0]), *hands[seat + 1 :])
        trick = t.trick + move.cards
        tell.append(public("card_played", seat, move.cards))
        t = t.moved(hands, t.stock, t.leader, trick, t.tricks)
        self.laid(g, t, seat, tell)
        return t if len(trick) < len(g.sitting(g, t)) else take(g, t, trick, tell)

    def laid(self, g: TrickGame, t: Table, seat: Seat, tell: list[Event]) -> None:
        """Say what the card that ``seat`` has just laid down tells beside itself: nothing."""


def take(g: TrickGame, t: Table, cards: Hand, tell: list[Event]) -> Table:
    """Let the winner of a full trick take it; then everybody draws, unless the deal is over."""
    winner = in_order(g, t)[g.taking.best(g, t, cards)]
    trick = Trick(t.leader, cards, winner)
    tell.append(public("trick_taken", winner, cards))
    t = t.moved(t.hands, t.stock, winner, (), (*t.tricks, trick))
    for after in g.after_tricks:
        t = after.taken(g, t, trick, tell)
        if after.ends(g, t):
            return g.leave(t, tell)
    if t.stock:
        t = g.drawing(g, t, tell)
    return t if any(t.hands) else g.leave(t, tell)


def in_order(g: TrickGame, t: Table) -> tuple[Seat, ...]:
    """Name the seats in the order in which they play to the present trick."""
    sitting = g.sitting(g, t)
    at = sitting.index(t.leader)
    return sitting[at:] + sitting[:at]


def draw(g: TrickGame, t: Table, tell: list[Event]) -> Table:
    """Let every seat draw one card of the stock, the leader first, the others in order of play."""
    drawn = list(t.hands)
    order = in_order(g, t)
    for place, (seat, card) in enumerate(zip(order, t.stock, strict=False)):
        drawn[seat] = (*t.hands[seat], card)
        if t.turn_up is not None and place == len(t.stock) - 1:
            tell.append(public("card_drawn", seat, (card,)))
        else:
            tell.append(covert("card_drawn", seat, (card,), g.watchers(seat)))
    return t.moved(tuple(drawn), t.stock[len(order) :], t.leader, t.trick, t.tricks)


def undrawn(g: TrickGame, t: Table, tell: list[Event]) -> Table:
    """Let nobody draw: what was not dealt stays out of play."""
    return t


@dataclass(frozen=True)
class Play(Phase):
    """The phase in which tricks are played; other acts may be allowed beside."""

    beside: tuple[Act, ...] = ()
    name: str = "play"
    card: Act = PlayCard()

    @cached_property
    def acts(self) -> tuple[Act, ...]:
        """Playing a card first, then what is allowed beside it."""
        return (self.card, *self.beside)

    def turn(self, g: TrickGame, t: Table) -> Seat:
        """Name the seat that plays next."""
        sitting = g.sitting(g, t)
        return sitting[(sitting.index(t.leader) + len(t.trick)) % len(sitting)]
