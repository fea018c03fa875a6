"""Helpers for Bohemian Schneider: its variants, and deals with a chosen result."""

from __future__ import annotations

from chitarrella.tricks.game import TrickGame
from tests.games.support.scripted_deals import contrive, points
from tests.games.support.table import Match
from tests.games.support.tricks import taker

KEY = "bohemian-schneider"
RANKS = ["7", "8", "9", "T", "J", "Q", "K", "A"]
SAME = {"ace_by_seven": "same_suit"}
SUITLESS = {"any_suit_captures": "true"}
ANY = {**SUITLESS, "ace_by_seven": "any_suit"}
EVERY = [{}, SAME, SUITLESS, {**SUITLESS, **SAME}, ANY, {"scoring": "honours"}, {**ANY, "scoring": "honours"}]
"""The variations, each alone and together."""


def captures(game: TrickGame, led: str, played: str) -> bool:
    """Whether the second card takes the first."""
    cards = game.pack.hand((led, played))
    return taker(game, cards) == 1


def deals(match: Match, *results: tuple[int, int]) -> Match:
    """Play deals with these points, seat by seat."""
    for result in results:
        contrive(match.game, match.p.match_state.dealer, points(*result)).perform(match)
    return match
