"""Messages of the contract, and JSON that is nearly one, made by hypothesis from the descriptors."""

from __future__ import annotations

from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import strategies as st

from chitarrella.api.dispatcher import rpcs

NUMBERS = {
    FieldDescriptor.CPPTYPE_INT32: st.integers(-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_UINT32: st.integers(0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_INT64: st.integers(-(2**63), 2**63 - 1),
}
TIMES = st.builds(Timestamp, seconds=st.integers(0, 2**37), nanos=st.integers(0, 999).map(lambda ms: ms * 1_000_000))
"""Times that JSON can write: up to the year 9999, in milliseconds."""
ODD: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, False, 0, 1, -1, 1.0, 1.5, 2**32, 2**64, -(2**63), "", "5", "-5", "x", "true", [], [None], [1], {}]
)
"""What may stand in JSON where something else is wanted."""

KINDS = [kind for rpc in rpcs() for kind in (rpc.request, rpc.response)]
"""Every message that travels by itself."""


def messages(kind: type[Message]) -> st.SearchStrategy[Message]:
    """Make messages of one kind, with any of their fields set or not."""
    described: Any = kind.DESCRIPTOR
    return _fields(described).map(lambda fields: kind(**fields))


def _fields(kind: Descriptor) -> st.SearchStrategy[dict[str, Any]]:
    alone = {field.name: _field(field) for field in kind.fields if not _in_choice(field)}
    whole = st.fixed_dictionaries({}, optional=alone)
    for oneof in kind.oneofs:
        if len(oneof.fields) > 1:
            one = st.one_of(st.just({}), *(_named(field) for field in oneof.fields))
            whole = st.builds(lambda fields, chosen: {**fields, **chosen}, whole, one)
    return whole


def _in_choice(field: FieldDescriptor) -> bool:
    return field.containing_oneof is not None and len(field.containing_oneof.fields) > 1


def _named(field: FieldDescriptor) -> st.SearchStrategy[dict[str, Any]]:
    return _field(field).map(lambda value: {field.name: value})


def _field(field: FieldDescriptor) -> st.SearchStrategy[Any]:
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        return st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=3)
    one = _single(field)
    return st.lists(one, max_size=3) if field.is_repeated else one


def _single(field: FieldDescriptor) -> st.SearchStrategy[Any]:
    if field.message_type is not None:
        return TIMES if field.message_type.full_name == Timestamp.DESCRIPTOR.full_name else _fields(field.message_type)
    if field.enum_type is not None:
        return st.sampled_from([*(value.number for value in field.enum_type.values), 77])
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return st.booleans()
    return NUMBERS.get(field.cpp_type, st.text(max_size=8))


def spoiled(data: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Put something odd, or an unknown name, at one place of some JSON."""
    return st.sampled_from(list(_places(data))).flatmap(lambda path: ODD.map(lambda odd: _with(data, path, odd)))


def _places(data: Any, path: tuple[Any, ...] = ()) -> Any:
    if isinstance(data, dict):
        yield (*path, "unknown")
        for name, value in data.items():
            yield (*path, name)
            yield from _places(value, (*path, name))
    if isinstance(data, list):
        for place, value in enumerate(data):
            yield (*path, place)
            yield from _places(value, (*path, place))


def _with(data: Any, path: tuple[Any, ...], odd: Any) -> Any:
    if not path:
        return odd
    copy = dict(data) if isinstance(data, dict) else list(data)
    copy[path[0]] = _with(copy[path[0]], path[1:], odd) if path[1:] else odd
    return copy
