"""The AsyncAPI 3.0 document: the event stream of a match, and the webhooks, from the same descriptors as OpenAPI."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import version
from typing import Final
from urllib.parse import urlsplit

from chitarrella.transports.rest.openapi_components import PROBLEM
from chitarrella.transports.rest.problems import JSON, PROBLEM_JSON
from chitarrella.transports.rest.routes import Route, routes
from chitarrella.transports.rest.schemas import COMMENTS, Schema, Schemas, comment
from chitarrella.transports.rest.webhook_schemas import WEBHOOK_DESCRIPTION, WEBHOOK_HEADERS, WEBHOOK_TYPES
from chitarrella.v1.matches_pb2 import WatchMatchResponse

STREAM: Final = "matchEvents"
WEBHOOKS: Final = "webhooks"
SERVER: Final = "rest"
HTTP_BINDING: Final = "0.3.0"

INFO: Final = (
    "What the service sends without being asked: the updates of a match, as a stream of server-sent events, and the "
    "messages to webhooks. Calls are in [/openapi.json](/openapi.json)."
)
STREAM_TEXT: Final = (
    "Server-sent events. With `Accept: application/x-ndjson` the same messages are lines of JSON, where a message "
    "without events is a heartbeat, and a problem is the member `error` of the last line. A private match needs "
    "`Authorization: Bearer KEY`."
)
EVENTS: Final = {
    "move": "The events of one move, or of another change of the match.",
    "end": "The last message: the match is finished, and the client has all of it.",
    "error": "The stream is cut off: watch again from the last cursor, if the code allows it.",
}
"""The kinds of server-sent events."""


def asyncapi(public_url: str) -> Schema:
    """Build the document; ``public_url`` is that of the server if it is known."""
    schemas = Schemas([])
    route = next(route for route in routes() if route.rpc.method.server_streaming)
    messages = {**_events(schemas), **_webhook_messages(schemas)}
    document: Schema = {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Chitarrella",
            "version": version("chitarrella"),
            "description": INFO,
            "license": {"name": "Apache-2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0"},
        },
        "defaultContentType": JSON,
        "channels": {STREAM: _stream(route), WEBHOOKS: _webhooks()},
        "operations": {STREAM: _watch(route, schemas), **_deliveries()},
        "components": {"messages": messages, "schemas": {**schemas.found, "Problem": PROBLEM}},
    }
    if public_url:
        parts = urlsplit(public_url)
        document["servers"] = {SERVER: {"host": parts.netloc, "protocol": parts.scheme}}
        document["channels"][STREAM]["servers"] = [{"$ref": f"#/servers/{SERVER}"}]
    return document


# ---------------------------------------------------------------------- the event stream


def _stream(route: Route) -> Schema:
    request = route.rpc.method.input_type
    return {
        "address": route.path,
        "title": "The updates of a match",
        "description": STREAM_TEXT,
        "parameters": {name: comment(request.fields_by_name[name].full_name) for name in route.variables},
        "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in EVENTS},
    }


def _watch(route: Route, schemas: Schemas) -> Schema:
    fields = [field for field in route.rpc.method.input_type.fields if field.name not in route.variables]
    query = {field.json_name: {**schemas.field(field), **comment(field.full_name)} for field in fields}
    return {
        "action": "send",
        "channel": {"$ref": f"#/channels/{STREAM}"},
        "summary": "Watch a match",
        "description": COMMENTS[route.rpc.method.full_name],
        "messages": _of_channel(STREAM, EVENTS),
        "bindings": {
            "http": {
                "method": route.method,
                "query": {"type": "object", "properties": query, "additionalProperties": False},
                "bindingVersion": HTTP_BINDING,
            }
        },
    }


def _events(schemas: Schemas) -> Schema:
    update = schemas.reference(WatchMatchResponse.DESCRIPTOR)
    payloads = {"move": update, "end": update, "error": {"$ref": "#/components/schemas/Problem"}}
    cursor = {"type": "string", "description": "The cursor after these events; a browser sends it as Last-Event-ID."}
    return {
        name: {
            "name": name,
            "title": f"The event {name}",
            "summary": text,
            "contentType": PROBLEM_JSON if name == "error" else JSON,
            "headers": {
                "type": "object",
                "description": "The fields of the event; its field `data` is the payload.",
                "properties": {"event": {"const": name}, **({"id": cursor} if name == "move" else {})},
                "required": ["event", *(["id"] if name == "move" else [])],
            },
            "payload": payloads[name],
        }
        for name, text in EVENTS.items()
    }


# ---------------------------------------------------------------------- webhooks


def _webhooks() -> Schema:
    return {
        "address": None,
        "title": "The webhook of a platform",
        "description": "The URL that the operator has set for the platform.",
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
            "bindings": {"http": {"method": "POST", "bindingVersion": HTTP_BINDING}},
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
