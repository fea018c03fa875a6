"""The rollout policy: how the search plays on from the edge of its tree to the end of the deal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

from chitarrella.bots.greedy import best_move
from chitarrella.core.game import AnyGame, Position
from chitarrella.core.model import Move, Seat

RolloutPolicy: TypeAlias = Callable[[Position, Seat, Sequence[Move], Random], Move]
"""Chooses one of the legal moves (at least one) of a seat in a position."""


def rollout_policy(game: AnyGame) -> RolloutPolicy:
    """Return the greedy policy for ``game``. It works on positions, because to build views would cost too much time."""
    move_values = game.move_values

    def choose(p: Position, seat: Seat, moves: Sequence[Move], rng: Random) -> Move:
        return moves[0] if len(moves) == 1 else best_move(moves, move_values(p, seat, moves), rng)

    return choose
