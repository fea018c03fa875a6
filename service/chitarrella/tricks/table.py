"""The position of every trick-taking game: `Table`, which parts read and moves replace."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import Any, NamedTuple, cast

from chitarrella.core.cards import Card, Hand, Pack
from chitarrella.core.model import Seat, new_record
from chitarrella.core.notation import PositionCodec

LOT_PHASE = "await_dealer"  # the name of the phase in which the first dealer is drawn by lot


class Trick(NamedTuple):
    """A trick that was taken: who led, the cards in order of play, and who took it."""

    leader: Seat
    cards: Hand
    winner: Seat


class Signal(NamedTuple):
    """A rank of trumps that a seat has signalled to its partner."""

    seat: Seat
    rank: str


class TurnUpExchange(NamedTuple):
    """An exchange of the turn-up: the seat that took it, and the card that it took."""

    seat: Seat
    card: Card


class MatchState(NamedTuple):
    """What goes on from deal to deal: number of the deal, dealer, deals won by side, chips by seat.

    ``totals`` is whatever a game adds up over its deals, by seat or by side. ``draws`` is the number of deals that
    nobody won.
    """

    deal: int = 0
    dealer: Seat = 0
    wins: tuple[int, ...] = ()
    chips: tuple[int, ...] = ()
    totals: tuple[int, ...] = ()
    draws: int = 0


class NoRecord(NamedTuple):
    """The record of a game that has nothing of its own to record."""

    def __getattr__(self, name: str) -> Any:
        """Raise `AttributeError`: a part reads a record that the rules do not have."""
        raise AttributeError(f"a part of the rules records {name}: Rules(own=...) has to be a record with it")


class Table(NamedTuple):
    """The position. What a game does not use stays empty; between two deals the last one is still visible.

    ``trick`` has the cards of the present trick, in order of play; each of ``tricks``, those before it, has ``leader``,
    ``cards`` and ``winner``. ``own`` is the game's own record; its type is `Rules.own`.
    """

    phase: str
    match_state: MatchState
    hands: tuple[Hand, ...] = ()
    stock: Hand = ()
    turn_up: Card | None = None
    trump: str = ""
    leader: Seat = 0
    trick: Hand = ()
    tricks: tuple[Trick, ...] = ()
    signals: tuple[Signal, ...] = ()
    shown: tuple[Seat, ...] = ()
    exchanged: tuple[TurnUpExchange, ...] = ()
    own: Any = NoRecord()

    # Written out for speed: they are called for every card that is played or drawn. A test holds the order of fields.

    def with_phase(self, phase: str) -> Table:
        """Return the table in another phase."""
        return new_record(Table, (phase, *self[1:]))

    def with_play(self, hands: tuple[Hand, ...], trick: Hand) -> Table:
        """Return the table after a card has left a hand for the trick."""
        phase, match_state, _, stock, turn_up, trump, leader, _, tricks, signals, shown, exchanged, own = self
        return new_record(
            Table,
            (phase, match_state, hands, stock, turn_up, trump, leader, trick, tricks, signals, shown, exchanged, own),
        )

    def with_cards(
        self, hands: tuple[Hand, ...], stock: Hand, leader: Seat, trick: Hand, tricks: tuple[Trick, ...]
    ) -> Table:
        """Return the table after cards were dealt, drawn or taken; ``leader`` leads next."""
        phase, match_state, _, _, turn_up, trump, _, _, _, signals, shown, exchanged, own = self
        return new_record(
            Table,
            (phase, match_state, hands, stock, turn_up, trump, leader, trick, tricks, signals, shown, exchanged, own),
        )


@lru_cache
def codec_for(pack: Pack, own: Hashable) -> PositionCodec[Table]:
    """Return the codec of tables with the cards of ``pack`` and such own records; many rule sets share one."""
    return PositionCodec(Table, pack, own=cast(type[Any], own))
