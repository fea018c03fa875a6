"""Values, moves as text, errors and codes: what the client makes of messages, without a service."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, cast, get_args, get_type_hints

import grpc
import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from google.rpc.status_pb2 import Status

from chitarrella.api.catalogue_converters import move_spec_message
from chitarrella.api.converters import move_message
from chitarrella.core.notation import format_move
from chitarrella.i18n.translator import ENGLISH
from chitarrella.transports.rest.problems import PROBLEM_TYPES, ProblemType
from chitarrella.v1 import catalogue_pb2, matches_pb2, rules_pb2, table_pb2
from chitarrella_client import (
    ErrorCode,
    Move,
    RefusalCode,
    Share,
    Waiting,
    catalogue,
    decoders,
    draws,
    errors,
    moves,
    responses,
    types,
)
from tests.walks import CATALOGUE, defaults, known_walk, name

# ---------------------------------------------------------------------- values

READ = {
    catalogue.Game: catalogue_pb2.GetGameResponse,
    responses.Start: rules_pb2.StartGameResponse,
    responses.LegalMoves: rules_pb2.ListLegalMovesResponse,
    responses.ExplainedHand: rules_pb2.ExplainHandResponse,
    responses.Verdict: rules_pb2.JudgeResponse,
    responses.PlayedMoves: rules_pb2.PlayMovesResponse,
    responses.Trick: rules_pb2.ResolveTrickResponse,
    responses.Seen: matches_pb2.GetMatchResponse,
    responses.MatchMoves: matches_pb2.ListMatchMovesResponse,
    responses.MatchHand: matches_pb2.ExplainMatchHandResponse,
    responses.MatchVerdict: matches_pb2.JudgeMoveResponse,
    responses.Played: matches_pb2.PlayMoveResponse,
    responses.Told: matches_pb2.WatchMatchResponse,
    responses.MatchSummary: matches_pb2.MatchSummary,
    responses.Ruling: matches_pb2.RuleOnTimeResponse,
    draws.Awaited: matches_pb2.ContributeToDealResponse,
    draws.Draws: matches_pb2.ListDrawsResponse,
    draws.Fairness: rules_pb2.VerifyDrawResponse,
    types.View: table_pb2.View,
}


def held(made: Any, message: Descriptor) -> Iterator[tuple[str, set[str], set[str]]]:
    """Go through a value and all that is in it: its name, the fields it has, and the fields of its message."""
    oneofs = {field.name: one.name for one in message.oneofs if len(one.fields) > 1 for field in one.fields}
    yield made.__name__, {field.name for field in fields(made)}, {oneofs.get(at.name, at.name) for at in message.fields}
    hints = get_type_hints(made)
    for at in message.fields:
        kinds = [hints.get(at.name), *get_args(hints.get(at.name))]
        for kind in kinds:
            if is_dataclass(kind) and at.message_type is not None:
                yield from held(kind, at.message_type)


@pytest.mark.parametrize(("made", "message"), READ.items(), ids=lambda kind: kind.__name__)
def test_values_hold_all_of_their_messages(made: Any, message: type[Message]) -> None:
    """A value has every field of the message it is made of, and no other, down to the last clause."""
    for what, ours, theirs in held(made, cast(Descriptor, message.DESCRIPTOR)):
        assert (what, theirs) == (what, ours)


def test_absent_is_none_and_zero_is_zero() -> None:
    """What is absent is None, and nought is nought."""
    seen = decoders.snapshot(matches_pb2.GetMatchResponse(seat=0, view=table_pb2.View(turn=0)))
    assert (0, 0) == (seen.seat, seen.view.turn)
    seen = decoders.snapshot(matches_pb2.GetMatchResponse())
    assert (None, None, None) == (seen.seat, seen.view.turn, seen.view.outcome)
    played = decoders.move_result(matches_pb2.PlayMoveResponse(accepted=True))
    assert (None, (), ()) == (played.view, played.refusals, played.events)


def test_facts_have_one_value() -> None:
    """The value of a fact is its word, its number, its money, or who has how much."""
    net = table_pb2.Shares(shares=[table_pb2.Share(person="0", amount=-(2**53)), table_pb2.Share(person="zia ")])
    facts = [
        table_pb2.Fact(name="trump", word="c"),
        table_pb2.Fact(name="dealer", number=0),
        table_pb2.Fact(name="pool", money=2**53 - 1),
        table_pb2.Fact(name="net", shares=net),
        table_pb2.Fact(name="agreement", seat=1, shares=table_pb2.Shares()),
        table_pb2.Fact(name="nothing"),
    ]
    view = table_pb2.View(facts=facts)
    read = decoders.field_of("view", decoders.decoder(types.View, table_pb2.View))(rules_pb2.LookResponse(view=view))
    assert ("c", 0, None) == (read.fact("trump"), read.fact("dealer"), read.fact("dealer", 1))
    assert (2**53 - 1, (), "") == (read.fact("pool"), read.fact("agreement", 1), read.fact("nothing"))
    assert (Share("0", -(2**53)), Share("zia ", 0)) == read.fact("net")
    assert "net: 0:-9007199254740992 zia%20:0" == str(read.facts[3])


def test_waiting_for_something_new() -> None:
    """A table that waits for what this client does not know of is read all the same."""
    seen = decoders.snapshot(matches_pb2.GetMatchResponse(view=table_pb2.View.FromString(b"\x10\x63")))
    assert Waiting.UNKNOWN is seen.view.waiting
    assert not seen.over


def test_values_say_what_they_are() -> None:
    """A value reads as a card player would say it."""
    clause = types.Clause("CO-17", "A suit that was led must be followed.")
    refusal = types.Refusal("must_follow_suit", clause, "Figures were led.")
    assert "Figures were led. [must_follow_suit, CO-17]" == str(refusal)
    assert "play_card Ab: legal" == str(types.ExplainedMove(Move("play_card", ("Ab",))))
    assert "dealt 1 (3 hidden)" == str(types.Event("dealt", 1, hidden=3))
    assert "hand of 0: Ab 3c" == str(types.Pile("hand", 0, ("Ab", "3c"), 2))
    assert "stock: (34 hidden)" == str(types.Pile("stock", size=34))
    view = types.View("play", Waiting.SEAT, 1, (types.Pile("trick"),), (types.Fact("trump", value="c"),))
    assert "play, seat 1 to move\ntrick: (empty)\ntrump: c" == str(view)


# ---------------------------------------------------------------------- moves


@pytest.mark.parametrize("rule_set", defaults(), ids=name)
def test_moves_are_written_and_read_as_in_records(rule_set: Any) -> None:
    """A move reads the same as in the service's records, and text is read as the same move."""
    walk = known_walk(rule_set, "client", 1, 6)
    forms = {
        form.verb: read_form(move_spec_message(walk.game, form, ENGLISH)) for form in walk.game.move_specs.values()
    }
    for _, move in walk.moves:
        message = move_message(move)
        ours = decoders.decoder(Move, table_pb2.Move)(message)
        assert format_move(move) == str(ours)
        assert message == moves.move_message(str(ours), {}, forms)
        assert message == moves.move_message(ours, {}, {})


