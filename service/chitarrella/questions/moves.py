"""The moves of a seat in a position, each with the clauses that it breaks."""

from __future__ import annotations

from chitarrella.core.game import AnyGame, Position
from chitarrella.core.model import Move, Refusal, Seat
from chitarrella.core.play import validate_move


def explained_moves(game: AnyGame, p: Position, seat: Seat) -> list[tuple[Move, tuple[Refusal, ...]]]:
    """Validate every potential move of a seat; those of a dummy are moves of the person who controls it."""
    person = game.controller(seat)
    moves = [move for move in dict.fromkeys(game.potential_moves(p, person)) if seat in (person, move.seat)]
    return [(move, validate_move(game, p, person, move)) for move in moves]
