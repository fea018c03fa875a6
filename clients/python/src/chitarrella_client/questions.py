"""Stateless questions about positions and cards, for a call of their own or for a batch.

Each function returns a `Question`, which `Rules.ask` and `Rules.batch` send to the service::

    client.rules.batch([ask.legal_moves(position), ask.score_cards("briscola", "Ab 3c")])

In a batch, an earlier question can stand for the position of its answer::

    start = ask.start_game("briscola", players=2)
    client.rules.batch([start, ask.get_view(start)])
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar, Unpack

from google.protobuf.message import Message

from chitarrella.v1 import position_pb2, questions_pb2
from chitarrella_client import decoders, errors
from chitarrella_client.arguments import check_arguments
from chitarrella_client.moves import MoveArguments, MoveLike, MoveSpecs, has_arguments, move_message, split_cards
from chitarrella_client.positions import (
    AppliedMoves,
    CardScores,
    ExplainedHand,
    GameStart,
    LegalMoves,
    MoveValidation,
    PartialPosition,
    Position,
    PositionLike,
    TrickResult,
)
from chitarrella_client.requests import (
    RuleSetArguments,
    partial_position_message,
    position_message,
    rule_set_message,
)
from chitarrella_client.types import RuleSet, View

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

METHODS = {
    "start_game": "StartGame",
    "list_legal_moves": "ListLegalMoves",
    "explain_hand": "ExplainHand",
    "validate_move": "ValidateMove",
    "apply_moves": "ApplyMoves",
    "get_view": "GetView",
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
    """The game of its position; empty if it has none."""
    needs_specs: bool = False
    """The request needs the move specs of that game."""
    position_of: Question[Any] | None = None
    """The earlier question of the same batch whose answer has the position."""

    @property
    def specs_of(self) -> str:
        """The game whose move specs the request needs; empty if it needs none."""
        return self.game_id if self.needs_specs else ""


PositionQuestion: TypeAlias = Question[GameStart] | Question[AppliedMoves]
"""A question whose answer has a position: it stands for that position in later questions of the same batch."""


def _question(name: str, request: Message, decode: Callable[[Any], T]) -> Question[T]:
    """Return a question whose request is known, and which has no position."""
    return Question(name, lambda _: request, decode)


def _about(
    position: PositionLike | PositionQuestion,
    name: str,
    request: Callable[[MoveSpecs], Any],
    decode: Callable[[Any], T],
    needs_specs: bool = False,
) -> Question[T]:
    """Return a question about a position; ``request`` builds the request without it."""
    if isinstance(position, Question):
        return Question(name, request, decode, position.game_id, needs_specs, position)

    def with_position(specs: MoveSpecs) -> Message:
        message: Message = request(specs)
        if isinstance(position, PartialPosition):
            message.MergeFrom(type(message)(partial_position=partial_position_message(position)))
        else:
            message.MergeFrom(type(message)(position=position_message(position)))
        return message

    rule_set = position.rule_set
    game_id = rule_set if isinstance(rule_set, str) else rule_set.game_id
    return Question(name, with_position, decode, game_id, needs_specs)


@check_arguments
def start_game(game: str | RuleSet, **rule_set: Unpack[RuleSetArguments]) -> Question[GameStart]:
    """Ask for the position before the first card."""
    message = rule_set_message(game, rule_set)
    request = questions_pb2.StartGameRequest(rule_set=message)
    return Question("start_game", lambda _: request, decoders.game_start, message.game_id)


@check_arguments
def legal_moves(position: PositionLike | PositionQuestion, seat: int | None = None) -> Question[LegalMoves]:
    """Ask for the legal moves of a seat; without a seat, of the seat to move."""
    return _about(
        position, "list_legal_moves", lambda _: questions_pb2.ListLegalMovesRequest(seat=seat), decoders.legal_moves
    )


@check_arguments
def explain_hand(position: PositionLike | PositionQuestion, seat: int | None = None) -> Question[ExplainedHand]:
    """Ask for an explanation of every move that a seat might make; without a seat, of the seat to move."""
    return _about(
        position, "explain_hand", lambda _: questions_pb2.ExplainHandRequest(seat=seat), decoders.explained_hand
    )


@check_arguments
def validate_move(
    position: PositionLike | PositionQuestion,
    move: MoveLike,
    by: int | None = None,
    **arguments: Unpack[MoveArguments],
) -> Question[MoveValidation]:
    """Ask whether a move of seat ``by`` is accepted; None for chance, or for the only hand of a partial position."""

    def request(specs: MoveSpecs) -> Message:
        return questions_pb2.ValidateMoveRequest(seat=by, move=move_message(move, arguments, specs))

    return _about(position, "validate_move", request, decoders.move_validation, has_arguments(move))


@check_arguments
def apply_moves(
    position: Position | PositionQuestion, moves: Iterable[tuple[int | None, MoveLike]]
) -> Question[AppliedMoves]:
    """Ask for the position after moves, each with the seat that makes it (None: chance)."""
    requested = tuple(moves)

    def request(specs: MoveSpecs) -> Message:
        messages = [position_pb2.SeatMove(seat=seat, move=move_message(move, {}, specs)) for seat, move in requested]
        return questions_pb2.ApplyMovesRequest(moves=messages)

    needs_specs = any(has_arguments(move) for _, move in requested)
    return _about(position, "apply_moves", request, decoders.applied_moves, needs_specs)


@check_arguments
def get_view(
    position: Position | PositionQuestion, seat: int | None = None, *, referee: bool = False
) -> Question[View]:
    """Ask for the view of a seat, of the referee, or else of the public."""

    def request(_: MoveSpecs) -> Message:
        if seat is not None:
            return questions_pb2.GetViewRequest(seat=seat)
        return questions_pb2.GetViewRequest(referee=True) if referee else questions_pb2.GetViewRequest()

    return _about(position, "get_view", request, decoders.view)


@check_arguments
def resolve_trick(
    game: str | RuleSet,
    cards: str | Iterable[str],
    trump: str | None = None,
    trump_card: str | None = None,
    **rule_set: Unpack[RuleSetArguments],
) -> Question[TrickResult]:
    """Ask which card takes a trick; see `Rules.resolve_trick`."""
    request = questions_pb2.ResolveTrickRequest(
        rule_set=rule_set_message(game, rule_set), cards=split_cards(cards), trump=trump, trump_card=trump_card
    )
    return _question("resolve_trick", request, decoders.trick_result)


@check_arguments
def score_cards(
    game: str | RuleSet, cards: str | Iterable[str], trump: str | None = None, **rule_set: Unpack[RuleSetArguments]
) -> Question[CardScores]:
    """Ask what cards count; see `Rules.score_cards`."""
    request = questions_pb2.ScoreCardsRequest(
        rule_set=rule_set_message(game, rule_set), cards=split_cards(cards), trump=trump
    )
    return _question("score_cards", request, decoders.card_scores)


def batch_message(questions: Iterable[Question[Any]], specs: dict[str, MoveSpecs]) -> questions_pb2.BatchRequest:
    """Build the request for many questions; ``specs`` are the move specs by game.

    Raises `ValueError` for a question with the position of one that is not before it.
    """
    request = questions_pb2.BatchRequest()
    index_of: dict[int, int] = {}
    for index, one in enumerate(questions):
        item = request.questions.add()
        if one.position_of is not None:
            if id(one.position_of) not in index_of:
                raise ValueError(f"question {index} has the position of a question that is not before it in the batch")
            item.position_of = index_of[id(one.position_of)]
        getattr(item, one.name).CopyFrom(one.request(specs[one.specs_of]))
        index_of.setdefault(id(one), index)
    return request


def decode_answers(
    asked: Iterable[Question[T]], response: questions_pb2.BatchResponse
) -> list[T | errors.ChitarrellaError]:
    """Decode the answers; a question that failed has an error in its place."""
    answers: list[T | errors.ChitarrellaError] = []
    for question, answer in zip(asked, response.answers, strict=True):
        if answer.WhichOneof("kind") == question.name:
            answers.append(question.decode(getattr(answer, question.name)))
        else:
            answers.append(errors.error_of_status(answer.error))
    return answers
