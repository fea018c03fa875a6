"""Impossible tricks: taken by a card that another beats, or led by a seat that had not taken the one before."""

from __future__ import annotations

from chitarrella.core.model import Seat
from chitarrella.tricks.base import Fault, Rules
from chitarrella.tricks.phases.dealing import deal_order
from chitarrella.tricks.table import Table


def tricks_fault(g: Rules, t: Table, participants: tuple[Seat, ...]) -> Fault | None:
    """Check who led and who took every trick of a deal in which the seats of ``participants`` took part."""
    size, places = len(participants), {seat: place for place, seat in enumerate(participants)}
    for leader, cards, winner in t.tricks:
        if len(cards) != size or leader not in places:
            return "tricks", f"tricks of this deal have {size} cards, and only seats that take part lead"
        if participants[(places[leader] + g.taking.best(g, t, cards)) % size] != winner:
            return "tricks", "the best card takes a trick"
    return lead_fault(g, t)


def lead_fault(g: Rules, t: Table) -> Fault | None:
    """Check that the seat that takes a trick leads to the next, and that the right seat led to the first."""
    last: Seat | None = None
    for leader, _, winner in t.tricks:
        if last not in (None, leader):
            return "tricks", "who takes a trick leads to the next"
        last = winner
    if t.phase not in g.deal_phases:  # the deal has passed on
        return None
    if last not in (None, t.leader):
        return "leader", "who takes a trick leads to the next"
    first = t.tricks[0].leader if t.tricks else t.leader
    if first != first_leader_seat(g, t):
        return "tricks" if t.tricks else "leader", "another seat leads to the first trick"
    return None


def first_leader_seat(g: Rules, t: Table) -> Seat:
    """Return the seat that leads to the first trick: eldest, unless a phase decides it (`Phase.first_lead`)."""
    settled = [seat for phase in g.phases if (seat := phase.first_lead(g, t)) is not None]
    return settled[0] if settled else deal_order(g, t)[0]


def ends_early(g: Rules, t: Table) -> bool:
    """Return whether the deal is over with its last trick, whatever is still in the hands."""
    return bool(t.tricks) and not t.trick and any(after.ends_deal(g, t) for after in g.all_trick_effects)
