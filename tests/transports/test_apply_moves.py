"""ApplyMoves and chained batches: what a platform that keeps its own matches needs after a move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from chitarrella.api.caller import Caller
from chitarrella.transports.inprocess import Service
from chitarrella.v1 import rules_pb2 as pb
from chitarrella.v1 import table_pb2
from tests.walks import CATALOGUE

RULES = "/chitarrella.v1.RulesService"
MADRASSO = table_pb2.RuleSet(game_id="madrasso")


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """A service in this process."""
    one = Service()
    yield one
    one.close()


def ask(service: Service, rpc: str, request: Any) -> Any:
    """The answer of an rpc of `RulesService`."""
    return service.dispatcher.answer(f"{RULES}/{rpc}", request, Caller())


def deal(game: str) -> pb.SeatMove:
    """The pack of a game in its canonical order."""
    return pb.SeatMove(move=table_pb2.Move(verb="start_deal", cards=CATALOGUE.game(game).pack.cards))


def test_applied_moves_come_with_the_next_legal_ones(service: Service) -> None:
    """After the moves the response has the seat to move and its legal moves, the same as ListLegalMoves."""
    start = ask(service, "StartGame", pb.StartGameRequest(rule_set=table_pb2.RuleSet(game_id="briscola")))
    applied = ask(service, "ApplyMoves", pb.ApplyMovesRequest(position=start.position, moves=[deal("briscola")]))
    listed = ask(service, "ListLegalMoves", pb.ListLegalMovesRequest(position=applied.position))
    assert listed.seat == applied.view.turn
    assert listed.moves
    assert list(listed.moves) == list(applied.legal_moves)


def test_questions_of_a_batch_build_on_earlier_ones(service: Service) -> None:
    """A question takes the position of an earlier answer; one without a position, or a later one, is an error."""
    start = pb.Question(start_game=pb.StartGameRequest(rule_set=table_pb2.RuleSet(game_id="briscola")))
    dealt = pb.Question(apply_moves=pb.ApplyMovesRequest(moves=[deal("briscola")]), position_of=0)
    listed = pb.Question(list_legal_moves=pb.ListLegalMovesRequest(), position_of=1)
    wrong = [pb.Question(list_legal_moves=pb.ListLegalMovesRequest(), position_of=index) for index in (2, 3, 9)]
    scored = pb.Question(score_cards=pb.ScoreCardsRequest(rule_set=MADRASSO, cards=["Ab"]), position_of=0)
    answers = ask(service, "Batch", pb.BatchRequest(questions=[start, dealt, listed, *wrong, scored])).answers
    assert list(answers[1].apply_moves.legal_moves) == list(answers[2].list_legal_moves.moves) != []
    assert [("bad_request", "position_of")] * 4 == [(one.error.code, one.error.field) for one in answers[3:]]


def test_every_penalty_is_given(service: Service) -> None:
    """Madrasso with penalized revokes: the price of an accepted move stands with its index, not among the refusals."""
    options = {option.name for option in CATALOGUE.game("madrasso").options}
    (revokes,) = [name for name in options if "revoke" in name]
    rule_set = table_pb2.RuleSet(game_id="madrasso", options={revokes: "penalize"})
    start = ask(service, "StartGame", pb.StartGameRequest(rule_set=rule_set))
    position, revoke = start.position, False
    while True:
        response = ask(service, "ListLegalMoves", pb.ListLegalMovesRequest(position=position))
        if response.HasField("chance_request"):
            chance = response.chance_request
            amount = chance.amounts[0] if chance.amounts else None
            move = pb.SeatMove(move=table_pb2.Move(verb=chance.verb, cards=chance.cards, amount=amount))
        else:
            explained = ask(service, "ExplainHand", pb.ExplainHandRequest(position=position)).moves
            penal = [one.move for one in explained if one.refusals and all(no.penalty for no in one.refusals)]
            move = pb.SeatMove(seat=response.seat, move=(penal or response.moves)[0])
            revoke = bool(penal)
        applied = ask(service, "ApplyMoves", pb.ApplyMovesRequest(position=position, moves=[move]))
        assert (1, []) == (applied.applied, list(applied.refusals))
        if revoke:
            break
        assert not applied.penalties
        position = applied.position
    (penalty,) = applied.penalties
    assert (0, ["must_follow_suit"]) == (penalty.index, [refusal.code for refusal in penalty.refusals])
    assert all(refusal.penalty for refusal in penalty.refusals)
