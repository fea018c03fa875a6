"""Questions about positions and cards; the service keeps nothing of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar, Unpack

from chitarrella_client import errors, questions, reading
from chitarrella_client.aio.line import AsyncLine
from chitarrella_client.aio.verbs import AsyncVerbs
from chitarrella_client.answers import (
    ExplainedHand,
    LegalMoves,
    PlayedMoves,
    Position,
    Start,
    Tally,
    Trick,
    Verdict,
)
from chitarrella_client.draws import Draw, Fairness
from chitarrella_client.moves import Arguments, MoveLike
from chitarrella_client.questions import METHODS, Question
from chitarrella_client.requests import Agreed, agreement_message, verify_draw
from chitarrella_client.table import Agreement, ExplainedMove, View
from chitarrella_client.v1.rules_pb2 import BatchResponse, StartGameRequest

T = TypeVar("T")


class AsyncRules:
    """The rules, for those who keep their own matches: a position goes in, a position comes out."""

    def __init__(self, line: AsyncLine, verbs: AsyncVerbs) -> None:
        """Ask over ``line``."""
        self._line = line
        self._verbs = verbs

    async def start(self, game: str | Agreement, **agreed: Unpack[Agreed]) -> Start:
        """Give the position before the first card, and what the table has to supply."""
        request = StartGameRequest(agreement=agreement_message(game, agreed))
        return await self._line.ask(self._line.rules.StartGame, request, reading.start)

    async def legal_moves(self, position: Position, seat: int | None = None) -> LegalMoves:
        """List what a seat may do; without a seat, the seat to move."""
        return await self.ask(questions.legal_moves(position, seat))

    async def explain(self, position: Position, seat: int | None = None) -> ExplainedHand:
        """Explain every card of a hand, and every other act within reach."""
        return await self.ask(questions.explain(position, seat))

    async def judge(
        self, position: Position, move: MoveLike, by: int | None = None, **arguments: Unpack[Arguments]
    ) -> Verdict:
        """Judge a move of seat ``by``, or of the table itself."""
        return await self.ask(questions.judge(position, move, by, **arguments))

    async def play(self, position: Position, *moves: tuple[int | None, MoveLike]) -> PlayedMoves:
        """Play moves, each with the seat that makes it (None: the table), until one is refused."""
        return await self.ask(questions.play(position, moves))

    async def look(self, position: Position, seat: int | None = None, *, referee: bool = False) -> View:
        """Show a position as a seat sees it, or the referee, or else the public."""
        return await self.ask(questions.look(position, seat, referee=referee))

    async def verify_draw(self, game: str, draw: Draw) -> Fairness:
        """Let the service check that a draw came out as promised; `chitarrella_client.fairness` does it here."""
        return await self._line.ask(self._line.rules.VerifyDraw, verify_draw(game, draw), reading.fairness)

    async def playable(
        self,
        game: str | Agreement,
        hand: str | Iterable[str],
        trick: str | Iterable[str] = (),
        trump: str = "",
        **agreed: Unpack[Agreed],
    ) -> tuple[ExplainedMove, ...]:
        """Say at a glance which cards of a hand may be played to a trick."""
        return await self.ask(questions.playable(game, hand, trick, trump, **agreed))

    async def trick(
        self, game: str | Agreement, cards: str | Iterable[str], trump: str = "", **agreed: Unpack[Agreed]
    ) -> Trick:
        """Say at a glance which card takes a trick."""
        return await self.ask(questions.trick(game, cards, trump, **agreed))

    async def count(
        self, game: str | Agreement, cards: str | Iterable[str], trump: str = "", **agreed: Unpack[Agreed]
    ) -> tuple[Tally, ...]:
        """Say at a glance what a pile of cards is worth."""
        return await self.ask(questions.count(game, cards, trump, **agreed))

    async def ask(self, question: Question[T]) -> T:
        """Put one question of `questions`."""
        request = question.request(await self._verbs.of(question.game))
        return await self._line.ask(getattr(self._line.rules, METHODS[question.name]), request, question.read)

    async def batch(self, asked: Sequence[Question[T]]) -> list[T | errors.ChitarrellaError]:
        """Put many questions in one call; each gets its own answer or its own error, in the same order."""
        forms = {game: await self._verbs.of(game) for game in {question.game for question in asked}}
        request = questions.batch_message(asked, forms)

        def read(response: BatchResponse) -> list[Any]:
            return questions.read_answers(asked, response)

        return await self._line.ask(self._line.rules.Batch, request, read)
