"""Why the moves of one kind are refused: conditions, which always hold, and duties of the seat to move.

Every family of games derives its actions from `Legality`, so that one rule decides in all of them what a refusal out of
turn names.
"""

from __future__ import annotations

from typing import Generic, TypeVar, final

from chitarrella.core.model import Move, Refusal, Seat

G = TypeVar("G")
"""The interface of a game that the actions of a family use."""
P = TypeVar("P")
"""The position type of a family."""


class Legality(Generic[G, P]):
    """The refusals of one kind of move, beyond phase and turn: a clause belongs to `conditions` or to `duties`."""

    def conditions(self, g: G, p: P, seat: Seat, move: Move, /) -> tuple[Refusal, ...]:
        """Return the clauses that ``move`` of ``seat`` breaks whosever turn it is.

        They follow from the move, the cards of ``seat``, the options and the position, and never from a card that is
        hidden from ``seat``.
        """
        return ()

    def duties(self, g: G, p: P, seat: Seat, move: Move, /) -> tuple[Refusal, ...]:
        """Return the clauses that ``move`` breaks because ``seat`` is to move and must do something else.

        A duty that has no answer because a condition is broken is left out.
        """
        return ()

    @classmethod
    def refuses_nothing(cls) -> bool:
        """Return whether such a move is legal whenever it is in phase and turn: no clause was added to either."""
        return cls.conditions is Legality.conditions and cls.duties is Legality.duties

    @final
    def refusals(self, g: G, p: P, seat: Seat, move: Move, /) -> tuple[Refusal, ...]:
        """Return every clause that ``move`` breaks if ``seat`` is to move: conditions, then duties."""
        return self.conditions(g, p, seat, move) + self.duties(g, p, seat, move)
