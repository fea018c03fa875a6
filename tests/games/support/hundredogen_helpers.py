"""Helpers for Hundredogen: its options, and deals with a chosen result."""

from __future__ import annotations

from tests.games.support.scripted_deals import Script, contrive
from tests.games.support.table import Match

KEY = "hundredogen"
JACKS = {"jacks_top": "true"}
AT_ONCE = {"target_check": "immediate"}
SLAM = (130, 0)


def wanted(match: Match, result: tuple[int, int], lost: int | None) -> Script:
    """Find a deal with these points, ten for the last trick among them; the loser wins ``lost`` tricks, or some."""
    loser = int(result[0] > result[1])

    def distance(script: Script) -> int:
        have = [taken + 10 * (script.winners[-1] == place) for place, taken in enumerate(script.points)]
        tricks = script.winners.count(loser)
        near = sum(abs(one - other) for one, other in zip(have, result, strict=True))
        return near + 10 * (int(not tricks) if lost is None else abs(tricks - lost))

    return contrive(match.game, match.p.match_state.dealer, distance)


def deal(match: Match, *result: int, lost: int | None = None) -> Match:
    """Play a deal with these points."""
    one, other = result
    return wanted(match, (one, other), lost).perform(match)


def games(match: Match) -> tuple[str, tuple[int, ...], tuple[int, ...]]:
    """The phase, the games counted and the totals."""
    return match.p.phase, match.game.scores(match.p), match.p.match_state.totals
