"""The doctor: a seat that has lost its last life buys some back, or drops out of the match."""

from __future__ import annotations

from dataclasses import dataclass

from chitarrella.core.model import Event, Move, MoveSpec, Seat, public_event
from chitarrella.tricks.base import Action, Phase, Rules
from chitarrella.tricks.match_formats.lives import DOCTOR, Lives, last_alive_match, seat_asked, seats_alive, with_lives
from chitarrella.tricks.table import Table


def increment(row: tuple[int, ...], seat: Seat) -> tuple[int, ...]:
    """Return ``row`` with one more for ``seat``."""
    return tuple([number + (place == seat) for place, number in enumerate(row)])


@dataclass(frozen=True)
class CallDoctor(Action):
    """The seat pays the fee, and gets as many lives as the seat alive with the fewest has."""

    spec = MoveSpec("call_doctor", "Pay the doctor for new lives.", frozenset())

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Pay, give the lives, and settle the next seat."""
        own: Lives = t.own
        received = min(own.lives[other] or 0 for other in seats_alive(own.lives))
        events.append(public_event("fee_paid", seat, amount=last_alive_match(g).fee))
        events.append(public_event("doctor_called", seat, amount=received))
        calls, total = increment(own.doctor_calls, seat), increment(own.doctor_calls_total, seat)
        t = t._replace(own=own._replace(doctor_calls=calls, doctor_calls_total=total))
        return last_alive_match(g).settle_dead_seats(g, with_lives(t, seat, received), events)


@dataclass(frozen=True)
class DropOut(Action):
    """The seat leaves the match without getting anything back."""

    spec = MoveSpec("drop_out", "Leave the match instead of calling the doctor.", frozenset(), timeout_default=True)

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Put the seat out, and settle the next one."""
        events.append(public_event("dropped_out", seat))
        return last_alive_match(g).settle_dead_seats(g, with_lives(t, seat, None), events)


@dataclass(frozen=True)
class Doctor(Phase):
    """The phase after a deal in which the seats without lives are asked one by one, the leader of the deal first."""

    name: str = DOCTOR

    @property
    def actions(self) -> tuple[Action, ...]:
        """Calling the doctor, or dropping out."""
        return (CallDoctor(), DropOut())

    def turn(self, g: Rules, t: Table) -> Seat:
        """Return the seat that is asked."""
        return seat_asked(g, t)
