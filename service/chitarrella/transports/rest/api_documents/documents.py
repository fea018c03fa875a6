"""The documents of the HTTP interface for programs, OpenAPI and AsyncAPI, and the page that shows them, Swagger UI."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from copy import deepcopy
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import orjson
from flask import Flask, redirect
from flask_swagger_ui import get_swaggerui_blueprint  # type: ignore[import-untyped]  # has no types
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from chitarrella.api.caller import Caller
from chitarrella.api.dispatcher import SERVICES, Dispatcher
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.i18n.narration import EVENT_KINDS
from chitarrella.transports.rest import views
from chitarrella.transports.rest.middleware import REVISION_HEADER
from chitarrella.transports.rest.pages import DOCS_PATH, SCRIPT, STYLE, cacheable
from chitarrella.transports.rest.problems import JSON, PROBLEM_TYPES, PUBLIC_URL
from chitarrella.transports.rest.streams import CURSOR, EVENT_STREAM, NDJSON
from chitarrella.v1 import validate_pb2, webhooks_pb2

Schema = dict[str, Any]

COMMENTS: Final[dict[str, str]] = orjson.loads((files("chitarrella.v1") / "comments.json").read_bytes())
WELL_KNOWN: Final[dict[str, Schema]] = {
    Timestamp.DESCRIPTOR.full_name: {"type": "string", "format": "date-time"},
    Duration.DESCRIPTOR.full_name: {"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]{1,9})?s$", "example": "90s"},
    AnyMessage.DESCRIPTOR.full_name: {"type": "object", "properties": {"@type": {"type": "string"}}},
}
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
        required = [f.json_name for f in fields if is_required(f) or not (strict or f.has_presence)]
        if required:
            schema["required"] = required
        if strict:
            schema["additionalProperties"] = False
        choices = [_oneof(oneof) for oneof in kind.oneofs if len(oneof.fields) > 1]
        if choices:
            schema["allOf"] = choices
        if kind.name.lower() in kind.fields_by_name:  # else generated code names both alike
            schema["title"] = f"{kind.name}Object"
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
        if field.message_type is not None and field.message_type.full_name in WELL_KNOWN:
            return dict(WELL_KNOWN[field.message_type.full_name])
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
    return orjson.loads((files("chitarrella.transports.rest.api_documents") / name).read_bytes())


ERRORS: Final = {known.code: known for known in reversed(PROBLEM_TYPES)}  # by reason code
COMPONENTS: Final = read_json("components.json")  # those of the OpenAPI document that do not come from the contract
WEBHOOK_HEADERS: Final[Schema] = COMPONENTS.pop("webhookHeaders")  # those of Standard Webhooks
ASYNCAPI: Final = read_json("asyncapi.json")  # the AsyncAPI document without what comes from the contract
WEBHOOK_TYPES: Final[dict[str, str]] = ASYNCAPI.pop("webhookTypes")  # what happens for each type of message
EXAMPLES: Final = read_json("examples.json")
"""Requests by rpc name, with those of single games, which lie beside their rules; the service computes the answers."""
for own in [path for path in files("chitarrella.games").iterdir() if path.name.endswith(".json")]:
    EXAMPLES.update(orjson.loads(own.read_bytes()))
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


def all_schemas(schemas: Schemas) -> Schema:
    """Return the schemas that were found, and those of errors and, where there are events, of each kind of them."""
    events = {"EventByKind": _events_schema(schemas.found["Event"])} if "Event" in schemas.found else {}
    return {**schemas.found, **events, "Problem": problem_schema()}


def _events_schema(event: Schema) -> Schema:
    fields = event["properties"]
    kinds = [
        {
            "type": "object",
            "title": kind,
            "description": row.description,
            "properties": {"kind": {"const": kind}, **{name: fields[name] for name in row.fields.split()}},
            "required": ["kind"],
        }
        for kind, row in EVENT_KINDS.items()
    ]
    return {"description": "An event of a game of this service, or of its match, by its kind.", "oneOf": kinds}


WEBHOOK_MESSAGE: Final = webhooks_pb2.DESCRIPTOR.message_types_by_name["WebhookMessage"]


# The documents


WEBHOOKS_TAG: Final = "Webhooks"
WEBHOOKS_ABOUT: Final = "Calls from the service to a webhook of a platform."
ADMIN_PACKAGE: Final = "chitarrella.admin.v1"
PROBLEM_RESPONSE: Final = "#/components/responses/Problem"
ABOUT: Final = (files("chitarrella.transports.rest.api_documents") / "about.md").read_text()
CHANNELS: Final = {"WatchMatch": "matchEvents", "WatchMatches": "platformEvents"}  # of AsyncAPI, by rpc
MESSAGES: Final[Schema] = ASYNCAPI["components"]["messages"]


def openapi(dispatcher: Dispatcher, public_url: str, *, admin: bool = False) -> Schema:
    """Return the document of the calls for everybody, or with ``admin`` that of the operator's."""
    shown = [route for route in views.routes() if (service_of(route).file.package == ADMIN_PACKAGE) == admin]
    schemas = Schemas(route.rpc.method.input_type for route in shown)
    paths: defaultdict[str, Schema] = defaultdict(dict)
    for route in shown:
        paths[route.path][route.method.lower()] = _operation(route, schemas, dispatcher)
    services = [one for one in SERVICES if one in map(service_of, shown)]
    webhooks = {} if admin else dict(_webhooks(schemas))
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Chitarrella REST API" + ": calls of the operator" * admin,
            "version": version("chitarrella"),
            "summary": "The rules of regional card games",
            "description": ABOUT,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": public_url or "/"}],
        "tags": [
            *({"name": service.name, **comment(service.full_name)} for service in services),
            *([{"name": WEBHOOKS_TAG, "description": WEBHOOKS_ABOUT}] if webhooks else []),
        ],
        "paths": dict(paths),
        **({"webhooks": webhooks} if webhooks else {}),
        "components": {**COMPONENTS, "schemas": all_schemas(schemas)},
    }


