"""Matches for the tests, played by random legal moves."""

from random import Random

from chitarrella_client import Match, MoveResult

MOST_MOVES = 600  # at most so many moves of a match are played; then the referee aborts it


def step(match: Match, rng: Random) -> MoveResult | None:
    """Play a random legal move, as text, for the seat to move; None if nobody is to move."""
    moves = match.legal_moves()
    if moves.seat is None:
        return None
    return match.as_seat(moves.seat).play_or_raise(str(rng.choice(moves.moves)), moves.revision)


def play_out(match: Match, rng: Random) -> int:
    """Play until the match is finished, or aborted after `MOST_MOVES`; return the number of moves."""
    for made in range(MOST_MOVES):
        if step(match, rng) is None:
            return made
    match.abort()
    return MOST_MOVES
