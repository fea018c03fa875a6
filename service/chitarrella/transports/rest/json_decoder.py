"""Decode JSON and query parameters to the fields of messages, with functions built once from the descriptors.

Accepted is what proto3 JSON accepts: names in both spellings, numbers as text, null for a field left out. The codec is
our own because its errors name the path of the invalid field, which ``json_format.ParseDict`` of google.protobuf does
not, and because it is 4 times faster: 10 instead of 44 microseconds for a typical PlayMove
(``python -m tests.transports.json_codec_speed``). tests/transports/test_rest_requests.py compares the two on valid and
on invalid messages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, NamedTuple

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

from chitarrella.api.request_limits import is_map, list_bound

Decode = Callable[[Any], Any]
"""Convert plain data to the value of a field; raises `InvalidJson`."""
Fields = dict[str, Any]
"""The arguments of a message's constructor."""

INTEGER = re.compile(r"-?[0-9]{1,20}", re.ASCII)
"""A whole number as text; no field has one with more digits."""
BOOLEANS = {"true": True, "false": False}
"""The values of a truth value in a query."""
LIMITS = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
}
"""The smallest and the largest value of each integer type."""


class InvalidJson(ValueError):
    """Data that does not fit the message; ``path`` leads to the invalid field."""

    def __init__(self, message: str, *path: str) -> None:
        """``message`` continues a sentence that starts with the name of the field."""
        super().__init__(message)
        self.message = message
        self.path = list(path)

    @property
    def field(self) -> str:
        """The path as text, such as ``moves[3].move.amount``."""
        return ".".join(self.path).replace(".[", "[")


class FieldDecoder(NamedTuple):
    """How one field is decoded: its name in the contract, its functions for JSON and for a query parameter."""

    name: str
    from_json: Decode
    from_query: Decode
    is_repeated: bool


# ---------------------------------------------------------------------- messages


def object_decoder(descriptor: Descriptor) -> Callable[[Any], Fields]:
    """Build the function that decodes a JSON object to the fields of a message."""
    fields = fields_by_name(descriptor)
    oneofs = [[member.name for member in oneof.fields] for oneof in descriptor.oneofs if len(oneof.fields) > 1]

    def decode(data: Any) -> Fields:
        if type(data) is not dict:
            raise InvalidJson("must be an object")
        found: Fields = {}
        for name, value in data.items():
            if (field := fields.get(name)) is None:
                raise InvalidJson("is no field of this message", name)
            if value is None:
                continue
            if field.name in found:
                raise InvalidJson("is there twice, in both spellings", field.name)
            found[field.name] = _nested(field.from_json, value, field.name)
        for names in oneofs:
            if len(both := [name for name in names if name in found]) > 1:
                raise InvalidJson(f"excludes {both[0]}", both[1])
        return found

    return decode


def fields_by_name(descriptor: Descriptor) -> dict[str, FieldDecoder]:
    """Return the decoders of a message's fields by both spellings of their names."""
    found = {}
    for field in descriptor.fields:
        found[field.name] = found[field.json_name] = _field(field)
    return found


def _nested(decode: Decode, value: Any, name: str) -> Any:
    """Decode the value of the field ``name``, and add the name to the path of an error."""
    try:
        return decode(value)
    except InvalidJson as error:
        error.path.insert(0, name)
        raise


# ---------------------------------------------------------------------- fields


def _field(field: FieldDescriptor) -> FieldDecoder:
    """Return the decoder of a field; raises `TypeError` for types that the contract does not use."""
    descriptor = field.message_type
    if descriptor is not None and is_map(field):
        return FieldDecoder(field.name, _map(descriptor, list_bound(field)), _not_in_query, is_repeated=False)
    from_json, from_query = _scalar(field) if descriptor is None else (object_decoder(descriptor), _not_in_query)
    if field.is_repeated:
        from_json = _list(from_json, list_bound(field))
    return FieldDecoder(field.name, from_json, from_query, field.is_repeated)