def _operation(route: views.Route, schemas: Schemas, dispatcher: Dispatcher) -> Schema:
    method = route.rpc.method
    text = COMMENTS[method.full_name]
    operation: Schema = {
        "operationId": route.rpc.name,
        "tags": [method.containing_service.name],
        "summary": _first_sentence(text),
        "description": text,
        "parameters": [*_variables(route, schemas), *_query(route, schemas), *_headers(route)],
        "responses": _responses(route, schemas, _example(route, dispatcher)),
        "security": _security(route),
    }
    if route.has_body:
        content: Schema = {"schema": _body(route, schemas)}
        if route.rpc.name in EXAMPLES:
            content["example"] = EXAMPLES[route.rpc.name]
        required = not content["schema"].keys().isdisjoint({"$ref", "required"})
        operation["requestBody"] = {"required": required, "content": {JSON: content}}
    return operation


def service_of(route: views.Route) -> Any:
    return route.rpc.method.containing_service


def codes_of(method: Any) -> set[str]:
    """Return the reason codes that the comment of an rpc names, or that of another rpc that it refers to."""
    words = set(re.findall(r"\w+", COMMENTS[method.full_name]))
    codes = words & ERRORS.keys()
    for other in method.containing_service.methods:
        if other.name in words and other.name != method.name and f" {other.name} does" in COMMENTS[method.full_name]:
            codes |= codes_of(other)
    return codes


def _security(route: views.Route) -> list[Schema]:
    """Return the keys that a caller may show, or has to: that of a platform, those of a match."""
    service, codes = service_of(route), codes_of(route.rpc.method)
    if "platform_only" in codes or service.name in ("WebhookService", "AdminService"):
        return [{"platform": []}]
    keys: list[Schema] = [{"key": []}, {"platform": [], "key": []}]
    if "referee_only" in codes:
        return [*keys, {"platform": []}]
    if "key_needed" in codes:
        return keys
    return [{}, {"platform": []}, *([] if route.rpc.stateless else keys)]


