"""Races: points add up over the deals until somebody reaches a target; then the next game begins at nothing.

A game won counts one, two where the loser has not reached a threshold (a jan), three where he has not won a single
trick. The tally of games has no end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from chitarrella.tricks.act import AfterTrick
from chitarrella.tricks.dealing import StartDeal
from chitarrella.tricks.reckoning import Match, next_deal, tell_counts
from chitarrella.tricks.table import Standing, Table
from chitarrella.words import EVERYBODY, Event, Fact, Move, Seat, public

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame

LAST_TRICK = 10
MOST = 1_000_000
"""No evening comes near this number of games or tricks."""
GAME_OVER = "game_over"
"""The phase after a game, in which the next pack opens another one."""


class Tally(NamedTuple):
    """What goes on from deal to deal: tricks won in this game before the present deal, and games counted so far."""

    tricks_before: tuple[int, ...] = (0, 0)
    games: tuple[int, ...] = (0, 0)


def kept(own: Tally) -> Tally:
    """Carry the tally into the next deal."""
    return own


@dataclass(frozen=True)
class StartDealOrGame(StartDeal):
    """A pack that deals; after a game is over it opens the next one."""

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Deal; the totals begin again with a new game."""
        if t.phase == GAME_OVER:
            standing = t.standing._replace(totals=(0,) * g.totals)
            t = t._replace(standing=standing, own=t.own._replace(tricks_before=(0, 0)))
        return super().apply(g, t, seat, move, tell)


def played_out(t: Table) -> bool:
    """Tell whether the last trick has been played, and not only the last so far."""
    return not t.stock and not any(t.hands)


def deal_points(g: TrickGame, t: Table) -> tuple[int, ...]:
    """Count what each seat has won in this deal, the last trick's bonus included."""
    points = list(g.points(t))
    if played_out(t):
        points[t.tricks[-1].winner] += LAST_TRICK
    return tuple(points)


@dataclass(frozen=True)
class TargetReached(AfterTrick):
    """Where the target is looked at after each trick, the deal ends when the winner of the trick has reached it."""

    def ends(self, g: TrickGame, t: Table) -> bool:
        """Tell whether he has."""
        winner, series = t.tricks[-1].winner, g.series
        to_enter = deal_points(g, t)[winner] if t.phase in g.running else 0
        return isinstance(series, Race) and t.standing.totals[winner] + to_enter >= series.target


@dataclass(frozen=True)
class Race(Match):
    """The first to reach ``target`` wins a game; below ``jan`` the loser loses two, without a trick three."""

    target: int
    jan: int | None = None
    over: str = "match_over"

    @property
    def endless(self) -> bool:
        """Games follow each other without end."""
        return True

    @property
    def threshold(self) -> int:
        """What the loser needs not to be in jan: 30, or the target where that is less, unless agreed."""
        return min(30, self.target) if self.jan is None else self.jan

    def close(self, g: TrickGame, t: Table, tell: list[Event]) -> Table:
        """Add the points up; the strictly higher of totals that have reached the target wins the game."""
        tell_counts(g, g.reckoning.by_side(g, t), tell)
        points = deal_points(g, t)
        tell.append(public("deal_scored", shares=tuple((str(seat), won) for seat, won in enumerate(points))))
        totals = tuple(total + won for total, won in zip(t.standing.totals, points, strict=True))
        tally: Tally = t.own
        taken = [sum(trick.winner == seat for trick in t.tricks) for seat in (0, 1)]
        tricks = tuple(before + now for before, now in zip(tally.tricks_before, taken, strict=True))
        standing = t.standing._replace(totals=totals)
        t = t._replace(own=tally._replace(tricks_before=tricks))
        if not self.decided(totals):
            return next_deal(g, t, standing, tell)
        return self._won(g, t, standing, tricks, tell)

    def _won(self, g: TrickGame, t: Table, standing: Standing, tricks: tuple[int, ...], tell: list[Event]) -> Table:
        winner = standing.totals.index(max(standing.totals))
        loser = 1 - winner
        worth = 3 if not tricks[loser] else 2 if standing.totals[loser] < self.threshold else 1
        tell.append(public("game_won", winner, word=("game", "jan", "slam")[worth - 1], amount=worth))
        games = tuple(won + (worth if seat == winner else 0) for seat, won in enumerate(t.own.games))
        t = t._replace(own=t.own._replace(games=games))
        return next_deal(g, t, standing, tell)._replace(phase=GAME_OVER)

    def decided(self, totals: tuple[int, ...]) -> bool:
        """Tell whether somebody has reached the target, and more than the other."""
        return max(totals) >= self.target and totals[0] != totals[1]

    def fault(self, g: TrickGame, t: Table) -> tuple[str, str] | None:
        """Object to rows that are no tally of two, and to a game that goes on after it was won."""
        for name, row in (("tricks_before", t.own.tricks_before), ("games", t.own.games)):
            if len(row) != g.seats or not all(0 <= number <= MOST for number in row):
                return name, f"there must be {g.seats} numbers from 0 to {MOST}"
        if min(t.standing.totals) < 0 or self.decided(t.standing.totals) != (t.phase == GAME_OVER):
            return (
                "totals",
                f"in {GAME_OVER} alone one seat has reached {self.target}, and more than the other",
            )
        return None

    def scores(self, g: TrickGame, t: Table) -> tuple[int, ...]:
        """Give the games counted so far."""
        games: tuple[int, ...] = t.own.games
        return games

    def winners(self, g: TrickGame, t: Table) -> frozenset[Seat]:
        """Name nobody: the tally has no end."""
        return frozenset()

    def facts(self, g: TrickGame, t: Table) -> tuple[Fact, ...]:
        """Say the totals of this game, and the games counted."""
        totals = [Fact("total", total, seat, EVERYBODY) for seat, total in enumerate(t.standing.totals)]
        return (*totals, *(Fact("games", games, seat, EVERYBODY) for seat, games in enumerate(t.own.games)))
