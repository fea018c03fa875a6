"""The heuristic for trick-taking games: take a trick that is worth it as cheaply as possible, else play the least card.

If points are to be avoided it does the opposite. It looks no further than the present trick.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from chitarrella.core.cards import Card, Hand
from chitarrella.core.game import UNKNOWN, MoveValue
from chitarrella.core.model import Move, Seat
from chitarrella.tricks.parts import Rules
from chitarrella.tricks.play import order_from
from chitarrella.tricks.table import Table

HELPFUL: Final = frozenset({"declare", "exchange_turn_up", "show_hand_to_partner"})  # moves that can only be of use
INDIFFERENT: Final = frozenset({"cut_stock", "cut", "signal"})  # moves of which none is better, and false signals
SEVERAL: Final = frozenset({"lead_cards", "follow_cards"})  # moves that play several cards to a trick
FREE_GAIN, CARD, OTHER = 2.0, 1.0, 0.0
"""The first number of a value: a move that costs nothing, cards that are played, a move that brings nothing."""


def move_values(g: Rules, t: Table, seat: Seat, moves: Sequence[Move]) -> list[MoveValue]:
    """Return the value of each of ``moves``: its class, then what the trick brings, then the strength that is saved.

    Uses the hand of ``seat`` and what lies open on the table. Of a move that plays no card, and that this module does
    not name, the value is `UNKNOWN`.
    """
    cards = [move.cards[0] for move in moves if move.verb == "play_card"]
    gains = iter(card_values(g, t, cards) if cards else ())
    return [next(gains) if move.verb == "play_card" else value_of(g, t, seat, move) for move in moves]


def value_of(g: Rules, t: Table, seat: Seat, move: Move) -> MoveValue:
    """Return the value of a move that does not play a single card. A signal is of use if it is true."""
    if move.verb in SEVERAL:
        return set_value(g, t, move.cards)
    hand = t.hands[seat if move.seat is None else move.seat]
    if move.verb in HELPFUL or (
        move.verb == "signal" and any(card.rank == move.choice and card.suit == t.trump for card in hand)
    ):
        return (FREE_GAIN,)
    return (OTHER,) if move.verb in INDIFFERENT else UNKNOWN


def set_value(g: Rules, t: Table, cards: Hand) -> MoveValue:
    """Return the value of playing several cards at once: led, they are seldom all beaten, so points are led."""
    points = sum([g.cards.card_values[card] for card in (*t.trick, *cards)])
    thrift = -sum([g.cards.strength[card] + len(g.pack.ranks) * (g.cards.suit[card] == t.trump) for card in cards])
    takes = not t.trick or g.taking.best(g, t, (*t.trick, *cards)) > 0
    return (CARD, points if takes else -points, thrift)


def card_values(g: Rules, t: Table, cards: Sequence[Card]) -> list[MoveValue]:
    """Return the value of playing each of ``cards`` (at least one) to the present trick.

    Strength is dear, that of trumps most of all. If points are to be avoided it is a burden, best shed on a trick that
    the other side takes.
    """
    values, strength, suit, trump, trick = g.cards.card_values, g.cards.strength, g.cards.suit, t.trump, t.trick
    trump_strength = len(g.pack.ranks)
    saved = [-strength[card] - (trump_strength if suit[card] == trump else 0) for card in cards]
    if not trick:
        return [(CARD, -values[card], thrift) for card, thrift in zip(cards, saved, strict=True)]
    order, sides, best = order_from(g, t, t.leader), g.sides, g.taking.best
    own_side = sides[order[len(trick)]]
    points = sum([values[card] for card in trick])
    sign = -1 if g.avoids_points else 1
    found: list[MoveValue] = []
    for card, thrift in zip(cards, saved, strict=True):
        taker = order[best(g, t, (*trick, card))]
        gain = (points + values[card]) * sign
        found.append((CARD, gain if sides[taker] == own_side else -gain, thrift * sign))
    return found
