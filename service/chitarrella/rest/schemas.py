"""JSON schemas of the messages, from the descriptors, the field rules and the comments of the contract."""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib.resources import files
from typing import Any, Final

from buf.validate import validate_pb2
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

Schema = dict[str, Any]

COMMENTS: Final[dict[str, str]] = json.loads((files("chitarrella.v1") / "comments.json").read_bytes())

NUMBERS: Final[dict[int, Schema]] = {
    FieldDescriptor.CPPTYPE_INT32: {"type": "integer", "format": "int32", "minimum": -(2**31), "maximum": 2**31 - 1},
    FieldDescriptor.CPPTYPE_UINT32: {"type": "integer", "format": "int64", "minimum": 0, "maximum": 2**32 - 1},
    FieldDescriptor.CPPTYPE_INT64: {"type": "string", "format": "int64", "pattern": "^-?[0-9]{1,20}$"},
    FieldDescriptor.CPPTYPE_UINT64: {"type": "string", "format": "uint64", "pattern": "^[0-9]{1,20}$"},
}
BOUNDS: Final = {"lte": ("maximum", 0), "lt": ("maximum", -1), "gte": ("minimum", 0), "gt": ("minimum", 1)}
LENGTHS: Final = {"min_len": "minLength", "max_len": "maxLength", "pattern": "pattern"}
SIZES: Final = {"min_items": "minItems", "max_items": "maxItems", "unique": "uniqueItems"}
PAIRS: Final = {"min_pairs": "minProperties", "max_pairs": "maxProperties"}


def comment(name: str) -> Schema:
    """Give the comment of the contract on something, as a description."""
    return {"description": COMMENTS[name]} if name in COMMENTS else {}


class Schemas:
    """The schemas of all messages that are asked for, by their short names."""

    def __init__(self, asked: Iterable[Descriptor]) -> None:
        """Be strict with the messages that callers send, ``asked`` and what is in them: nothing unknown is let in."""
        self.found: dict[str, Schema] = {}
        self._asked: set[str] = set()
        for kind in asked:
            self._mark(kind)

    def _mark(self, kind: Descriptor) -> None:
        if kind.full_name not in self._asked:
            self._asked.add(kind.full_name)
            for field in kind.fields:
                if field.message_type is not None:
                    self._mark(field.message_type)

    def reference(self, kind: Descriptor | EnumDescriptor) -> Schema:
        """Refer to the schema of a message or an enum, and make it where it is not made yet."""
        if kind.name not in self.found:
            self.found[kind.name] = {}
            self.found[kind.name] = self.object(kind) if isinstance(kind, Descriptor) else self._enum(kind)
        return {"$ref": f"#/components/schemas/{kind.name}"}

    def object(self, kind: Descriptor, without: Iterable[str] = ()) -> Schema:
        """Describe a message, less the fields that travel elsewhere."""
        fields = [field for field in kind.fields if field.name not in without]
        strict = kind.full_name in self._asked
        schema: Schema = {"type": "object", **comment(kind.full_name)}
        schema["properties"] = {field.json_name: {**self.field(field), **comment(field.full_name)} for field in fields}
        required = [f.json_name for f in fields if (is_required(f) if strict else not f.has_presence)]
        if required:
            schema["required"] = required
        if strict:
            schema["additionalProperties"] = False
        choices = [_choice(oneof) for oneof in kind.oneofs if len(oneof.fields) > 1]
        if choices:
            schema["allOf"] = choices
        return schema

    def field(self, field: FieldDescriptor) -> Schema:
        """Describe one field with its rules."""
        rules = rules_of(field)
        kind = field.message_type
        if kind is not None and kind.GetOptions().map_entry:
            key, value = kind.fields_by_name["key"], kind.fields_by_name["value"]
            names = _ruled(self._single(key), rules.map.keys)
            values = _ruled(self._single(value), rules.map.values)
            limits = _taken(rules.map, PAIRS)
            return {"type": "object", "propertyNames": names, "additionalProperties": values, **limits}
        if field.is_repeated:
            items = _ruled(self._single(field), rules.repeated.items)
            return {"type": "array", "items": items, **_taken(rules.repeated, SIZES)}
        return _ruled(self._single(field), rules)

    def _single(self, field: FieldDescriptor) -> Schema:
        if field.message_type is not None:
            return self.reference(field.message_type)
        if field.enum_type is not None:
            return self.reference(field.enum_type)
        if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
            return {"type": "boolean"}
        return dict(NUMBERS.get(field.cpp_type, {"type": "string"}))

    def _enum(self, kind: EnumDescriptor) -> Schema:
        told = [f"- `{value.name}`: {COMMENTS.get(f'{kind.full_name}.{value.name}', '')}" for value in kind.values]
        description = "\n".join([COMMENTS.get(kind.full_name, ""), "", *told])
        return {"type": "string", "enum": [value.name for value in kind.values], "description": description}


# ---------------------------------------------------------------------- rules


def rules_of(field: FieldDescriptor) -> Any:
    """Give the rules of a field."""
    return field.GetOptions().Extensions[validate_pb2.field]


def is_required(field: FieldDescriptor) -> bool:
    """Tell whether a field must be sent: it is required, or what it would be without is against its rules."""
    rules = rules_of(field)
    if rules.required:
        return True
    if field.has_presence or rules.ignore == validate_pb2.IGNORE_IF_ZERO_VALUE:
        return False
    text = rules.string
    no_text = text.HasField("min_len") or (text.HasField("pattern") and text.pattern.endswith("+$"))
    return bool(no_text or rules.repeated.min_items or rules.map.min_pairs)


def _taken(rules: Any, names: dict[str, str]) -> Schema:
    return {keyword: getattr(rules, name) for name, keyword in names.items() if rules.HasField(name)}


def _ruled(schema: Schema, rules: Any) -> Schema:
    """Add the rules of a single value to its schema."""
    ruled = dict(schema)
    if schema.get("type") == "string":
        ruled.update(_taken(rules.string, LENGTHS))
        if rules.ignore == validate_pb2.IGNORE_IF_ZERO_VALUE and "minLength" in ruled:
            ruled["anyOf"] = [{"maxLength": 0}, {"minLength": ruled.pop("minLength")}]
    if schema.get("type") == "integer":
        numbers = getattr(rules, rules.WhichOneof("type") or "int32")
        for rule, (keyword, more) in BOUNDS.items():
            if numbers.HasField(rule):
                ruled[keyword] = getattr(numbers, rule) + more
    return ruled


def _choice(oneof: Any) -> Schema:
    """Say that at most one of some fields may be there, or exactly one where the contract asks for it."""
    each: list[Schema] = [{"required": [field.json_name]} for field in oneof.fields]
    if oneof.GetOptions().Extensions[validate_pb2.oneof].required:
        return {"oneOf": each}
    return {"oneOf": [*each, {"not": {"anyOf": each}}]}
