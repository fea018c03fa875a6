"""A match in which a deal counts more the more of the points its winner has taken."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from chitarrella.core.model import Event, Fact, Seat, public_event
from chitarrella.core.visibility import EVERYBODY
from chitarrella.tricks.base import Fault, Rules
from chitarrella.tricks.match_formats.match_format import MatchFormat, end_match, next_deal
from chitarrella.tricks.scoring.deal_scoring import count_deal
from chitarrella.tricks.table import MatchState, Table


class DoubledDeal(NamedTuple):
    """The own record of a tiered match: whether the next deal that somebody wins counts double."""

    doubled: bool = False


def carry_doubled(own: DoubledDeal) -> DoubledDeal:
    """Return ``own`` unchanged: the doubling goes on into the next deal."""
    return own


def alternate(g: Rules, t: Table, match_state: MatchState, side: int | None, events: list[Event]) -> Table:
    """Wait for the pack of the next dealer, whoever has won."""
    return next_deal(g, t, match_state, events)


def loser_deals(g: Rules, t: Table, match_state: MatchState, side: int | None, events: list[Event]) -> Table:
    """Wait for the pack of the loser; after a stand-off for that of the next dealer."""
    if side is None:
        return next_deal(g, t, match_state, events)
    return g.dealing.enter(g, t._replace(match_state=match_state._replace(dealer=1 - side)), events)


@dataclass(frozen=True)
class TieredMatch(MatchFormat):
    """The winner of a deal scores by ``tiers``: pairs of the least points and what they are worth, the best first.

    After ``deals`` deals the higher total wins; 0 goes on without end. After a stand-off the next deal that is
    won counts ``stand_off_factor`` times. ``pass_deal`` waits for the next pack; it gets the side that has won the
    deal, None where nobody has.
    """

    tiers: tuple[tuple[int, int], ...]
    deals: int = 0
    stand_off_factor: int = 1
    pass_deal: Callable[[Rules, Table, MatchState, int | None, list[Event]], Table] = alternate
    end_phase: str = "match_over"

    @property
    def is_endless(self) -> bool:
        """Whether no number of deals was chosen."""
        return not self.deals

    def close_deal(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Score the deal; wait for the next one or end the match."""
        counted, side, match_state = count_deal(g, t, events)
        if side is None:
            t = t._replace(own=DoubledDeal(self.stand_off_factor > 1))
        else:
            worth = self.score_for(counted[side][0]) * (self.stand_off_factor if t.own.doubled else 1)
            events.append(public_event("deal_won", side, amount=match_state.deal))
            events.append(public_event("deal_scored", shares=((str(side), worth),)))
            totals = tuple(total + (worth if seat == side else 0) for seat, total in enumerate(match_state.totals))
            match_state = match_state._replace(totals=totals)
            t = t._replace(own=DoubledDeal())
        if 0 < self.deals <= match_state.deal:
            return end_match(g, t, match_state, events)
        return self.pass_deal(g, t, match_state, side, events)

    def fault(self, g: Rules, t: Table) -> Fault | None:
        """Return why a doubling or a total is impossible after so many deals."""
        if t.own.doubled and not (self.stand_off_factor > 1 and t.match_state.draws):
            return "doubled", "only a stand-off doubles the next deal, and only where that is agreed"
        entered = t.match_state.deal - (t.phase in g.deal_phases)
        most = max(worth for _, worth in self.tiers) * self.stand_off_factor * entered
        if min(t.match_state.totals) < 0 or sum(t.match_state.totals) > most:
            return "totals", f"so many deals score from 0 to {most}"
        if 0 < self.deals < t.match_state.deal + (t.phase == g.dealing.name):
            return "deal", f"a match has {self.deals} deals"
        return None

    def score_for(self, points: int) -> int:
        """Return what a deal won with so many points scores."""
        return next((worth for least, worth in self.tiers if points >= least), 0)

    def scores(self, g: Rules, t: Table) -> tuple[int, ...]:
        """Return the totals."""
        return t.match_state.totals

    def winners(self, g: Rules, t: Table) -> frozenset[Seat]:
        """Return the seat with the higher total, nobody where it is level."""
        totals = t.match_state.totals
        return frozenset() if totals[0] == totals[1] else frozenset({totals.index(max(totals))})

    def facts(self, g: Rules, t: Table) -> tuple[Fact, ...]:
        """Return the totals, the deals that nobody won, and whether the next one counts double."""
        totals = [Fact("total", total, seat, EVERYBODY) for seat, total in enumerate(t.match_state.totals)]
        pending = [Fact("doubled", 1, seen_by=EVERYBODY)] if t.own.doubled else []
        return (*totals, Fact("draws", t.match_state.draws, seen_by=EVERYBODY), *pending)
