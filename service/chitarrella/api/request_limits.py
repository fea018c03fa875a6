"""The limits of a request by size, which are checked before its field rules: they bound what checking it can cost.

A message of 400 KiB can hold 200,000 items. To make an object of each, and to say of each what is wrong with it, would
keep a worker busy for seconds. So a message of any rpc has a greatest number of bytes, and of a list that is too long
only so many items are looked at as it takes to find it too long.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from itertools import islice
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from chitarrella import errors
from chitarrella.v1 import matches_pb2, rules_pb2
from chitarrella.v1.validate_pb2 import FieldRules
from chitarrella.v1.validate_pb2 import field as rules_extension

MAX_BYTES = 1024 * 1024
"""The greatest message or body of any call, decompressed."""
MIN_BYTES = 64 * 1024
"""So much every call may send: fields that are new in a client's contract, and blanks of JSON, go in here."""
BYTES_PER_CHARACTER = 4
"""UTF-8 has no more."""
NUMBER_BYTES = 12
"""What a number takes at most, its tag included."""
TAG_BYTES = 7
"""What the tag and the length of a text or a message take at most."""

CHARACTER_CLASS = r"\[(?:[^\]\\]|\\.)+\]"
"""A class of characters in a pattern of the contract."""
FINITE_PATTERN = re.compile(rf"\^(?:{CHARACTER_CLASS}(?:\{{(?:\d+,)?\d+\}})?)+\$")
"""A pattern of classes alone, each once or a limited number of times: it bounds the length of a text."""
PATTERN_PART = re.compile(rf"{CHARACTER_CLASS}(?:\{{(?:\d+,)?(\d+)\}})?")
"""A class in such a pattern, and how often it may come."""

Trim = Callable[[Message], None]
"""Cuts a message in place to what it may hold."""


@cache
def byte_limit(request: Descriptor) -> int:
    """How many bytes a request of this type may have, whether binary or JSON.

    Raises `TypeError` where the contract does not bound it.
    """
    return min(MAX_BYTES, max(MIN_BYTES, 2 * _greatest_size(request)))


def check_size(request: Descriptor, size: int) -> None:
    """Raise `errors.TooLarge` for a request of ``size`` bytes that is too large for its type."""
    if size > (limit := byte_limit(request)):
        raise errors.TooLarge("too_large", f"A request of this call may have {limit // 1024} KiB.")


@cache
def trimmer(descriptor: Descriptor) -> Trim | None:
    """Build the function that shortens every list of a message that is too long to one item more than its field allows.

    The field rule still finds the list too long, and nothing behind that item costs anything. None for a type without
    lists. Raises `TypeError` for a list without a bound.
    """
    steps = [step for field in descriptor.fields if (step := _step(field)) is not None]
    if not steps:
        return None

    def trim(message: Message) -> None:
        for step in steps:
            step(message)

    return trim


def list_bound(field: FieldDescriptor) -> int | None:
    """How many items a list, or pairs a map, may have; None where the contract does not say."""
    rules = _rules(field)
    return (rules.map.max_pairs if is_map(field) else rules.repeated.max_items) or None


def most_items(field: FieldDescriptor) -> int:
    """How many items a list, or pairs a map, may have. Raises `TypeError` where the contract does not say."""
    if (most := list_bound(field)) is None:
        raise TypeError(f"{field.full_name} has no greatest number of items")
    return most


def text_bound(rules: FieldRules) -> int | None:
    """How many characters a text may have, by its rules; None where the contract does not say."""
    longest: int = rules.string.max_len
    if longest:
        return longest
    pattern: str = rules.string.pattern
    if not FINITE_PATTERN.fullmatch(pattern):
        return None
    return sum(int(times or 1) for times in PATTERN_PART.findall(pattern))


def is_map(field: FieldDescriptor) -> bool:
    """Whether a field is a map."""
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def _step(field: FieldDescriptor) -> Trim | None:
    if is_map(field):
        return _map_step(field.name, most_items(field))
    nested = trimmer(field.message_type) if field.message_type is not None else None
    if field.is_repeated:
        return _list_step(field.name, most_items(field), nested)
    return None if nested is None else _member_step(field.name, nested)


def _list_step(name: str, most: int, nested: Trim | None) -> Trim:
    def step(message: Message) -> None:
        items = getattr(message, name)
        if len(items) > most:
            del items[most + 1 :]
        if nested is not None:
            for item in items:
                nested(item)

    return step


def _map_step(name: str, most: int) -> Trim:
    def step(message: Message) -> None:
        pairs = getattr(message, name)
        if len(pairs) > most:
            kept = {key: pairs[key] for key in islice(pairs, most + 1)}
            message.ClearField(name)
            getattr(message, name).update(kept)

    return step


def _member_step(name: str, nested: Trim) -> Trim:
    def step(message: Message) -> None:
        if message.HasField(name):
            nested(getattr(message, name))

    return step


def _rules(field: FieldDescriptor) -> FieldRules:
    rules: FieldRules = field.GetOptions().Extensions[rules_extension]
    return rules


def _greatest_size(descriptor: Descriptor) -> int:
    """The number of bytes of the greatest binary message of a type that keeps the field rules.

    Raises `TypeError` for a list or a text without a bound.
    """
    return sum(_field_size(field) for field in descriptor.fields)


def _field_size(field: FieldDescriptor) -> int:
    rules: Any = _rules(field)
    if is_map(field):
        pair = _text_size(field, rules.map.keys) + _text_size(field, rules.map.values) + TAG_BYTES
        return most_items(field) * pair
    value = rules.repeated.items if field.is_repeated else rules
    if field.message_type is not None:
        size = _greatest_size(field.message_type) + TAG_BYTES
    elif field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        size = _text_size(field, value)
    else:
        size = NUMBER_BYTES
    return most_items(field) * size if field.is_repeated else size


def _text_size(field: FieldDescriptor, rules: FieldRules) -> int:
    """The number of bytes of the longest text of a field.

    Raises `TypeError` where the contract does not bound it, and for a field of bytes, which no request has.
    """
    if (characters := text_bound(rules)) is None:
        raise TypeError(f"{field.full_name} has no greatest length")
    return characters * BYTES_PER_CHARACTER + TAG_BYTES


MOVES_PER_CALL = 10
"""So many moves of ApplyMoves count as one call: their rules are read once."""
MOST_COUNTED = 1000
"""Of more items none is answered, so that no more of them are counted."""


def calls_in(request: Any) -> int:
    """How many calls of a caller's rate a request counts as, at least one; it need not be valid yet."""
    count = 1
    match request:
        case rules_pb2.BatchRequest():
            questions = islice(request.questions, MOST_COUNTED)
            count = sum(calls_in(one.apply_moves) if one.HasField("apply_moves") else 1 for one in questions)
        case rules_pb2.ApplyMovesRequest():
            count = -(-min(len(request.moves), MOST_COUNTED) // MOVES_PER_CALL)
        case matches_pb2.BatchCreateMatchesRequest():
            count = min(len(request.requests), MOST_COUNTED)
        case matches_pb2.BatchGetMatchesRequest():
            count = min(len(request.match_ids), MOST_COUNTED)
    return max(1, count)
