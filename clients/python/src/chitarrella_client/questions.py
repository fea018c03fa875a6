"""Stateless questions about positions and cards, for a call of their own or for a batch.

Each function returns a `Question`, which `Rules.ask` and `Rules.batch` send to the service::

    client.rules.batch([ask.legal_moves(position), ask.score_cards("briscola", "Ab 3c")])
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, Unpack

from google.protobuf.message import Message

from chitarrella.v1 import rules_pb2 as pb
from chitarrella_client import decoders, errors
from chitarrella_client.moves import MoveArguments, MoveLike, MoveSpecs, has_arguments, move_message, split_cards
from chitarrella_client.requests import RuleSetArguments, position_message, rule_set_message
from chitarrella_client.responses import (
    AppliedMoves,
    ExplainedHand,
    LegalMoves,
    MoveValidation,
    Position,
    Score,
    TrickResult,
)
from chitarrella_client.types import ExplainedMove, RuleSet, View

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

METHODS = {
    "list_legal_moves": "ListLegalMoves",
    "explain_hand": "ExplainHand",
    "validate_move": "ValidateMove",
    "apply_moves": "ApplyMoves",
    "get_view": "GetView",
    "list_playable_cards": "ListPlayableCards",
    "resolve_trick": "ResolveTrick",
    "score_cards": "ScoreCards",
}
"""The rpc of each question, by the name of its field in a batch."""


@dataclass(frozen=True, slots=True)
class Question(Generic[T_co]):
    """A question whose answer is a ``T``."""

    name: str
    """A key of `METHODS`."""
    request: Callable[[MoveSpecs], Message]
    """Builds the request from the move specs of the game ``game_id``."""
    decode: Callable[[Any], T_co]
    """Decodes the answer."""
    game_id: str = ""
    """The game whose move specs the request needs; empty if it needs none."""


def _question(name: str, request: Message, decode: Callable[[Any], T]) -> Question[T]:
    """Return a question whose request is known; it needs no move specs."""
    return Question(name, lambda _: request, decode)


def legal_moves(position: Position, seat: int | None = None) -> Question[LegalMoves]:
    """Ask for the legal moves of a seat; without a seat, of the seat to move."""
    request = pb.ListLegalMovesRequest(position=position_message(position), seat=seat)
    return _question("list_legal_moves", request, decoders.legal_moves)


def explain_hand(position: Position, seat: int | None = None) -> Question[ExplainedHand]:
    """Ask for an explanation of every move that a seat might make; without a seat, of the seat to move."""
    request = pb.ExplainHandRequest(position=position_message(position), seat=seat)
    return _question("explain_hand", request, decoders.explained_hand)


def validate_move(
    position: Position, move: MoveLike, by: int | None = None, **arguments: Unpack[MoveArguments]
) -> Question[MoveValidation]:
    """Ask whether a move of seat ``by`` (None: of chance) is accepted."""

    def request(specs: MoveSpecs) -> Message:
        message = move_message(move, arguments, specs)
        return pb.ValidateMoveRequest(position=position_message(position), seat=by, move=message)

    game_id = position.rule_set.game_id if has_arguments(move) else ""
    return Question("validate_move", request, decoders.move_validation, game_id)


def apply_moves(position: Position, moves: Iterable[tuple[int | None, MoveLike]]) -> Question[AppliedMoves]:
    """Ask for the position after moves, each with the seat that makes it (None: chance)."""
    requested = tuple(moves)

    def request(specs: MoveSpecs) -> Message:
        messages = [pb.SeatMove(seat=seat, move=move_message(move, {}, specs)) for seat, move in requested]
        return pb.ApplyMovesRequest(position=position_message(position), moves=messages)

    needs_specs = any(has_arguments(move) for _, move in requested)
    return Question("apply_moves", request, decoders.applied_moves, position.rule_set.game_id if needs_specs else "")


def get_view(position: Position, seat: int | None = None, *, referee: bool = False) -> Question[View]:
    """Ask for the view of a seat, of the referee, or else of the public."""
    request = pb.GetViewRequest(position=position_message(position))
    if seat is not None:
        request.seat = seat
    elif referee:
        request.referee = True
    return _question("get_view", request, decoders.view)


def playable_cards(
    game: str | RuleSet,
    hand: str | Iterable[str],
    trick: str | Iterable[str] = (),
    trump: str = "",
    stock_left: bool = False,
    **rule_set: Unpack[RuleSetArguments],
) -> Question[tuple[ExplainedMove, ...]]:
    """Ask which cards of a hand may be played to a trick; see `Rules.playable_cards`."""
    request = pb.ListPlayableCardsRequest(
        rule_set=rule_set_message(game, rule_set),
        hand=split_cards(hand),
        trick=split_cards(trick),
        trump=trump,
        stock_left=stock_left,
    )
    return _question("list_playable_cards", request, decoders.explained_moves)


def resolve_trick(
    game: str | RuleSet, cards: str | Iterable[str], trump: str = "", **rule_set: Unpack[RuleSetArguments]
) -> Question[TrickResult]:
    """Ask which card takes a trick; see `Rules.resolve_trick`."""
    request = pb.ResolveTrickRequest(rule_set=rule_set_message(game, rule_set), cards=split_cards(cards), trump=trump)
    return _question("resolve_trick", request, decoders.trick_result)


def score_cards(
    game: str | RuleSet, cards: str | Iterable[str], trump: str = "", **rule_set: Unpack[RuleSetArguments]
) -> Question[tuple[Score, ...]]:
    """Ask what cards count; see `Rules.score_cards`."""
    request = pb.ScoreCardsRequest(rule_set=rule_set_message(game, rule_set), cards=split_cards(cards), trump=trump)
    return _question("score_cards", request, decoders.scores)


def batch_message(questions: Iterable[Question[Any]], specs: dict[str, MoveSpecs]) -> pb.BatchRequest:
    """Build the request for many questions; ``specs`` are the move specs by game."""
    request = pb.BatchRequest()
    for one in questions:
        getattr(request.questions.add(), one.name).CopyFrom(one.request(specs[one.game_id]))
    return request


def decode_answers(asked: Iterable[Question[T]], response: pb.BatchResponse) -> list[T | errors.ChitarrellaError]:
    """Decode the answers; a question that failed has an error in its place."""
    answers: list[T | errors.ChitarrellaError] = []
    for question, answer in zip(asked, response.answers, strict=True):
        if answer.WhichOneof("kind") == question.name:
            answers.append(question.decode(getattr(answer, question.name)))
        else:
            answers.append(errors.error_for(answer.error.code, answer.error.message, answer.error.field))
    return answers
