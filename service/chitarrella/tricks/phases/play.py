"""Playing tricks: one card a seat, the winner takes the trick, and everybody draws while there is a stock."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from chitarrella.core.cards import Card, Hand
from chitarrella.core.model import (
    NOT_IN_HAND,
    Event,
    Move,
    MoveSpec,
    Reason,
    Refusal,
    Seat,
    new_record,
    public_event,
)
from chitarrella.core.visibility import EVERYBODY
from chitarrella.tricks.base import Action, Phase, Rules
from chitarrella.tricks.table import Table, Trick


@dataclass(frozen=True)
class PlayCard(Action):
    """A card of the hand goes to the trick."""

    spec = MoveSpec("play_card", "Play a card to the trick.", frozenset(), (1, 1), seat=True)
    reasons: ClassVar[tuple[Reason, ...]] = (NOT_IN_HAND,)
    reveals: ClassVar[bool] = False
    """Whether a card can reveal more than itself; if so, `on_card_played` appends it."""

    def offers(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        """Return one move for each face of the hand."""
        plays = g.moves_by_card[seat]
        return [plays[card] for card in dict.fromkeys(t.hands[seat])]

    def legal_moves(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        """Return one move for each face that the duty of the seat allows."""
        cards = (g.following if t.trick else g.leading).allowed_cards(g, t, t.hands[seat])
        plays = g.moves_by_card[seat]
        if g.pack.copies == 1:
            return [plays[card] for card in cards]
        return [plays[card] for card in dict.fromkeys(cards)]

    def conditions(self, g: Rules, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse a card that is not held."""
        return () if move.cards[0] in t.hands[seat] else self.possession(g, t, seat, move)

    def duties(self, g: Rules, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse a card of the hand that breaks the duty of the seat that leads, or follows."""
        card, hand = move.cards[0], t.hands[seat]
        duty = g.following if t.trick else g.leading
        if card in duty.allowed_cards(g, t, hand) or card not in hand:
            return ()
        return (duty.refusal(g, t, hand, card),)

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Play the card; a full trick is taken, and the last one ends the phase."""
        tables, hand, left = g.play_tables, t.hands[seat], list(t.hands)
        at = hand.index(move.cards[0])
        left[seat] = hand[:at] + hand[at + 1 :]
        trick = t.trick + move.cards
        events.append(tables.play_events[seat][move.cards[0]])
        if self.reveals:
            self.on_card_played(g, t.with_play(tuple(left), trick), seat, events)
        full = tables.size or len(g.dealt_in_seats(g, t))
        return t.with_play(tuple(left), trick) if len(trick) < full else take_trick(g, t, left, trick, events)

    def on_card_played(self, g: Rules, t: Table, seat: Seat, events: list[Event]) -> None:
        """Append what the card just played reveals beside itself; called only where it `reveals` anything."""


def take_trick(g: Rules, t: Table, hands: list[Hand], cards: Hand, events: list[Event]) -> Table:
    """Move a full trick to its winner; its effects come next; then everybody draws, unless the deal is over.

    ``t`` is the table before the last of the ``cards``, ``hands`` are those after it.
    """
    leader, stock = t.leader, t.stock
    size, _, orders, best, draws_at_once, drawings = g.play_tables
    winner = (orders[leader] if size else order_from(g, t, leader))[best(g, t, cards)]
    trick: Trick = new_record(Trick, (leader, cards, winner))
    events.append(new_record(Event, ("trick_taken", winner, cards, "", None, None, (), EVERYBODY, EVERYBODY, 0)))
    if stock and draws_at_once:
        stock = deal_round(orders[winner], stock, t.turn_up is not None, hands, drawings, events)
    t = t.with_cards(tuple(hands), stock, winner, (), (*t.tricks, trick))
    if draws_at_once:
        return t if any(hands) else g.next_phase(t, events)
    for after in g.all_trick_effects:
        t = after.apply(g, t, trick, events)
        if after.ends_deal(g, t):
            return g.next_phase(t, events)
    if stock:
        t = g.drawing(g, t, events)
    return t if any(t.hands) else g.next_phase(t, events)


def trick_order(g: Rules, t: Table) -> tuple[Seat, ...]:
    """Return the seats in the order in which they play to the present trick."""
    return order_from(g, t, t.leader)


def order_from(g: Rules, t: Table, first: Seat) -> tuple[Seat, ...]:
    """Return the seats of this deal in order of play, from ``first`` on."""
    if g.everybody_plays:
        return g.rotations[first]
    participants = g.dealt_in_seats(g, t)
    at = participants.index(first)
    return participants[at:] + participants[:at]


def draw_cards(g: Rules, t: Table, events: list[Event]) -> Table:
    """Draw one card of the stock for every seat, the leader first, the others in order of play."""
    hands = list(t.hands)
    order = order_from(g, t, t.leader)
    stock = deal_round(order, t.stock, t.turn_up is not None, hands, g.draw_events, events)
    return t.with_cards(tuple(hands), stock, t.leader, t.trick, t.tricks)


def deal_round(
    order: tuple[Seat, ...],
    stock: Hand,
    has_turn_up: bool,
    hands: list[Hand],
    drawings: tuple[dict[Card, Event], ...],
    events: list[Event],
) -> Hand:
    """Add a card of the stock, which is not empty, to the hand of each seat in ``order``; return the rest of the stock.

    The turn-up, its last card, is drawn openly. Changes ``hands`` and ``events`` in place.
    """
    for seat, card in zip(order, stock, strict=False):
        hands[seat] += (card,)
        events.append(drawings[seat][card])
    if has_turn_up and len(stock) <= len(order):  # the last card of the stock is the turn-up
        events[-1] = public_event("card_drawn", seat, (card,))
    return stock[len(order) :]


def no_drawing(g: Rules, t: Table, events: list[Event]) -> Table:
    """Return ``t``: nobody draws, and what was not dealt stays out of play."""
    return t


@dataclass(frozen=True)
class Play(Phase):
    """The phase in which tricks are played; ``side_actions`` may be taken beside them."""

    side_actions: tuple[Action, ...] = ()
    name: str = "play"
    play_action: Action = PlayCard()

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """Playing a card, then the side actions."""
        return (self.play_action, *self.side_actions)

    def card_actions(self, trick: Hand) -> tuple[Action, ...]:
        """Return the action that plays a card."""
        return (self.play_action,)

    def turn(self, g: Rules, t: Table) -> Seat:
        """Return the seat that plays next."""
        if g.everybody_plays:
            return (t.leader + len(t.trick)) % g.seats
        participants = g.dealt_in_seats(g, t)
        return participants[(participants.index(t.leader) + len(t.trick)) % len(participants)]
