"""Values and moves as text: what the client makes of messages, without a service."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from typing import Any, cast, get_args, get_type_hints

import pytest
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from chitarrella import v1
from chitarrella.api.converters import move_fields, move_spec_message
from chitarrella.core.notation import format_move
from chitarrella.i18n.translator import ENGLISH
from chitarrella_client import (
    ErrorCode,
    Move,
    PartialPosition,
    PartialTrick,
    Share,
    Waiting,
    ask,
    catalogue,
    decoders,
    errors,
    moves,
    positions,
    questions,
    responses,
    shuffles,
    types,
)
from chitarrella_client.requests import partial_position_message
from chitarrella_client.types import RuleSet
from tests.walks import defaults, known_walk, name

# ---------------------------------------------------------------------- values

READ = {
    catalogue.Game: v1.GetGameResponse,
    positions.GameStart: v1.StartGameResponse,
    positions.LegalMoves: v1.ListLegalMovesResponse,
    positions.ExplainedHand: v1.ExplainHandResponse,
    positions.MoveValidation: v1.ValidateMoveResponse,
    positions.AppliedMoves: v1.ApplyMovesResponse,
    positions.TrickResult: v1.ResolveTrickResponse,
    responses.MatchDetails: v1.Match,
    responses.MatchMoves: v1.ListMatchMovesResponse,
    responses.MatchHand: v1.ExplainMatchHandResponse,
    responses.MatchMoveValidation: v1.ValidateMatchMoveResponse,
    responses.MoveResult: v1.PlayMoveResponse,
    responses.TakebackResult: v1.TakeBackResponse,
    responses.MatchUpdate: v1.MatchUpdate,
    responses.ClockResult: v1.EnforceClockResponse,
    responses.ClockAdvance: v1.AdvanceClockResponse,
    shuffles.Shuffles: v1.ListShufflesResponse,
    shuffles.Fairness: v1.VerifyShuffleResponse,
    types.View: v1.View,
    responses.CreatedWebhook: v1.CreateWebhookResponse,
    responses.Delivery: v1.Delivery,
}


def nested_fields(made: Any, message: Descriptor) -> Iterator[tuple[str, set[str], set[str]]]:
    """Go through a value and all that is in it: its name, the fields it has, and the fields of its message."""
    oneofs = {field.name: one.name for one in message.oneofs if len(one.fields) > 1 for field in one.fields}
    yield made.__name__, {field.name for field in fields(made)}, {oneofs.get(at.name, at.name) for at in message.fields}
    hints = get_type_hints(made)
    for at in message.fields:
        kinds = [hints.get(at.name), *get_args(hints.get(at.name))]
        for kind in kinds:
            if is_dataclass(kind) and at.message_type is not None:
                yield from nested_fields(kind, at.message_type)


@pytest.mark.parametrize(("made", "message"), READ.items(), ids=lambda kind: kind.__name__)
def test_values_hold_all_of_their_messages(made: Any, message: type[Message]) -> None:
    """A value has every field of the message it is made of, and no other, down to the last clause."""
    for what, ours, theirs in nested_fields(made, cast(Descriptor, message.DESCRIPTOR)):
        assert (what, theirs) == (what, ours)


def test_absent_is_none_and_zero_is_zero() -> None:
    """What is absent is None, and nought is nought."""
    state = decoders.match_details(v1.Match(viewer=0, view=v1.View(turn=0)))
    assert (0, 0) == (state.viewer, state.view.turn)
    state = decoders.match_details(v1.Match())
    assert (None, None, None, None) == (state.viewer, state.view.turn, state.view.outcome, state.deadline)
    result = decoders.move_result(v1.PlayMoveResponse(accepted=True))
    assert (None, (), ()) == (result.view, result.refusals, result.events)


def test_times_are_in_utc() -> None:
    """A time is a datetime with UTC, to the microsecond."""
    deadline = Timestamp(seconds=1_800_000_000, nanos=250_000_000)
    state = decoders.match_details(v1.Match(deadline=deadline, create_time=Timestamp(seconds=1_800_000_000)))
    assert datetime(2027, 1, 15, 8, 0, 0, 250_000, UTC) == state.deadline
    assert datetime(2027, 1, 15, 8, 0, 0, 0, UTC) == state.create_time


def test_facts_have_one_value() -> None:
    """The value of a fact is its word, its number, its money, or who has how much."""
    net = v1.Shares(shares=[v1.Share(person="0", amount=-(2**53)), v1.Share(person="zia ")])
    facts = [
        v1.Fact(name="trump", word="c"), v1.Fact(name="dealer", number=0), v1.Fact(name="pool", money=2**53 - 1),
        v1.Fact(name="net", shares=net), v1.Fact(name="paid", seat=1, shares=v1.Shares()), v1.Fact(name="nothing"),
    ]  # fmt: skip
    view = v1.View(facts=facts)
    read = decoders.field_of("view", decoders.decoder(types.View, v1.View))(v1.GetViewResponse(view=view))
    assert ("c", 0, None) == (read.fact("trump"), read.fact("dealer"), read.fact("dealer", 1))
    assert (2**53 - 1, (), "") == (read.fact("pool"), read.fact("paid", 1), read.fact("nothing"))
    assert (Share("0", -(2**53)), Share("zia ", 0)) == read.fact("net")
    assert "net: 0:-9007199254740992 zia%20:0" == str(read.facts[3])


def test_waiting_for_something_new() -> None:
    """A position that waits for something that this client does not know can be read."""
    state = decoders.match_details(v1.Match(view=v1.View.FromString(b"\x10\x63")))
    assert Waiting.UNKNOWN is state.view.waiting
    assert not state.over


def test_partial_positions_hold_what_is_known() -> None:
    """A part that is left out is absent in the request; an empty text or a zero is not absent."""
    message = partial_position_message(PartialPosition("briscola", hands={0: "Ab 3c"}, trick="Rs", trump="d"))
    trick = v1.PartialTrick(cards=["Rs"])
    hands = [v1.SeatCards(seat=0, cards=["Ab", "3c"])]
    rule_set = v1.RuleSet(game_id="briscola")
    assert v1.PartialPosition(rule_set=rule_set, hands=hands, trick=trick, trump="d") == message
    message = partial_position_message(PartialPosition(RuleSet("briscola", 4), trick=(), trump="", stock_size=0))
    assert ["rule_set", "trick", "trump", "stock_size"] == [field.name for field, _ in message.ListFields()]
    trick = partial_position_message(PartialPosition("briscola", trick=PartialTrick(leader=0, declared_suit=""))).trick
    assert ([], True, True) == (list(trick.cards), trick.HasField("leader"), trick.HasField("declared_suit"))


def test_an_earlier_question_stands_for_its_position() -> None:
    """In a batch the index of the question is sent; a question that is not before it is an error."""
    start = ask.start_game("briscola")
    moves = ask.apply_moves(start, [(None, Move("start_deal"))])
    asked = [ask.score_cards("briscola", "Ab"), start, moves, ask.get_view(moves), ask.legal_moves(moves)]
    request = questions.batch_message(asked, {"": {}})
    of = [one.position_of if one.HasField("position_of") else None for one in request.questions]
    assert [None, None, 1, 2, 2] == of
    assert ["get_view", "list_legal_moves"] == [question.WhichOneof("kind") for question in request.questions[3:]]
    assert not request.questions[3].get_view.HasField("position")
    with pytest.raises(ValueError, match="question 0 has the position of a question that is not before it"):
        questions.batch_message([moves, start], {"": {}})


def test_unknown_parts_are_named() -> None:
    """An answer about a partial position names the unknown parts that it depends on."""
    trick = decoders.trick_result(v1.ResolveTrickResponse(depends_on=["trump"]))
    assert (None, "", ("trump",)) == (trick.winning_index, trick.winning_card, trick.depends_on)
    assert 0 == decoders.trick_result(v1.ResolveTrickResponse(winning_index=0)).winning_index
    refusals = [v1.Refusal(code="must_follow_suit", clause=v1.Clause(key="X-1"), message="Follow suit.")]
    move = v1.Move(verb="play_card", cards=["2c"])
    undecided = v1.ExplainedMove(move=move, refusals=refusals, depends_on=["trump"])
    found = decoders.legal_moves(v1.ListLegalMovesResponse(undecided=[undecided]))
    assert ["play_card 2c: Follow suit. [must_follow_suit, X-1] (depends on trump)"] == list(map(str, found.undecided))
    assert not found.undecided[0].legal


def test_values_say_what_they_are() -> None:
    """A value reads as a card player would say it."""
    clause = types.Clause("CO-17", "A suit that was led must be followed.")
    refusal = types.Refusal("must_follow_suit", clause, "Figures were led.")
    assert "Figures were led. [must_follow_suit, CO-17]" == str(refusal)
    assert "play_card Ab: legal" == str(types.ExplainedMove(Move("play_card", ("Ab",)), types.Verdict.ACCEPTED))
    assert "dealt 1 (3 hidden)" == str(types.Event("dealt", 1, hidden=3))
    assert "hand of 0: Ab 3c" == str(types.Zone("hand", 0, ("Ab", "3c"), 2))
    assert "stock: (34 hidden)" == str(types.Zone("stock", size=34))
    view = types.View("play", Waiting.SEAT, 1, (types.Zone("trick"),), (types.Fact("trump", value="c"),))
    assert "play, seat 1 to move\ntrick: (empty)\ntrump: c" == str(view)


# ---------------------------------------------------------------------- moves


@pytest.mark.parametrize("rule_set", defaults(), ids=name)
def test_moves_are_written_and_read_as_in_records(rule_set: Any) -> None:
    """A move reads the same as in the service's records, and text is read as the same move."""
    walk = known_walk(rule_set, "client", 1, 6)
    specs = {one.verb: read_spec(move_spec_message(walk.game, one, ENGLISH)) for one in walk.game.move_specs.values()}
    for _, move in walk.moves:
        message = v1.Move(**move_fields(move))
        ours = decoders.decoder(Move, v1.Move)(message)
        assert format_move(move) == str(ours)
        assert message == moves.move_message(str(ours), {}, specs)
        assert message == moves.move_message(ours, {}, {}) == moves.move_message(message, {}, {})


