"""The seats at a table: sides, partners, and dummies whose cards a partner plays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from chitarrella.core.model import Seat
from chitarrella.core.visibility import EVERYBODY, Visibility


@dataclass(frozen=True, kw_only=True)
class Seating:
    """The seats at a table.

    ``sides`` is the side of every seat. ``controllers`` is the seat whose person moves the cards of a seat: its own,
    but for a dummy its partner's.
    """

    sides: tuple[int, ...] = (0, 1)
    controllers: tuple[Seat, ...] = (0, 1)

    @cached_property
    def seats(self) -> int:
        """The number of places at the table, dummies included."""
        return len(self.sides)

    @cached_property
    def everybody(self) -> tuple[Seat, ...]:
        """Every seat, in order of play."""
        return tuple(range(self.seats))

    @property
    def has_dummies(self) -> bool:
        """Whether the cards of some seat are moved by the person of another one."""
        return self.controllers != self.everybody

    @cached_property
    def rotations(self) -> tuple[tuple[Seat, ...], ...]:
        """Every seat in order of play, beginning with each of them."""
        return tuple(self.everybody[first:] + self.everybody[:first] for first in self.everybody)

    @cached_property
    def seat_set(self) -> frozenset[Seat]:
        """All seats as a set, for quick membership tests."""
        return frozenset(self.everybody)

    def controller(self, seat: Seat) -> Seat:
        """Return the seat whose person moves the cards of ``seat``."""
        return self.controllers[seat]

    def partner(self, seat: Seat) -> Seat | None:
        """Return the other person of the same side, None where there is none."""
        return self._partner[seat]

    def partners(self, seat: Seat) -> frozenset[Seat]:
        """Return ``seat`` and its partner."""
        return frozenset({seat, seat if (partner := self.partner(seat)) is None else partner})

    def watchers(self, seat: Seat) -> Visibility:
        """Return who sees the hand of ``seat``: its person, but everybody where it is a dummy's."""
        return self._watchers[seat]

    def seats_of(self, side: int) -> tuple[Seat, ...]:
        """Return the seats of a side."""
        return tuple(seat for seat in range(self.seats) if self.sides[seat] == side)

    @cached_property
    def _partner(self) -> tuple[Seat | None, ...]:
        persons = [seat for seat in range(self.seats) if self.controllers[seat] == seat]
        others = ([p for p in persons if p != seat and self.sides[p] == side] for seat, side in enumerate(self.sides))
        return tuple(other[0] if other else None for other in others)

    @cached_property
    def _watchers(self) -> tuple[Visibility, ...]:
        return tuple(frozenset({s}) if self.controllers[s] == s else EVERYBODY for s in range(self.seats))

    @cached_property
    def hands_of(self) -> dict[Seat, tuple[Seat, ...]]:
        """The seats whose cards a person moves, by the seat where the person sits."""
        return {
            actor: tuple(s for s in range(self.seats) if self.controllers[s] == actor) for actor in range(self.seats)
        }


def everybody(g: Seating, t: object) -> tuple[Seat, ...]:
    """Return every seat: all take part in the deal."""
    return g.everybody
