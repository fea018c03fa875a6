"""Matches for the tests, played by whoever is to move."""

from __future__ import annotations

from random import Random

from chitarrella_client import Match, Played

MOST_MOVES = 600
"""So many moves of a match are played; one that takes longer is ended by the referee."""


def step(match: Match, rng: Random) -> Played | None:
    """Play a random legal move, as text, for the seat to move; None if nobody is to move."""
    moves = match.moves()
    if moves.seat is None:
        return None
    return match.as_seat(moves.seat).play_or_raise(str(rng.choice(moves.moves)), moves.revision)


def play_out(match: Match, rng: Random) -> int:
    """Play until the match is over, or long enough; count the moves."""
    for made in range(MOST_MOVES):
        if step(match, rng) is None:
            return made
    match.end()
    return MOST_MOVES
