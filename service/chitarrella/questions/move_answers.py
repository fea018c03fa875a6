"""Answers to questions about a whole or a partial position, as values that each form of the contract writes down."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from chitarrella.core.game import AnyGame, Position, is_accepted, legal_moves, seat_to_move, validate_move, view_for
from chitarrella.core.model import CHANCE, REFEREE, ChanceRequest, Event, Move, Refusal, Seat, View
from chitarrella.questions.moves import explained_moves, play_until_refused
from chitarrella.questions.partial_positions import (
    ExplainedPlay,
    PartialQuestion,
    PlayValidation,
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
"""A question about the moves of a seat."""


class StartedGame(NamedTuple):
    """The first position of a game as text, what chance has to supply, and the view of the public."""

    text: str
    chance_request: ChanceRequest
    view: View


class MoveList(NamedTuple):
    """The legal moves of a seat; those that depend on unknown parts, and what the list depends on."""

    moves: Sequence[Move]
    seat: Seat | None
    undecided: Sequence[ExplainedPlay] = ()
    depends_on: Sequence[str] = ()
    chance_request: ChanceRequest | None = None


class ExplainedHand(NamedTuple):
    """Every move of a seat with the clauses that it breaks, and what the list depends on."""

    plays: Sequence[ExplainedPlay]
    seat: Seat | None
    depends_on: Sequence[str] = ()


class AppliedMoves(NamedTuple):
    """What moves have led to: `chitarrella.questions.moves.PlayedSequence`, and the position after them."""

    text: str
    applied: int
    refusals: tuple[Refusal, ...]
    penalties: tuple[tuple[int, tuple[Refusal, ...]], ...]
    events: tuple[Event, ...]
    view: View
    chance_request: ChanceRequest | None
    points: tuple[int, ...]
    legal_moves: tuple[Move, ...]


def start_game(game: AnyGame) -> StartedGame:
    """Return the initial position of a game."""
    p = game.start()
    return StartedGame(game.encode(p), game.chance_request(p), view_for(game, p, None))


def list_moves(asked: MoveQuestion) -> MoveList:
    """List the legal moves of the seat in question."""
    if isinstance(asked, PartialQuestion):
        plays = plays_of(asked)
        legal = [play.move for play in plays if not play.refusals]
        return MoveList(legal, asked.seat, [play for play in plays if play.depends_on], missing_parts(asked))
    game, p, seat = asked
    return MoveList(_legal(game, p, seat), seat, chance_request=_chance_request(game, p))


def explain_hand(asked: MoveQuestion) -> ExplainedHand:
    """Explain for every move of the seat in question whether it is legal, and why not."""
    if isinstance(asked, PartialQuestion):
        return ExplainedHand(plays_of(asked), asked.seat, missing_parts(asked))
    game, p, seat = asked
    found = () if seat is None else explained_moves(game, p, seat)
    return ExplainedHand([ExplainedPlay(move, refusals, ()) for move, refusals in found], seat)


def validate(asked: MoveQuestion, move: Move) -> PlayValidation:
    """Validate a move of the seat in question; of chance where there is none."""
    if isinstance(asked, PartialQuestion):
        return validate_play(asked, move)
    refusals = validate_move(asked.game, asked.position, CHANCE if asked.seat is None else asked.seat, move)
    return PlayValidation(is_accepted(refusals), refusals, ())


def apply_moves(game: AnyGame, p: Position, moves: Iterable[tuple[Seat, Move]]) -> AppliedMoves:
    """Play ``moves`` up to the first that is refused."""
    p, applied, refusals, penalties, events = play_until_refused(game, p, moves)
    seat = seat_to_move(game, p)
    return AppliedMoves(
        text=game.encode(p),
        applied=applied,
        refusals=refusals,
        penalties=penalties,
        events=events,
        view=view_for(game, p, REFEREE),
        chance_request=_chance_request(game, p),
        points=game.points(p),
        legal_moves=_legal(game, p, seat),
    )


def _legal(game: AnyGame, p: Position, seat: Seat | None) -> tuple[Move, ...]:
    return () if seat is None else legal_moves(game, p, seat)


def _chance_request(game: AnyGame, p: Position) -> ChanceRequest | None:
    return game.chance_request(p) if game.turn(p) == CHANCE else None
