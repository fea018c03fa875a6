"""The heuristic for trick-taking games: take a trick that is worth it as cheaply as possible, else play the least card.

If points are to be avoided it does the opposite. It looks no further than the present trick.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from chitarrella.core.cards import Card
from chitarrella.core.game import MoveValue
from chitarrella.core.model import Move, Seat
from chitarrella.tricks.parts import Rules
from chitarrella.tricks.play import trick_order
from chitarrella.tricks.table import Table

HELPFUL: Final = frozenset({"exchange_turn_up", "show_hand_to_partner"})  # moves that can only be of use
FREE_GAIN, CARD, OTHER = 2.0, 1.0, 0.0
"""The first number of a value: a move that costs nothing, a card that is played, any other move."""


def move_values(g: Rules, t: Table, seat: Seat, moves: Sequence[Move]) -> list[MoveValue]:
    """Return the value of each of ``moves``: its class, then what the trick brings, then the strength that is saved.

    Uses the hand of ``seat`` and what lies open on the table.
    """
    cards = [move.cards[0] for move in moves if move.verb == "play_card"]
    gains = iter(card_values(g, t, cards) if cards else ())
    return [
        next(gains) if move.verb == "play_card" else (FREE_GAIN if helps(t, seat, move) else OTHER,) for move in moves
    ]


def helps(t: Table, seat: Seat, move: Move) -> bool:
    """Return whether a move other than a card can only be of use. A signal is, if it is true."""
    if move.verb == "signal":
        hand = t.hands[seat] if move.seat is None else t.hands[move.seat]
        return any(card.rank == move.choice and card.suit == t.trump for card in hand)
    return move.verb in HELPFUL


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
    order, sides, best = trick_order(g, t), g.sides, g.taking.best
    own_side = sides[order[len(trick)]]
    points = sum([values[card] for card in trick])
    sign = -1 if g.deal_scoring.avoided else 1
    found: list[MoveValue] = []
    for card, thrift in zip(cards, saved, strict=True):
        taker = order[best(g, t, (*trick, card))]
        gain = (points + values[card]) * sign
        found.append((CARD, gain if sides[taker] == own_side else -gain, thrift * sign))
    return found
