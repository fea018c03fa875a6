"""The phase after the last deal of a match."""

from __future__ import annotations

from dataclasses import dataclass

from chitarrella.tricks.base import Phase, Rules
from chitarrella.tricks.table import Table


@dataclass(frozen=True)
class MatchOver(Phase):
    """The end of the match: no move is accepted any more."""

    name: str

    def turn(self, g: Rules, t: Table) -> None:
        """Return None: nobody is to move."""
        return
