"""JSON schemas of the messages, built from the descriptors, field rules and comments of the contract."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from importlib.resources import files
from typing import Any, Final

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.timestamp_pb2 import Timestamp

from chitarrella.transports.rest.problems import PROBLEM_TYPES
from chitarrella.v1 import matches_pb2, validate_pb2

Schema = dict[str, Any]

COMMENTS: Final[dict[str, str]] = json.loads((files("chitarrella.v1") / "comments.json").read_bytes())
TIMESTAMP: Final = Timestamp.DESCRIPTOR.full_name
NUMBERS: Final[dict[int, Schema]] = {
    FieldDescriptor.CPPTYPE_INT32: {"type": "integer", "format": "int32", "minimum": -(2**31), "maximum": 2**31 - 1},
    FieldDescriptor.CPPTYPE_UINT32: {"type": "integer", "format": "int64", "minimum": 0, "maximum": 2**32 - 1},
    FieldDescriptor.CPPTYPE_INT64: {"type": "string", "format": "int64", "pattern": "^-?[0-9]{1,20}$"},
    FieldDescriptor.CPPTYPE_UINT64: {"type": "string", "format": "uint64", "pattern": "^[0-9]{1,20}$"},
}
# The keyword for each bound in the contract, and what is added to the bound.
BOUNDS: Final = {"lte": ("maximum", 0), "lt": ("maximum", -1), "gte": ("minimum", 0), "gt": ("minimum", 1)}
LENGTHS: Final = {"min_len": "minLength", "max_len": "maxLength", "pattern": "pattern"}
SIZES: Final = {"min_items": "minItems", "max_items": "maxItems", "unique": "uniqueItems"}
PAIRS: Final = {"min_pairs": "minProperties", "max_pairs": "maxProperties"}


def comment(name: str) -> Schema:
    return {"description": COMMENTS[name]} if name in COMMENTS else {}


class Schemas:
    """Builds schemas of messages and enums; ``found`` holds them by short name."""

    def __init__(self, requests: Iterable[Descriptor]) -> None:
        """Forbid unknown fields in ``requests`` and in the messages they contain."""
        self.found: dict[str, Schema] = {}
        self._strict: set[str] = set()
        for descriptor in requests:
            self._mark(descriptor)

    def _mark(self, descriptor: Descriptor) -> None:
        if descriptor.full_name not in self._strict:
            self._strict.add(descriptor.full_name)
            for field in descriptor.fields:
                if field.message_type is not None:
                    self._mark(field.message_type)

    def reference(self, kind: Descriptor | EnumDescriptor) -> Schema:
        if kind.name not in self.found:
            self.found[kind.name] = {}
            self.found[kind.name] = self.object(kind) if isinstance(kind, Descriptor) else self._enum(kind)
        return {"$ref": f"#/components/schemas/{kind.name}"}

    def object(self, kind: Descriptor, without: Iterable[str] = ()) -> Schema:
        fields = [field for field in kind.fields if field.name not in without]
        strict = kind.full_name in self._strict
        schema: Schema = {"type": "object", **comment(kind.full_name)}
        schema["properties"] = {
            field.json_name: {
                **(_or_null(self.field(field)) if strict and _may_be_null(field) else self.field(field)),
                **comment(field.full_name),
            }
            for field in fields
        }
        required = [f.json_name for f in fields if (is_required(f) if strict else not f.has_presence)]
        if required:
            schema["required"] = required
        if strict:
            schema["additionalProperties"] = False
        choices = [_oneof(oneof) for oneof in kind.oneofs if len(oneof.fields) > 1]
        if choices:
            schema["allOf"] = choices
        return schema

    def field(self, field: FieldDescriptor) -> Schema:
        rules = rules_of(field)
        kind = field.message_type
        if kind is not None and kind.GetOptions().map_entry:
            key, value = kind.fields_by_name["key"], kind.fields_by_name["value"]
            names = _with_rules(self._single(key), rules.map.keys)
            values = _with_rules(self._single(value), rules.map.values)
            limits = _keywords(rules.map, PAIRS)
            return {"type": "object", "propertyNames": names, "additionalProperties": values, **limits}
        if field.is_repeated:
            items = _with_rules(self._single(field), rules.repeated.items)
            return {"type": "array", "items": items, **_keywords(rules.repeated, SIZES)}
        return _with_rules(self._single(field), rules)

    def _single(self, field: FieldDescriptor) -> Schema:
        if field.message_type is not None and field.message_type.full_name == TIMESTAMP:
            return {"type": "string", "format": "date-time"}
        if field.message_type is not None:
            return self.reference(field.message_type)
        if field.enum_type is not None:
            return self.reference(field.enum_type)
        if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
            return {"type": "boolean"}
        return dict(NUMBERS.get(field.cpp_type, {"type": "string"}))

    def _enum(self, kind: EnumDescriptor) -> Schema:
        lines = [f"- `{value.name}`: {COMMENTS.get(f'{kind.full_name}.{value.name}', '')}" for value in kind.values]
        description = "\n".join([COMMENTS.get(kind.full_name, ""), "", *lines])
        return {"type": "string", "enum": [value.name for value in kind.values], "description": description}


def rules_of(field: FieldDescriptor) -> Any:
    return field.GetOptions().Extensions[validate_pb2.field]


def is_required(field: FieldDescriptor) -> bool:
    """Whether a field must be sent: it is required, or its default value violates its rules."""
    rules = rules_of(field)
    if rules.required:
        return True
    if field.has_presence or rules.ignore == validate_pb2.IGNORE_IF_ZERO_VALUE:
        return False
    text = rules.string
    must_not_be_empty = text.HasField("min_len") or (text.HasField("pattern") and text.pattern.endswith("+$"))
    return bool(must_not_be_empty or rules.repeated.min_items or rules.map.min_pairs)


def _may_be_null(field: FieldDescriptor) -> bool:
    """Whether null may stand for a field left out: it is optional, and not one of a choice, where only one may be."""
    return not is_required(field) and (field.containing_oneof is None or len(field.containing_oneof.fields) == 1)


def _or_null(schema: Schema) -> Schema:
    if "type" not in schema:
        return {"anyOf": [schema, {"type": "null"}]}
    return {**schema, "type": [schema["type"], "null"]}


def _keywords(rules: Any, names: dict[str, str]) -> Schema:
    return {keyword: getattr(rules, name) for name, keyword in names.items() if rules.HasField(name)}


def _with_rules(schema: Schema, rules: Any) -> Schema:
    constrained = dict(schema)
    if schema.get("type") == "string":
        constrained.update(_keywords(rules.string, LENGTHS))
        if rules.ignore == validate_pb2.IGNORE_IF_ZERO_VALUE and "minLength" in constrained:
            constrained["anyOf"] = [{"maxLength": 0}, {"minLength": constrained.pop("minLength")}]
    if schema.get("type") == "integer":
        numbers = getattr(rules, rules.WhichOneof("type") or "int32")
        for rule, (keyword, more) in BOUNDS.items():
            if numbers.HasField(rule):
                constrained[keyword] = getattr(numbers, rule) + more
    return constrained


def _oneof(oneof: Any) -> Schema:
    """Return the constraint of a oneof: at most one of its fields, or exactly one if the contract requires it."""
    each: list[Schema] = [{"required": [field.json_name]} for field in oneof.fields]
    if oneof.GetOptions().Extensions[validate_pb2.oneof].required:
        return {"oneOf": each}
    return {"oneOf": [*each, {"not": {"anyOf": each}}]}


def read_json(name: str) -> Any:
    return json.loads((files("chitarrella.transports.rest.api_documents") / name).read_bytes())


COMPONENTS: Final = read_json("components.json")  # those of the OpenAPI document that do not come from the contract
WEBHOOK_HEADERS: Final[Schema] = COMPONENTS.pop("webhookHeaders")  # those of Standard Webhooks
ASYNCAPI: Final = read_json("asyncapi.json")  # the AsyncAPI document without what comes from the contract
EXAMPLES: Final = read_json("examples.json")  # requests by rpc name; the service computes the answers
EVERY_HEADER: Final = ("X-Request-Id", "RateLimit-Policy", "RateLimit")


def header_references(names: Iterable[str]) -> Schema:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def problem_schema() -> Schema:
    """Return the schema of an error, with every reason code by its status."""
    codes: defaultdict[int, list[str]] = defaultdict(list)
    for known in PROBLEM_TYPES:
        codes[known.status.http].append(f"`{known.code}`")
    lines = [f"- {status}: {', '.join(dict.fromkeys(codes[status]))}" for status in sorted(codes)]
    problem: Schema = COMPONENTS["schemas"]["Problem"]
    problem["properties"]["code"] = {
        "type": "string",
        "enum": sorted({known.code for known in PROBLEM_TYPES}),
        "description": "\n".join(["The reason code. By status:", "", *lines]),
    }
    return problem


WEBHOOK_MESSAGE: Final = matches_pb2.DESCRIPTOR.message_types_by_name["WebhookMessage"]
