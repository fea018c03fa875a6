"""Lists of the moves of a seat in a position; those of a dummy are moves of the person who plays it."""

from __future__ import annotations

from chitarrella.api.converters import move_message, refusal_messages
from chitarrella.core.game import AnyGame, Position
from chitarrella.core.model import Move, Seat
from chitarrella.core.play import legal_moves
from chitarrella.i18n.translator import Translator
from chitarrella.questions.moves import explained_moves
from chitarrella.v1 import table_pb2


def explain_moves(game: AnyGame, p: Position, seat: Seat, translator: Translator) -> list[table_pb2.ExplainedMove]:
    """Validate every potential move of a seat; those of a dummy are moves of the person who controls it."""
    return [
        table_pb2.ExplainedMove(move=move_message(move), refusals=refusal_messages(game, refusals, translator))
        for move, refusals in explained_moves(game, p, seat)
    ]


def legal_moves_of(game: AnyGame, p: Position, seat: Seat) -> list[Move]:
    """List the legal moves of a seat; for a dummy, those with its cards of the person who controls it."""
    person = game.controller(seat)
    return [move for move in legal_moves(game, p, person) if seat in (person, move.seat)]
