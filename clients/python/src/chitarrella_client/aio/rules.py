"""Stateless questions about positions and cards; the service keeps nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar, Unpack

from chitarrella.v1.catalogue_pb2 import GetGameRequest
from chitarrella.v1.questions_pb2 import BatchResponse
from chitarrella_client import decoders, errors, questions, requests
from chitarrella_client.aio.transport import AsyncTransport
from chitarrella_client.arguments import checked
from chitarrella_client.moves import MoveArguments, MoveLike, MoveSpecs
from chitarrella_client.positions import (
    AppliedMoves,
    CardScores,
    ExplainedHand,
    GameStart,
    LegalMoves,
    MoveValidation,
    Position,
    PositionLike,
    TrickResult,
)
from chitarrella_client.questions import METHODS, Question
from chitarrella_client.requests import RuleSetArguments
from chitarrella_client.shuffles import Fairness, Shuffle
from chitarrella_client.types import RuleSet, View


class AsyncMoveSpecCache:
    """A cache of move specs by game."""

    def __init__(self, transport: AsyncTransport) -> None:
        """Fetch over ``transport``."""
        self._transport = transport
        self._specs: dict[str, MoveSpecs] = {"": {}}

    async def get(self, game_id: str) -> MoveSpecs:
        """Return the move specs of a game by verb; none for the empty key."""
        if game_id not in self._specs:
            request = GetGameRequest(game_id=game_id)
            game = await self._transport.call(self._transport.catalogue.GetGame, request, decoders.game)
            self._specs[game_id] = {spec.verb: spec for spec in game.moves}
        return self._specs[game_id]


T = TypeVar("T")


@checked
class AsyncRules:
    """The rules, for programs that keep their own matches: a position goes in, a position comes out."""

    def __init__(self, transport: AsyncTransport, move_specs: AsyncMoveSpecCache) -> None:
        """Ask over ``transport``."""
        self._transport = transport
        self._move_specs = move_specs

    async def start_game(self, game: str | RuleSet, **rule_set: Unpack[RuleSetArguments]) -> GameStart:
        """Return the position before the first card, and what chance has to supply."""
        return await self.ask(questions.start_game(game, **rule_set))

    async def legal_moves(self, position: PositionLike, seat: int | None = None) -> LegalMoves:
        """List the legal moves of a seat; without a seat, of the seat to move.

        For a `PartialPosition` these are the moves that play cards to the trick; without a seat and the leader of the
        trick, those of its only hand.
        """
        return await self.ask(questions.legal_moves(position, seat))

    async def explain_hand(self, position: PositionLike, seat: int | None = None) -> ExplainedHand:
        """Explain every move that a seat might make: legal, or the clauses that it would break; see `legal_moves`."""
        return await self.ask(questions.explain_hand(position, seat))

    async def validate_move(
        self, position: PositionLike, move: MoveLike, by: int | None = None, **arguments: Unpack[MoveArguments]
    ) -> MoveValidation:
        """Validate a move of seat ``by``; None for chance, or for the only hand of a `PartialPosition`."""
        return await self.ask(questions.validate_move(position, move, by, **arguments))

    async def apply_moves(self, position: Position, moves: Iterable[tuple[int | None, MoveLike]]) -> AppliedMoves:
        """Play moves in order, each with the seat that makes it (None: chance), up to the first that is refused."""
        return await self.ask(questions.apply_moves(position, moves))

    async def get_view(self, position: Position, seat: int | None = None, *, referee: bool = False) -> View:
        """Return the view of a seat, of the referee, or else of the public."""
        return await self.ask(questions.get_view(position, seat, referee=referee))

    async def resolve_trick(
        self,
        game: str | RuleSet,
        cards: str | Iterable[str],
        trump: str | None = None,
        trump_card: str | None = None,
        **rule_set: Unpack[RuleSetArguments],
    ) -> TrickResult:
        """Return the card that takes a trick; if that depends on an unknown part, the result names it.

        ``cards``: the cards in order of play.
        ``trump``: the trump suit; empty for no trumps, None if unknown.
        ``trump_card``: the trump card, in games where the trump is a single card; empty for none, None if unknown.
        """
        return await self.ask(questions.resolve_trick(game, cards, trump, trump_card, **rule_set))

    async def score_cards(
        self,
        game: str | RuleSet,
        cards: str | Iterable[str],
        trump: str | None = None,
        **rule_set: Unpack[RuleSetArguments],
    ) -> CardScores:
        """Return what cards count; if that depends on the trump suit and it is None, the result says so."""
        return await self.ask(questions.score_cards(game, cards, trump, **rule_set))

    async def verify_shuffle(self, game_id: str, shuffle: Shuffle) -> Fairness:
        """Verify a shuffle in the service; `chitarrella_client.fairness` does the same without it."""
        request = requests.verify_shuffle(game_id, shuffle)
        return await self._transport.call(self._transport.rules.VerifyShuffle, request, decoders.fairness)

    async def ask(self, question: Question[T]) -> T:
        """Ask one question, made by `chitarrella_client.ask`."""
        request = question.request(await self._move_specs.get(question.specs_of))
        method = getattr(self._transport.rules, METHODS[question.name])
        return await self._transport.call(method, request, question.decode)

    async def batch(self, asked: Sequence[Question[T]]) -> list[T | errors.ChitarrellaError]:
        """Ask many questions in one call; returns an answer or an error for each, in the same order.

        A question may have the position of an earlier one, see `chitarrella_client.ask`; raises `ValueError` if that is
        not before it in ``asked``.
        """
        specs = {game_id: await self._move_specs.get(game_id) for game_id in {question.specs_of for question in asked}}
        request = questions.batch_message(asked, specs)

        def decode(response: BatchResponse) -> list[Any]:
            return questions.decode_answers(asked, response)

        return await self._transport.call(self._transport.rules.Batch, request, decode)