def _first_sentence(text: str) -> str:
    return text.partition(". ")[0].partition(": ")[0].rstrip(".")


def _body(route: views.Route, schemas: Schemas) -> Schema:
    descriptor = route.rpc.method.input_type
    return schemas.object(descriptor, route.variables) if route.variables else schemas.reference(descriptor)


def _variables(route: views.Route, schemas: Schemas) -> Iterable[Schema]:
    for name in route.variables:
        field = route.rpc.method.input_type.fields_by_name[name]
        schema = {"minLength": 1, "pattern": "^[^/:]+$", **schemas.field(field)}
        yield {"name": name, "in": "path", "required": True, "schema": schema, **comment(field.full_name)}


def _query(route: views.Route, schemas: Schemas) -> Iterable[Schema]:
    if route.has_body:
        return
    for field in route.rpc.method.input_type.fields:
        if field.name not in route.variables:
            required = {"required": True} if is_required(field) else {}
            schema = schemas.field(field)
            yield {"name": field.json_name, "in": "query", **required, "schema": schema, **comment(field.full_name)}


def _headers(route: views.Route) -> Iterable[Schema]:
    yield _header("X-Request-Id", "The id of this call in the log; a random one if missing.")
    if route.rpc.method.server_streaming and route.has_field(CURSOR):
        yield _header(
            "Last-Event-ID", "Continue after this event; takes precedence over the cursor.", {"maxLength": 40}
        )
    if route.method == "GET" and not route.rpc.method.server_streaming:
        yield _header("If-None-Match", "The ETag of the response that the client has: 304 if it is still the same.")
    if route.has_field(views.REQUEST_ID):
        yield _header("Idempotency-Key", "The request id, if the body has none.")
    if route.has_field(views.EXPECTED_REVISION):
        text = (
            "The expected revision: its number in quotes, or the ETag of the match. 412 if the match is at a later one."
        )
        yield _header("If-Match", text, {"pattern": '^(\\*|(W/)?"[!#-~]*")$', "examples": ['"12"']})


def _header(name: str, description: str, more: Schema | None = None) -> Schema:
    return {"name": name, "in": "header", "schema": {"type": "string", **(more or {})}, "description": description}


def _example(route: views.Route, dispatcher: Dispatcher) -> Schema:
    """Return the example response of a stateless rpc, computed from its example request."""
    rpc = route.rpc
    if rpc.name not in EXAMPLES or not rpc.stateless:
        return {}
    request = rpc.request(**views.object_decoder(rpc.method.input_type)(EXAMPLES[rpc.name]))
    return {"example": JsonEncoder().to_data(dispatcher.answer(rpc.path, request, Caller()))}


