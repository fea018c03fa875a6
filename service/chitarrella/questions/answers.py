"""Answers to questions about the moves in a whole or a partial position."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from chitarrella.core.game import AnyGame, Position, apply_checked, check_move, legal_moves, validate_move
from chitarrella.core.model import CHANCE, Event, Move, Refusal, Seat
from chitarrella.questions.single_trick import (
    ExplainedPlay,
    PartialQuestion,
    missing_parts,
    plays_of,
    validate_play,
)


class PositionQuestion(NamedTuple):
    """A position and the seat that is asked about; the seat is None where the game waits for none."""

    game: AnyGame
    position: Position
    seat: Seat | None


MoveQuestion: TypeAlias = PositionQuestion | PartialQuestion
Refusals: TypeAlias = tuple[Refusal, ...]


def list_moves(asked: MoveQuestion) -> tuple[list[Move], list[ExplainedPlay]]:
    """List the legal moves of the seat in question, and those whose legality depends on unknown parts."""
    if isinstance(asked, PartialQuestion):
        plays = plays_of(asked)
        return [play.move for play in plays if not play.refusals], [play for play in plays if play.depends_on]
    game, p, seat = asked
    return [] if seat is None else [*legal_moves(game, p, seat)], []


def explain_hand(asked: MoveQuestion) -> list[ExplainedPlay]:
    """Validate every potential move of the seat in question; those of a dummy are moves of who controls it."""
    if isinstance(asked, PartialQuestion):
        return plays_of(asked)
    game, p, seat = asked
    if seat is None:
        return []
    person = game.controller(seat)
    moves = [move for move in dict.fromkeys(game.potential_moves(p, person)) if seat in (person, move.seat)]
    return [ExplainedPlay(move, validate_move(game, p, person, move), ()) for move in moves]


def unknown_parts(asked: MoveQuestion) -> tuple[str, ...]:
    return missing_parts(asked) if isinstance(asked, PartialQuestion) else ()


def validate(asked: MoveQuestion, move: Move) -> ExplainedPlay:
    if isinstance(asked, PartialQuestion):
        return validate_play(asked, move)
    refusals = validate_move(asked.game, asked.position, CHANCE if asked.seat is None else asked.seat, move)
    return ExplainedPlay(move, refusals, ())


def play_until_refused(
    game: AnyGame, p: Position, moves: Iterable[tuple[Seat, Move]]
) -> tuple[Position, int, Refusals, list[tuple[int, Refusals]], list[Event]]:
    """Return the last position, the number of moves played, why the next is refused, penalties by index, and events."""
    events: list[Event] = []
    penalties: list[tuple[int, Refusals]] = []
    applied = 0
    for actor, move in moves:
        checked = check_move(game, p, actor, move)
        if not checked.is_accepted:
            return p, applied, checked.refusals, penalties, events
        if checked.refusals:
            penalties.append((applied, checked.refusals))
        p, new = apply_checked(game, p, checked)
        events.extend(new)
        applied += 1
    return p, applied, (), penalties, events
