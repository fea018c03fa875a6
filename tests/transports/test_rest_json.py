"""JSON in and out says what the library's own reader and writer say, only faster and with the field at fault."""

from __future__ import annotations

import re
from typing import Any

import orjson
import pytest
from google.protobuf import json_format
from google.protobuf.message import Message
from hypothesis import given, settings
from hypothesis import strategies as st

from chitarrella.api.dispatcher import rpcs
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.transports.rest.json_decoder import InvalidJson, object_decoder
from chitarrella.v1 import matches_pb2, rules_pb2
from tests.transports.all_transports import RPCS
from tests.transports.message_strategies import KINDS, messages, spoiled

ENCODER = JsonEncoder()

every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
every_request = pytest.mark.parametrize("kind", [rpc.request for rpc in rpcs()], ids=lambda kind: kind.__name__)
a_few = settings(max_examples=10, deadline=None)


def written(message: Message) -> Any:
    """What the library writes."""
    return json_format.MessageToDict(message, always_print_fields_with_no_presence=True)


def read(kind: type[Message], data: Any) -> Message:
    """What our reader reads."""
    described: Any = kind.DESCRIPTOR
    return kind(**object_decoder(described)(data))


@every_kind
@a_few
@given(data=st.data())
def test_json_equals_the_library_output(kind: type[Message], data: st.DataObject) -> None:
    """Every message is written as the library writes it, zeros and empty lists included."""
    message = data.draw(messages(kind))
    assert written(message) == orjson.loads(ENCODER.encode(message))


@every_request
@a_few
@given(data=st.data())
def test_json_round_trip(kind: type[Message], data: st.DataObject) -> None:
    """What is written is read again, in either spelling of the names."""
    message = data.draw(messages(kind))
    assert message == read(kind, ENCODER.to_data(message))
    assert message == read(kind, json_format.MessageToDict(message, preserving_proto_field_name=True))


ENUMS = tuple(
    field.name for rpc in RPCS.values() for field in rpc.method.input_type.fields if field.enum_type is not None
)
"""The fields whose value is a name of a list."""


@every_request
@a_few
@given(data=st.data())
def test_odd_json_is_accepted_as_by_the_library(kind: type[Message], data: st.DataObject) -> None:
    """Something odd in the place of a value is accepted, and means the same, exactly where the library accepts it."""
    odd = data.draw(spoiled(written(data.draw(messages(kind)))))
    wanted, found = theirs(kind, odd), ours(kind, odd)
    if isinstance(found, InvalidJson):
        # The library also takes an empty list, or an empty word, for an object, and any number for that of a name.
        assert wanted is None or "must be an object" == found.message or found.field.endswith(ENUMS)
    else:
        assert wanted == found


def theirs(kind: type[Message], data: Any) -> Message | None:
    """What the library makes of some JSON, None where it refuses it."""
    try:
        return json_format.ParseDict(data, kind())
    except json_format.ParseError:
        return None


def ours(kind: type[Message], data: Any) -> Message | InvalidJson:
    """What our reader makes of it, or why it refuses it."""
    try:
        return read(kind, data)
    except InvalidJson as refused:
        return refused


@pytest.mark.parametrize(
    ("kind", "data", "field", "message"),
    [
        (matches_pb2.PlayMoveRequest, {"move": {"vreb": "x"}}, "move.vreb", "is no field"),
        (matches_pb2.PlayMoveRequest, {"move": {"cards": ["Ab", 3]}}, "move.cards[1]", "must be text"),
        (matches_pb2.PlayMoveRequest, {"move": {"cards": "Ab"}}, "move.cards", "must be a list"),
        (matches_pb2.PlayMoveRequest, {"expectedRevision": 1, "expected_revision": 1}, "expected_revision", "twice"),
        (matches_pb2.PlayMoveRequest, {"seat": 2**32}, "seat", "between 0 and 4294967295"),
        (matches_pb2.PlayMoveRequest, {"seat": "1e3"}, "seat", "whole number"),
        (matches_pb2.PlayMoveRequest, {"includeView": 1}, "include_view", "true or false"),
        (matches_pb2.PlayMoveRequest, {"move": []}, "move", "must be an object"),
        (matches_pb2.CreateMatchRequest, {"ruleSet": {"options": {"a": 1}}}, "rule_set.options.a", "must be text"),
        (matches_pb2.CreateMatchRequest, {"packSource": "MINE"}, "pack_source", "PACK_SOURCE_REFEREE"),
        (
            rules_pb2.BatchRequest,
            {"questions": [{}, {"getView": {"seat": 1, "referee": True}}]},
            "questions[1].get_view.referee",
            "excludes",
        ),
    ],
)
def test_json_error_names_the_field(kind: type[Message], data: Any, field: str, message: str) -> None:
    """A reader of the refusal finds the field at fault by its path."""
    with pytest.raises(InvalidJson, match=re.escape(message)) as caught:
        read(kind, data)
    assert field == caught.value.field
