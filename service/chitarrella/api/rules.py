"""RulesService: stateless questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from google.protobuf.message import Message

from chitarrella import errors
from chitarrella.api.authorization import requested_seat
from chitarrella.api.call_budget import check_budget, within_budget
from chitarrella.api.caller import Caller
from chitarrella.api.converters import (
    chance_request_message,
    event_message,
    find_game,
    item_error_message,
    move_message,
    read_game,
    read_move,
    refusal_messages,
    view_message,
)
from chitarrella.api.move_lists import explained_play_messages
from chitarrella.api.partial_position_messages import read_partial_position
from chitarrella.catalogue.registry import Catalogue
from chitarrella.core.game import AnyGame, Position, seat_to_move, view_for
from chitarrella.core.model import CHANCE, REFEREE, ChanceRequest, Move, Seat, Viewer
from chitarrella.core.provable_shuffle import verify
from chitarrella.questions.move_answers import (
    MoveQuestion,
    PositionQuestion,
    apply_moves,
    explain_hand,
    list_moves,
    start_game,
    validate,
)
from chitarrella.questions.reading import read_pack, read_position, read_seat
from chitarrella.questions.tricks import Scores, playable_cards, resolve_trick, score_cards
from chitarrella.v1 import rules_pb2 as pb

HasPosition = (
    pb.ListLegalMovesRequest | pb.ExplainHandRequest | pb.ValidateMoveRequest | pb.ApplyMovesRequest | pb.GetViewRequest
)
"""A request that asks about a position."""
WITH_POSITION = ("start_game", "apply_moves")
"""The answers of a batch that have a position."""


class RulesServicer:
    """Implements RulesService."""

    def __init__(self, catalogue: Catalogue) -> None:
        """Answer by the rules of ``catalogue``."""
        self._catalogue = catalogue
        self._questions: dict[str, Callable[[Any, Caller], Any]] = {
            "list_legal_moves": self.ListLegalMoves,
            "explain_hand": self.ExplainHand,
            "validate_move": self.ValidateMove,
            "apply_moves": self.ApplyMoves,
            "get_view": self.GetView,
            "list_playable_cards": self.ListPlayableCards,
            "resolve_trick": self.ResolveTrick,
            "score_cards": self.ScoreCards,
            "start_game": self.StartGame,
        }

    def _read(self, request: HasPosition) -> tuple[AnyGame, Position]:
        """Read the position of a request; raises `errors.BadRequest` if it has none."""
        if not request.HasField("position"):
            raise errors.BadRequest("bad_request", "position: value is required", "position")
        message = request.position
        game = read_game(self._catalogue, message.rule_set)
        return game, read_position(game, message.text)

    def _asked(self, request: pb.ListLegalMovesRequest | pb.ExplainHandRequest) -> MoveQuestion:
        """Read what a request asks about: the seat that it names, else the seat to move."""
        if request.HasField("partial_position"):
            return read_partial_position(self._catalogue, request.partial_position, requested_seat(request))
        game, p = self._read(request)
        seat = read_seat(game, request.seat) if request.HasField("seat") else seat_to_move(game, p)
        return PositionQuestion(game, p, seat)

    def StartGame(self, request: pb.StartGameRequest, caller: Caller) -> pb.StartGameResponse:
        """Return the initial position of a rule set."""
        started = start_game(read_game(self._catalogue, request.rule_set))
        return pb.StartGameResponse(
            position=pb.Position(rule_set=request.rule_set, text=started.text),
            chance_request=chance_request_message(started.chance_request),
            view=view_message(started.view),
        )

    def ListLegalMoves(self, request: pb.ListLegalMovesRequest, caller: Caller) -> pb.ListLegalMovesResponse:
        """List the legal moves of a seat."""
        asked = self._asked(request)
        found = list_moves(asked)
        return pb.ListLegalMovesResponse(
            moves=map(move_message, found.moves),
            seat=found.seat,
            undecided=explained_play_messages(asked.game, found.undecided, caller.translator),
            depends_on=found.depends_on,
            chance_request=_chance_request_message(found.chance_request),
        )

    def ExplainHand(self, request: pb.ExplainHandRequest, caller: Caller) -> pb.ExplainHandResponse:
        """Explain for every move of a seat whether it is legal, and why not."""
        asked = self._asked(request)
        found = explain_hand(asked)
        moves = explained_play_messages(asked.game, found.plays, caller.translator)
        return pb.ExplainHandResponse(moves=moves, seat=found.seat, depends_on=found.depends_on)

    def ValidateMove(self, request: pb.ValidateMoveRequest, caller: Caller) -> pb.ValidateMoveResponse:
        """Validate a move without playing it."""
        asked: MoveQuestion
        if request.HasField("partial_position"):
            asked = read_partial_position(self._catalogue, request.partial_position, requested_seat(request))
        else:
            game, p = self._read(request)
            asked = PositionQuestion(game, p, read_seat(game, request.seat) if request.HasField("seat") else CHANCE)
        assert asked.seat is not None
        found = validate(asked, read_move(asked.game, request.move, asked.seat))
        return pb.ValidateMoveResponse(
            accepted=found.accepted,
            refusals=refusal_messages(asked.game, found.refusals, caller.translator),
            depends_on=found.depends_on,
        )

    def ApplyMoves(self, request: pb.ApplyMovesRequest, caller: Caller) -> pb.ApplyMovesResponse:
        """Play moves up to the first that is refused."""
        game, p = self._read(request)
        moves = [_read_seat_move(game, message, place) for place, message in enumerate(request.moves)]
        played = apply_moves(game, p, within_budget(moves))
        return pb.ApplyMovesResponse(
            position=pb.Position(rule_set=request.position.rule_set, text=played.text),
            applied=played.applied,
            refusals=refusal_messages(game, played.refusals, caller.translator),
            penalties=[
                pb.MovePenalty(index=index, refusals=refusal_messages(game, refusals, caller.translator))
                for index, refusals in played.penalties
            ],
            events=map(event_message, played.events),
            view=view_message(played.view),
            chance_request=_chance_request_message(played.chance_request),
            points=played.points,
            legal_moves=map(move_message, played.legal_moves),
        )

    def GetView(self, request: pb.GetViewRequest, caller: Caller) -> pb.GetViewResponse:
        """Return the view that a seat, the referee or the public has of a position."""
        game, p = self._read(request)
        viewer: Viewer = None
        if request.WhichOneof("viewer") == "seat":
            viewer = read_seat(game, request.seat)
        elif request.referee:
            viewer = REFEREE
        return pb.GetViewResponse(view=view_message(view_for(game, p, viewer)))

    def ListPlayableCards(self, request: pb.ListPlayableCardsRequest, caller: Caller) -> pb.ListPlayableCardsResponse:
        """Explain every play of a hand to a trick, without a position."""
        game = read_game(self._catalogue, request.rule_set)
        plays = playable_cards(
            game,
            request.hand,
            request.trick,
            trump=request.trump,
            trump_card=request.trump_card,
            declared_suit=request.declared_suit,
            stock_left=request.stock_left,
        )
        return pb.ListPlayableCardsResponse(moves=explained_play_messages(game, plays, caller.translator))

    def ResolveTrick(self, request: pb.ResolveTrickRequest, caller: Caller) -> pb.ResolveTrickResponse:
        """Determine the winning card of a trick, without a position."""
        trump = request.trump if request.HasField("trump") else None
        trump_card = request.trump_card if request.HasField("trump_card") else None
        found = resolve_trick(read_game(self._catalogue, request.rule_set), request.cards, trump, trump_card)
        return pb.ResolveTrickResponse(
            winning_index=found.winning_index,
            winning_card=found.winning_card,
            scores=_score_messages(found.scores),
            depends_on=found.depends_on,
        )

    def ScoreCards(self, request: pb.ScoreCardsRequest, caller: Caller) -> pb.ScoreCardsResponse:
        """Score cards, without a position."""
        scores = score_cards(read_game(self._catalogue, request.rule_set), request.cards, request.trump)
        return pb.ScoreCardsResponse(scores=_score_messages(scores))

    def VerifyShuffle(self, request: pb.VerifyShuffleRequest, caller: Caller) -> pb.VerifyShuffleResponse:
        """Verify a shuffle against its commitment."""
        pack = find_game(self._catalogue, request.game_id).pack
        seeds = tuple((one.seat, one.seed) for one in request.client_seeds)
        proof = (request.commitment, request.nonce, request.number, seeds)
        if request.cards:
            cards = read_pack(pack, request.cards, "cards")
            if pack.surplus(cards):
                raise errors.BadRequest(
                    "bad_pack", "The pack of this game does not have these cards in this number.", "cards"
                )
            code = verify(pack.in_order(cards), cards, *proof)
        elif request.lots and request.HasField("amount"):
            code = verify(sorted(request.lots), [request.amount], *proof)
        else:
            raise errors.BadRequest("bad_request", "Either the cards are given, or the lot and the lots.", "cards")
        return pb.VerifyShuffleResponse(fair=not code, code=code)

    def Batch(self, request: pb.BatchRequest, caller: Caller) -> pb.BatchResponse:
        """Answer many questions in order; each succeeds or fails on its own, those after the budget fail."""
        answers: list[pb.Answer] = []
        for question in request.questions:
            answers.append(self._answer(question, answers, caller))
        return pb.BatchResponse(answers=answers)

    def _answer(self, question: pb.Question, earlier: Sequence[pb.Answer], caller: Caller) -> pb.Answer:
        which = question.WhichOneof("kind") or "list_legal_moves"
        try:
            check_budget()
            asked = getattr(question, which)
            if question.HasField("position_of"):
                position = _position_of(earlier, question.position_of, asked)
                asked = type(asked).FromString(asked.SerializeToString())
                asked.position.CopyFrom(position)
            answer = self._questions[which](asked, caller)
        except errors.ChitarrellaError as error:
            return pb.Answer(error=item_error_message(error))
        return pb.Answer(**{which: answer})


def _position_of(earlier: Sequence[pb.Answer], index: int, asked: Message) -> pb.Position:
    """Return the position of an earlier answer; raises `errors.BadRequest` if there is none, or none is taken."""
    if "position" not in asked.DESCRIPTOR.fields_by_name:
        raise errors.BadRequest("bad_request", "This question takes no position.", "position_of")
    answer = earlier[index] if index < len(earlier) else pb.Answer()
    which = answer.WhichOneof("kind")
    if which not in WITH_POSITION:
        raise errors.BadRequest("bad_request", "Not an earlier question with a position as its answer.", "position_of")
    position: pb.Position = getattr(answer, which).position
    return position


def _read_seat_move(game: AnyGame, message: pb.SeatMove, place: int) -> tuple[Seat, Move]:
    actor = read_seat(game, message.seat, f"moves[{place}].seat") if message.HasField("seat") else CHANCE
    return actor, read_move(game, message.move, actor, f"moves[{place}].move")


def _chance_request_message(chance: ChanceRequest | None) -> pb.ChanceRequest | None:
    return None if chance is None else chance_request_message(chance)


def _score_messages(scores: Scores) -> list[pb.Score]:
    return [pb.Score(name=name, value=number) for name, number in scores]
