"""The members of a trick-taking game that concern its table alone, whatever parts the game is made of."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

from chitarrella.core.cards import Card, Hand
from chitarrella.core.model import Event, Refusal, Seat
from chitarrella.core.rulebook import RuleBook
from chitarrella.tricks.card_tables import CardTables
from chitarrella.tricks.table import Table


@dataclass(frozen=True, kw_only=True)
class TableRules(RuleBook, CardTables, ABC):
    """What a game answers about a table: how far its match has come, and what its cards are worth."""

    @property
    @abstractmethod
    def deal_phases(self) -> frozenset[str]:
        """The names of the phases in which a deal is being played."""

    @property
    @abstractmethod
    def recorded_fields(self) -> frozenset[str]:
        """The fields of `Table` in which an action of this game is recorded."""

    @property
    @abstractmethod
    def row_lengths(self) -> Mapping[str, int]:
        """The length of each row of numbers in `MatchState`, by field."""

    @abstractmethod
    def turn(self, p: Table) -> Seat | None:
        """Return the seat to move, `CHANCE` for a pack or a lot, None when the match is finished."""

    @abstractmethod
    def is_finished(self, p: Table) -> bool:
        """Return whether the match is finished."""

    @abstractmethod
    def next_phase(self, t: Table, events: list[Event]) -> Table:
        """Enter the phase after that of ``t``; after the last one close the deal."""

    @abstractmethod
    def duty_refusals(self, p: Table, hand: Hand, card: Card) -> tuple[Refusal, ...]:
        """Return the refusals of ``card`` of ``hand`` by ``leading`` or ``following``, whichever applies."""

    @abstractmethod
    def card_points(self, p: Table, place: int) -> tuple[int, ...]:
        """Return what each seat has taken in this deal, by the count at index ``place`` of the order."""
