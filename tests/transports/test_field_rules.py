"""The checks that are generated from the field rules agree with protovalidate about messages of every request."""

from __future__ import annotations

import re
from collections import Counter
from random import Random
from typing import Any

import protovalidate
import pytest
from google.protobuf import descriptor_pool
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from chitarrella.api.field_rules import is_valid, validity
from chitarrella.api.request_limits import is_map
from chitarrella.v1 import rules_pb2, table_pb2, validate_pb2
from tests.transports.all_transports import RPCS

VALIDATOR = protovalidate.Validator()
TEXTS = (
    *("", "a", "0", "-", "_", "briscola", "play_card", "Ab", "A", "a b", "a\n", "\n", "\r", "\x00", "\x7f", "\u0085"),
    *("a=b", "a=", "=b", "a=\x1f", "a" * 40 + "=b", "a.b-c", "https://a", "http://é", "https:// ", "ftp://a", "^a$"),
    *("0" * 64, "F" * 64, "f" * 65, "g" * 64, "f" * 64 + "\n"),
)  # fmt: skip
"""Texts that some patterns allow and others do not."""
ROUNDS, ROUNDS_OF_LONG = 300, 60
"""How many messages of each type are tried; fewer where a message has many others."""
LONG_REQUESTS = ("ApplyMoves", "Batch", "BatchCreateMatches")


def rules_of(field: Any) -> Any:
    """The rules of a field."""
    return field.GetOptions().Extensions[validate_pb2.field]


def text(rules: Any, rng: Random) -> str:
    """A text, mostly one that the rules allow, else one at the border of its length, or any."""
    most = rules.max_len or 50
    borders = ["a" * most, "a" * (most + 1), "é" * most, "é" * (most + 1), "a" * rules.min_len]
    fitting = [each for each in (*TEXTS, *borders) if rules.min_len <= len(each) <= most]
    fitting = [each for each in fitting if re.search(rules.pattern, each)]
    anything = (*TEXTS, *borders, *["a" * (most + 1)] * 9)
    return str(rng.choice(fitting) if fitting and rng.random() < 0.93 else rng.choice(anything))


def number(rules: Any, rng: Random) -> int:
    """A number, mostly one that the rules allow, else one beyond."""
    most = rules.lte if rules.HasField("lte") else 2**32 - 1
    good = [rules.gte, min(rules.gte + 1, most), most]
    beyond = [0, max(rules.gte - 1, 0), min(most + 1, 2**32 - 1), 2**32 - 1]
    return int(rng.choice(good if rng.random() < 0.93 else beyond))


def size(least: int, most: int, rng: Random) -> int:
    """A number of items, mostly a small one that the rules allow, else one at a border or beyond."""
    if rng.random() < 0.9:
        return rng.choice([least, least + 1])
    return rng.choice([0, max(least - 1, 0), most, most + 1])


def single(field: Any, rules: Any, rng: Random) -> Any:
    """A value of a field that is no message."""
    if field.enum_type is not None:
        return rng.choice([*field.enum_type.values_by_number, *([77, -1] if rng.random() < 0.1 else [])])
    if field.type == FieldDescriptor.TYPE_STRING:
        return text(rules.string, rng)
    if field.type == FieldDescriptor.TYPE_BOOL:
        return rng.random() < 0.5
    return number(rules.uint32, rng) if field.type == FieldDescriptor.TYPE_UINT32 else rng.choice([0, 1, -1, 5])


def fill(message: Any, field: Any, rng: Random) -> None:
    """Set a field of a message to some value."""
    rules, value = rules_of(field), getattr(message, field.name)
    if field.type == FieldDescriptor.TYPE_UINT64:
        setattr(message, field.name, rng.choice([0, 1, 2**64 - 1]))
    elif is_map(field):
        for place in range(size(rules.map.min_pairs, rules.map.max_pairs, rng)):
            key = text(rules.map.keys.string, rng)
            value[key if place < 2 else f"{key[:5]}{place}"] = text(rules.map.values.string, rng)
    elif field.is_repeated and field.message_type is not None:
        for _ in range(size(rules.repeated.min_items, min(rules.repeated.max_items, 110), rng)):
            randomize(value.add(), rng)
    elif field.is_repeated:
        number_of = size(rules.repeated.min_items, rules.repeated.max_items, rng)
        value.extend([single(field, rules.repeated.items, rng) for _ in range(number_of)])
    elif field.message_type is not None:
        value.SetInParent()
        randomize(value, rng)
    else:
        setattr(message, field.name, single(field, rules, rng))


def randomize(message: Message, rng: Random) -> None:
    """Set most fields of a message; of those that exclude each other mostly one."""
    for field in message.DESCRIPTOR.fields:
        oneof = field.containing_oneof
        chance = 1 / len(oneof.fields) if oneof is not None and len(oneof.fields) > 1 else 0.8
        chance = 1.0 if rules_of(field).required and rng.random() < 0.97 else chance
        if rng.random() < chance:
            fill(message, field, rng)


