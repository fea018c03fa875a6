"""RulesService: stateless questions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from chitarrella import errors
from chitarrella.api.caller import Caller
from chitarrella.api.converters import (
    chance_request_message,
    event_message,
    find_game,
    item_error_message,
    move_message,
    read_cards,
    read_game,
    read_move,
    read_pack,
    read_position,
    read_seat,
    refusal_messages,
    view_message,
)
from chitarrella.catalogue.registry import Catalogue
from chitarrella.core.cards import Hand
from chitarrella.core.game import AnyGame, Position
from chitarrella.core.model import CHANCE, Event, Move, Refusal, Seat
from chitarrella.core.play import apply_move, is_accepted, legal_moves, seat_to_move, validate_move
from chitarrella.core.provable_shuffle import verify
from chitarrella.core.trick_rules import TrickRules
from chitarrella.core.visibility import REFEREE, Viewer
from chitarrella.i18n.translator import Translator
from chitarrella.v1 import rules_pb2 as pb
from chitarrella.v1 import table_pb2


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
        }

    def _read(self, message: pb.Position) -> tuple[AnyGame, Position]:
        game = read_game(self._catalogue, message.rule_set)
        return game, read_position(game, message.text)

    def _trick_rules(self, rule_set: table_pb2.RuleSet) -> tuple[AnyGame, TrickRules]:
        game = read_game(self._catalogue, rule_set)
        if game.trick_rules is None:
            raise errors.BadRequest("no_tricks", f"{game.key} is not played in tricks", "rule_set.game_id")
        return game, game.trick_rules

    def StartGame(self, request: pb.StartGameRequest, caller: Caller) -> pb.StartGameResponse:
        """Return the initial position of a rule set."""
        game = read_game(self._catalogue, request.rule_set)
        p = game.start()
        return pb.StartGameResponse(
            position=pb.Position(rule_set=request.rule_set, text=game.encode(p)),
            chance_request=chance_request_message(game.chance_request(p)),
            view=view_message(game, p, None),
        )

    def ListLegalMoves(self, request: pb.ListLegalMovesRequest, caller: Caller) -> pb.ListLegalMovesResponse:
        """List the legal moves of a seat."""
        game, p = self._read(request.position)
        seat = _seat_in_question(game, p, request)
        return pb.ListLegalMovesResponse(
            moves=[move_message(move) for move in legal_moves(game, p, seat)] if seat is not None else (),
            seat=seat,
            chance_request=_chance_request(game, p),
        )

    def ExplainHand(self, request: pb.ExplainHandRequest, caller: Caller) -> pb.ExplainHandResponse:
        """Explain for every move of a seat whether it is legal, and why not."""
        game, p = self._read(request.position)
        seat = _seat_in_question(game, p, request)
        return pb.ExplainHandResponse(
            moves=() if seat is None else explain_moves(game, p, seat, caller.translator), seat=seat
        )

    def ValidateMove(self, request: pb.ValidateMoveRequest, caller: Caller) -> pb.ValidateMoveResponse:
        """Validate a move without playing it."""
        game, p = self._read(request.position)
        actor = read_seat(game, request.seat) if request.HasField("seat") else CHANCE
        refusals = validate_move(game, p, actor, read_move(game, request.move, actor))
        return pb.ValidateMoveResponse(
            accepted=is_accepted(refusals), refusals=refusal_messages(game, refusals, caller.translator)
        )

    def ApplyMoves(self, request: pb.ApplyMovesRequest, caller: Caller) -> pb.ApplyMovesResponse:
        """Play moves up to the first that is refused."""
        game, p = self._read(request.position)
        moves = [_read_seat_move(game, message, place) for place, message in enumerate(request.moves)]
        all_events: list[Event] = []
        refusals: tuple[Refusal, ...] = ()
        played = 0
        for actor, move in moves:
            refusals = validate_move(game, p, actor, move)
            if not is_accepted(refusals):
                break
            p, events = apply_move(game, p, actor, move)
            all_events.extend(events)
            played += 1
        return pb.ApplyMovesResponse(
            position=pb.Position(rule_set=request.position.rule_set, text=game.encode(p)),
            applied=played,
            refusals=refusal_messages(game, refusals, caller.translator),
            events=map(event_message, all_events),
            view=view_message(game, p, REFEREE),
            chance_request=_chance_request(game, p),
            points=game.points(p),
        )

    def GetView(self, request: pb.GetViewRequest, caller: Caller) -> pb.GetViewResponse:
        """Return the view that a seat, the referee or the public has of a position."""
        game, p = self._read(request.position)
        viewer: Viewer = None
        if request.WhichOneof("viewer") == "seat":
            viewer = read_seat(game, request.seat)
        elif request.referee:
            viewer = REFEREE
        return pb.GetViewResponse(view=view_message(game, p, viewer))

    def ListPlayableCards(self, request: pb.ListPlayableCardsRequest, caller: Caller) -> pb.ListPlayableCardsResponse:
        """Explain for every card of a hand whether it may be played to a trick, without a position."""
        game, tricks = self._trick_rules(request.rule_set)
        if "play_card" not in game.move_specs:
            raise errors.BadRequest("no_tricks", f"{game.key} is not played card by card", "rule_set.game_id")
        hand = read_cards(game, request.hand, "hand")
        trick = read_cards(game, request.trick, "trick")
        _check_trick(game, trick, "trick", still_to_play=1)
        _check_pack(game, hand + trick, "hand")
        trump = _trump(game, tricks, request.trump)
        return pb.ListPlayableCardsResponse(
            moves=[
                table_pb2.ExplainedMove(
                    move=table_pb2.Move(verb="play_card", cards=[card]),
                    refusals=refusal_messages(
                        game,
                        tricks.card_refusals(hand, card, trick, trump, stock_left=request.stock_left),
                        caller.translator,
                    ),
                )
                for card in dict.fromkeys(hand)
            ]
        )

    def ResolveTrick(self, request: pb.ResolveTrickRequest, caller: Caller) -> pb.ResolveTrickResponse:
        """Determine the winning card of a trick, without a position."""
        game, tricks = self._trick_rules(request.rule_set)
        cards = read_cards(game, request.cards, "cards")
        _check_trick(game, cards, "cards")
        _check_pack(game, cards, "cards")
        trump = _trump(game, tricks, request.trump)
        place = tricks.winning_place(cards, trump)
        return pb.ResolveTrickResponse(
            winning_index=place, winning_card=cards[place], scores=_counts(tricks, cards, trump)
        )

    def ScoreCards(self, request: pb.ScoreCardsRequest, caller: Caller) -> pb.ScoreCardsResponse:
        """Count the points of a pile, without a position."""
        game, tricks = self._trick_rules(request.rule_set)
        cards = read_cards(game, request.cards, "cards")
        _check_pack(game, cards, "cards")
        return pb.ScoreCardsResponse(scores=_counts(tricks, cards, _trump(game, tricks, request.trump)))

    def VerifyShuffle(self, request: pb.VerifyShuffleRequest, caller: Caller) -> pb.VerifyShuffleResponse:
        """Verify a shuffle against its commitment."""
        pack = find_game(self._catalogue, request.game_id).pack
        seeds = tuple((one.seat, one.seed) for one in request.client_seeds)
        proof = (request.commitment, request.nonce, request.number, seeds)
        if request.cards:
            cards = read_pack(pack, request.cards, "cards")
            if pack.surplus(cards):
                raise errors.BadRequest("bad_pack", "A pack of this game has no such cards so often.", "cards")
            code = verify(pack.in_order(cards), cards, *proof)
        elif request.lots and request.HasField("amount"):
            code = verify(sorted(request.lots), [request.amount], *proof)
        else:
            raise errors.BadRequest("bad_request", "Either the cards are given, or the lot and the lots.", "cards")
        return pb.VerifyShuffleResponse(fair=not code, code=code)

    def Batch(self, request: pb.BatchRequest, caller: Caller) -> pb.BatchResponse:
        """Answer many questions; each succeeds or fails on its own."""
        return pb.BatchResponse(answers=[self._answer(question, caller) for question in request.questions])

    def _answer(self, question: pb.Question, caller: Caller) -> pb.Answer:
        which = question.WhichOneof("kind") or "list_legal_moves"
        try:
            answer = self._questions[which](getattr(question, which), caller)
        except errors.ChitarrellaError as error:
            return pb.Answer(error=item_error_message(error))
        return pb.Answer(**{which: answer})


def explain_moves(game: AnyGame, p: Position, seat: Seat, translator: Translator) -> list[table_pb2.ExplainedMove]:
    """Validate every potential move of a seat; those of a dummy are moves of the person who controls it."""
    person = game.controller(seat)
    moves = [move for move in dict.fromkeys(game.potential_moves(p, person)) if seat in (person, move.seat)]
    return [
        table_pb2.ExplainedMove(
            move=move_message(move), refusals=refusal_messages(game, validate_move(game, p, person, move), translator)
        )
        for move in moves
    ]


def legal_moves_of(game: AnyGame, p: Position, seat: Seat) -> list[Move]:
    """List the legal moves of a seat; for a dummy, those with its cards of the person who controls it."""
    person = game.controller(seat)
    return [move for move in legal_moves(game, p, person) if seat in (person, move.seat)]


def _seat_in_question(
    game: AnyGame, p: Position, request: pb.ListLegalMovesRequest | pb.ExplainHandRequest
) -> Seat | None:
    """Return the seat that a request names, else the seat to move; None where the game waits for none."""
    if request.HasField("seat"):
        return read_seat(game, request.seat)
    return seat_to_move(game, p)


def _read_seat_move(game: AnyGame, message: pb.SeatMove, place: int) -> tuple[Seat, Move]:
    actor = read_seat(game, message.seat, f"moves[{place}].seat") if message.HasField("seat") else CHANCE
    return actor, read_move(game, message.move, actor, f"moves[{place}].move")


def _chance_request(game: AnyGame, p: Position) -> pb.ChanceRequest | None:
    return chance_request_message(game.chance_request(p)) if game.turn(p) == CHANCE else None


def _check_pack(game: AnyGame, cards: Hand, field: str) -> None:
    """Raise `BadRequest` if a card is named more often than the pack in play has it."""
    if surplus := game.pack.surplus(cards):
        raise errors.BadRequest("bad_position", f"{game.key} has no further {' '.join(surplus)}", field)


def _check_trick(game: AnyGame, cards: Hand, field: str, still_to_play: int = 0) -> None:
    """Raise `BadRequest` if a trick has more cards than seats; in some games a seat plays several cards at once."""
    if "play_card" in game.move_specs and len(cards) + still_to_play > game.seats:
        raise errors.BadRequest("bad_position", f"{len(cards)} cards in a trick of {game.seats} seats", field)


def _trump(game: AnyGame, tricks: TrickRules, trump: str) -> str:
    """Return the suit named as trumps, empty for none; raises `BadRequest` if the game has no such trumps."""
    if trump and trump not in tricks.suits:
        raise errors.BadRequest("unknown_suit", f"{trump[:40]!r} is no suit of {game.key}", "trump")
    if trump and not tricks.has_trumps:
        raise errors.BadRequest("unknown_suit", f"{game.key} has no trump suit, so none can be named", "trump")
    return trump


def _counts(tricks: TrickRules, cards: Hand, trump: str) -> list[pb.Score]:
    return [pb.Score(name=name, value=number) for name, number in tricks.count(cards, trump)]
