"""Random messages of the contract, at the borders of the rules of their fields, and JSON that is nearly one."""

import re
from collections.abc import Iterator
from random import Random
from typing import Any

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from google.rpc.error_details_pb2 import ErrorInfo

from chitarrella.api.request_size import is_map
from chitarrella.v1 import validate_pb2

TEXTS = (
    *("", "a", "0", "-", "_", "briscola", "play_card", "Ab", "A", "a b", "a\n", "\n", "\r", "\x00", "\x7f", "\u0085"),
    *("a=b", "a=", "=b", "a=\x1f", "a" * 40 + "=b", "a.b-c", "https://a", "http://é", "https:// ", "ftp://a", "^a$"),
    *("0" * 64, "F" * 64, "f" * 65, "g" * 64, "f" * 64 + "\n"),
)  # fmt: skip
"""Texts that some patterns allow and others do not."""


Path = tuple[FieldDescriptor, ...]


def ways(descriptor: Descriptor, before: Path = ()) -> Iterator[Path]:
    """Every field of a message, and of the messages in it: the fields that lead to it."""
    for field in descriptor.fields:
        yield (*before, field)
        if field.message_type is not None and not is_map(field):
            yield from ways(field.message_type, (*before, field))


def rules_of(field: Any) -> Any:
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
    if field.enum_type is not None:
        return rng.choice([*field.enum_type.values_by_number, *([77, -1] if rng.random() < 0.1 else [])])
    if field.type == FieldDescriptor.TYPE_STRING:
        return text(rules.string, rng)
    if field.type == FieldDescriptor.TYPE_BOOL:
        return rng.random() < 0.5
    if field.type == FieldDescriptor.TYPE_UINT32:
        return number(rules.uint32, rng)
    large = [2**63 - 1] if field.cpp_type == FieldDescriptor.CPPTYPE_INT64 else []
    return rng.choice([0, 1, -1, 5, 2**31 - 1, *large])


def fill(message: Any, field: Any, rng: Random) -> None:
    rules, value = rules_of(field), getattr(message, field.name)
    if field.type == FieldDescriptor.TYPE_UINT64:
        setattr(message, field.name, rng.choice([0, 1, 2**64 - 1]))
    elif is_map(field):
        for place in range(size(rules.map.min_pairs, rules.map.max_pairs, rng)):
            key = text(rules.map.keys.string, rng)
            value[key if place < 2 else f"{key[:5]}{place}"] = text(rules.map.values.string, rng)
    elif field.is_repeated and field.message_type is not None:
        for _ in range(size(rules.repeated.min_items, min(rules.repeated.max_items, 110), rng)):
            fill_message(value.add(), rules.repeated.items, rng)
    elif field.is_repeated:
        number_of = size(rules.repeated.min_items, rules.repeated.max_items, rng)
        value.extend([single(field, rules.repeated.items, rng) for _ in range(number_of)])
    elif field.message_type is not None:
        value.SetInParent()
        fill_message(value, rules, rng)
    else:
        setattr(message, field.name, single(field, rules, rng))


def fill_message(value: Message, rules: Any, rng: Random) -> None:
    """Fill a message; one of the library has a value that it can write."""
    if isinstance(value, Timestamp):
        value.seconds, value.nanos = rng.choice([0, 1, 2**37]), rng.choice([0, 1_000_000, 999_000_000])
    elif isinstance(value, Duration):
        least, most = rules.duration.gte.seconds, rules.duration.lte.seconds
        value.seconds = rng.choice([least, least + 1, most, *([-1, most + 1] if rng.random() < 0.1 else [])])
        value.nanos = rng.choice([0, 500_000_000]) if 0 <= value.seconds < most else 0
    elif isinstance(value, AnyMessage):
        value.Pack(ErrorInfo(reason=rng.choice(TEXTS[5:9])))
    else:
        randomize(value, rng)


def randomize(message: Message, rng: Random) -> None:
    """Set most fields of a message; of those that exclude each other mostly one."""
    for field in message.DESCRIPTOR.fields:
        oneof = field.containing_oneof
        chance = 1 / len(oneof.fields) if oneof is not None and len(oneof.fields) > 1 else 0.8
        chance = 1.0 if rules_of(field).required and rng.random() < 0.97 else chance
        if rng.random() < chance:
            fill(message, field, rng)


# ---------------------------------------------------------------------- json

ODD: list[Any] = [None, True, False, 0, 1, -1, 1.0, 1.5, 2**32, 2**64, -(2**63), "", "5", "-5", "x", "true"]
ODD += [[], [None], [1], {}]
"""What may stand in JSON where something else is wanted."""


def spoiled(data: dict[str, Any], rng: Random) -> dict[str, Any]:
    """Put something odd, or an unknown name, at one place of some JSON."""
    changed: dict[str, Any] = _with(data, rng.choice(list(_places(data))), rng.choice(ODD))
    return changed


def _places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(data, dict):
        yield (*path, "unknown")
    for name, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield (*path, name)
        yield from _places(value, (*path, name))


def _with(data: Any, path: tuple[Any, ...], odd: Any) -> Any:
    if not path:
        return odd
    copy = dict(data) if isinstance(data, dict) else list(data)
    copy[path[0]] = _with(copy[path[0]], path[1:], odd) if path[1:] else odd
    return copy
