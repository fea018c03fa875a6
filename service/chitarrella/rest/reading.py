"""From JSON, and from the words of a query, to messages of the contract; made once from its descriptors.

What is accepted is what proto3 JSON accepts: names in either spelling, numbers as text, null for what is left out. What
is refused is refused with the path of the field at fault, which the library's own reader does not give.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

Read = Callable[[Any], Any]
Fields = dict[str, Any]

WHOLE_NUMBER = re.compile(r"-?[0-9]{1,20}", re.ASCII)
TRUTH = {"true": True, "false": False}
BITS = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
}
"""The least and the greatest number of each kind of field."""


class Unreadable(ValueError):
    """Something that is no message of the contract; ``path`` leads to the field at fault."""

    def __init__(self, because: str, *path: str) -> None:
        """Say what is wrong, in words that follow the name of the field."""
        super().__init__(because)
        self.because = because
        self.path = list(path)

    @property
    def field(self) -> str:
        """The path, such as ``moves[3].move.amount``."""
        return ".".join(self.path).replace(".[", "[")


class Field(NamedTuple):
    """How one field is read: its name in the contract, from JSON, from a word of a query."""

    name: str
    from_json: Read
    from_word: Read
    repeated: bool


# ---------------------------------------------------------------------- objects


def object_reader(kind: Descriptor) -> Callable[[Any], Fields]:
    """Make the function that turns a JSON object into the fields of a message, ready for its constructor."""
    fields = by_names(kind)
    choices = [[member.name for member in oneof.fields] for oneof in kind.oneofs if len(oneof.fields) > 1]

    def read(data: Any) -> Fields:
        if type(data) is not dict:
            raise Unreadable("must be an object")
        found: Fields = {}
        for name, value in data.items():
            if (field := fields.get(name)) is None:
                raise Unreadable("is no field of this message", name)
            if value is None:
                continue
            if field.name in found:
                raise Unreadable("is there twice, in both spellings", field.name)
            found[field.name] = _inside(field.from_json, value, field.name)
        for names in choices:
            if len(both := [name for name in names if name in found]) > 1:
                raise Unreadable(f"excludes {both[0]}", both[1])
        return found

    return read


def by_names(kind: Descriptor) -> dict[str, Field]:
    """Find the fields of a message by both of their spellings."""
    found = {}
    for descriptor in kind.fields:
        field = _field(descriptor)
        found[descriptor.name] = found[descriptor.json_name] = field
    return found


def _inside(read: Read, value: Any, name: str) -> Any:
    """Read what lies under ``name``, and put that before the path of what is wrong with it."""
    try:
        return read(value)
    except Unreadable as error:
        error.path.insert(0, name)
        raise


# ---------------------------------------------------------------------- fields


def _field(field: FieldDescriptor) -> Field:
    """Say how a field is read; raises `TypeError` for kinds that the contract does without."""
    kind = field.message_type
    if kind is not None and kind.GetOptions().map_entry:
        return Field(field.name, _map(kind), _no_word, repeated=False)
    one, word = _scalar(field) if kind is None else (object_reader(kind), _no_word)
    return Field(field.name, _list(one) if field.is_repeated else one, word, field.is_repeated)


def _no_word(value: Any) -> Any:
    raise Unreadable("does not fit into a query")


def _list(one: Read) -> Read:
    def read(value: Any) -> Any:
        if type(value) is not list:
            raise Unreadable("must be a list")
        found = []
        for place, item in enumerate(value):
            try:
                found.append(one(item))
            except Unreadable as error:
                error.path.insert(0, f"[{place}]")
                raise
        return found

    return read


def _map(entry: Descriptor) -> Read:
    key, value = entry.fields_by_name["key"], entry.fields_by_name["value"]
    if key.cpp_type != FieldDescriptor.CPPTYPE_STRING:
        raise TypeError(f"{entry.full_name}: only maps with words for keys are read")
    one = _scalar(value)[0]

    def read(data: Any) -> Any:
        if type(data) is not dict:
            raise Unreadable("must be an object")
        return {name: _inside(one, item, name) for name, item in data.items()}

    return read


def _scalar(field: FieldDescriptor) -> tuple[Read, Read]:
    """Give the readers of a single value: from JSON, and from a word."""
    if field.cpp_type in BITS:
        number = _number(*BITS[field.cpp_type])
        return number, number
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING and field.type == FieldDescriptor.TYPE_STRING:
        return _text, _text
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return _truth, _truth_from_word
    if field.enum_type is not None:
        name = _enum(field.enum_type)
        return name, name
    raise TypeError(f"{field.full_name}: this kind of field is not read")


def _text(value: Any) -> Any:
    if type(value) is not str:
        raise Unreadable("must be text")
    return value


def _truth(value: Any) -> Any:
    if type(value) is not bool:
        raise Unreadable("must be true or false")
    return value


def _truth_from_word(value: Any) -> Any:
    if value not in TRUTH:
        raise Unreadable("must be true or false")
    return TRUTH[value]


def _number(least: int, greatest: int) -> Read:
    def read(value: Any) -> Any:
        kind = type(value)
        if (kind is str and WHOLE_NUMBER.fullmatch(value)) or (kind is float and value.is_integer()):
            value = int(value)
        elif kind is not int:
            raise Unreadable("must be a whole number")
        if not least <= value <= greatest:
            raise Unreadable(f"must lie between {least} and {greatest}")
        return value

    return read


def _enum(kind: EnumDescriptor) -> Read:
    names = {value.name: value.number for value in kind.values}
    number = _number(-(2**31), 2**31 - 1)

    def read(value: Any) -> Any:
        if type(value) is not str:
            return number(value)
        if value not in names:
            raise Unreadable(f"must be one of {', '.join(names)}")
        return names[value]

    return read


# ---------------------------------------------------------------------- queries


def query_reader(
    kind: Descriptor, elsewhere: Iterable[str] = ()
) -> Callable[[Iterable[tuple[str, list[str]]]], Fields]:
    """Make the function that reads the words of a query; the fields named ``elsewhere`` have no place in it."""
    taken = set(elsewhere)
    fields = {name: field for name, field in by_names(kind).items() if field.name not in taken}

    def read(query: Iterable[tuple[str, list[str]]]) -> Fields:
        found: Fields = {}
        for name, words in query:
            if (field := fields.get(name)) is None:
                raise Unreadable("is no parameter of this call", name)
            if field.name in found or (len(words) > 1 and not field.repeated):
                raise Unreadable("is there twice", field.name)
            values = [_inside(field.from_word, word, field.name) for word in words]
            found[field.name] = values if field.repeated else values[0]
        return found

    return read
