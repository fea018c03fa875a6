"""The doctor: a seat that has lost its last life buys some back, or drops out of the match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chitarrella.tricks.act import Act, Phase
from chitarrella.tricks.lives import DOCTOR, Lives, alive, calling, last_alive, with_lives
from chitarrella.tricks.table import Table
from chitarrella.words import Event, Form, Move, Seat, public

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame


def one_more(row: tuple[int, ...], seat: Seat) -> tuple[int, ...]:
    """Count one more for ``seat``."""
    return tuple([number + (place == seat) for place, number in enumerate(row)])


@dataclass(frozen=True)
class CallDoctor(Act):
    """The seat pays the fee, and gets as many lives as the other seat has that is alive with the fewest."""

    form = Form("call_doctor", "Pay the doctor for new lives.", frozenset())

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Pay, revive, and see to the next seat."""
        own: Lives = t.own
        received = min(own.lives[other] or 0 for other in alive(own.lives))
        tell.append(public("fee_paid", seat, amount=last_alive(g).fee))
        tell.append(public("doctor_called", seat, amount=received))
        calls, total = one_more(own.doctor_calls, seat), one_more(own.doctor_calls_total, seat)
        t = t._replace(own=own._replace(doctor_calls=calls, doctor_calls_total=total))
        return last_alive(g).seen_to(g, with_lives(t, seat, received), tell)


@dataclass(frozen=True)
class DropOut(Act):
    """The seat leaves the match, without getting anything back."""

    form = Form("drop_out", "Leave the match instead of calling the doctor.", frozenset(), lapse=True)

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Leave, and see to the next seat."""
        tell.append(public("dropped_out", seat))
        return last_alive(g).seen_to(g, with_lives(t, seat, None), tell)


@dataclass(frozen=True)
class Doctor(Phase):
    """The phase after a deal in which the seats without lives are asked, one by one, the leader of the deal first."""

    name: str = DOCTOR

    @property
    def acts(self) -> tuple[Act, ...]:
        """Calling the doctor, or dropping out."""
        return (CallDoctor(), DropOut())

    def turn(self, g: TrickGame, t: Table) -> Seat:
        """Name the seat that is asked."""
        return calling(g, t)
