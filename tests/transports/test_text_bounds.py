"""The texts of a request are bounded by the rules of their fields: every text of every message."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import protovalidate
import pytest
from google.protobuf import wrappers_pb2
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from chitarrella.api.request_limits import byte_limit, is_map, text_bound
from chitarrella.v1.validate_pb2 import FieldRules, StringRules
from chitarrella.v1.validate_pb2 import field as field_rules
from tests.transports.all_transports import RPCS
from tests.transports.test_request_limits import Path, spelt, step_into

VALIDATOR = protovalidate.Validator()


def texts(descriptor: Descriptor, way: Path = ()) -> Iterator[tuple[Path, str]]:
    """Every text of a message and of the messages in it: its field, and whether it is a value or a key of a map."""
    for field in descriptor.fields:
        if is_map(field):
            pair: Any = field.message_type
            parts = [part.name for part in pair.fields if part.cpp_type == FieldDescriptor.CPPTYPE_STRING]
            yield from (((*way, field), part) for part in parts)
        elif field.message_type is not None:
            yield from texts(field.message_type, (*way, field))
        elif field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
            yield (*way, field), "value"


TEXTS = [(rpc, *text) for rpc in RPCS for text in texts(RPCS[rpc].method.input_type)]


def put_text(message: Any, field: FieldDescriptor, part: str, text: str) -> None:
    """Put a text into a field: as its value, as an item of a list, or as a key or a value of a map."""
    if is_map(field):
        getattr(message, field.name).update({text: "a"} if part == "key" else {"a": text})
    elif field.is_repeated:
        getattr(message, field.name).append(text)
    else:
        setattr(message, field.name, text)


@pytest.mark.parametrize(("rpc", "way", "part"), TEXTS, ids=[f"{spelt(rpc, way)}-{part}" for rpc, way, part in TEXTS])
def test_the_longest_text_of_a_field_is_as_long_as_its_size_assumes(rpc: str, way: Path, part: str) -> None:
    """A character more breaks a rule, and the longest text has room in the request."""
    rules = way[-1].GetOptions().Extensions[field_rules]
    if is_map(way[-1]):
        rules = rules.map.keys if part == "key" else rules.map.values
    elif way[-1].is_repeated:
        rules = rules.repeated.items
    longest = text_bound(rules)
    assert longest is not None
    broken, owner_type = [], cast(Descriptor, way[-1].containing_type)
    for text in ("a" * longest, "a" * (longest + 1)):
        message: Any = GetMessageClass(owner_type)()
        put_text(message, way[-1], part, text)
        broken.append({one.proto.rule_id for one in VALIDATOR.collect_violations(message)})
    assert broken[1] - broken[0] in ({"string.max_len"}, {"string.pattern"}, {"string.max_len", "string.pattern"})
    request = RPCS[rpc].request()
    owner: Any = request
    for field in way[:-1]:
        owner = step_into(owner, field)
    put_text(owner, way[-1], part, "\N{PLAYING CARD ACE OF SPADES}" * longest)
    assert request.ByteSize() <= byte_limit(RPCS[rpc].method.input_type)


@pytest.mark.parametrize("message", [wrappers_pb2.StringValue, wrappers_pb2.BytesValue])
def test_a_text_without_a_bound_is_no_request(message: type[Message]) -> None:
    """The size of a message with such a text, or such bytes, has no bound: an error of the contract."""
    with pytest.raises(TypeError, match="value has no greatest length"):
        byte_limit(message.DESCRIPTOR)


@pytest.mark.parametrize(
    ("pattern", "bound"),
    [
        ("^[0-9a-f]{64}$", 64),
        ("^[a-z][^\\x00-\\]]{0,39}$", 40),
        ("^[a-z]{3,}$", None),
        ("^[a-z]+$", None),
        ("^[a-z]", None),
        ("", None),
    ],
)
def test_a_pattern_bounds_a_text(pattern: str, bound: int | None) -> None:
    """A pattern of classes with limited numbers does, any other does not."""
    assert bound == text_bound(FieldRules(string=StringRules(pattern=pattern)))
