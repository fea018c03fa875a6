"""A race: points add up over the deals until a seat reaches the target; then the next game begins at nothing.

A game won counts one, two where the loser has not reached a threshold (a jan), three where the loser has not won a
single trick. The match has no end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from chitarrella.core.model import Event, Fact, Seat, public_event
from chitarrella.core.visibility import EVERYBODY
from chitarrella.tricks.base import Fault, Rules, TrickEffect
from chitarrella.tricks.match_formats.match_format import MatchFormat, next_deal
from chitarrella.tricks.scoring.deal_scoring import report_counts
from chitarrella.tricks.scoring.last_trick_bonus import deal_points, points_facts
from chitarrella.tricks.table import MatchState, Table

MAX_SCORE = 1_000_000
"""The most games or tricks that a position may record; no real match comes near it."""
GAME_OVER = "game_over"
"""The phase after a game, in which the next pack begins another one."""


class RaceScore(NamedTuple):
    """What goes on from deal to deal: tricks won in this game before the present deal, and games won so far."""

    tricks_before: tuple[int, ...] = (0, 0)
    games: tuple[int, ...] = (0, 0)


def carry_score(own: RaceScore) -> RaceScore:
    """Return ``own`` unchanged: the score goes on into the next deal."""
    return own


@dataclass(frozen=True)
class TargetReached(TrickEffect):
    """The deal ends when the winner of a trick has reached the target with it."""

    def ends_deal(self, g: Rules, t: Table) -> bool:
        """Return whether the winner of the last trick has reached the target."""
        winner, series = t.tricks[-1].winner, g.series
        to_enter = deal_points(g, t)[winner] if t.phase in g.deal_phases else 0
        return isinstance(series, Race) and t.match_state.totals[winner] + to_enter >= series.target


@dataclass(frozen=True)
class Race(MatchFormat):
    """The first seat to reach ``target`` wins a game.

    It counts two where the loser is below ``jan``, three where the loser has no trick.
    """

    target: int
    jan: int | None = None
    end_phase: str = "match_over"

    @property
    def is_endless(self) -> bool:
        """True: games follow each other without end."""
        return True

    @property
    def threshold(self) -> int:
        """The points that save the loser from a jan: ``jan``, by default 30, or the target where that is less."""
        return min(30, self.target) if self.jan is None else self.jan

    def close_deal(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Enter the points; of two totals that have reached the target the strictly higher wins the game."""
        report_counts(g, g.deal_scoring.by_side(g, t), events)
        points = deal_points(g, t)
        events.append(public_event("deal_scored", shares=tuple((str(seat), won) for seat, won in enumerate(points))))
        totals = tuple(total + won for total, won in zip(t.match_state.totals, points, strict=True))
        score: RaceScore = t.own
        taken = [sum(trick.winner == seat for trick in t.tricks) for seat in (0, 1)]
        tricks = tuple(before + now for before, now in zip(score.tricks_before, taken, strict=True))
        match_state = t.match_state._replace(totals=totals)
        t = t._replace(own=score._replace(tricks_before=tricks))
        if not self.is_decided(totals):
            return next_deal(g, t, match_state, events)
        return self._win_game(g, t, match_state, tricks, events)

    def _win_game(
        self, g: Rules, t: Table, match_state: MatchState, tricks: tuple[int, ...], events: list[Event]
    ) -> Table:
        winner = match_state.totals.index(max(match_state.totals))
        loser = 1 - winner
        worth = 3 if not tricks[loser] else 2 if match_state.totals[loser] < self.threshold else 1
        events.append(public_event("game_won", winner, word=("game", "jan", "slam")[worth - 1], amount=worth))
        games = tuple(won + (worth if seat == winner else 0) for seat, won in enumerate(t.own.games))
        t = t._replace(own=t.own._replace(games=games))
        return next_deal(g, t, match_state, events)._replace(phase=GAME_OVER)

    def is_decided(self, totals: tuple[int, ...]) -> bool:
        """Return whether a total has reached the target and is higher than the other."""
        return max(totals) >= self.target and totals[0] != totals[1]

    def fault(self, g: Rules, t: Table) -> Fault | None:
        """Return why a row is not one of two numbers, or why the game would be won."""
        for name, row in (("tricks_before", t.own.tricks_before), ("games", t.own.games)):
            if len(row) != g.seats or not all(0 <= number <= MAX_SCORE for number in row):
                return name, f"there must be {g.seats} numbers from 0 to {MAX_SCORE}"
        if min(t.match_state.totals) < 0 or self.is_decided(t.match_state.totals) != (t.phase == GAME_OVER):
            return (
                "totals",
                f"in {GAME_OVER} alone one seat has reached {self.target}, and more than the other",
            )
        return None

    def scores(self, g: Rules, t: Table) -> tuple[int, ...]:
        """Return the games won so far."""
        games: tuple[int, ...] = t.own.games
        return games

    def winners(self, g: Rules, t: Table) -> frozenset[Seat]:
        """Return nobody: the match has no end."""
        return frozenset()

    def facts(self, g: Rules, t: Table) -> tuple[Fact, ...]:
        """Return the totals of this game, the games won, and after a deal what each seat has won in it."""
        totals = [Fact("total", total, seat, EVERYBODY) for seat, total in enumerate(t.match_state.totals)]
        return (
            *points_facts(g, t),
            *totals,
            *(Fact("games", games, seat, EVERYBODY) for seat, games in enumerate(t.own.games)),
        )
