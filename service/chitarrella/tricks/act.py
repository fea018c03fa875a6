"""The two protocols a trick-taking game is made of: acts, which seats do, and phases, in which they do them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from chitarrella.tricks.table import Table
from chitarrella.words import Event, Form, Move, Reason, Refusal, Seat

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame


class Act(Protocol):
    """One kind of move."""

    @property
    def form(self) -> Form:
        """Say what the move looks like; its phases are filled in by the game."""

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Name every reason for which this act may be refused, beyond phase and turn."""

    def offers(self, g: TrickGame, t: Table, seat: Seat) -> Iterable[Move]:
        """Offer what ``seat`` could physically do, at its turn or, where the form is free, at any time."""

    def possession(self, g: TrickGame, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Say whether ``seat`` lacks what ``move`` names."""

    def objections(self, g: TrickGame, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """List every clause ``move`` breaks, possession first."""

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Give the table after ``move``."""


class Phase(Protocol):
    """One stretch of a deal; phases follow each other in the order in which the game lists them."""

    @property
    def name(self) -> str:
        """Name the stretch, as the specification does."""

    @property
    def acts(self) -> tuple[Act, ...]:
        """List what may be done in it."""

    def enter(self, g: TrickGame, t: Table, tell: list[Event]) -> Table:
        """Open the stretch."""

    def turn(self, g: TrickGame, t: Table) -> Seat:
        """Name the seat the table waits for."""
