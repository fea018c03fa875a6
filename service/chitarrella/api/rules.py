"""RulesService and CatalogueService: stateless questions, and the games that they are about."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

from google.protobuf.message import Message

from chitarrella import errors, questions
from chitarrella import v1 as pb
from chitarrella.api import converters
from chitarrella.api.status import status_of
from chitarrella.catalogue.registry import Catalogue, RuleSet
from chitarrella.core.cards import Card, Hand
from chitarrella.core.game import NO_TRUMP_CARD, AnyGame, NoTrumpCard, Position, seat_to_move
from chitarrella.core.model import CHANCE, REFEREE, Move, Seat, Viewer
from chitarrella.core.provable_shuffle import verify
from chitarrella.core.visibility import view_for
from chitarrella.i18n.narration import event_kinds
from chitarrella.i18n.translator import Translator
from chitarrella.runtime.threads import check_job

HasPosition = (
    pb.ListLegalMovesRequest | pb.ExplainHandRequest | pb.ValidateMoveRequest | pb.ApplyMovesRequest | pb.GetViewRequest
)
HasPartialPosition = pb.ListLegalMovesRequest | pb.ExplainHandRequest | pb.ValidateMoveRequest
# The greatest size of the answers of a batch. With an error for each that is left a response has less than the 4 MiB
# that clients of gRPC accept.
MAX_BATCH_BYTES = 7 * 2**19
WITH_POSITION = ("start_game", "apply_moves")  # the answers of a batch that have a position


class Reader(Protocol):
    """Who reads the answer: a `chitarrella.api.caller.Caller`, or a page that runs the rules itself."""

    @property
    def translator(self) -> Translator: ...


class RulesServicer:
    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._questions: dict[str, Callable[[Any, Reader], Any]] = {
            "list_legal_moves": self.ListLegalMoves,
            "explain_hand": self.ExplainHand,
            "validate_move": self.ValidateMove,
            "apply_moves": self.ApplyMoves,
            "get_view": self.GetView,
            "resolve_trick": self.ResolveTrick,
            "score_cards": self.ScoreCards,
            "start_game": self.StartGame,
        }

    def _read(self, request: HasPosition) -> tuple[AnyGame, Position]:
        if not request.HasField("position"):
            raise errors.BadRequest("bad_request", "position: value is required", "position")
        message = request.position
        game = converters.read_game(self._catalogue, message.rule_set)
        return game, questions.read_position(game, message.text)

    def _read_partial(self, request: HasPartialPosition) -> questions.PartialQuestion:
        message = request.partial_position
        game = converters.read_game(self._catalogue, message.rule_set, "partial_position.rule_set")
        questions.trick_rules_of(game, "partial_position.rule_set")
        hands = [
            (hand.seat, converters.read_cards(game.pack, hand.cards, f"partial_position.hands[{place}].cards"))
            for place, hand in enumerate(message.hands)
        ]
        known = questions.PartialPosition(
            hands,
            _read_trick(game, message.trick) if message.HasField("trick") else None,
            message.trump if message.HasField("trump") else None,
            _read_trump_card(game, message, "partial_position."),
            message.stock_size if message.HasField("stock_size") else None,
            message.dealt_in or None,
        )
        return questions.read_partial_question(game, known, request.seat if request.HasField("seat") else None)

    def _asked(self, request: pb.ListLegalMovesRequest | pb.ExplainHandRequest) -> questions.MoveQuestion:
        """Read what a request asks about: the seat that it names, else the seat to move."""
        if request.HasField("partial_position"):
            return self._read_partial(request)
        game, p = self._read(request)
        seat = questions.read_seat(game, request.seat) if request.HasField("seat") else seat_to_move(game, p)
        return questions.PositionQuestion(game, p, seat)

    def StartGame(self, request: pb.StartGameRequest, caller: Reader) -> pb.StartGameResponse:
        game = converters.read_game(self._catalogue, request.rule_set)
        p = game.start()
        return pb.StartGameResponse(
            position=pb.Position(rule_set=request.rule_set, text=game.encode(p)),
            chance_request=converters.chance_request_message(game.chance_request(p)),
            view=converters.view_fields(view_for(game, p, None)),
        )

    def ListLegalMoves(self, request: pb.ListLegalMovesRequest, caller: Reader) -> pb.ListLegalMovesResponse:
        asked = self._asked(request)
        moves, undecided = questions.list_moves(asked)
        return pb.ListLegalMovesResponse(
            moves=map(converters.move_fields, moves),
            seat=asked.seat,
            undecided=converters.explained_move_messages(asked.game, undecided, caller.translator),
            depends_on=questions.unknown_parts(asked),
            chance_request=None
            if isinstance(asked, questions.PartialQuestion)
            else _chance_request(asked.game, asked.position),
        )

    def ExplainHand(self, request: pb.ExplainHandRequest, caller: Reader) -> pb.ExplainHandResponse:
        asked = self._asked(request)
        moves = converters.explained_move_messages(asked.game, questions.explain_hand(asked), caller.translator)
        return pb.ExplainHandResponse(moves=moves, seat=asked.seat, depends_on=questions.unknown_parts(asked))

    def ValidateMove(self, request: pb.ValidateMoveRequest, caller: Reader) -> pb.ValidateMoveResponse:
        asked: questions.MoveQuestion
        if request.HasField("partial_position"):
            asked = self._read_partial(request)
        else:
            game, p = self._read(request)
            asked = questions.PositionQuestion(
                game, p, questions.read_seat(game, request.seat) if request.HasField("seat") else CHANCE
            )
        assert asked.seat is not None
        found = questions.validate(asked, converters.read_move(asked.game, request.move, asked.seat))
        return pb.ValidateMoveResponse(**converters.verdict_fields(asked.game, found, caller.translator))

    def ApplyMoves(self, request: pb.ApplyMovesRequest, caller: Reader) -> pb.ApplyMovesResponse:
        game, p = self._read(request)
        moves = [_read_seat_move(game, message, place) for place, message in enumerate(request.moves)]
        p, applied, refusals, penalties, events = questions.play_until_refused(game, p, map(_checked, moves))
        legal, _ = questions.list_moves(questions.PositionQuestion(game, p, seat_to_move(game, p)))
        return pb.ApplyMovesResponse(
            position=pb.Position(rule_set=request.position.rule_set, text=game.encode(p)),
            applied=applied,
            refusals=converters.refusal_messages(game, refusals, caller.translator),
            penalties=[
                pb.MovePenalty(index=index, refusals=converters.refusal_messages(game, broken, caller.translator))
                for index, broken in penalties
            ],
            events=map(converters.event_fields, events),
            view=converters.view_fields(view_for(game, p, REFEREE)),
            chance_request=_chance_request(game, p),
            points=game.points(p),
            legal_moves=map(converters.move_fields, legal),
        )

    def GetView(self, request: pb.GetViewRequest, caller: Reader) -> pb.GetViewResponse:
        game, p = self._read(request)
        viewer: Viewer = None
        if request.WhichOneof("viewer") == "seat":
            viewer = questions.read_seat(game, request.seat)
        elif request.referee:
            viewer = REFEREE
        return pb.GetViewResponse(view=converters.view_fields(view_for(game, p, viewer)))

    def ResolveTrick(self, request: pb.ResolveTrickRequest, caller: Reader) -> pb.ResolveTrickResponse:
        game, cards = self._read_trick_cards(request)
        trump = request.trump if request.HasField("trump") else None
        found = questions.resolve_trick(game, cards, trump, _read_trump_card(game, request))
        return pb.ResolveTrickResponse(
            winning_index=found.winning_index,
            winning_card=found.winning_card,
            scores=_score_messages(found.counts),
            depends_on=found.depends_on,
        )

    def ScoreCards(self, request: pb.ScoreCardsRequest, caller: Reader) -> pb.ScoreCardsResponse:
        game, cards = self._read_trick_cards(request)
        counts, depends_on = questions.score_cards(game, cards, request.trump if request.HasField("trump") else None)
        return pb.ScoreCardsResponse(scores=_score_messages(counts), depends_on=depends_on)

    def _read_trick_cards(self, request: pb.ResolveTrickRequest | pb.ScoreCardsRequest) -> tuple[AnyGame, Hand]:
        game = converters.read_game(self._catalogue, request.rule_set)
        questions.trick_rules_of(game)
        return game, converters.read_cards(game.pack, request.cards, "cards")

    def VerifyShuffle(self, request: pb.VerifyShuffleRequest, caller: Reader) -> pb.VerifyShuffleResponse:
        pack = converters.find_game(self._catalogue, request.game_id).pack
        seeds = tuple((one.seat, one.seed) for one in request.client_seeds)
        proof = (request.commitment, request.nonce, request.number, seeds)
        if request.cards:
            cards = converters.read_cards(pack, request.cards, "cards")
            if pack.surplus(cards):
                text = "The pack of this game does not have these cards in this number."
                raise errors.BadRequest("bad_cards", text, "cards")
            code = verify(pack.in_order(cards), cards, *proof)
        elif request.lots and request.HasField("amount"):
            code = verify(sorted(request.lots), [request.amount], *proof)
        else:
            raise errors.BadRequest("bad_request", "Either the cards are given, or the lot and the lots.", "cards")
        return pb.VerifyShuffleResponse(fair=not code, code=code)

    def Batch(self, request: pb.BatchRequest, caller: Reader) -> pb.BatchResponse:
        answers: list[pb.Answer] = []
        size = 0
        for question in request.questions:
            if size <= MAX_BATCH_BYTES:
                answer = self._answer(question, answers, caller)
                size += answer.ByteSize()
            if size > MAX_BATCH_BYTES:
                text = f"The answers of a batch may have {MAX_BATCH_BYTES / 2**20:g} MiB: ask less at once."
                answer = pb.Answer(error=status_of(errors.TooLarge("too_large", text)))
            answers.append(answer)
        return pb.BatchResponse(answers=answers)

    def _answer(self, question: pb.Question, earlier: Sequence[pb.Answer], caller: Reader) -> pb.Answer:
        which = question.WhichOneof("kind") or "list_legal_moves"
        try:
            check_job()
            asked = getattr(question, which)
            if question.HasField("position_of"):
                position = _position_of(earlier, question.position_of, asked)
                asked = type(asked).FromString(asked.SerializeToString())
                asked.position.CopyFrom(position)
            answer = self._questions[which](asked, caller)
        except errors.ChitarrellaError as error:
            return pb.Answer(error=status_of(error))
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
    actor = questions.read_seat(game, message.seat, f"moves[{place}].seat") if message.HasField("seat") else CHANCE
    return actor, converters.read_move(game, message.move, actor, f"moves[{place}].move")


def _checked(move: tuple[Seat, Move]) -> tuple[Seat, Move]:
    check_job()
    return move


def _read_trick(game: AnyGame, message: pb.PartialTrick) -> questions.PartialTrick:
    return questions.PartialTrick(
        converters.read_cards(game.pack, message.cards, "partial_position.trick.cards"),
        message.leader if message.HasField("leader") else None,
        message.declared_suit if message.HasField("declared_suit") else None,
    )


def _read_trump_card(
    game: AnyGame, message: pb.PartialPosition | pb.ResolveTrickRequest, prefix: str = ""
) -> Card | NoTrumpCard | None:
    if not message.trump_card:
        return NO_TRUMP_CARD if message.HasField("trump_card") else None
    return converters.read_cards(game.pack, [message.trump_card], f"{prefix}trump_card")[0]


def _chance_request(game: AnyGame, p: Position) -> pb.ChanceRequest | None:
    return converters.chance_request_message(game.chance_request(p)) if game.turn(p) == CHANCE else None


def _score_messages(counts: questions.Counts) -> list[pb.Score]:
    return [pb.Score(name=name, value=number) for name, number in counts]


DEFAULT_PAGE_SIZE = 100  # games on a page if the caller names no size


class CatalogueServicer:
    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue

    def ListGames(self, request: pb.ListGamesRequest, caller: Reader) -> pb.ListGamesResponse:
        games = list(self._catalogue)
        keys = [game.key for game in games]
        last = converters.read_page_token("ListGames", request.page_token, keys.__contains__)
        begin = bisect_right(keys, last)
        page = games[begin : begin + (request.page_size or DEFAULT_PAGE_SIZE)]
        more = begin + len(page) < len(games)
        return pb.ListGamesResponse(
            games=[
                converters.summary_message(game, self._catalogue.origin(game.key), caller.translator) for game in page
            ],
            next_page_token=converters.write_page_token("ListGames", page[-1].key if more else ""),
        )

    def GetGame(self, request: pb.GetGameRequest, caller: Reader) -> pb.GetGameResponse:
        game = converters.find_game(self._catalogue, request.game_id, request.edition)
        tables = {
            players: self._catalogue.game_for(RuleSet(game.key, players, (), game.edition))
            for players in sorted(game.entry.players)
        }
        table = converters.find_rule_set(self._catalogue, game, request.players, request.options)
        is_one = bool(request.players or request.options)  # else moves and options of all rule sets are described
        specs = table.move_specs.values() if is_one else self._catalogue.move_specs(game.key, game.edition)
        persons = len({table.controller(seat) for seat in range(table.seats)})
        options = [one for one in game.entry.options if not is_one or persons in (one.players or game.entry.players)]
        events = event_kinds(game, self._catalogue.texts(game.key).events)
        reasons = self._catalogue.reasons(game.key, game.edition)
        has_edition = partial(self._catalogue.has_edition, game.key)
        origin = self._catalogue.origin(game.key)
        return converters.game_message(
            table, origin, tables, options, specs, events, reasons, has_edition, caller.translator
        )
