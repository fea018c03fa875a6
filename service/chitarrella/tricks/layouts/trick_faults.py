"""Impossible tricks: taken by a card that another beats, or led by a seat that had not taken the one before."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from functools import lru_cache

from chitarrella.core.cards import Card
from chitarrella.core.model import Seat
from chitarrella.tricks.base import Fault, Rules
from chitarrella.tricks.table import Table, Trick

MAX_KNOWN_DEALS, MAX_KNOWN_TRICKS = 1024, 256
"""How many sets of `known_tricks` are cached, and how many tricks one of them holds."""


def tricks_fault(g: Rules, t: Table, participants: tuple[Seat, ...]) -> Fault | None:
    """Check who led and who took every trick of a deal in which the seats of ``participants`` took part."""
    tricks = t.tricks
    if tricks:
        known = known_tricks(g.identity, participants, t.trump, t.turn_up if g.taking.has_trump_card else None)
        if not known.issuperset(tricks):
            unknown = [trick for trick in tricks if trick not in known]
            if fault := taking_fault(g, t, participants, unknown):
                return fault
            remember_tricks(known, unknown)
    return lead_fault(g, t)


@lru_cache(MAX_KNOWN_DEALS)
def known_tricks(game: object, participants: tuple[Seat, ...], trump: str, trump_card: Card | None) -> set[Trick]:
    """Return the set of the tricks that were found possible lately among these seats and with these trumps.

    Nothing else decides who takes a trick. Nearly all tricks of a position were in the one before.
    """
    return set()


def remember_tricks(known: set[Trick], possible: Iterable[Trick]) -> None:
    """Add tricks that were found possible to a set of `known_tricks`."""
    if len(known) > MAX_KNOWN_TRICKS:
        known.clear()
    known.update(possible)


def taking_fault(g: Rules, t: Table, participants: tuple[Seat, ...], tricks: Iterable[Trick]) -> Fault | None:
    """Check the size of each of ``tricks``, and that its best card took it."""
    size, places = len(participants), {seat: place for place, seat in enumerate(participants)}
    for leader, cards, winner in tricks:
        if len(cards) != size or leader not in places:
            return "tricks", f"tricks of this deal have {size} cards, and only seats that take part lead"
        if participants[(places[leader] + g.taking.best(g, t, cards)) % size] != winner:
            return "tricks", "the best card takes a trick"
    return None


def lead_fault(g: Rules, t: Table) -> Fault | None:
    """Check that the seat that takes a trick leads to the next, and that the right seat led to the first."""
    tricks, leads = t.tricks, t.leader
    first = last = tricks[0][0] if tricks else leads
    for leader, _, winner in tricks:
        if leader != last:
            return "tricks", "who takes a trick leads to the next"
        last = winner
    if t.phase not in g.deal_phases:  # the deal has passed on
        return None
    if last != leads:
        return "leader", "who takes a trick leads to the next"
    if first != first_leader_seat(g, t):
        return "tricks" if tricks else "leader", "another seat leads to the first trick"
    return None


def first_leader_seat(g: Rules, t: Table) -> Seat:
    """Return the seat that leads to the first trick: eldest, unless a phase decides it (`Phase.first_lead`)."""
    for phase in g.first_lead_phases:
        seat: Seat | None = phase.first_lead(g, t)
        if seat is not None:
            return seat
    participants = g.dealt_in_seats(g, t)
    return participants[bisect_right(participants, t.match_state.dealer) % len(participants)]


def ends_early(g: Rules, t: Table) -> bool:
    """Return whether the deal is over with its last trick, whatever is still in the hands."""
    return bool(t.tricks) and not t.trick and any(after.ends_deal(g, t) for after in g.all_trick_effects)
