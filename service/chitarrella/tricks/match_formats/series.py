"""A series: the first side with a number of deals won, or the side with more wins after a number of deals."""

from __future__ import annotations

from dataclasses import dataclass

from chitarrella.core.model import Event, Fact, Seat, public_event
from chitarrella.core.visibility import EVERYBODY
from chitarrella.tricks.base import Fault, Rules
from chitarrella.tricks.match_formats.match_format import MatchFormat, end_match, next_deal
from chitarrella.tricks.scoring.deal_scoring import count_deal
from chitarrella.tricks.table import MatchState, Table


@dataclass(frozen=True)
class Series(MatchFormat):
    """The first side to win ``to_win`` deals wins the match, or else the side with more wins after ``deals`` deals.

    ``lost_deal_score`` is what a lost deal adds to the score of a seat. With neither number the match is endless.
    """

    to_win: int = 0
    deals: int = 0
    end_phase: str = "match_over"
    lost_deal_score: int = 0

    @property
    def is_endless(self) -> bool:
        """Whether neither number was chosen."""
        return not (self.to_win or self.deals)

    def close_deal(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Count what each side has taken, and enter the win; wait for the next deal or end the match."""
        _, side, match_state = count_deal(g, t, events)
        if side is not None:
            wins = tuple(won + (place == side) for place, won in enumerate(match_state.wins))
            match_state = match_state._replace(wins=wins)
            events.extend(public_event("deal_won", seat, amount=match_state.deal) for seat in g.seats_of(side))
        if self.is_decided(match_state, match_state.deal):
            return end_match(g, t, match_state, events)
        return next_deal(g, t, match_state, events)

    def facts(self, g: Rules, t: Table) -> tuple[Fact, ...]:
        """Return the deals won by each seat, and in an endless match the number that nobody won."""
        won = [Fact("deals_won", t.match_state.wins[side], seat, EVERYBODY) for seat, side in enumerate(g.sides)]
        return (*won, *([Fact("draws", t.match_state.draws, seen_by=EVERYBODY)] if self.is_endless else []))

    def is_decided(self, match_state: MatchState, entered: int) -> bool:
        """Return whether the last of the deals ``entered`` was the last of the match."""
        if self.to_win:
            return max(match_state.wins) >= self.to_win
        return 0 < self.deals <= entered

    def fault(self, g: Rules, t: Table) -> Fault | None:
        """Return why the wins are impossible after so many deals, or why the match would be over."""
        match_state = t.match_state
        wins, entered = match_state.wins, match_state.deal - (t.phase in g.deal_phases)
        if sum(wins) + match_state.draws != entered:
            return "wins", "every deal that is over was won by one side, or drawn"
        if not (self.to_win or self.deals):
            return None
        if self.is_decided(match_state, entered) != (t.phase == self.end_phase):
            return "phase", f"{self.end_phase} is the phase after the deal that decides the match, and no other"
        if self.to_win and sum(sorted(wins)[-2:]) >= 2 * self.to_win:
            return "wins", "the match was over before"
        return None

    def scores(self, g: Rules, t: Table) -> tuple[int, ...]:
        """Return the deals won, with what lost ones add."""
        wins = t.match_state.wins
        by_side = [won + self.lost_deal_score * (sum(wins) - won) for won in wins]
        return tuple([by_side[side] for side in g.sides])

    def winners(self, g: Rules, t: Table) -> frozenset[Seat]:
        """Return the seats of the side that won more deals than every other; nobody where it is level."""
        wins = t.match_state.wins
        best = max(wins)
        return frozenset() if wins.count(best) > 1 else frozenset(g.seats_of(wins.index(best)))
