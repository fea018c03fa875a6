"""The greedy bot: it plays the move that the game's heuristic values most, and looks no further."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from chitarrella.bots.information_state import InformationState
from chitarrella.core.game import MoveValue
from chitarrella.core.model import Move


def play_greedily(info_state: InformationState, rng: Random) -> Move:
    """Return a legal move of the greatest heuristic value, each of them with the same probability."""
    return best_move(info_state.moves, info_state.move_values, rng)


def best_move(moves: Sequence[Move], values: Sequence[MoveValue], rng: Random) -> Move:
    """Return one of the ``moves`` (at least one) whose value is greatest; ``rng`` breaks ties."""
    greatest = max(values)
    best = [move for move, value in zip(moves, values, strict=True) if value == greatest]
    return best[0] if len(best) == 1 else rng.choice(best)
