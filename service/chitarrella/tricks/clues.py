"""Clues: what everybody can tell of cards that lie face down, from the cards that were played and drawn in the open.

They follow from the tricks on the table alone, never from a hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from chitarrella.cards import Card
from chitarrella.tricks.table import Table
from chitarrella.words import Clue, Seat

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame


def play_clues(g: TrickGame, t: Table) -> Iterator[Clue]:
    """Say which cards each hand cannot hold, as a card that it played would have broken a duty beside them."""
    if not g.following.reasons and not g.leading.reasons:
        return
    every = frozenset(g.pack.faces.values())
    for seat, hand in enumerate(t.hands):
        if hand and (lacking := lacked(g, t, seat, every)):
            yield Clue(("hand",), seat, every - lacking)


def lacked(g: TrickGame, t: Table, seat: Seat, every: frozenset[Card]) -> frozenset[Card]:
    """Find the cards that a seat cannot have held when it played; what it has drawn since cannot be told."""
    sitting = g.sitting(g, t)
    held, lacking = len(t.hands[seat]), frozenset[Card]()
    for done in range(len(t.tricks), -1, -1):
        leader, cards = t.tricks[done][:2] if done < len(t.tricks) else (t.leader, t.trick)
        place = (sitting.index(seat) - sitting.index(leader)) % len(sitting)
        if place >= len(cards):
            continue
        held += 1
        if held > g.dealing.start.size:
            break
        card = cards[place]
        before = t._replace(tricks=t.tricks[:done], leader=leader, trick=cards[:place])
        lacking |= {other for other in every - lacking if g.duty(before, (card, other), card)}
    return lacking


def draw_clues(g: TrickGame, t: Table) -> Iterator[Clue]:
    """Say who drew the turn-up, which was the last card of the stock."""
    turn = g.turn(t)
    if t.turn_up is None or t.stock or turn is None or turn not in g.numbers:
        return
    sitting = g.sitting(g, t)
    played = [len(trick.cards) // len(sitting) for trick in t.tricks]  # by each
    drawn = len(t.hands[turn]) + sum(played) - g.dealing.start.size  # by each, and with fewer the stock was not empty
    for trick, number in zip(t.tricks, played, strict=True):
        if 0 < drawn <= number:
            last = sitting[sitting.index(trick.winner) - 1]  # the winner draws first
            yield Clue(("hand",), last, frozenset({t.turn_up}), 1)
            return
        drawn -= number
