"""Whether a request keeps the field rules of the contract, answered by Python that is generated from these rules.

A request of a few fields costs protovalidate several microseconds. Here each message type becomes a function of plain
comparisons, compiled at its first use. The function only decides whether a message is valid; the violations of an
invalid message are found by protovalidate. A message type with a rule that is not supported here has no function, and
neither has a type that contains it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, Final, TypeAlias

from google.protobuf.descriptor import Descriptor, FieldDescriptor, OneofDescriptor
from google.protobuf.message import Message

from chitarrella.v1 import validate_pb2

IsValid: TypeAlias = Callable[[Any], bool]

SIMPLE_PATTERN: Final = re.compile(
    r"\^(?:(?:\[\^?(?:[^][^\\&~|]|~(?!~)|\\[rnt]|\\x[0-9a-f]{2})+]|[a-z0-9_=:/-])(?:[+*?]|\{\d+(?:,\d*)?\})?)+\$"
)
"""A pattern of characters and classes of them: it means the same to Python and to RE2, but for the ``$``."""


class UnknownRule(Exception):
    pass


@cache
def validity(message: Descriptor) -> IsValid | None:
    try:
        source = _Source(message)
    except UnknownRule:
        return None
    return source.compiled()


def is_valid(request: Message) -> bool:
    """Return whether ``request`` is known to keep the field rules; protovalidate decides about any other."""
    check = validity(request.DESCRIPTOR)
    return check is not None and check(request)


class _Source:
    """The source of the function for one type of messages, with the values that it uses.

    ``x`` is the message and ``v`` the value of the field that is looked at. Raises `UnknownRule`.
    """

    def __init__(self, message: Descriptor) -> None:
        self._names: dict[str, Any] = {}
        self.lines: list[str] = []
        self._message_rules(message)
        for oneof in message.oneofs:
            self._choice(oneof)
        for field in message.fields:
            self._field(field)

    def compiled(self) -> IsValid:
        body = "\n    ".join([*self.lines, "return True"])
        exec(f"def is_valid(x):\n    {body}\n", self._names)
        function: IsValid = self._names["is_valid"]
        return function

    def _value(self, value: Any) -> str:
        name = f"value_{len(self._names)}"
        self._names[name] = value
        return name

    def _refuse(self, *faults: str, unless: str = "") -> None:
        """Write that a message with one of ``faults`` is not valid, unless a condition holds."""
        if faults:
            either = " or ".join(faults)
            self.lines.append(f"if {f'{unless} and ({either})' if unless else either}: return False")

    def _message_rules(self, message: Descriptor) -> None:
        rules = message.GetOptions().Extensions[validate_pb2.message]
        _only(rules, "oneof")
        for oneof in rules.oneof:
            _only(oneof, "fields", "required")
            if not all(message.fields_by_name[name].has_presence for name in oneof.fields):
                raise UnknownRule(message.full_name)
            given = " + ".join(f"x.HasField({name!r})" for name in oneof.fields)
            self._refuse(f"{given} {'!=' if oneof.required else '>'} 1")

    def _choice(self, oneof: OneofDescriptor) -> None:
        rules = oneof.GetOptions().Extensions[validate_pb2.oneof]
        _only(rules, "required")
        checks = {field.name: check for field in _members(oneof) if (check := self._nested(field)) is not None}
        if rules.required or checks:
            self.lines.append(f"v = x.WhichOneof({oneof.name!r})")
        if rules.required:
            self._refuse("v is None")
        if checks:
            name = self._value(checks)
            self._refuse(f"v in {name} and not {name}[v](getattr(x, v))")

    def _nested(self, field: Any) -> IsValid | None:
        """Return the function of the messages in a field, None where every message is valid."""
        source = _Source(field.message_type)
        return source.compiled() if source.lines else None

    def _field(self, field: FieldDescriptor) -> None:
        """Write the faults of a field, the cheapest first: what is too long is not looked at."""
        rules: Any = field.GetOptions().Extensions[validate_pb2.field]
        if is_map(field):
            _only(rules, "map")
            self._map(field, rules.map)
        elif field.is_repeated:
            _only(rules, "repeated")
            self._list(field, rules.repeated)
        elif field.message_type is not None:
            _only(rules, "required")
            self._member(field, required=rules.required)
        else:
            self._single(field, rules)

    def _member(self, field: FieldDescriptor, *, required: bool) -> None:
        given = f"x.HasField({field.name!r})"
        if required:
            self._refuse(f"not {given}")
        if field.containing_oneof is not None and field in _members(field.containing_oneof):
            return  # checked with its choice
        if (check := self._nested(field)) is not None:
            self._refuse(f"not {self._value(check)}(x.{field.name})", unless="" if required else given)

    def _single(self, field: FieldDescriptor, rules: Any) -> None:
        faults = self._value_faults("v", field, rules)
        if rules.ignore not in (validate_pb2.IGNORE_UNSPECIFIED, validate_pb2.IGNORE_IF_ZERO_VALUE):
            raise UnknownRule(field.full_name)
        if faults:
            given = f"x.HasField({field.name!r})" if field.has_presence else ""
            self.lines.append(f"v = x.{field.name}")
            self._refuse(*faults, unless="v" if rules.ignore else given if _forbids_zero(rules) else "")

    def _value_faults(self, value: str, field: Any, rules: Any) -> list[str]:
        """Write the faults of a text, a number or a name of an enum."""
        kinds = {FieldDescriptor.TYPE_STRING: "string", FieldDescriptor.TYPE_UINT32: "uint32",
                 FieldDescriptor.TYPE_ENUM: "enum"}  # fmt: skip
        kind = kinds.get(field.type, "")
        _only(rules, kind, "ignore")
        if kind == "string":
            return self._text_faults(value, rules.string)
        if kind == "uint32":
            _only(rules.uint32, "lte", "gte")
            least, most = rules.uint32.gte, rules.uint32.lte
            faults = [f"{value} > {most}"] if rules.uint32.HasField("lte") else []
            return [*faults, f"{value} < {least}"] if least else faults
        if kind == "enum":
            _only(rules.enum, "defined_only")
            if rules.enum.defined_only:
                return [f"{value} not in {self._value(frozenset(field.enum_type.values_by_number))}"]
        return []

    def _text_faults(self, value: str, rules: Any) -> list[str]:
        _only(rules, "min_len", "max_len", "pattern")
        faults = [f"len({value}) > {rules.max_len}"] if rules.HasField("max_len") else []
        if rules.min_len:
            faults.append(f"len({value}) < {rules.min_len}")
        if rules.HasField("pattern"):
            if SIMPLE_PATTERN.fullmatch(rules.pattern) is None:
                raise UnknownRule(rules.pattern)
            faults.append(f"not {self._value(re.compile(rules.pattern[1:-1]).fullmatch)}({value})")
        return faults

    def _list(self, field: FieldDescriptor, rules: Any) -> None:
        _only(rules, "min_items", "max_items", "items")
        if field.message_type is None:
            each = _any_of("v", self._value_faults("one", field, rules.items))
        else:
            _only(rules.items)
            check = self._nested(field)
            each = [] if check is None else [f"not all(map({self._value(check)}, v))"]
        most = [f"len(v) > {rules.max_items}"] if rules.HasField("max_items") else []
        self._several(field, rules.min_items, [*most, *each])

    def _map(self, field: Any, rules: Any) -> None:
        _only(rules, "min_pairs", "max_pairs", "keys", "values")
        key, value = field.message_type.fields
        if value.message_type is not None:
            raise UnknownRule(field.full_name)
        keys = _any_of("v", self._value_faults("one", key, rules.keys))
        values = _any_of("v.values()", self._value_faults("one", value, rules.values))
        most = [f"len(v) > {rules.max_pairs}"] if rules.HasField("max_pairs") else []
        self._several(field, rules.min_pairs, [*most, *keys, *values])

    def _several(self, field: FieldDescriptor, least: int, faults: list[str]) -> None:
        if least or faults:
            self.lines.append(f"v = x.{field.name}")
        if least:
            self._refuse(f"len(v) < {least}")
        self._refuse(*faults, unless="v")


def _any_of(values: str, faults: list[str]) -> list[str]:
    if len(faults) == 1 and faults[0].startswith("len(one) > "):
        return [f"max(map(len, {values})) > {faults[0].removeprefix('len(one) > ')}"]
    return [f"any({' or '.join(faults)} for one in {values})"] if faults else []


def _forbids_zero(rules: Any) -> bool:
    """Return whether the value of a field that is not given could be a fault, if it were given."""
    return bool(rules.uint32.gte or rules.string.min_len or rules.string.pattern or rules.enum.defined_only)


def _members(oneof: OneofDescriptor) -> list[FieldDescriptor]:
    """Return the messages among which a choice is made; none for a field that is only optional."""
    return [field for field in oneof.fields if field.message_type is not None and len(oneof.fields) > 1]


def _only(rules: Message, *known: str) -> None:
    for field, _ in rules.ListFields():
        if field.name not in known or field.is_extension:
            raise UnknownRule(field.full_name)


def is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry
