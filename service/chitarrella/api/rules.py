"""RulesService: stateless questions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from chitarrella import errors
from chitarrella.api.caller import Caller
from chitarrella.cards import Hand, holds
from chitarrella.catalogue import Catalogue
from chitarrella.fairness import check
from chitarrella.game import AnyGame, Position, accepted, applied, judge, legal, waited_for
from chitarrella.tongues import Tongue
from chitarrella.tricks.game import TrickGame
from chitarrella.v1 import rules_pb2 as pb
from chitarrella.v1 import table_pb2
from chitarrella.wire import (
    event_message,
    fault_message,
    find_game,
    move_message,
    read_cards,
    read_game,
    read_move,
    read_pack,
    read_position,
    read_seat,
    refusal_messages,
    view_message,
    wanted_message,
)
from chitarrella.words import CHANCE, REFEREE, Event, Eyes, Move, Refusal, Seat


class RulesApi:
    """The answers of RulesService."""

    def __init__(self, catalogue: Catalogue) -> None:
        """Judge by ``catalogue``."""
        self._catalogue = catalogue
        self._questions: dict[str, Callable[[Any, Caller], Any]] = {
            "legal_moves": self.ListLegalMoves,
            "explain": self.ExplainHand,
            "judge": self.Judge,
            "play": self.PlayMoves,
            "look": self.Look,
            "playable": self.ListPlayableCards,
            "trick": self.ResolveTrick,
            "count": self.CountPile,
        }

    def _read(self, message: pb.Position) -> tuple[AnyGame, Position]:
        game = read_game(self._catalogue, message.agreement)
        return game, read_position(game, message.line)

    def _tricks(self, agreement: table_pb2.Agreement) -> TrickGame:
        game = read_game(self._catalogue, agreement)
        if not isinstance(game, TrickGame):
            raise errors.BadRequest("no_tricks", f"{game.key} is not played in tricks", "agreement.game")
        return game

    def StartGame(self, request: pb.StartGameRequest, caller: Caller) -> pb.StartGameResponse:
        """Give the beginning."""
        game = read_game(self._catalogue, request.agreement)
        p = game.start()
        return pb.StartGameResponse(
            position=pb.Position(agreement=request.agreement, line=game.write(p)),
            wanted=wanted_message(game.chance(p)),
            view=view_message(game, p, None),
        )

    def ListLegalMoves(self, request: pb.ListLegalMovesRequest, caller: Caller) -> pb.ListLegalMovesResponse:
        """List what a seat may do."""
        game, p = self._read(request.position)
        seat = _asking(game, p, request)
        return pb.ListLegalMovesResponse(
            moves=[move_message(move) for move in legal(game, p, seat)] if seat is not None else (),
            seat=seat,
            wanted=_wanted(game, p),
        )

    def ExplainHand(self, request: pb.ExplainHandRequest, caller: Caller) -> pb.ExplainHandResponse:
        """Explain every card."""
        game, p = self._read(request.position)
        seat = _asking(game, p, request)
        return pb.ExplainHandResponse(moves=() if seat is None else explained(game, p, seat, caller.tongue), seat=seat)

    def Judge(self, request: pb.JudgeRequest, caller: Caller) -> pb.JudgeResponse:
        """Judge a move."""
        game, p = self._read(request.position)
        actor = read_seat(game, request.seat) if request.HasField("seat") else CHANCE
        refusals = judge(game, p, actor, read_move(game, request.move, actor))
        return pb.JudgeResponse(accepted=accepted(refusals), refusals=refusal_messages(game, refusals, caller.tongue))

    def PlayMoves(self, request: pb.PlayMovesRequest, caller: Caller) -> pb.PlayMovesResponse:
        """Play moves until one is refused."""
        game, p = self._read(request.position)
        wishes = [_wish(game, wish, place) for place, wish in enumerate(request.moves)]
        told: list[Event] = []
        refusals: tuple[Refusal, ...] = ()
        played = 0
        for actor, move in wishes:
            refusals = judge(game, p, actor, move)
            if not accepted(refusals):
                break
            p, events = applied(game, p, actor, move)
            told.extend(events)
            played += 1
        return pb.PlayMovesResponse(
            position=pb.Position(agreement=request.position.agreement, line=game.write(p)),
            played=played,
            refusals=refusal_messages(game, refusals, caller.tongue),
            events=map(event_message, told),
            view=view_message(game, p, REFEREE),
            wanted=_wanted(game, p),
            points=game.points(p),
        )

    def Look(self, request: pb.LookRequest, caller: Caller) -> pb.LookResponse:
        """Show a position."""
        game, p = self._read(request.position)
        eyes: Eyes = None
        if request.WhichOneof("eyes") == "seat":
            eyes = read_seat(game, request.seat)
        elif request.referee:
            eyes = REFEREE
        return pb.LookResponse(view=view_message(game, p, eyes))

    def ListPlayableCards(self, request: pb.ListPlayableCardsRequest, caller: Caller) -> pb.ListPlayableCardsResponse:
        """Say at a glance which cards may be played."""
        game = self._tricks(request.agreement)
        if "play_card" not in game.forms:
            raise errors.BadRequest("no_tricks", f"{game.key} is not played card by card", "agreement.game")
        hand = read_cards(game, request.hand, "hand")
        trick = read_cards(game, request.trick, "trick")
        stock = game.pack.cards if request.stock_left else ()
        table = game.glance(trick, _trump(game, request.trump), stock)
        return pb.ListPlayableCardsResponse(
            moves=[
                table_pb2.ExplainedMove(
                    move=table_pb2.Move(verb="play_card", cards=[card]),
                    refusals=refusal_messages(game, game.duty(table, hand, card), caller.tongue),
                )
                for card in dict.fromkeys(hand)
            ]
        )

    def ResolveTrick(self, request: pb.ResolveTrickRequest, caller: Caller) -> pb.ResolveTrickResponse:
        """Say at a glance who takes a trick."""
        game = self._tricks(request.agreement)
        cards = read_cards(game, request.cards, "cards")
        place = game.taking.best(game, game.glance(cards, _trump(game, request.trump)), cards)
        return pb.ResolveTrickResponse(place=place, card=cards[place], tallies=_tallies(game, cards, request.trump))

    def CountPile(self, request: pb.CountPileRequest, caller: Caller) -> pb.CountPileResponse:
        """Say at a glance what a pile is worth."""
        game = self._tricks(request.agreement)
        cards = read_cards(game, request.cards, "cards")
        return pb.CountPileResponse(tallies=_tallies(game, cards, _trump(game, request.trump)))

    def VerifyDraw(self, request: pb.VerifyDrawRequest, caller: Caller) -> pb.VerifyDrawResponse:
        """Check a draw against its commitment."""
        pack = find_game(self._catalogue, request.game).pack
        words = tuple((word.seat, word.word) for word in request.words)
        proof = (request.commitment, request.nonce, request.number, words)
        if request.cards:
            cards = read_pack(pack, request.cards, "cards")
            if not holds(pack.cards, cards):
                raise errors.BadRequest("bad_pack", "A pack of this game has no such cards so often.", "cards")
            code = check(pack.in_order(cards), cards, *proof)
        elif request.lots and request.HasField("amount"):
            code = check(sorted(request.lots), [request.amount], *proof)
        else:
            raise errors.BadRequest("bad_request", "Either the cards are given, or the lot and the lots.", "cards")
        return pb.VerifyDrawResponse(fair=not code, code=code)

    def Batch(self, request: pb.BatchRequest, caller: Caller) -> pb.BatchResponse:
        """Answer many questions."""
        return pb.BatchResponse(answers=[self._answer(question, caller) for question in request.questions])

    def _answer(self, question: pb.Question, caller: Caller) -> pb.Answer:
        which = question.WhichOneof("ask") or "legal_moves"
        try:
            answer = self._questions[which](getattr(question, which), caller)
        except errors.ChitarrellaError as error:
            return pb.Answer(fault=fault_message(error))
        return pb.Answer(**{which: answer})


def explained(game: AnyGame, p: Position, seat: Seat, tongue: Tongue) -> list[table_pb2.ExplainedMove]:
    """Explain everything within reach of a seat, card by card."""
    person = game.controller(seat)
    moves = [move for move in dict.fromkeys(game.reach(p, person)) if seat in (person, move.seat)]
    return [
        table_pb2.ExplainedMove(
            move=move_message(move), refusals=refusal_messages(game, judge(game, p, person, move), tongue)
        )
        for move in moves
    ]


def may(game: AnyGame, p: Position, seat: Seat) -> list[Move]:
    """List what the person of a seat may do; of a dummy's person only what he may do with its cards."""
    person = game.controller(seat)
    return [move for move in legal(game, p, person) if seat in (person, move.seat)]


def _asking(game: AnyGame, p: Position, request: pb.ListLegalMovesRequest | pb.ExplainHandRequest) -> Seat | None:
    """Find the seat in question: the one named, or the person the table waits for."""
    if request.HasField("seat"):
        return read_seat(game, request.seat)
    return waited_for(game, p)


def _wish(game: AnyGame, wish: pb.SeatMove, place: int) -> tuple[Seat, Move]:
    actor = read_seat(game, wish.seat, f"moves[{place}].seat") if wish.HasField("seat") else CHANCE
    return actor, read_move(game, wish.move, actor, f"moves[{place}].move")


def _wanted(game: AnyGame, p: Position) -> pb.Wanted | None:
    return wanted_message(game.chance(p)) if game.turn(p) == CHANCE else None


def _trump(game: TrickGame, trump: str) -> str:
    if trump and trump not in game.suits:
        raise errors.BadRequest("unknown_suit", f"{trump[:40]!r} is no suit of {game.key}", "trump")
    if trump and not game.has_trumps:
        raise errors.BadRequest("unknown_suit", f"{game.key} has no trump suit, so none can be named", "trump")
    return trump


def _tallies(game: TrickGame, cards: Hand, trump: str) -> list[pb.Tally]:
    return [pb.Tally(name=name, number=number) for name, number in game.count(cards, trump)]
