"""The limits of a request by size, and as how many calls it counts: what is checked before its field rules.

A message of 400 KiB can hold 200,000 items, which would keep a worker busy for seconds. So a message has a greatest
number of bytes, and in a large one a list that is too long is found before it is decoded.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import islice
from typing import Any, Final, NamedTuple

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from chitarrella import errors
from chitarrella.v1 import match_requests_pb2, questions_pb2
from chitarrella.v1.validate_pb2 import FieldRules
from chitarrella.v1.validate_pb2 import field as rules_extension

MAX_BYTES = 1024 * 1024  # the greatest message or body of any call, decompressed
# A larger body is not read to its end; smaller ones are refused with the limit of their call.
MAX_BODY_BYTES: Final = 4 * MAX_BYTES
# So much every call may send: fields that are new in a client's contract, and blanks of JSON, go in here.
MIN_BYTES = 64 * 1024
BYTES_PER_CHARACTER = 4  # UTF-8 has no more
NUMBER_BYTES = 12  # what a number takes at most, its tag included
TAG_BYTES = 7  # what the tag and the length of a text or a message take at most

CHARACTER_CLASS = r"\[(?:[^\]\\]|\\.)+\]"  # a class of characters in a pattern of the contract
# A pattern of classes alone, each once or a limited number of times: it bounds the length of a text.
FINITE_PATTERN = re.compile(rf"\^(?:{CHARACTER_CLASS}(?:\{{(?:\d+,)?\d+\}})?)+\$")
# A class in such a pattern, and how often it may come.
PATTERN_PART = re.compile(rf"{CHARACTER_CLASS}(?:\{{(?:\d+,)?(\d+)\}})?")


def is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry


@cache
def byte_limit(request: Descriptor) -> int:
    """How many bytes a request may have, binary or JSON. Raises `TypeError` without a bound."""
    return min(MAX_BYTES, max(MIN_BYTES, 2 * _greatest_size(request)))


def check_size(request: Descriptor, size: int) -> None:
    if size > (limit := byte_limit(request)):
        raise errors.TooLarge("too_large", f"A request of this call may have {limit // 1024} KiB.")


def body_too_large() -> errors.TooLarge:
    return errors.TooLarge("too_large", f"The body may have {MAX_BYTES // 1024**2} MiB.")


def list_bound(field: FieldDescriptor) -> int | None:
    """How many items a list, or pairs a map, may have; None where the contract does not say."""
    rules = _rules(field)
    return (rules.map.max_pairs if is_map(field) else rules.repeated.max_items) or None


def most_items(field: FieldDescriptor) -> int:
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


def _rules(field: FieldDescriptor) -> FieldRules:
    rules: FieldRules = field.GetOptions().Extensions[rules_extension]
    return rules


def _greatest_size(descriptor: Descriptor) -> int:
    """The size of the greatest binary message that keeps the field rules; raises `TypeError` without a bound."""
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
    """The greatest size of a text; raises `TypeError` without a bound."""
    if (characters := text_bound(rules)) is None:
        raise TypeError(f"{field.full_name} has no greatest length")
    return characters * BYTES_PER_CHARACTER + TAG_BYTES


MOVES_PER_CALL = 10  # so many moves of ApplyMoves count as one call: their rules are read once
MOST_COUNTED = 1000  # of more items none is answered, so that no more of them are counted


def calls_in(request: Any) -> int:
    """How many calls of a caller's rate a request counts as, at least one; it need not be valid yet."""
    count = 1
    match request:
        case questions_pb2.BatchRequest():
            questions = islice(request.questions, MOST_COUNTED)
            count = sum(calls_in(one.apply_moves) if one.HasField("apply_moves") else 1 for one in questions)
        case questions_pb2.ApplyMovesRequest():
            count = -(-min(len(request.moves), MOST_COUNTED) // MOVES_PER_CALL)
        case match_requests_pb2.BatchCreateMatchesRequest():
            count = min(len(request.requests), MOST_COUNTED)
        case match_requests_pb2.BatchGetMatchesRequest():
            count = min(len(request.match_ids), MOST_COUNTED)
    return max(1, count)


VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5  # the wire types of Protocol Buffers that the contract uses
FIXED_BYTES: Final = {FIXED64: 8, FIXED32: 4}
# The types of lists that are counted; numbers take no more once they are decoded.
COUNTED: Final = {FieldDescriptor.CPPTYPE_MESSAGE, FieldDescriptor.CPPTYPE_STRING}
CONTINUED: Final = 0x80  # the bit of a byte of a varint behind which another one follows


class _Member(NamedTuple):
    """A field of a message that is a list, or has lists in it."""

    name: str
    json_name: str
    most: int | None  # the greatest number of items; None for a single value
    members: dict[int, _Member]  # the fields of its messages, by number


class _TooLong(Exception):
    """A list with too many items; the way to it is added from its end."""

    def __init__(self, member: _Member) -> None:
        super().__init__()
        self.most = member.most
        self.path = member.name

    def within(self, member: _Member, place: int) -> _TooLong:
        """Add the field in which it is, and its place there if that is a list; return it."""
        self.path = f"{member.name}{'' if member.most is None else f'[{place}]'}.{self.path}"
        return self

    def bad_request(self) -> errors.BadRequest:
        message = f"must have at most {self.most} items"
        return errors.BadRequest("bad_request", f"{self.path}: {message}", self.path, ((self.path, message),))


def check_lists(request: Descriptor, data: bytes | bytearray) -> None:
    """Raise `errors.BadRequest` for an encoded request with too long a list; the decoder finds other faults."""
    if len(data) > MIN_BYTES:
        try:
            _walk(data, 0, len(data), _members(request))
        except _TooLong as error:
            raise error.bad_request() from None


@cache
def _members(descriptor: Descriptor) -> dict[int, _Member]:
    found = {}
    for field in descriptor.fields:
        members = {} if field.message_type is None or is_map(field) else _members(field.message_type)
        is_list = field.is_repeated and field.cpp_type in COUNTED
        if is_list or members:
            most = most_items(field) if is_list else None
            found[field.number] = _Member(field.name, field.json_name, most, members)
    return found


def _walk(data: bytes | bytearray, at: int, end: int, members: dict[int, _Member]) -> None:
    counts: dict[int, int] = {}
    while at < end:
        tag, at = (data[at], at + 1) if data[at] < CONTINUED else _varint(data, at, end)
        kind = tag & 7
        if kind == LENGTH and at < end:
            size, at = (data[at], at + 1) if data[at] < CONTINUED else _varint(data, at, end)
            begin, at = at, at + size
            if (member := members.get(tag >> 3)) is None or at > end:
                continue
            count = counts[tag >> 3] = counts.get(tag >> 3, 0) + 1
            if member.most is not None and count > member.most:
                raise _TooLong(member)
            if member.members and size:
                try:
                    _walk(data, begin, at, member.members)
                except _TooLong as error:
                    raise error.within(member, count - 1) from None
        elif kind == VARINT:
            _, at = _varint(data, at, end)
        elif kind in FIXED_BYTES:
            at += FIXED_BYTES[kind]
        else:
            return


def _varint(data: bytes | bytearray, at: int, end: int) -> tuple[int, int]:
    """Return a number and the place behind it; ``end`` behind one that is cut off or too long."""
    value = shift = 0
    while at < end and shift < 64:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < CONTINUED:
            return value, at
        shift += 7
    return 0, end