read_form = decoders.decoder(catalogue.MoveForm, catalogue_pb2.MoveForm)


def test_text_of_every_kind() -> None:
    """Cards, a word, a number, shares and the seat of a dummy each find their place."""
    forms = {
        "show": catalogue.MoveForm("show", least_cards=1, most_cards=3, words=("A", "3"), amount=True, seat=True),
        "reenter": catalogue.MoveForm("reenter", amount=False, shares=True),
    }
    assert Move("show", ("Ab", "3c"), "A", 7, 2) == moves.parse_move("show Ab 3c A 7 @2", forms)
    shares = (Share("3", 200), Share("anna", -100))
    assert Move("reenter", shares=shares) == moves.parse_move("reenter 3:200 anna:-100", forms)
    assert "reenter 3:200 anna:-100" == str(Move("reenter", shares=shares))
    odd = Move("reenter", shares=(Share("è 5% : @2", 1),))
    assert "reenter %C3%A8%205%25%20%3A%20%402:1" == str(odd)
    assert odd == moves.parse_move(str(odd), forms)
    given = moves.move_message("reenter", {"shares": {"3": 200, "anna": -100}}, {})
    assert given == moves.move_message(Move("reenter", shares=shares), {}, {})
    with pytest.raises(errors.BadRequest) as wrong:
        moves.parse_move("show Ab seven", forms)
    assert (ErrorCode.MALFORMED_MOVE, "move.amount") == (wrong.value.code, wrong.value.field)


# ---------------------------------------------------------------------- errors