@pytest.mark.parametrize("name", RPCS)
def test_the_checks_find_the_same_messages_valid_as_protovalidate(name: str) -> None:
    """Of random messages, at the borders of their fields and beyond, exactly those without a violation are valid."""
    rng, found = Random(f"field rules {name}"), Counter[bool]()
    for _ in range(ROUNDS_OF_LONG if name in LONG_REQUESTS else ROUNDS):
        request = RPCS[name].request()
        randomize(request, rng)
        valid = not VALIDATOR.collect_violations(request, fail_fast=True)
        assert valid == is_valid(request), str(request)[:2000]
        found[valid] += 1
    assert found[True]
    assert found[False] or not has_rules(RPCS[name].method.input_type)


def has_rules(message: Any) -> bool:
    """Whether any field of a message has a rule."""
    return any(
        rules_of(field).ListFields() or (field.message_type is not None and has_rules(field.message_type))
        for field in message.fields
    )


@pytest.mark.parametrize("name", RPCS)
def test_every_request_has_a_check(name: str) -> None:
    """The rules of every request are known; a new kind of rule would leave its requests to protovalidate alone."""
    assert validity(RPCS[name].method.input_type) is not None


BRIEF = table_pb2.RuleSet(game_id="a")
LONG = table_pb2.RuleSet(game_id="a", players=20)
QUESTION = rules_pb2.Question(list_legal_moves=rules_pb2.ListLegalMovesRequest())
BORDERS: list[tuple[Message, bool]] = [
    (rules_pb2.Position(), False),
    (rules_pb2.Position(rule_set=table_pb2.RuleSet(), text="x"), False),
    (rules_pb2.Position(rule_set=BRIEF), False),
    (rules_pb2.Position(rule_set=BRIEF, text="x"), True),
    (rules_pb2.Position(rule_set=table_pb2.RuleSet(game_id="a\n"), text="x"), False),
    (rules_pb2.Position(rule_set=LONG, text="x" * 150_000), True),
    (rules_pb2.Position(rule_set=table_pb2.RuleSet(game_id="a", players=21), text="x"), False),
    (rules_pb2.Position(rule_set=BRIEF, text="x" * 150_001), False),
    (table_pb2.Move(verb="a", cards=["x" * 8] * 104), True),
    (table_pb2.Move(verb="a", cards=["x"] * 105), False),
    (table_pb2.Move(verb="a", cards=["x" * 8, "x" * 9]), False),
    (table_pb2.Move(verb="a", seat=19), True),
    (table_pb2.Move(verb="a", seat=20), False),
    (table_pb2.Move(verb="a", shares=[table_pb2.Share(person="")]), False),
    (rules_pb2.Question(), False),
    (QUESTION, True),
    (rules_pb2.BatchRequest(questions=[QUESTION] * 1000), True),
    (rules_pb2.BatchRequest(questions=[QUESTION] * 1001), False),
    (rules_pb2.Question(list_legal_moves=rules_pb2.ListLegalMovesRequest(seat=20)), False),
    (
        rules_pb2.ListLegalMovesRequest(position=rules_pb2.Position(), partial_position=rules_pb2.PartialPosition()),
        False,
    ),
]


@pytest.mark.parametrize(("message", "valid"), BORDERS, ids=map(str, range(len(BORDERS))))
def test_the_borders_of_fields(message: Message, valid: bool) -> None:
    """A value at its border is allowed, and the next one is not."""
    assert valid == is_valid(message)
    assert valid == (not VALIDATOR.collect_violations(message))


NUMBER, TEXT = FieldDescriptor.TYPE_INT32, FieldDescriptor.TYPE_STRING
UNKNOWN: dict[str, tuple[Any, dict[str, Any]]] = {
    "other_kind": (NUMBER, {"int32": {"lte": 3}}),
    "other_rule": (TEXT, {"string": {"prefix": "a"}}),
    "other_pattern": (TEXT, {"string": {"pattern": "^(a|b)$"}}),
    "open_pattern": (TEXT, {"string": {"pattern": "^a"}}),
    "expression": (TEXT, {"cel": [{"id": "x", "expression": "true"}]}),
    "other_ignore": (TEXT, {"string": {"min_len": 1}, "ignore": validate_pb2.IGNORE_ALWAYS}),
    "mismatch": (TEXT, {"uint32": {"lte": 3}}),
}
"""Rules that the contract does not have: the type of a field, and its rules."""


@pytest.mark.parametrize("name", UNKNOWN)
def test_a_rule_that_is_not_known_is_left_to_protovalidate(name: str) -> None:
    """A message with such a rule has no check, and is never said to be valid."""
    kind, rules = UNKNOWN[name]
    file = FileDescriptorProto(name=f"{name}.proto", package=f"unknown.{name}", syntax="proto3")
    file.dependency.append(validate_pb2.DESCRIPTOR.name)
    described = file.message_type.add(name="Message")
    field = described.field.add(name="value", number=1, type=kind, label=FieldDescriptor.LABEL_OPTIONAL)
    field.options.Extensions[validate_pb2.field].CopyFrom(validate_pb2.FieldRules(**rules))
    descriptor_pool.Default().AddSerializedFile(file.SerializeToString())
    message = descriptor_pool.Default().FindMessageTypeByName(f"unknown.{name}.Message")
    assert validity(message) is None
    assert not is_valid(GetMessageClass(message)())
