"""What can be concluded about face-down cards from the cards that were played and drawn in the open.

It follows from the tricks on the table alone, never from a hand.
"""

from __future__ import annotations

from collections.abc import Iterator

from chitarrella.core.cards import Card
from chitarrella.core.model import Inference, Seat
from chitarrella.tricks.base import Rules
from chitarrella.tricks.table import Table


def play_inferences(g: Rules, t: Table) -> Iterator[Inference]:
    """Return the cards that each hand cannot hold, as a card that it played would have broken a duty beside them."""
    if not g.following.reasons and not g.leading.reasons:
        return
    every = frozenset(g.pack.faces.values())
    for seat, hand in enumerate(t.hands):
        if hand and (lacking := excluded_cards(g, t, seat, every)):
            yield Inference(("hand",), seat, every - lacking)


def excluded_cards(g: Rules, t: Table, seat: Seat, every: frozenset[Card]) -> frozenset[Card]:
    """Return the cards that a seat cannot have held when it played; what it has drawn since is unknown."""
    participants = g.dealt_in_seats(g, t)
    held, lacking = len(t.hands[seat]), frozenset[Card]()
    for number in range(len(t.tricks), -1, -1):
        leader, cards = t.tricks[number][:2] if number < len(t.tricks) else (t.leader, t.trick)
        place = (participants.index(seat) - participants.index(leader)) % len(participants)
        if place >= len(cards):
            continue
        held += 1
        if held > g.dealing.start.size:
            break
        card = cards[place]
        before = t._replace(tricks=t.tricks[:number], leader=leader, trick=cards[:place])
        lacking |= {other for other in every - lacking if g.duty_refusals(before, (card, other), card)}
    return lacking


def draw_inferences(g: Rules, t: Table) -> Iterator[Inference]:
    """Return who drew the turn-up, which was the last card of the stock."""
    turn = g.turn(t)
    if t.turn_up is None or t.stock or turn is None or turn not in g.seat_set:
        return
    participants = g.dealt_in_seats(g, t)
    played = [len(trick.cards) // len(participants) for trick in t.tricks]  # by each
    drawn = len(t.hands[turn]) + sum(played) - g.dealing.start.size  # by each, and with fewer the stock was not empty
    for trick, number in zip(t.tricks, played, strict=True):
        if 0 < drawn <= number:
            last = participants[participants.index(trick.winner) - 1]  # the winner draws first
            yield Inference(("hand",), last, frozenset({t.turn_up}), 1)
            return
        drawn -= number