class Failed(grpc.RpcError):
    """A call that failed, as grpc raises it."""

    def __init__(self, status: grpc.StatusCode, *details: Message, because: str = "It went wrong.") -> None:
        """Fail with these details."""
        packed = Status(code=status.value[0], message=because)
        for detail in details:
            AnyMessage.Pack(packed.details.add(), detail)
        self._said = (status, because, (("grpc-status-details-bin", packed.SerializeToString()),) if details else ())

    def code(self) -> grpc.StatusCode:
        """The status code."""
        return self._said[0]

    def details(self) -> str:
        """The message."""
        return self._said[1]

    def trailing_metadata(self) -> Any:
        """The trailers."""
        return self._said[2]


def info(code: str, domain: str = "chitarrella", **particulars: str) -> error_details_pb2.ErrorInfo:
    """Make the detail that carries a code."""
    return error_details_pb2.ErrorInfo(reason=code, domain=domain, metadata=particulars)


def test_error_of_a_known_code() -> None:
    """The code, the field and the particulars are read from the details of the status."""
    failed = Failed(grpc.StatusCode.ABORTED, info("stale_revision", field="expected_revision", revision="7"))
    error = errors.read_error(failed, "id")
    assert isinstance(error, errors.StaleRevision)
    assert ("stale_revision", "expected_revision", 7) == (error.code, error.field, error.revision)
    assert ({"revision": "7"}, "id", True) == (error.details, error.request_id, error.from_service)
    assert "It went wrong. [stale_revision]" == str(error)


def test_error_with_violations() -> None:
    """Every field at fault is named with its sentence."""
    violation = error_details_pb2.BadRequest.FieldViolation(field="move.verb", description="is no verb")
    bad = error_details_pb2.BadRequest(field_violations=[violation])
    error = errors.read_error(Failed(grpc.StatusCode.INVALID_ARGUMENT, info("bad_request", field="move.verb"), bad))
    assert isinstance(error, errors.BadRequest)
    assert (("move.verb", "is no verb"),) == error.violations


def test_error_of_an_unknown_code() -> None:
    """A code that this client does not know comes with the class of its status, or as the plain error."""
    error = errors.read_error(Failed(grpc.StatusCode.NOT_FOUND, info("no_such_table")))
    assert (errors.NotFound, "no_such_table") == (type(error), error.code)
    error = errors.read_error(Failed(grpc.StatusCode.DATA_LOSS, info("no_such_table")))
    assert (errors.ChitarrellaError, "no_such_table") == (type(error), error.code)


def test_error_of_an_intermediary_has_the_bare_status() -> None:
    """Where somebody on the way has failed, the code is the bare status."""
    for failed in (
        Failed(grpc.StatusCode.UNAVAILABLE),
        Failed(grpc.StatusCode.UNAVAILABLE, info("store_down", domain="elsewhere")),
    ):
        error = errors.read_error(failed)
        assert (errors.Unavailable, "unavailable", False) == (type(error), error.code, error.from_service)
    garbled = Failed(grpc.StatusCode.UNAVAILABLE, info("store_down"))
    garbled._said = (grpc.StatusCode.PERMISSION_DENIED, "No.", garbled._said[2])
    error = errors.read_error(garbled)
    assert (errors.NotAllowed, "permission_denied") == (type(error), error.code)


def test_codes_are_those_of_the_service() -> None:
    """The client knows every code that the service answers gRPC calls with, and no other."""
    rest = {"no_such_route", "wrong_method", "wrong_media_type"}
    own = {"unavailable", "deadline_exceeded"}
    assert {known.code for known in PROBLEM_TYPES} - rest == set(ErrorCode) - own


@pytest.mark.parametrize("known", PROBLEM_TYPES, ids=lambda known: f"{known.kind.__name__}-{known.code}")
def test_classes_are_those_of_the_service(known: ProblemType) -> None:
    """Every error of the service comes as the class that stands for its status, or a closer one."""
    status = grpc.StatusCode[known.status.grpc]
    kind = type(errors.read_error(Failed(status)))
    assert isinstance(errors.read_error(Failed(status, info(known.code))), kind)


def test_refusal_codes_are_of_games() -> None:
    """Every code for refusals that the client names is one of some game."""
    assert set(RefusalCode) <= {reason.code for game in CATALOGUE for reason in game.reasons}


def test_unknown_codes_are_plain_strings() -> None:
    """A code is a string: it may be compared with those that are known, and be none of them."""
    refusal = types.Refusal("must_whistle", types.Clause("XX-1"))
    assert refusal.code not in set(RefusalCode)
    assert replace(refusal, code="must_follow_suit").code == RefusalCode.MUST_FOLLOW_SUIT