read_spec = decoders.decoder(catalogue.MoveSpec, v1.MoveSpec)


def test_text_of_every_kind() -> None:
    """Cards, a choice, an amount, shares and the seat of a dummy are each read as such."""
    taking: dict[str, Any] = {"takes_amount": True, "takes_dummy_seat": True}
    specs = {"show": catalogue.MoveSpec("show", min_cards=1, max_cards=3, choices=("A", "3"), **taking)}
    specs["reenter"] = catalogue.MoveSpec("reenter", takes_shares=True)
    assert Move("show", ("Ab", "3c"), "A", 7, 2) == moves.parse_move("show Ab 3c A 7 @2", specs)
    shares = (Share("3", 200), Share("anna", -100))
    assert Move("reenter", shares=shares) == moves.parse_move("reenter 3:200 anna:-100", specs)
    assert "reenter 3:200 anna:-100" == str(Move("reenter", shares=shares))
    odd = Move("reenter", shares=(Share("è 5% : @2", 1),))
    assert "reenter %C3%A8%205%25%20%3A%20%402:1" == str(odd)
    assert odd == moves.parse_move(str(odd), specs)
    given = moves.move_message("reenter", {"shares": {"3": 200, "anna": -100}}, {})
    assert given == moves.move_message(Move("reenter", shares=shares), {}, {})
    with pytest.raises(errors.BadRequest) as wrong:
        moves.parse_move("show Ab seven", specs)
    assert (ErrorCode.MALFORMED_MOVE, "move.amount") == (wrong.value.code, wrong.value.field)
