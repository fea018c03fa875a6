"""Lists of the moves of a seat in a position; those of a dummy are moves of the person who plays it."""

from __future__ import annotations

from collections.abc import Iterable

from chitarrella.api.converters import move_message, refusal_messages
from chitarrella.core.game import AnyGame, Position, legal_moves
from chitarrella.core.model import Move, Seat
from chitarrella.i18n.translator import Translator
from chitarrella.questions.single_trick import ExplainedPlay
from chitarrella.v1 import table_pb2


def explained_play_messages(
    game: AnyGame, plays: Iterable[ExplainedPlay], translator: Translator
) -> list[table_pb2.ExplainedMove]:
    """Convert plays, each with the clauses that it breaks."""
    return [
        table_pb2.ExplainedMove(
            move=move_message(play.move),
            refusals=refusal_messages(game, play.refusals, translator),
            depends_on=play.depends_on,
        )
        for play in plays
    ]


def legal_moves_of(game: AnyGame, p: Position, seat: Seat) -> list[Move]:
    """List the legal moves of a seat; for a dummy, those with its cards of the person who controls it."""
    person = game.controller(seat)
    return [move for move in legal_moves(game, p, person) if seat in (person, move.seat)]