def _responses(route: views.Route, schemas: Schemas, example: Schema) -> Schema:
    answer = schemas.reference(route.rpc.method.output_type)
    responses: Schema = {"default": {"$ref": PROBLEM_RESPONSE}}
    by_status: defaultdict[int, list[str]] = defaultdict(list)
    common = set(re.findall(r"\w+", COMMENTS[service_of(route).full_name])) & ERRORS.keys()
    for code in sorted(codes_of(route.rpc.method) | common):
        by_status[ERRORS[code].status.http].append(f"- `{code}`: {ERRORS[code].title}")
    for status, lines in by_status.items():
        responses[str(status)] = {"$ref": PROBLEM_RESPONSE, "description": "\n".join(lines)}
    if route.has_field(views.EXPECTED_REVISION):
        passed = "The match has passed the revision in If-Match; the code is `stale_revision`."
        responses["412"] = {"$ref": PROBLEM_RESPONSE, "description": passed}
    if route.rpc.method.server_streaming:
        if route.has_field(CURSOR):
            responses["204"] = _empty("The match is finished and the client has all of it.")
        return {"200": _stream(answer, ASYNCAPI["channels"][CHANNELS[route.rpc.method.name]]), **responses}
    headers = header_references(EVERY_HEADER)
    if "revision" in route.rpc.method.output_type.fields_by_name:
        headers.update(header_references([REVISION_HEADER]))
    content: Schema = {"schema": answer, **example}
    text = COMMENTS.get(route.rpc.method.output_type.full_name, "The answer.")
    if route.method == "GET":
        headers.update(header_references(["ETag", "Cache-Control"]))
        responses["304"] = _empty("The client has this response already.", header_references(["ETag", "Cache-Control"]))
    success = "200"
    if route.rpc.path in views.CREATED:
        success = "201"
        headers.update(header_references(["Location"]))
    responses[success] = {"description": text, "headers": headers, "content": {JSON: content}}
    if route.rpc.path == views.PLAY_MOVE:
        refused = "The move is illegal; nothing was changed."
        responses["422"] = {"description": refused, "headers": headers, "content": {JSON: {"schema": answer}}}
    return dict(sorted(responses.items()))


def _stream(message: Schema, channel: Schema) -> Schema:
    events = [f"- `{name}`: {MESSAGES[name]['summary']}" for name in channel["messages"]]
    names = ", ".join(channel["messages"])
    described = f"Server-sent events with the fields event ({names}) and data, a message as JSON."
    content = {"contentMediaType": JSON, "contentSchema": message}
    return {
        "description": "\n".join([channel["description"], "", *events]),
        "headers": header_references(EVERY_HEADER),
        "content": {
            EVENT_STREAM: {"schema": {"type": "string", "description": described, **content}},
            NDJSON: {"schema": {"type": "string", "description": "One message a line.", "contentMediaType": JSON}},
        },
    }


def _empty(description: str, headers: Schema | None = None) -> Schema:
    return {"description": description, "headers": {**header_references(EVERY_HEADER), **(headers or {})}}


def _webhooks(schemas: Schemas) -> Iterable[tuple[str, Schema]]:
    schemas.reference(WEBHOOK_MESSAGE)
    for kind, summary in WEBHOOK_TYPES.items():
        described = {
            "operationId": _operation_id(kind),
            "tags": [WEBHOOKS_TAG],
            "summary": summary,
            "description": COMMENTS[WEBHOOK_MESSAGE.full_name],
            "parameters": [
                {"name": name, "in": "header", "required": True, "schema": schema, "description": schema["description"]}
                for name, schema in WEBHOOK_HEADERS.items()
            ],
            "requestBody": {"required": True, "content": {JSON: {"schema": _webhook_payload(kind)}}},
            "responses": {
                "2XX": {"description": "The message is received. The answer has to come within five seconds."},
                "410": {"description": "This message is not wanted, and is not sent again."},
                "default": {"description": "The message is sent again, with growing pauses, for half a day."},
            },
            "security": [{}],
        }
        yield kind, {"post": described}


def _operation_id(kind: str) -> str:
    subject, _, happening = kind.partition(".")
    return subject + happening.capitalize()


def _webhook_payload(kind: str) -> Schema:
    only = {"type": "object", "properties": {"type": {"const": kind}}, "required": ["type"]}
    return {"allOf": [{"$ref": "#/components/schemas/WebhookMessage"}, only]}


