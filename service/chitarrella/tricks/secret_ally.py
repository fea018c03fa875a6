"""The soloist's secret ally: the seat that holds the called card, unknown to the others before that card is played.

A game's own record keeps the auction as ``talk`` and names the called card. Copies of a face are called together: the
ally is the seat that holds a copy beside the soloist's, and a soloist who holds them all is alone.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from chitarrella.core.cards import Card
from chitarrella.core.model import Seat
from chitarrella.tricks.base import Rules
from chitarrella.tricks.bidding import Bidding, soloist
from chitarrella.tricks.table import Table


class SecretAllyRecord(Protocol):
    """What a game with a secret ally records of its own."""

    talk: Bidding

    def called(self, g: Rules, t: Table) -> Card | None:
        """Return the called card, None while there is none."""


class Ally(NamedTuple):
    """The soloist's ally, the soloist where there is none, and whether the cards on the table show it."""

    seat: Seat
    known: bool


def ally(g: Rules, t: Table) -> Ally:
    """Find the ally: the called card reveals it when played, and a lone soloist when playing its last copy."""
    alone, called = soloist(t), t.own.called(g, t)
    played = seats_that_played(g, t, called)
    held = [seat for seat, hand in enumerate(t.hands) if called in hand]
    for known, seats in ((True, played), (False, held)):
        for seat in seats:
            if seat != alone:
                return Ally(seat, known)
    return Ally(alone, not held)


def seats_that_played(g: Rules, t: Table, face: Card | None) -> list[Seat]:
    """Return the seats that have played a card of ``face`` in this deal, in order of play."""
    tricks = [(leader, cards) for leader, cards, _ in t.tricks if face in cards] + [(t.leader, t.trick)]
    return [(leader + place) % g.seats for leader, cards in tricks for place, card in enumerate(cards) if card == face]
