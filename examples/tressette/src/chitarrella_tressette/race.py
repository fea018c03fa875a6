"""How deals make a match: points of cards, of the last trick and of declarations, until a side has the target."""

from __future__ import annotations

from dataclasses import dataclass

from chitarrella.core.model import EVERYBODY, Event, Fact, Seat, public_event
from chitarrella.tricks.parts import MAX_COUNT, Fault, MatchFormat, end_match, next_deal
from chitarrella.tricks.rules import Rules
from chitarrella.tricks.scoring import report_counts
from chitarrella.tricks.table import Table
from chitarrella_tressette.declarations import points_of

THIRDS = 3
"""So many thirds are a point; what is left over is lost."""


@dataclass(frozen=True)
class RaceOfSides(MatchFormat):
    """The first side to reach ``target`` after a deal, with more points than the other, wins."""

    target: int = 21
    end_phase: str = "match_over"

    def total_count(self, g: Rules) -> int:
        """Return the number of sides."""
        return len(set(g.sides))

    def close_deal(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Enter the deal; wait for the next one or end the match."""
        counted = g.deal_scoring.by_side(g, t)
        report_counts(g, counted, events)
        won = [side[0] // THIRDS for side in counted]
        won[g.sides[t.tricks[-1].winner]] += 1
        for seat, cards in t.own.declared:
            won[g.sides[seat]] += points_of(cards)
        events.append(
            public_event("deal_scored", shares=tuple((str(seat), won[side]) for seat, side in enumerate(g.sides)))
        )
        totals = tuple(total + points for total, points in zip(t.match_state.totals, won, strict=True))
        match_state = t.match_state._replace(totals=totals)
        return (end_match if self._is_decided(totals) else next_deal)(g, t, match_state, events)

    def _is_decided(self, totals: tuple[int, ...]) -> bool:
        return max(totals) >= self.target and totals[0] != totals[1]

    def fault(self, g: Rules, t: Table) -> Fault | None:
        """Return why the totals are impossible."""
        totals = t.match_state.totals
        if not 0 <= min(totals) <= max(totals) <= MAX_COUNT or self._is_decided(totals) != (t.phase == self.end_phase):
            return "totals", f"the match is over exactly when a side leads with {self.target}"
        return None

    def scores(self, g: Rules, t: Table) -> tuple[int, ...]:
        """Return the total of each seat's side."""
        return tuple(t.match_state.totals[side] for side in g.sides)

    def winners(self, g: Rules, t: Table) -> frozenset[Seat]:
        """Return the seats of the side that leads."""
        totals = t.match_state.totals
        return frozenset(g.seating.seats_of(totals.index(max(totals))))

    def facts(self, g: Rules, t: Table) -> tuple[Fact, ...]:
        """Return the totals."""
        return tuple(Fact("total", t.match_state.totals[side], seat, EVERYBODY) for seat, side in enumerate(g.sides))
