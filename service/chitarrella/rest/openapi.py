"""The contract as OpenAPI 3.1, from the same routes that are served."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from importlib.metadata import version
from importlib.resources import files
from typing import Any, Final

from chitarrella.api.api import SERVICES, Api, rpcs
from chitarrella.api.caller import Caller
from chitarrella.rest.calls import CATALOGUE_SECONDS, REFUSABLE
from chitarrella.rest.headers import REVISION_HEADER
from chitarrella.rest.problems import ERRORS_PAGE, KNOWN, PROBLEM_JSON
from chitarrella.rest.reading import object_reader
from chitarrella.rest.routes import EXPECTED_REVISION, REQUEST_ID, Route, routes
from chitarrella.rest.schemas import COMMENTS, Schema, Schemas, comment, rules_of
from chitarrella.rest.stream import EVENT_STREAM, NDJSON
from chitarrella.rest.writing import Writer

EXAMPLES: Final[dict[str, Any]] = json.loads((files("chitarrella.rest") / "examples.json").read_bytes())
"""A request for the rpcs that are called most, by name; the answers are asked of the service."""

JSON: Final = "application/json"
ALWAYS: Final = (400, 401, 403, 404, 409, 429, 500, 503)
WITH_BODY: Final = (413, 415)
ABOUT: Final = (files("chitarrella.rest") / "about.md").read_text()


def openapi(api: Api) -> Schema:
    """Write the whole document; ``api`` answers the examples."""
    schemas = Schemas(rpc.method.input_type for rpc in rpcs())
    paths: defaultdict[str, Schema] = defaultdict(dict)
    for route in routes():
        paths[route.path][route.method.lower()] = _operation(route, schemas, api)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Chitarrella",
            "version": version("chitarrella"),
            "summary": "The rules of Italian card games",
            "description": ABOUT,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": service.name, **comment(service.full_name)} for service in SERVICES],
        "paths": dict(paths),
        "components": {
            "schemas": {**schemas.found, "Problem": PROBLEM},
            "responses": {f"Problem{status}": _problem(status) for status in sorted({k.kind.http for k in KNOWN})},
            "headers": HEADERS,
            "securitySchemes": {
                "key": {"type": "http", "scheme": "bearer", "description": "A seat's or the referee's"},
                "platform": {
                    "type": "apiKey",
                    "in": "header",
                    "name": "X-API-Key",
                    "description": "A platform's, where the service is not for everybody",
                },
            },
        },
    }


# ---------------------------------------------------------------------- operations


def _operation(route: Route, schemas: Schemas, api: Api) -> Schema:
    method = route.rpc.method
    text = COMMENTS[method.full_name]
    operation: Schema = {
        "operationId": method.name,
        "tags": [method.containing_service.name],
        "summary": _first_sentence(text),
        "description": text,
        "parameters": [*_variables(route, schemas), *_query(route, schemas), *_headers(route)],
        "responses": _responses(route, schemas, _example(route, api)),
        "security": [
            {},
            {"platform": []},
            *([] if route.rpc.stateless else [{"key": []}, {"platform": [], "key": []}]),
        ],
    }
    if route.has_body:
        content: Schema = {"schema": _body(route, schemas)}
        if method.name in EXAMPLES:
            content["example"] = EXAMPLES[method.name]
        required = not content["schema"].keys().isdisjoint({"$ref", "required"})
        operation["requestBody"] = {"required": required, "content": {JSON: content}}
    return operation


def _first_sentence(text: str) -> str:
    """Cut a comment down to a line."""
    return text.partition(". ")[0].partition(": ")[0].rstrip(".")


def _body(route: Route, schemas: Schemas) -> Schema:
    kind = route.rpc.method.input_type
    return schemas.object(kind, route.variables) if route.variables else schemas.reference(kind)


def _variables(route: Route, schemas: Schemas) -> Iterable[Schema]:
    for name in route.variables:
        field = route.rpc.method.input_type.fields_by_name[name]
        schema = {"minLength": 1, "pattern": "^[^/:]+$", **schemas.field(field)}
        yield {"name": name, "in": "path", "required": True, "schema": schema, **comment(field.full_name)}


def _query(route: Route, schemas: Schemas) -> Iterable[Schema]:
    if route.has_body:
        return
    for field in route.rpc.method.input_type.fields:
        if field.name not in route.variables:
            required = {"required": True} if rules_of(field).required else {}
            schema = schemas.field(field)
            yield {"name": field.json_name, "in": "query", **required, "schema": schema, **comment(field.full_name)}


def _headers(route: Route) -> Iterable[Schema]:
    yield _header("X-Request-Id", "The id under which the log knows this call; made up where there is none.")
    if route.rpc.method.server_streaming:
        yield _header("Last-Event-ID", "Go on after this event; wins over the cursor.", {"maxLength": 40})
    elif route.method == "GET":
        yield _header("If-None-Match", "The ETag of the answer that the reader has: 304 if it is still the same.")
    if route.takes(REQUEST_ID):
        yield _header("Idempotency-Key", "The request id, where the body has none.")
    if route.takes(EXPECTED_REVISION):
        text = "The expected revision: its number in quotes, or the ETag of the match. 412 if the table has moved on."
        yield _header("If-Match", text, {"pattern": '^(\\*|(W/)?"[!#-~]*")$', "examples": ['"12"']})


def _header(name: str, description: str, more: Schema | None = None) -> Schema:
    return {"name": name, "in": "header", "schema": {"type": "string", **(more or {})}, "description": description}


# ---------------------------------------------------------------------- answers


def _example(route: Route, api: Api) -> Schema:
    """Ask the example of an rpc that anybody may ask, and show the answer."""
    rpc = route.rpc
    if rpc.method.name not in EXAMPLES or not rpc.stateless:
        return {}
    request = rpc.request(**object_reader(rpc.method.input_type)(EXAMPLES[rpc.method.name]))
    return {"example": Writer().data(api.answer(rpc.path, request, Caller()))}


def _responses(route: Route, schemas: Schemas, example: Schema) -> Schema:
    answer = schemas.reference(route.rpc.method.output_type)
    problems = [*ALWAYS, *(WITH_BODY if route.has_body else ())]
    if route.takes(EXPECTED_REVISION):
        problems.append(412)
    responses: Schema = {
        str(status): {"$ref": f"#/components/responses/Problem{status}"} for status in sorted(problems)
    }
    if route.rpc.method.server_streaming:
        return {
            "200": _stream(answer),
            "204": _empty("The match is over and this reader knows all of it."),
            **responses,
        }
    headers = _names(["X-Request-Id"])
    if "revision" in route.rpc.method.output_type.fields_by_name:
        headers.update(_names([REVISION_HEADER]))
    content: Schema = {"schema": answer, **example}
    text = COMMENTS[route.rpc.method.output_type.full_name]
    if route.method == "GET":
        headers.update(_names(["ETag", "Cache-Control"]))
        responses["304"] = _empty("The reader has this answer already.", _names(["ETag", "Cache-Control"]))
    responses["200"] = {"description": text, "headers": headers, "content": {JSON: content}}
    if route.rpc.path == REFUSABLE:
        refused = "The move is against the rules; nothing was done."
        responses["422"] = {"description": refused, "headers": headers, "content": {JSON: {"schema": answer}}}
    return dict(sorted(responses.items()))


def _stream(message: Schema) -> Schema:
    text = (
        "Server-sent events, or lines of JSON where that is what Accept asks for. Events: `move` for every move, its "
        "id the cursor and its data the message; `end` when the match is over; `error` with a problem where the stream "
        "breaks off. As lines, a message without events is a heartbeat, and a problem is the member `error` of the "
        "last line."
    )
    lines = {"schema": {"type": "string", "description": "One message a line.", "contentMediaType": JSON}}
    events = {
        "schema": {
            "type": "object",
            "description": "One event.",
            "properties": {
                "id": {"type": "string", "description": "The cursor."},
                "event": {"type": "string", "enum": ["move", "end", "error"]},
                "data": {"type": "string", "contentMediaType": JSON, "contentSchema": message},
            },
        }
    }
    return {"description": text, "headers": _names(["X-Request-Id"]), "content": {EVENT_STREAM: events, NDJSON: lines}}


def _empty(description: str, headers: Schema | None = None) -> Schema:
    return {"description": description, "headers": {**_names(["X-Request-Id"]), **(headers or {})}}


def _problem(status: int) -> Schema:
    known = [one for one in KNOWN if one.kind.http == status]
    described = [f"- `{one.code}`: {one.means}" for one in known]
    names = ["X-Request-Id", *(["Retry-After"] if status in {429, 503} else []), *(["Allow"] if status == 405 else [])]
    return {
        "description": "\n".join(described),
        "headers": _names([*names, *(["WWW-Authenticate"] if status == 401 else [])]),
        "content": {PROBLEM_JSON: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }


def _names(names: list[str]) -> Schema:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _told(description: str, **schema: Any) -> Schema:
    return {"description": description, "schema": {"type": "string", **schema}}


HEADERS: Final[Schema] = {
    "X-Request-Id": _told("The id under which the log knows this call."),
    "ETag": _told("Stands for what this reader sees; where the answer has a revision it begins with that."),
    "Cache-Control": _told(f"Nothing for others to keep, or `public, max-age={CATALOGUE_SECONDS}` for the catalogue."),
    REVISION_HEADER: _told("The revision of the match after this call.", pattern="^[0-9]+$"),
    "Retry-After": _told("After how many seconds to try again.", pattern="^[0-9]+$"),
    "Allow": _told("The methods of this path."),
    "WWW-Authenticate": _told("Asks for a bearer key."),
}

PROBLEM: Final[Schema] = {
    "type": "object",
    "description": f"What went wrong (RFC 9457). Every code is explained under {ERRORS_PAGE}.",
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
        "type": {"type": "string", "format": "uri-reference", "description": "Where the code is explained."},
        "title": {"type": "string", "description": "What the code means."},
        "status": {"type": "integer", "minimum": 400, "maximum": 599, "description": "The HTTP status."},
        "detail": {"type": "string", "description": "What happened, in an English sentence."},
        "instance": {"type": "string", "description": "The path that was asked."},
        "code": {"type": "string", "enum": sorted({known.code for known in KNOWN}), "description": "The reason code."},
        "field": {"type": "string", "description": "The field at fault; empty where it is none in particular."},
        "violations": {
            "type": "array",
            "description": "Every field at fault.",
            "items": {
                "type": "object",
                "required": ["field", "because"],
                "properties": {"field": {"type": "string"}, "because": {"type": "string"}},
            },
        },
        "details": {
            "type": "object",
            "additionalProperties": {"type": "string"},
            "description": "Particulars by name.",
        },
        "requestId": {"type": "string", "description": "The id under which the log knows this call."},
    },
}
