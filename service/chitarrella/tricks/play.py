"""Playing tricks: a card a seat, the winner takes, everybody draws while there is a stock."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from chitarrella.cards import Hand, minus
from chitarrella.tricks.act import Act
from chitarrella.tricks.table import Table, Trick
from chitarrella.words import NOT_IN_HAND, Event, Form, Move, Refusal, Seat, covert, public

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame


@dataclass(frozen=True)
class PlayCard:
    """A card of the hand goes to the trick."""

    form = Form("play_card", "Play a card to the trick.", frozenset(), (1, 1), seat=True)
    reasons = (NOT_IN_HAND,)

    def offers(self, g: TrickGame, t: Table, seat: Seat) -> Iterable[Move]:
        """Offer every face of the hand once."""
        plays = g.plays[seat]
        return [plays[card] for card in dict.fromkeys(t.hands[seat])]

    def possession(self, g: TrickGame, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Object to a card that is not in the hand."""
        card = move.cards[0]
        return () if card in t.hands[seat] else (g.refuse(NOT_IN_HAND, word=card),)

    def objections(self, g: TrickGame, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Object to a card that is not held, or that may not answer the lead."""
        card = move.cards[0]
        hand = t.hands[seat]
        if card not in hand:
            return (g.refuse(NOT_IN_HAND, word=card),)
        if t.trick:
            return g.following.objections(g, t.trump, t.trick, hand, card)
        return ()

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Lay the card down; a full trick is taken, and the last one ends the phase."""
        card = move.cards[0]
        hands = (*t.hands[:seat], minus(t.hands[seat], card), *t.hands[seat + 1 :])
        trick = (*t.trick, card)
        tell.append(public("card_played", seat, move.cards))
        if len(trick) < g.seats:
            return t._replace(hands=hands, trick=trick)
        after = self._take(g, t, hands, trick, tell)
        return after if any(after.hands) else g.leave(after, tell)

    def _take(self, g: TrickGame, t: Table, hands: tuple[Hand, ...], cards: Hand, tell: list[Event]) -> Table:
        winner = (t.leader + g.taking.best(g, t.trump, cards)) % g.seats
        trick = Trick(t.leader, cards, winner)
        tell.append(public("trick_taken", winner, cards))
        standing = t.standing
        if g.payments:
            standing = standing._replace(chips=g.payments.collect(trick, standing.chips, tell))
        if t.stock:
            hands = draw(g, t, hands, winner, tell)
        return t._replace(
            standing=standing,
            hands=hands,
            stock=t.stock[g.seats :],
            leader=winner,
            trick=(),
            tricks=(*t.tricks, trick),
        )


def draw(g: TrickGame, t: Table, hands: tuple[Hand, ...], first: Seat, tell: list[Event]) -> tuple[Hand, ...]:
    """Let every seat draw one card of the stock, ``first`` first, the others in order of play."""
    drawn = list(hands)
    for place, card in enumerate(t.stock[: g.seats]):
        seat = (first + place) % g.seats
        drawn[seat] = (*hands[seat], card)
        if t.turn_up is not None and place == len(t.stock) - 1:
            tell.append(public("card_drawn", seat, (card,)))
        else:
            tell.append(covert("card_drawn", seat, (card,), g.watchers(seat)))
    return tuple(drawn)


@dataclass(frozen=True)
class Play:
    """The phase in which tricks are played; other acts may be allowed beside."""

    beside: tuple[Act, ...] = ()
    name: str = "play"

    @cached_property
    def acts(self) -> tuple[Act, ...]:
        """Playing a card first, then what is allowed beside it."""
        return (PlayCard(), *self.beside)

    def enter(self, g: TrickGame, t: Table, tell: list[Event]) -> Table:
        """Begin: the leader is known."""
        return t._replace(phase=self.name)

    def turn(self, g: TrickGame, t: Table) -> Seat:
        """Name the seat that plays next."""
        return (t.leader + len(t.trick)) % g.seats
