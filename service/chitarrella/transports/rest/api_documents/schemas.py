"""JSON schemas of the messages, built from the descriptors, field rules and comments of the contract."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from importlib.resources import files
from typing import Any, Final, NamedTuple

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.timestamp_pb2 import Timestamp

from chitarrella.api.request_limits import RATE_LIMIT, RATE_LIMIT_POLICY, RETRY_AFTER
from chitarrella.transports.rest.middleware import REVISION_HEADER
from chitarrella.transports.rest.problems import ERRORS_PAGE, PROBLEM_JSON, PROBLEM_TYPES
from chitarrella.transports.rest.views import PUBLIC_MAX_AGE_SECONDS
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


# The components of the OpenAPI document that do not come from the contract


SECURITY_SCHEMES: Final[Schema] = {
    "key": {
        "type": "http",
        "scheme": "bearer",
        "description": "The key of a seat or of the referee, or a token of a platform",
    },
    "platform": {
        "type": "apiKey",
        "in": "header",
        "name": "X-API-Key",
        "description": "The API key of a platform, if the service is restricted",
    },
}


def _response_header(description: str, **schema: Any) -> Schema:
    return {"description": description, "schema": {"type": "string", **schema}}


HEADERS: Final[Schema] = {
    "X-Request-Id": _response_header("The id of this call in the log."),
    "ETag": _response_header(
        "Identifies the response as this caller sees it; begins with the revision if the response has one."
    ),
    "Cache-Control": _response_header(f"Private, or `public, max-age={PUBLIC_MAX_AGE_SECONDS}` for the catalogue."),
    "Location": _response_header("The path of what was created."),
    REVISION_HEADER: _response_header("The revision of the match after this call.", pattern="^[0-9]+$"),
    RETRY_AFTER: _response_header("Seconds to wait before a retry, with 429 and 503.", pattern="^[0-9]+$"),
    RATE_LIMIT_POLICY: _response_header(
        "The rate that the call was counted for: `q` calls, all of which are regained in `w` seconds. "
        "Missing where there is no limit."
    ),
    RATE_LIMIT: _response_header(
        "The calls `r` that are left of the rate, as far as this worker knows; with 429 also the seconds `t` to wait. "
        "Missing where nothing is known yet."
    ),
    "Allow": _response_header("The methods of this path, with 405."),
    "WWW-Authenticate": _response_header("The scheme of the key, Bearer, with 401."),
}


EVERY_HEADER: Final = ("X-Request-Id", RATE_LIMIT_POLICY, RATE_LIMIT)


def header_references(names: Iterable[str]) -> Schema:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _codes() -> str:
    codes: defaultdict[int, list[str]] = defaultdict(list)
    for known in PROBLEM_TYPES:
        codes[known.status.http].append(f"`{known.code}`")
    lines = [f"- {status}: {', '.join(dict.fromkeys(codes[status]))}" for status in sorted(codes)]
    return "\n".join(["The reason code. By status:", "", *lines])


FIELD_PATH: Final = (
    "The path of the invalid field, the same over every transport: names as in the contract, in snake_case, such as "
    "`rule_set.options.first_dealer` or `moves[3].move.cards`. A name that the contract does not have stands as it was "
    "sent. A header is named in lower case (`authorization`, `x-api-key`, `if-match`), a token's claim by its name "
    "(`exp`). Empty for none."
)

PROBLEM_ANSWER: Final[Schema] = {
    "description": f"An error. Its `code` says which one; [{ERRORS_PAGE}]({ERRORS_PAGE}) explains them all.",
    "headers": header_references([*EVERY_HEADER, "Allow", RETRY_AFTER, "WWW-Authenticate"]),
    "content": {PROBLEM_JSON: {"schema": {"$ref": "#/components/schemas/Problem"}}},
}

PROBLEM: Final[Schema] = {
    "type": "object",
    "description": f"An error (RFC 9457). {ERRORS_PAGE} explains every code.",
    "required": [
        "type",
        "title",
        "status",
        "detail",
        "instance",
        "code",
        "field",
        "violations",
        "details",
        "requestId",
    ],
    "properties": {
        "type": {
            "type": "string",
            "format": "uri-reference",
            "description": "The page that explains the code: a URL, or a path if the service does not know its own.",
        },
        "title": {"type": "string", "description": "The meaning of the code."},
        "status": {"type": "integer", "minimum": 400, "maximum": 599, "description": "The HTTP status."},
        "detail": {"type": "string", "description": "The cause, as an English sentence."},
        "instance": {"type": "string", "description": "The path of the request."},
        "code": {"type": "string", "enum": sorted({known.code for known in PROBLEM_TYPES}), "description": _codes()},
        "field": {"type": "string", "description": FIELD_PATH},
        "violations": {
            "type": "array",
            "description": "Every invalid field of a malformed request, `field` first; else empty.",
            "items": {
                "type": "object",
                "required": ["field", "message"],
                "properties": {
                    "field": {"type": "string", "description": "Its path, as in `field`."},
                    "message": {"type": "string", "description": "What is wrong with it, in English."},
                },
            },
        },
        "details": {
            "type": "object",
            "additionalProperties": {"type": "string"},
            "description": "Further values by name, which depend on the code: `revision` and `still_legal` with "
            "`stale_revision`, `quota` and `limit` with `quota_exceeded`. All are texts, and names are in snake_case.",
        },
        "requestId": {"type": "string", "description": "The id of this call in the log, also in X-Request-Id."},
    },
}


DESCRIPTOR: Final = matches_pb2.DESCRIPTOR.message_types_by_name["WebhookMessage"]


class WebhookType(NamedTuple):
    """A kind of webhook message: the value of its field ``type``, when it is sent, and what it always holds."""

    name: str
    summary: str
    required: tuple[str, ...]

    @property
    def operation_id(self) -> str:
        first, *others = self.name.split(".")
        return first + "".join(map(str.capitalize, others))

    def schema(self, schemas: Schemas) -> Schema:
        own = {"type": "object", "properties": {"type": {"const": self.name}}, "required": ["type", *self.required]}
        return {"allOf": [schemas.reference(DESCRIPTOR), own]}


WEBHOOK_TYPES: Final = (
    WebhookType("match.moved", "A match has a new revision that everybody may know of", ("update",)),
    WebhookType("match.aborted", "The referee has aborted a match", ()),
    WebhookType("webhook.test", "The platform has asked for a test", ()),
)
WEBHOOK_DESCRIPTION: Final = COMMENTS[DESCRIPTOR.full_name]
# The headers of Standard Webhooks, by which a receiver verifies a message and recognises a repeated one.
WEBHOOK_HEADERS: Final[dict[str, Schema]] = {
    "webhook-id": {
        "type": "string",
        "description": "The id of the message, the same at every delivery: MATCH.REVISION, MATCH.aborted or test.ID.",
    },
    "webhook-timestamp": {
        "type": "string",
        "pattern": "^[0-9]+$",
        "description": "When this delivery was signed, in seconds since 1970.",
    },
    "webhook-signature": {
        "type": "string",
        "description": "The signatures of Standard Webhooks, one for each secret, with a space between.",
    },
}

# Example requests by rpc name; the responses are computed by the service.
EXAMPLES: Final[dict[str, Any]] = json.loads(
    (files("chitarrella.transports.rest.api_documents") / "examples.json").read_bytes()
)
