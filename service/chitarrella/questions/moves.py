"""Moves in a position: each move of a seat with the clauses that it breaks, and moves played one after the other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from chitarrella.core.game import AnyGame, Position, apply_move, is_accepted, validate_move
from chitarrella.core.model import Event, Move, Refusal, Seat


class PlayedSequence(NamedTuple):
    """What moves have led to: how many were played, why the next one is refused, and the penalties by index."""

    position: Position
    applied: int
    refusals: tuple[Refusal, ...]
    penalties: tuple[tuple[int, tuple[Refusal, ...]], ...]
    events: tuple[Event, ...]


def play_until_refused(game: AnyGame, p: Position, moves: Iterable[tuple[Seat, Move]]) -> PlayedSequence:
    """Play ``moves`` up to the first that is refused."""
    events: list[Event] = []
    penalties: list[tuple[int, tuple[Refusal, ...]]] = []
    applied = 0
    for actor, move in moves:
        refusals = validate_move(game, p, actor, move)
        if not is_accepted(refusals):
            return PlayedSequence(p, applied, refusals, tuple(penalties), tuple(events))
        if refusals:
            penalties.append((applied, refusals))
        p, new = apply_move(game, p, actor, move)
        events.extend(new)
        applied += 1
    return PlayedSequence(p, applied, (), tuple(penalties), tuple(events))


def explained_moves(game: AnyGame, p: Position, seat: Seat) -> list[tuple[Move, tuple[Refusal, ...]]]:
    """Validate every potential move of a seat; those of a dummy are moves of the person who controls it."""
    person = game.controller(seat)
    moves = [move for move in dict.fromkeys(game.potential_moves(p, person)) if seat in (person, move.seat)]
    return [(move, validate_move(game, p, person, move)) for move in moves]
