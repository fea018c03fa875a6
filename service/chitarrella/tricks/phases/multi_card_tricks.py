"""Tricks of several cards a seat, for two seats: as many cards follow as were led, and every one must be beaten.

The cards of a move are in the order of the pack, so that one set of cards is one move.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from chitarrella.core.cards import Hand, put
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
from chitarrella.tricks.base import Action, Phase, Rules
from chitarrella.tricks.table import Table, Trick

WRONG_CARD_COUNT = Reason("wrong_card_count", "{amount} cards were led, and as many must follow.")
HAND_SIZE = 6
"""The number of cards in a hand while there is a stock."""


def remove_cards(hands: tuple[Hand, ...], seat: Seat, cards: Hand) -> tuple[Hand, ...]:
    """Return the hands without ``cards`` in that of ``seat``."""
    hand = list(hands[seat])
    for card in cards:
        hand.remove(card)
    return put(hands, seat, tuple(hand))


def trick_winner(g: Rules, t: Table, leader: Seat, cards: Hand) -> Seat:
    """Return the seat that takes a trick of two seats."""
    return 1 - leader if g.taking.best(g, t, cards) else leader


@dataclass(frozen=True)
class FollowCards(Action):
    """As many cards follow as were led; the trick is taken, and both draw."""

    spec = MoveSpec("follow_cards", "Play as many cards as were led.", frozenset(), (0, 52))
    reasons = (NOT_IN_HAND, WRONG_CARD_COUNT)

    def offers(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        """Return one move for each set of so many cards."""
        sets = combinations(g.pack.in_order(t.hands[seat]), len(t.trick) or 1)
        return [new_record(Move, ("follow_cards", cards, "", None, None, ())) for cards in sets]

    def legal_moves(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        """Return all offers: each is a set of held cards, and as many as were led."""
        return self.offers(g, t, seat) if t.trick else ()

    def conditions(self, g: Rules, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse cards not held, and another number of cards."""
        lacking = self.possession(g, t, seat, move)
        if len(move.cards) != len(t.trick):
            return (*lacking, g.refuse(WRONG_CARD_COUNT, offending_cards=move.cards, amount=len(t.trick)))
        return lacking

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Play the cards, let the winner take the trick, and draw."""
        events.append(public_event("cards_followed", seat, move.cards))
        cards = t.trick + move.cards
        winner = trick_winner(g, t, t.leader, cards)
        trick = Trick(t.leader, cards, winner)
        events.append(public_event("trick_taken", winner, trick.cards))
        hands = remove_cards(t.hands, seat, move.cards)
        t = t.with_cards(hands, t.stock, winner, (), (*t.tricks, trick))
        if any(after.ends_deal(g, t) for after in g.all_trick_effects):
            return g.next_phase(t, events)
        t = refill_hands(g, t, events)
        return g.phases[0].enter(g, t, events) if any(t.hands) else g.next_phase(t, events)


def refill_hands(g: Rules, t: Table, events: list[Event]) -> Table:
    """Draw one card for each seat in turn, the winner first, until both have six or the stock is empty."""
    hands, drawings, seat, drawn = list(t.hands), g.draw_events, t.leader, 0
    for card in t.stock:
        if len(hands[seat]) >= HAND_SIZE:
            break
        hands[seat] += (card,)
        events.append(drawings[seat][card])
        drawn += 1
        seat = 1 - seat
    if 0 < drawn == len(t.stock):  # the last card of the stock is the turn-up
        events[-1] = public_event("card_drawn", 1 - seat, t.stock[-1:])
    return t.with_cards(tuple(hands), t.stock[drawn:], t.leader, t.trick, t.tricks)


@dataclass(frozen=True)
class Lead(Phase):
    """The phase in which the winner of the last trick leads; ``lead_action`` is the move."""

    lead_action: Action
    name: str = "lead"

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """Leading."""
        return (self.lead_action,)

    def card_actions(self, trick: Hand) -> tuple[Action, ...]:
        """Return the action that leads."""
        return () if trick else self.actions

    def turn(self, g: Rules, t: Table) -> Seat:
        """Return the leader."""
        return t.leader


@dataclass(frozen=True)
class Follow(Phase):
    """The phase in which the other seat follows."""

    name: str = "follow"
    actions = (FollowCards(),)

    def card_actions(self, trick: Hand) -> tuple[Action, ...]:
        """Return the action that follows."""
        return self.actions if trick else ()

    def turn(self, g: Rules, t: Table) -> Seat:
        """Return the follower."""
        return 1 - t.leader