def asyncapi(public_url: str) -> Schema:
    """Return the document of what the service sends unasked: the updates of matches, and the messages to webhooks."""
    document: Schema = deepcopy(ASYNCAPI)
    document["info"]["version"] = version("chitarrella")
    schemas = Schemas([])
    schemas.reference(WEBHOOK_MESSAGE)
    channel = document["channels"]["webhooks"]["messages"] = {}
    for kind, summary in WEBHOOK_TYPES.items():
        channel[kind] = {"$ref": f"#/components/messages/{kind}"}
        document["components"]["messages"][kind] = {
            "name": kind,
            "title": f"The webhook {kind}",
            "summary": summary,
            "contentType": JSON,
            "payload": _webhook_payload(kind),
            "headers": {"type": "object", "properties": WEBHOOK_HEADERS, "required": list(WEBHOOK_HEADERS)},
        }
        document["operations"][_operation_id(kind)] = {
            "action": "send",
            "channel": {"$ref": "#/channels/webhooks"},
            "summary": summary,
            "description": COMMENTS[WEBHOOK_MESSAGE.full_name],
            "messages": [{"$ref": f"#/channels/webhooks/messages/{kind}"}],
            "bindings": {"http": {"method": "POST", "bindingVersion": "0.3.0"}},
        }
    for route in views.routes():
        if route.rpc.method.server_streaming:
            name = CHANNELS[route.rpc.method.name]
            document["channels"][name].update(_channel(route))
            document["operations"][name].update(_watch(route, schemas))
    document["components"]["schemas"] = all_schemas(schemas)
    if public_url:
        parts = urlsplit(public_url)
        document["servers"] = {"rest": {"host": parts.netloc, "protocol": parts.scheme}}
        for name in CHANNELS.values():
            document["channels"][name]["servers"] = [{"$ref": "#/servers/rest"}]
    return document


def _channel(route: views.Route) -> Schema:
    fields = route.rpc.method.input_type.fields_by_name
    variables = {name: comment(fields[name].full_name) for name in route.variables}
    return {"address": route.path, **({"parameters": variables} if variables else {})}


def _watch(route: views.Route, schemas: Schemas) -> Schema:
    method = route.rpc.method
    schemas.reference(method.output_type)
    fields = [field for field in method.input_type.fields if field.name not in route.variables]
    properties = {field.json_name: {**schemas.field(field), **comment(field.full_name)} for field in fields}
    query = {"type": "object", "properties": properties, "additionalProperties": False}
    http = {"method": route.method, "query": query, "bindingVersion": "0.3.0"}
    return {"description": COMMENTS[method.full_name], "bindings": {"http": http}}


OPENAPI_PATH: Final = "/openapi.json"
# The path of Swagger UI, whose page is ``website/templates/index.template.html``; `DOCS_PATH` leads there.
API_PAGE: Final = f"{DOCS_PATH}/api"


def add_documents(app: Flask, dispatcher: Dispatcher) -> None:
    public_url = app.config[PUBLIC_URL]

    @cache
    def openapi_json() -> bytes:
        return orjson.dumps(openapi(dispatcher, public_url))

    @cache
    def admin_json() -> bytes:
        return orjson.dumps(openapi(dispatcher, public_url, admin=True))

    @cache
    def asyncapi_json() -> bytes:
        return orjson.dumps(asyncapi(public_url))

    app.add_url_rule(OPENAPI_PATH, "openapi", lambda: cacheable(openapi_json(), JSON))
    app.add_url_rule("/openapi-admin.json", "openapi of the operator", lambda: cacheable(admin_json(), JSON))
    app.add_url_rule("/asyncapi.json", "asyncapi", lambda: cacheable(asyncapi_json(), JSON))
    app.add_url_rule(f"{DOCS_PATH}/", "docs", lambda: redirect(f"{API_PAGE}/"))
    # Without validatorUrl the page would send the document to a server on the internet.
    config = {"app_name": "Chitarrella", "validatorUrl": None, "layout": "BaseLayout"}
    here = Path(__file__)
    start, style = (here.with_name(name).read_bytes() for name in ("start_swagger.js", "swagger.css"))
    app.add_url_rule(f"{API_PAGE}/start.js", "start of Swagger UI", lambda: cacheable(start, SCRIPT))
    app.add_url_rule(f"{API_PAGE}/page.css", "style of Swagger UI", lambda: cacheable(style, STYLE))
    app.register_blueprint(get_swaggerui_blueprint(API_PAGE, OPENAPI_PATH, config=config))
