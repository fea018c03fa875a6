"""The table of every trick-taking game: the position that parts read and moves replace."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import Any, NamedTuple, cast

from chitarrella.cards import Card, Hand, Pack
from chitarrella.sheet import Sheet
from chitarrella.words import Seat


class Trick(NamedTuple):
    """A trick that was taken: who led, the cards in order of play, and who took it."""

    leader: Seat
    cards: Hand
    winner: Seat


class Signal(NamedTuple):
    """A rank of trumps that a seat has told its partner of."""

    seat: Seat
    rank: str


class Exchange(NamedTuple):
    """A seat that took the card turned up, for a lower one, and the card that it took."""

    seat: Seat
    card: Card


class Standing(NamedTuple):
    """What goes on from deal to deal: the number of the deal, who deals, deals won by each side, chips by seat.

    ``totals`` are whatever a game adds up over its deals, by seat or by side; ``draws`` counts deals that nobody won.
    """

    deal: int = 0
    dealer: Seat = 0
    wins: tuple[int, ...] = ()
    chips: tuple[int, ...] = ()
    totals: tuple[int, ...] = ()
    draws: int = 0


class Nothing(NamedTuple):
    """The record of a game that has nothing of its own to remember."""


class Table(NamedTuple):
    """The position. What a game does not use stays empty; between two deals the last one still lies open.

    ``own`` is the record of what only this game knows of; its kind is `TrickGame.own`.
    """

    phase: str
    standing: Standing
    hands: tuple[Hand, ...] = ()
    stock: Hand = ()
    turn_up: Card | None = None
    trump: str = ""
    leader: Seat = 0
    trick: Hand = ()
    tricks: tuple[Trick, ...] = ()
    signals: tuple[Signal, ...] = ()
    shown: tuple[Seat, ...] = ()
    exchanged: tuple[Exchange, ...] = ()
    own: Any = Nothing()

    def moved(
        self, hands: tuple[Hand, ...], stock: Hand, leader: Seat, trick: Hand, tricks: tuple[Trick, ...]
    ) -> Table:
        """Give the table after cards have moved in play; written out, for it happens with every card that is played."""
        s = self
        return Table(
            s.phase,
            s.standing,
            hands,
            stock,
            s.turn_up,
            s.trump,
            leader,
            trick,
            tricks,
            s.signals,
            s.shown,
            s.exchanged,
            s.own,
        )


@lru_cache
def sheet_of(pack: Pack, own: Hashable) -> Sheet[Table]:
    """Give the notation of tables with the cards of ``pack`` and such records; many agreements share one."""
    return Sheet(Table, pack, own=cast(type[Any], own))
