"""Deals in which the winner of the last trick scores a bonus of 10 points."""

from __future__ import annotations

from chitarrella.core.model import Fact
from chitarrella.core.visibility import EVERYBODY
from chitarrella.tricks.base import Rules
from chitarrella.tricks.deal_state import is_deal_running
from chitarrella.tricks.table import Table

LAST_TRICK_BONUS = 10
"""The points of the last trick."""


def is_played_out(t: Table) -> bool:
    """Return whether the last trick of the deal has been played."""
    return not t.stock and not any(t.hands)


def deal_points(g: Rules, t: Table) -> tuple[int, ...]:
    """Return what each seat has won in this deal, the last trick's bonus included once it is won."""
    points = list(g.deal_scoring.points(g, t))
    if is_played_out(t):
        points[t.tricks[-1].winner] += LAST_TRICK_BONUS
    return tuple(points)


def points_facts(g: Rules, t: Table) -> tuple[Fact, ...]:
    """Return what each seat has won in the deal that is over, the last trick's bonus included; none before."""
    if not t.tricks or is_deal_running(g, t):
        return ()
    return tuple(Fact("points", points, seat, EVERYBODY) for seat, points in enumerate(deal_points(g, t)))


def points_by_side(g: Rules, t: Table) -> tuple[int, ...]:
    """Return what each side has won in this deal, the last trick's bonus included once it is won."""
    points = deal_points(g, t)
    return tuple(sum(points[seat] for seat in g.seats_of(side)) for side in (0, 1))
