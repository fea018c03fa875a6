"""Questions about positions and cards, to be asked one by one or many in one call.

Each gives back a `Question`, which `Rules.ask` and `Rules.batch` put to the service::

    client.rules.batch([ask.legal_moves(position), ask.count("briscola", "Ab 3c")])
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, Unpack

from google.protobuf.message import Message

from chitarrella_client import errors, reading
from chitarrella_client.answers import ExplainedHand, LegalMoves, PlayedMoves, Position, Tally, Trick, Verdict
from chitarrella_client.moves import Arguments, Forms, MoveLike, is_line, move_message, words
from chitarrella_client.requests import Agreed, agreement_message, position_message
from chitarrella_client.table import Agreement, ExplainedMove, View
from chitarrella_client.v1 import rules_pb2 as pb

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
"""The method that answers each question when it is asked alone."""


@dataclass(frozen=True, slots=True)
class Question(Generic[T_co]):
    """A question that is answered by a ``T``."""

    name: str
    """Which: a key of `METHODS`, and the field that carries it in a batch."""
    request: Callable[[Forms], Message]
    """Writes the request; takes the forms of ``game``."""
    read: Callable[[Any], T_co]
    """Reads the answer."""
    game: str = ""
    """The game whose forms it takes to write the request; empty where it takes none."""


def _plain(name: str, request: Message, read: Callable[[Any], T]) -> Question[T]:
    return Question(name, lambda _: request, read)


def legal_moves(position: Position, seat: int | None = None) -> Question[LegalMoves]:
    """Ask what a seat may do; without a seat, the seat to move."""
    request = pb.ListLegalMovesRequest(position=position_message(position), seat=seat)
    return _plain("legal_moves", request, reading.legal_moves)


def explain(position: Position, seat: int | None = None) -> Question[ExplainedHand]:
    """Ask for every card of a hand to be explained; without a seat, of the seat to move."""
    request = pb.ExplainHandRequest(position=position_message(position), seat=seat)
    return _plain("explain", request, reading.hand)


def judge(
    position: Position, move: MoveLike, by: int | None = None, **arguments: Unpack[Arguments]
) -> Question[Verdict]:
    """Ask whether a move of seat ``by`` (None: of the table itself) would be accepted."""

    def request(forms: Forms) -> Message:
        message = move_message(move, arguments, forms)
        return pb.JudgeRequest(position=position_message(position), seat=by, move=message)

    return Question("judge", request, reading.verdict, position.agreement.game if is_line(move) else "")


def play(position: Position, moves: Iterable[tuple[int | None, MoveLike]]) -> Question[PlayedMoves]:
    """Ask for moves to be played, each with the seat that makes it (None: the table itself)."""
    wishes = tuple(moves)

    def request(forms: Forms) -> Message:
        made = [pb.SeatMove(seat=seat, move=move_message(move, {}, forms)) for seat, move in wishes]
        return pb.PlayMovesRequest(position=position_message(position), moves=made)

    takes_forms = any(is_line(move) for _, move in wishes)
    return Question("play", request, reading.played_moves, position.agreement.game if takes_forms else "")


def look(position: Position, seat: int | None = None, *, referee: bool = False) -> Question[View]:
    """Ask what a seat sees, or the referee, or else the public."""
    request = pb.LookRequest(position=position_message(position))
    if seat is not None:
        request.seat = seat
    elif referee:
        request.referee = True
    return _plain("look", request, reading.view)


def playable(
    game: str | Agreement,
    hand: str | Iterable[str],
    trick: str | Iterable[str] = (),
    trump: str = "",
    **agreed: Unpack[Agreed],
) -> Question[tuple[ExplainedMove, ...]]:
    """Ask which cards of a hand may be played to a trick."""
    request = pb.ListPlayableCardsRequest(
        agreement=agreement_message(game, agreed), hand=words(hand), trick=words(trick), trump=trump
    )
    return _plain("playable", request, reading.explained)


def trick(
    game: str | Agreement, cards: str | Iterable[str], trump: str = "", **agreed: Unpack[Agreed]
) -> Question[Trick]:
    """Ask which card takes a trick."""
    request = pb.ResolveTrickRequest(agreement=agreement_message(game, agreed), cards=words(cards), trump=trump)
    return _plain("trick", request, reading.trick)


def count(
    game: str | Agreement, cards: str | Iterable[str], trump: str = "", **agreed: Unpack[Agreed]
) -> Question[tuple[Tally, ...]]:
    """Ask what a pile of cards is worth; the trump suit matters where some cards count more as trumps."""
    request = pb.CountPileRequest(agreement=agreement_message(game, agreed), cards=words(cards), trump=trump)
    return _plain("count", request, reading.tallies)


def batch_message(questions: Iterable[Question[Any]], forms: dict[str, Forms]) -> pb.BatchRequest:
    """Write many questions into one request; ``forms`` by game."""
    request = pb.BatchRequest()
    for one in questions:
        getattr(request.questions.add(), one.name).CopyFrom(one.request(forms[one.game]))
    return request


def read_answers(asked: Iterable[Question[T]], response: pb.BatchResponse) -> list[T | errors.ChitarrellaError]:
    """Read the answers; what could not be answered is an error in its place."""
    answers: list[T | errors.ChitarrellaError] = []
    for question, answer in zip(asked, response.answers, strict=True):
        if answer.WhichOneof("say") == question.name:
            answers.append(question.read(getattr(answer, question.name)))
        else:
            answers.append(errors.made(answer.fault.code, answer.fault.because, answer.fault.field))
    return answers
