"""What tricks no deal can have left: taken by a card that another beats, or led by who had not taken the one before."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from chitarrella.tricks.dealing import after_dealer
from chitarrella.tricks.table import Table
from chitarrella.words import Seat

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame

Fault: TypeAlias = tuple[str, str]
"""A field, and what is impossible about it."""


def tricks_fault(g: TrickGame, t: Table, sitting: tuple[Seat, ...]) -> Fault | None:
    """Check who led and who took every trick of a deal in which the seats of ``sitting`` took part."""
    size, places = len(sitting), {seat: place for place, seat in enumerate(sitting)}
    for leader, cards, winner in t.tricks:
        if len(cards) != size or leader not in places:
            return "tricks", f"tricks of this deal have {size} cards, and only seats that take part lead"
        if sitting[(places[leader] + g.taking.best(g, t, cards)) % size] != winner:
            return "tricks", "the best card takes a trick"
    return lead_fault(g, t)


def lead_fault(g: TrickGame, t: Table) -> Fault | None:
    """Check that whoever takes a trick leads to the next, and that the right seat led to the first."""
    last: Seat | None = None
    for leader, _, winner in t.tricks:
        if last not in (None, leader):
            return "tricks", "who takes a trick leads to the next"
        last = winner
    if t.phase not in g.running:  # the deal has passed on
        return None
    if last not in (None, t.leader):
        return "leader", "who takes a trick leads to the next"
    first = t.tricks[0].leader if t.tricks else t.leader
    if first != first_to_lead(g, t):
        return "tricks" if t.tricks else "leader", "another seat leads to the first trick"
    return None


def first_to_lead(g: TrickGame, t: Table) -> Seat:
    """Name the seat that leads to the first trick: eldest, unless a phase before has settled it otherwise."""
    settled = [seat for phase in g.phases if (seat := phase.first_lead(g, t)) is not None]
    return settled[0] if settled else after_dealer(g, t)[0]


def broken_off(g: TrickGame, t: Table) -> bool:
    """Tell whether the deal is over with its last trick so far, whatever is still in the hands."""
    return bool(t.tricks) and not t.trick and any(after.ends(g, t) for after in g.after_tricks)
