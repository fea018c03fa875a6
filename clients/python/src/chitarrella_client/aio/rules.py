"""Stateless questions about positions and cards; the service keeps nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar, Unpack

from chitarrella.v1.rules_pb2 import BatchResponse, StartGameRequest
from chitarrella_client import decoders, errors, questions
from chitarrella_client.aio.move_forms import AsyncMoveForms
from chitarrella_client.aio.transport import AsyncTransport
from chitarrella_client.draws import Draw, Fairness
from chitarrella_client.moves import MoveArguments, MoveLike
from chitarrella_client.questions import METHODS, Question
from chitarrella_client.requests import AgreementArguments, agreement_message, verify_draw
from chitarrella_client.responses import (
    ExplainedHand,
    LegalMoves,
    PlayedMoves,
    Position,
    Start,
    Tally,
    Trick,
    Verdict,
)
from chitarrella_client.types import Agreement, ExplainedMove, View

T = TypeVar("T")


class AsyncRules:
    """The rules, for programs that keep their own matches: a position goes in, a position comes out."""

    def __init__(self, transport: AsyncTransport, move_forms: AsyncMoveForms) -> None:
        """Ask over ``transport``."""
        self._transport = transport
        self._move_forms = move_forms

    async def start(self, game: str | Agreement, **agreement: Unpack[AgreementArguments]) -> Start:
        """Return the position before the first deal, and what chance has to supply."""
        request = StartGameRequest(agreement=agreement_message(game, agreement))
        return await self._transport.call(self._transport.rules.StartGame, request, decoders.start)

    async def legal_moves(self, position: Position, seat: int | None = None) -> LegalMoves:
        """List the legal moves of a seat; without a seat, of the seat to move."""
        return await self.ask(questions.legal_moves(position, seat))

    async def explain(self, position: Position, seat: int | None = None) -> ExplainedHand:
        """Explain every card of a hand, and every other move within reach."""
        return await self.ask(questions.explain(position, seat))

    async def judge(
        self, position: Position, move: MoveLike, by: int | None = None, **arguments: Unpack[MoveArguments]
    ) -> Verdict:
        """Check a move of seat ``by``, or (None) of chance."""
        return await self.ask(questions.judge(position, move, by, **arguments))

    async def play(self, position: Position, *moves: tuple[int | None, MoveLike]) -> PlayedMoves:
        """Play moves, each with the seat that makes it (None: chance), until one is refused."""
        return await self.ask(questions.play(position, moves))

    async def look(self, position: Position, seat: int | None = None, *, referee: bool = False) -> View:
        """Return the view of a seat, of the referee, or else of the public."""
        return await self.ask(questions.look(position, seat, referee=referee))

    async def verify_draw(self, game: str, draw: Draw) -> Fairness:
        """Verify a draw in the service; `chitarrella_client.fairness` does the same without it."""
        return await self._transport.call(self._transport.rules.VerifyDraw, verify_draw(game, draw), decoders.fairness)

    async def playable(
        self,
        game: str | Agreement,
        hand: str | Iterable[str],
        trick: str | Iterable[str] = (),
        trump: str = "",
        **agreement: Unpack[AgreementArguments],
    ) -> tuple[ExplainedMove, ...]:
        """Return the cards of a hand, each with whether it may be played to a trick."""
        return await self.ask(questions.playable(game, hand, trick, trump, **agreement))

    async def trick(
        self,
        game: str | Agreement,
        cards: str | Iterable[str],
        trump: str = "",
        **agreement: Unpack[AgreementArguments],
    ) -> Trick:
        """Return the card that takes a trick."""
        return await self.ask(questions.trick(game, cards, trump, **agreement))

    async def count(
        self,
        game: str | Agreement,
        cards: str | Iterable[str],
        trump: str = "",
        **agreement: Unpack[AgreementArguments],
    ) -> tuple[Tally, ...]:
        """Count the points of a pile of cards."""
        return await self.ask(questions.count(game, cards, trump, **agreement))

    async def ask(self, question: Question[T]) -> T:
        """Ask one question, made by `chitarrella_client.ask`."""
        request = question.request(await self._move_forms.get(question.game))
        method = getattr(self._transport.rules, METHODS[question.name])
        return await self._transport.call(method, request, question.decode)

    async def batch(self, asked: Sequence[Question[T]]) -> list[T | errors.ChitarrellaError]:
        """Ask many questions in one call; returns an answer or an error for each, in the same order."""
        forms = {game: await self._move_forms.get(game) for game in {question.game for question in asked}}
        request = questions.batch_message(asked, forms)

        def decode(response: BatchResponse) -> list[Any]:
            return questions.decode_answers(asked, response)

        return await self._transport.call(self._transport.rules.Batch, request, decode)
