"""Helpers for Elfern: its variants, and deals with a chosen result."""

from __future__ import annotations

import pytest

from chitarrella.tricks.game import TrickGame
from tests.games.support.scripted_deals import Script, Wanted, contrive, points
from tests.games.support.table import Match

TRUMPS = {"trump_variant": "true"}
HEADS = {"head_in_endgame": "true"}
EVERY = [{}, TRUMPS, HEADS, {**TRUMPS, **HEADS}]
FREE_TRICKS = 10
NAMES = pytest.mark.parametrize("options", EVERY, ids=lambda options: "-".join(options) or "default")


def honours(game: TrickGame, *wanted: int) -> Wanted:
    """A condition on honours by seat, for a deal whose last six tricks follow suit."""
    near = points(*wanted)

    def distance(script: Script) -> int:
        rows = [script.plays[at : at + 2] for at in range(2 * FREE_TRICKS, len(script.plays), 2)]
        late = [card for row in rows for card in row]
        broken = 0
        for number, ((_, led), (follower, card)) in enumerate(rows):
            held = [later for owner, later in late[2 * number :] if owner == follower]
            broken += card.suit != led.suit and any(other.suit == led.suit for other in held)
        return near(script) + 3 * broken

    return distance


def deals(match: Match, *results: tuple[int, int]) -> Match:
    """Play deals with these honours, seat by seat."""
    for result in results:
        contrive(match.game, match.p.match_state.dealer, honours(match.game, *result)).perform(match)
    return match