def _not_in_query(value: Any) -> Any:
    raise InvalidJson("does not fit into a query")


def _list(decode_item: Decode, most: int | None) -> Decode:
    """Build the decoder of a list; of one that is too long only so many items as make it too long are decoded."""
    end = None if most is None else most + 1

    def decode(value: Any) -> Any:
        if type(value) is not list:
            raise InvalidJson("must be a list")
        found = []
        for place, item in enumerate(value[:end]):
            try:
                found.append(decode_item(item))
            except InvalidJson as error:
                error.path.insert(0, f"[{place}]")
                raise
        return found

    return decode


def _map(entry: Descriptor, most: int | None) -> Decode:
    key, value = entry.fields_by_name["key"], entry.fields_by_name["value"]
    if key.cpp_type != FieldDescriptor.CPPTYPE_STRING:
        raise TypeError(f"{entry.full_name}: only maps with text keys are supported")
    decode_value = _scalar(value)[0]
    end = None if most is None else most + 1

    def decode(data: Any) -> Any:
        if type(data) is not dict:
            raise InvalidJson("must be an object")
        return {name: _nested(decode_value, item, name) for name, item in islice(data.items(), end)}

    return decode


def _scalar(field: FieldDescriptor) -> tuple[Decode, Decode]:
    """Return the functions for a single value: from JSON, and from a query parameter."""
    if field.cpp_type in LIMITS:
        integer = _integer(*LIMITS[field.cpp_type])
        return integer, integer
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING and field.type == FieldDescriptor.TYPE_STRING:
        return _text, _text
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return _boolean, _boolean_from_query
    if field.enum_type is not None:
        enum = _enum(field.enum_type)
        return enum, enum
    raise TypeError(f"{field.full_name}: this type of field is not supported")


def _text(value: Any) -> Any:
    if type(value) is not str:
        raise InvalidJson("must be text")
    return value


def _boolean(value: Any) -> Any:
    if type(value) is not bool:
        raise InvalidJson("must be true or false")
    return value


def _boolean_from_query(value: Any) -> Any:
    if value not in BOOLEANS:
        raise InvalidJson("must be true or false")
    return BOOLEANS[value]


def _integer(minimum: int, maximum: int) -> Decode:
    def decode(value: Any) -> Any:
        kind = type(value)
        if (kind is str and INTEGER.fullmatch(value)) or (kind is float and value.is_integer()):
            value = int(value)
        elif kind is not int:
            raise InvalidJson("must be a whole number")
        if not minimum <= value <= maximum:
            raise InvalidJson(f"must lie between {minimum} and {maximum}")
        return value

    return decode


def _enum(descriptor: EnumDescriptor) -> Decode:
    names = {value.name: value.number for value in descriptor.values}
    integer = _integer(-(2**31), 2**31 - 1)

    def decode(value: Any) -> Any:
        if type(value) is not str:
            return integer(value)
        if value not in names:
            raise InvalidJson(f"must be one of {', '.join(names)}")
        return names[value]

    return decode


# ---------------------------------------------------------------------- queries


def query_decoder(
    descriptor: Descriptor, exclude: Iterable[str] = ()
) -> Callable[[Iterable[tuple[str, list[str]]]], Fields]:
    """Build the function that decodes the parameters of a query, except the fields to ``exclude``."""
    excluded = set(exclude)
    fields = {name: field for name, field in fields_by_name(descriptor).items() if field.name not in excluded}

    def decode(query: Iterable[tuple[str, list[str]]]) -> Fields:
        found: Fields = {}
        for name, texts in query:
            if (field := fields.get(name)) is None:
                raise InvalidJson("is no parameter of this call", name)
            if field.name in found or (len(texts) > 1 and not field.is_repeated):
                raise InvalidJson("is there twice", field.name)
            values = [_nested(field.from_query, text, field.name) for text in texts]
            found[field.name] = values if field.is_repeated else values[0]
        return found

    return decode
