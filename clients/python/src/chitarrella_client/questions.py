"""Stateless questions about positions and cards, for a call of their own or for a batch.

Each function returns a `Question`, which `Rules.ask` and `Rules.batch` send to the service::

    client.rules.batch([ask.legal_moves(position), ask.count("briscola", "Ab 3c")])
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, Unpack

from google.protobuf.message import Message

from chitarrella.v1 import rules_pb2 as pb
from chitarrella_client import decoders, errors
from chitarrella_client.moves import Forms, MoveArguments, MoveLike, has_arguments, move_message, split_cards
from chitarrella_client.requests import AgreementArguments, agreement_message, position_message
from chitarrella_client.responses import ExplainedHand, LegalMoves, PlayedMoves, Position, Tally, Trick, Verdict
from chitarrella_client.types import Agreement, ExplainedMove, View

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

METHODS = {
    "legal_moves": "ListLegalMoves",
    "explain": "ExplainHand",
    "judge": "Judge",
    "play": "PlayMoves",
    "look": "Look",
    "playable": "ListPlayableCards",
    "trick": "ResolveTrick",
    "count": "CountPile",
}
"""The rpc that answers each question on its own."""


@dataclass(frozen=True, slots=True)
class Question(Generic[T_co]):
    """A question whose answer is a ``T``."""

    name: str
    """A key of `METHODS`, and the name of its field in a batch."""
    request: Callable[[Forms], Message]
    """Builds the request from the move forms of ``game``."""
    decode: Callable[[Any], T_co]
    """Decodes the answer."""
    game: str = ""
    """The game whose move forms the request needs; empty if it needs none."""


def _question(name: str, request: Message, decode: Callable[[Any], T]) -> Question[T]:
    """Return a question whose request is known; it needs no move forms."""
    return Question(name, lambda _: request, decode)


def legal_moves(position: Position, seat: int | None = None) -> Question[LegalMoves]:
    """Ask for the legal moves of a seat; without a seat, of the seat to move."""
    request = pb.ListLegalMovesRequest(position=position_message(position), seat=seat)
    return _question("legal_moves", request, decoders.legal_moves)


def explain(position: Position, seat: int | None = None) -> Question[ExplainedHand]:
    """Ask for an explanation of every card of a hand; without a seat, of the seat to move."""
    request = pb.ExplainHandRequest(position=position_message(position), seat=seat)
    return _question("explain", request, decoders.hand)


def judge(
    position: Position, move: MoveLike, by: int | None = None, **arguments: Unpack[MoveArguments]
) -> Question[Verdict]:
    """Ask whether a move of seat ``by`` (None: of chance) would be accepted."""

    def request(forms: Forms) -> Message:
        message = move_message(move, arguments, forms)
        return pb.JudgeRequest(position=position_message(position), seat=by, move=message)

    return Question("judge", request, decoders.verdict, position.agreement.game if has_arguments(move) else "")


def play(position: Position, moves: Iterable[tuple[int | None, MoveLike]]) -> Question[PlayedMoves]:
    """Ask to play moves, each with the seat that makes it (None: chance)."""
    requested = tuple(moves)

    def request(forms: Forms) -> Message:
        messages = [pb.SeatMove(seat=seat, move=move_message(move, {}, forms)) for seat, move in requested]
        return pb.PlayMovesRequest(position=position_message(position), moves=messages)

    needs_forms = any(has_arguments(move) for _, move in requested)
    return Question("play", request, decoders.played_moves, position.agreement.game if needs_forms else "")


def look(position: Position, seat: int | None = None, *, referee: bool = False) -> Question[View]:
    """Ask for the view of a seat, of the referee, or else of the public."""
    request = pb.LookRequest(position=position_message(position))
    if seat is not None:
        request.seat = seat
    elif referee:
        request.referee = True
    return _question("look", request, decoders.view)


def playable(
    game: str | Agreement,
    hand: str | Iterable[str],
    trick: str | Iterable[str] = (),
    trump: str = "",
    **agreement: Unpack[AgreementArguments],
) -> Question[tuple[ExplainedMove, ...]]:
    """Ask which cards of a hand may be played to a trick."""
    request = pb.ListPlayableCardsRequest(
        agreement=agreement_message(game, agreement), hand=split_cards(hand), trick=split_cards(trick), trump=trump
    )
    return _question("playable", request, decoders.explained_moves)


def trick(
    game: str | Agreement, cards: str | Iterable[str], trump: str = "", **agreement: Unpack[AgreementArguments]
) -> Question[Trick]:
    """Ask which card takes a trick."""
    request = pb.ResolveTrickRequest(
        agreement=agreement_message(game, agreement), cards=split_cards(cards), trump=trump
    )
    return _question("trick", request, decoders.trick)


def count(
    game: str | Agreement, cards: str | Iterable[str], trump: str = "", **agreement: Unpack[AgreementArguments]
) -> Question[tuple[Tally, ...]]:
    """Ask for the points of a pile of cards; ``trump`` matters in games where some cards count more as trumps."""
    request = pb.CountPileRequest(agreement=agreement_message(game, agreement), cards=split_cards(cards), trump=trump)
    return _question("count", request, decoders.tallies)


def batch_message(questions: Iterable[Question[Any]], forms: dict[str, Forms]) -> pb.BatchRequest:
    """Build the request for many questions; ``forms`` are the move forms by game."""
    request = pb.BatchRequest()
    for one in questions:
        getattr(request.questions.add(), one.name).CopyFrom(one.request(forms[one.game]))
    return request


def decode_answers(asked: Iterable[Question[T]], response: pb.BatchResponse) -> list[T | errors.ChitarrellaError]:
    """Decode the answers; a question that could not be answered has an error in its place."""
    answers: list[T | errors.ChitarrellaError] = []
    for question, answer in zip(asked, response.answers, strict=True):
        if answer.WhichOneof("say") == question.name:
            answers.append(question.decode(getattr(answer, question.name)))
        else:
            answers.append(errors.error_for(answer.fault.code, answer.fault.because, answer.fault.field))
    return answers
