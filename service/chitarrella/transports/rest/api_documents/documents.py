"""The documents of the HTTP interface for programs, OpenAPI and AsyncAPI, and the page that shows them, Swagger UI."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import orjson
from flask import Flask, redirect
from flask_swagger_ui import get_swaggerui_blueprint  # type: ignore[import-untyped]  # has no types

from chitarrella.api.dispatcher import Dispatcher
from chitarrella.transports.rest.api_documents.openapi import openapi
from chitarrella.transports.rest.api_documents.schemas import (
    COMMENTS,
    PROBLEM,
    WEBHOOK_DESCRIPTION,
    WEBHOOK_HEADERS,
    WEBHOOK_TYPES,
    Schema,
    Schemas,
    comment,
)
from chitarrella.transports.rest.pages import DOCS_PATH, SCRIPT, STYLE, cacheable
from chitarrella.transports.rest.problems import JSON, PROBLEM_JSON, PUBLIC_URL
from chitarrella.transports.rest.views import Route, routes

WEBHOOKS: Final = "webhooks"
ERROR: Final = "error"
INFO: Final = (
    "What the service sends without being asked: the updates of a match, or of all matches of a platform, as a stream "
    "of server-sent events, and the messages to webhooks. Calls are in [/openapi.json](/openapi.json)."
)
CURSOR_TEXT: Final = "The cursor after these events; a browser sends it as Last-Event-ID."
CUT_OFF: Final = "The stream is cut off: watch again, a match from its last cursor, if the code allows it."


class StreamType(NamedTuple):
    """A kind of event stream: the rpc, texts about it, and its server-sent events apart from ``error``, by name."""

    rpc: str
    title: str
    summary: str
    text: str
    events: dict[str, str]


STREAMS: Final = {
    "matchEvents": StreamType(
        "WatchMatch",
        "The updates of a match",
        "Watch a match",
        "Server-sent events. With `Accept: application/x-ndjson` the same messages are lines of JSON, where a message "
        "without events is a heartbeat, and a problem is the member `error` of the last line. A private match needs "
        "`Authorization: Bearer KEY`.",
        {
            "move": "The events of one move, or of another change of the match.",
            "end": "The last message: the match is finished, and the client has all of it.",
        },
    ),
    "platformEvents": StreamType(
        "WatchMatches",
        "The updates of all matches of a platform",
        "Watch all matches of a platform",
        "Server-sent events. With `Accept: application/x-ndjson` the same messages are lines of JSON, where a message "
        "without a match is a heartbeat, and a problem is the member `error` of the last line. Needs `X-API-Key: KEY`.",
        {"update": "An update of one of the matches, or its abort."},
    ),
}


def asyncapi(public_url: str) -> Schema:
    schemas = Schemas([])
    of_rpc = {route.rpc.method.name: route for route in routes() if route.rpc.method.server_streaming}
    streams = {name: (of_rpc.pop(kind.rpc), kind) for name, kind in STREAMS.items()}
    assert not of_rpc, f"no texts for {of_rpc.keys()}"
    messages = _webhook_messages(schemas)
    for route, kind in streams.values():
        messages |= _events(route, kind, schemas)
    document: Schema = {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Chitarrella",
            "version": version("chitarrella"),
            "description": INFO,
            "license": {"name": "Apache-2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0"},
        },
        "defaultContentType": JSON,
        "channels": {**{name: _stream(*stream) for name, stream in streams.items()}, WEBHOOKS: _webhooks()},
        "operations": {**{name: _watch(name, *stream, schemas) for name, stream in streams.items()}, **_deliveries()},
        "components": {"messages": messages, "schemas": {**schemas.found, "Problem": PROBLEM}},
    }
    if public_url:
        parts = urlsplit(public_url)
        document["servers"] = {"rest": {"host": parts.netloc, "protocol": parts.scheme}}
        for name in streams:
            document["channels"][name]["servers"] = [{"$ref": "#/servers/rest"}]
    return document


def _stream(route: Route, kind: StreamType) -> Schema:
    request = route.rpc.method.input_type
    return {
        "address": route.path,
        "title": kind.title,
        "description": kind.text,
        **(
            {"parameters": {name: comment(request.fields_by_name[name].full_name) for name in route.variables}}
            if route.variables
            else {}
        ),
        "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in (*kind.events, ERROR)},
    }


def _watch(name: str, route: Route, kind: StreamType, schemas: Schemas) -> Schema:
    fields = [field for field in route.rpc.method.input_type.fields if field.name not in route.variables]
    query = {field.json_name: {**schemas.field(field), **comment(field.full_name)} for field in fields}
    return {
        "action": "send",
        "channel": {"$ref": f"#/channels/{name}"},
        "summary": kind.summary,
        "description": COMMENTS[route.rpc.method.full_name],
        "messages": _of_channel(name, (*kind.events, ERROR)),
        "bindings": {
            "http": {
                "method": route.method,
                "query": {"type": "object", "properties": query, "additionalProperties": False},
                "bindingVersion": "0.3.0",
            }
        },
    }


def _events(route: Route, kind: StreamType, schemas: Schemas) -> Schema:
    """Build the messages of a stream; that of an error is the same for all streams."""
    response = schemas.reference(route.rpc.method.output_type)
    found = {name: _event(name, text, JSON, response) for name, text in kind.events.items()}
    return {**found, ERROR: _event(ERROR, CUT_OFF, PROBLEM_JSON, {"$ref": "#/components/schemas/Problem"})}


def _event(name: str, text: str, content_type: str, payload: Schema) -> Schema:
    fields: Schema = {"event": {"const": name}}
    if name == "move":
        fields["id"] = {"type": "string", "description": CURSOR_TEXT}
    return {
        "name": name,
        "title": f"The event {name}",
        "summary": text,
        "contentType": content_type,
        "headers": {
            "type": "object",
            "description": "The fields of the event; its field `data` is the payload.",
            "properties": fields,
            "required": list(fields),
        },
        "payload": payload,
    }


def _webhooks() -> Schema:
    return {
        "address": None,
        "title": "The webhooks of a platform",
        "description": "The URLs of its webhooks: see `CreateWebhook` in [/openapi.json](/openapi.json).",
        "messages": {kind.name: {"$ref": f"#/components/messages/{kind.name}"} for kind in WEBHOOK_TYPES},
    }


def _deliveries() -> Schema:
    return {
        kind.operation_id: {
            "action": "send",
            "channel": {"$ref": f"#/channels/{WEBHOOKS}"},
            "summary": kind.summary,
            "description": WEBHOOK_DESCRIPTION,
            "messages": _of_channel(WEBHOOKS, [kind.name]),
            "bindings": {"http": {"method": "POST", "bindingVersion": "0.3.0"}},
        }
        for kind in WEBHOOK_TYPES
    }


def _webhook_messages(schemas: Schemas) -> Schema:
    headers = {"type": "object", "properties": WEBHOOK_HEADERS, "required": list(WEBHOOK_HEADERS)}
    return {
        kind.name: {
            "name": kind.name,
            "title": f"The webhook {kind.name}",
            "summary": kind.summary,
            "contentType": JSON,
            "headers": headers,
            "payload": kind.schema(schemas),
        }
        for kind in WEBHOOK_TYPES
    }


def _of_channel(channel: str, names: Iterable[str]) -> list[Schema]:
    return [{"$ref": f"#/channels/{channel}/messages/{name}"} for name in names]


OPENAPI_PATH: Final = "/openapi.json"
# The path of Swagger UI, whose page is ``website/templates/index.template.html``; `DOCS_PATH` leads there.
API_PAGE: Final = f"{DOCS_PATH}/api"


def add_documents(app: Flask, dispatcher: Dispatcher) -> None:
    public_url = app.config[PUBLIC_URL]

    @cache
    def openapi_json() -> bytes:
        return orjson.dumps(openapi(dispatcher, public_url))

    @cache
    def asyncapi_json() -> bytes:
        return orjson.dumps(asyncapi(public_url))

    app.add_url_rule(OPENAPI_PATH, "openapi", lambda: cacheable(openapi_json(), JSON))
    app.add_url_rule("/asyncapi.json", "asyncapi", lambda: cacheable(asyncapi_json(), JSON))
    app.add_url_rule(f"{DOCS_PATH}/", "docs", lambda: redirect(f"{API_PAGE}/"))
    # Without validatorUrl the page would send the document to a server on the internet.
    config = {"app_name": "Chitarrella", "validatorUrl": None, "layout": "BaseLayout"}
    here = Path(__file__)
    start, style = (here.with_name(name).read_bytes() for name in ("start_swagger.js", "swagger.css"))
    app.add_url_rule(f"{API_PAGE}/start.js", "start of Swagger UI", lambda: cacheable(start, SCRIPT))
    app.add_url_rule(f"{API_PAGE}/page.css", "style of Swagger UI", lambda: cacheable(style, STYLE))
    app.register_blueprint(get_swaggerui_blueprint(API_PAGE, OPENAPI_PATH, config=config))
