"""How far a deal has come."""

from __future__ import annotations

from chitarrella.tricks.base import Rules
from chitarrella.tricks.table import Table


def is_deal_running(g: Rules, t: Table) -> bool:
    """Return whether a deal is being played."""
    return t.phase in g.deal_phases
