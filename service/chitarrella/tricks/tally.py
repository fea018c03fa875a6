"""Tallies: a deal counts more the more of the points the winner has taken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from chitarrella.tricks.reckoning import Match, count_deal, end_match, next_deal
from chitarrella.tricks.table import Table
from chitarrella.words import EVERYBODY, Event, Fact, Seat, public

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame


class Pending(NamedTuple):
    """Whether the next deal that somebody wins counts double."""

    doubled: bool = False


def kept(own: Pending) -> Pending:
    """Carry it into the next deal."""
    return own


@dataclass(frozen=True)
class Tiers(Match):
    """The winner of a deal scores by ``tiers``: pairs of the least points and what they are worth, the best first.

    After ``deals`` deals the higher tally wins; 0 goes on without end. ``doubles`` lets a stand-off double the next
    deal that is won, once; ``loser_deals`` lets the loser deal next.
    """

    tiers: tuple[tuple[int, int], ...]
    deals: int = 0
    doubles: bool = False
    loser_deals: bool = False
    over: str = "match_over"

    @property
    def endless(self) -> bool:
        """Tell whether no number of deals was agreed."""
        return not self.deals

    def close(self, g: TrickGame, t: Table, tell: list[Event]) -> Table:
        """Score the deal, and go on or end."""
        counted, side, standing = count_deal(g, t, tell)
        if side is None:
            t = t._replace(own=Pending(self.doubles))
        else:
            worth = self.worth(counted[side][0]) * (2 if t.own.doubled else 1)
            tell.append(public("deal_won", side, amount=standing.deal))
            tell.append(public("deal_scored", shares=((str(side), worth),)))
            totals = tuple(total + (worth if seat == side else 0) for seat, total in enumerate(standing.totals))
            standing = standing._replace(totals=totals)
            t = t._replace(own=Pending())
        if 0 < self.deals <= standing.deal:
            return end_match(g, t, standing, tell)
        if self.loser_deals and side is not None:
            return g.dealing.enter(g, t._replace(standing=standing._replace(dealer=1 - side)), tell)
        return next_deal(g, t, standing, tell)

    def fault(self, g: TrickGame, t: Table) -> tuple[str, str] | None:
        """Object to a doubling where nothing is doubled, and to more than so many deals can have scored."""
        if t.own.doubled and not (self.doubles and t.standing.draws):
            return "doubled", "only a stand-off doubles the next deal, and only where that is agreed"
        entered = t.standing.deal - (t.phase in g.running)
        most = max(worth for _, worth in self.tiers) * (2 if self.doubles else 1) * entered
        if min(t.standing.totals) < 0 or sum(t.standing.totals) > most:
            return "totals", f"so many deals score from 0 to {most}"
        if 0 < self.deals < t.standing.deal + (t.phase == g.dealing.name):
            return "deal", f"a match has {self.deals} deals"
        return None

    def worth(self, points: int) -> int:
        """Say what a deal won with so many points scores."""
        return next((worth for least, worth in self.tiers if points >= least), 0)

    def scores(self, g: TrickGame, t: Table) -> tuple[int, ...]:
        """Give the tally."""
        return t.standing.totals

    def winners(self, g: TrickGame, t: Table) -> frozenset[Seat]:
        """Name the seat with the higher tally, nobody where it is level."""
        totals = t.standing.totals
        return frozenset() if totals[0] == totals[1] else frozenset({totals.index(max(totals))})

    def facts(self, g: TrickGame, t: Table) -> tuple[Fact, ...]:
        """Say the tally, deals that nobody won, and whether the next one counts double."""
        tally = [Fact("total", total, seat, EVERYBODY) for seat, total in enumerate(t.standing.totals)]
        pending = [Fact("doubled", 1, seen_by=EVERYBODY)] if t.own.doubled else []
        return (*tally, Fact("draws", t.standing.draws, seen_by=EVERYBODY), *pending)
