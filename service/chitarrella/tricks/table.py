"""The table of every trick-taking game: the position that parts read and moves replace."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

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


class Standing(NamedTuple):
    """What goes on from deal to deal: the number of the deal, who deals, deals won by each side, chips by seat."""

    deal: int = 0
    dealer: Seat = 0
    wins: tuple[int, ...] = ()
    chips: tuple[int, ...] = ()


class Table(NamedTuple):
    """The position. What a game does not use stays empty; between two deals the last one still lies open."""

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


@lru_cache
def sheet_of(pack: Pack) -> Sheet[Table]:
    """Give the notation for tables with the cards of ``pack``; all games with these cards share it."""
    return Sheet(Table, pack)
