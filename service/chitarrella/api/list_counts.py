"""Count the items of the lists in an encoded message, before it is decoded.

Two bytes of a message can be an item that takes a hundred once it is decoded, so that 1 MiB would become 50. The
encoded message is walked instead, as far as it takes to find a list too long. Only a message of more than `MIN_BYTES`
is walked: a smaller one cannot become large. The walk of an allowed batch of 1,000 questions takes some milliseconds.

JSON is parsed first, which is quick; to make messages of it takes forty times as long.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple

import orjson
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from chitarrella import errors
from chitarrella.api.request_limits import MIN_BYTES, is_map, most_items

VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5
"""The wire types of Protocol Buffers that the contract uses."""
FIXED_BYTES: Final = {FIXED64: 8, FIXED32: 4}
"""The length of values of a fixed length."""
COUNTED: Final = {FieldDescriptor.CPPTYPE_MESSAGE, FieldDescriptor.CPPTYPE_STRING}
"""The types of lists that are counted; numbers take no more once they are decoded."""
CONTINUED: Final = 0x80
"""The bit of a byte of a varint behind which another one follows."""


class _Member(NamedTuple):
    """A field of a message that is a list, or has lists in it."""

    name: str
    json_name: str
    most: int | None
    """The greatest number of items; None for a single value."""
    members: dict[int, _Member]
    """The fields of its messages, by number."""


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
        """Return the error for the caller."""
        message = f"must have at most {self.most} items"
        return errors.BadRequest("bad_request", f"{self.path}: {message}", self.path, ((self.path, message),))


def check_lists(request: Descriptor, data: bytes | bytearray) -> None:
    """Raise `errors.BadRequest` for an encoded request of this type in which a list has more items than it may have.

    What is no message is left to the decoder.
    """
    if len(data) > MIN_BYTES:
        try:
            _walk(data, 0, len(data), _members(request))
        except _TooLong as error:
            raise error.bad_request() from None


def check_json_lists(request: Descriptor, data: bytes | bytearray) -> None:
    """Do the same for a request in JSON."""
    if len(data) > MIN_BYTES:
        try:
            value = orjson.loads(data)
        except orjson.JSONDecodeError:
            return
        try:
            _walk_json(value, _members(request))
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
    """Walk the fields between two places."""
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


def _walk_json(value: Any, members: dict[int, _Member]) -> None:
    """Walk the members of an object."""
    if not isinstance(value, dict):
        return
    for member in members.values():
        for name in {member.name, member.json_name}:
            found = value.get(name)
            if member.most is not None and isinstance(found, list | dict) and len(found) > member.most:
                raise _TooLong(member)
            items = [found] if member.most is None else found if isinstance(found, list) else []
            for place, item in enumerate(items if member.members else ()):
                try:
                    _walk_json(item, member.members)
                except _TooLong as error:
                    raise error.within(member, place) from None


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
