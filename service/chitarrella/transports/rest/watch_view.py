"""The Flask view of a streaming rpc: server-sent events, or lines of JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

import orjson
from flask import Response, current_app, request
from google.protobuf.message import Message

from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.api.status import error_of
from chitarrella.transports.rest.event_streams import EventStream, StreamLimit
from chitarrella.transports.rest.headers import caller_of
from chitarrella.transports.rest.middleware import RequestContext, context_of
from chitarrella.transports.rest.problems import PUBLIC_URL, problem
from chitarrella.transports.rest.request_parser import RequestParser
from chitarrella.transports.rest.routes import Route
from chitarrella.transports.rest.views import View
from chitarrella.v1.matches_pb2 import WatchMatchesResponse, WatchMatchResponse

EVENT_STREAM: Final = "text/event-stream"
NDJSON: Final = "application/x-ndjson"
RETRY_MILLISECONDS: Final = 1000
CURSOR: Final = "cursor"

ErrorFormatter = Callable[[Exception], dict[str, Any]]
"""Return the problem (RFC 9457) of an exception, as plain data."""


def watch_view(route: Route, streams: StreamLimit, encoder: JsonEncoder) -> View:
    """Build the Flask view of a streaming rpc; one whose request has a cursor can be resumed."""
    parser, is_resumable = RequestParser(route), route.has_field(CURSOR)

    def view(**variables: str) -> Response:
        environ = request.environ
        context = context_of(environ)
        context.rpc = route.rpc.path
        caller = caller_of(environ)
        message, _ = parser.message(request, variables)
        last_event_id = request.headers.get("Last-Event-ID", "") if is_resumable else ""
        if last_event_id:
            setattr(message, CURSOR, last_event_id)
        stream = streams.open(route.rpc.path, message, caller, environ)
        if last_event_id and stream.is_finished:
            stream.close()
            return Response(status=204)  # tells a browser not to reconnect
        context.stream = True
        as_lines = request.accept_mimetypes.best_match([EVENT_STREAM, NDJSON], EVENT_STREAM) == NDJSON
        format_error = partial(_format_error, context, request.path, current_app.config[PUBLIC_URL])
        body = _lines(stream, encoder, format_error) if as_lines else _events(stream, encoder, format_error)
        response = Response(body, content_type=NDJSON if as_lines else f"{EVENT_STREAM}; charset=utf-8")
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Accel-Buffering"] = "no"  # nginx passes every event on at once
        response.call_on_close(stream.close)
        return response

    return view


def _format_error(context: RequestContext, path: str, public_url: str, error: Exception) -> dict[str, Any]:
    """Record the error that cuts off a stream, and return it as a problem."""
    failure = error_of(error, context.request_id)
    context.code = failure.code
    return problem(failure, path, context.request_id, public_url)


def _events(stream: EventStream, encoder: JsonEncoder, format_error: ErrorFormatter) -> Iterator[bytes]:
    """Yield server-sent events: one for every update, ``end`` after the last, ``error`` if the stream is cut off."""
    yield b"retry: %d\n\n" % RETRY_MILLISECONDS
    try:
        for message in stream.messages():
            head = _head(message)
            yield b"%b\ndata: %b\n\n" % (head, encoder.encode(message)) if head else b": heartbeat\n\n"
        if not stream.is_abandoned:
            yield b"event: end\ndata: %b\n\n" % encoder.encode(stream.heartbeat())
    except Exception as error:
        yield b"event: error\ndata: %b\n\n" % orjson.dumps(format_error(error))


def _head(message: Message) -> bytes:
    """Return the fields of an event before its data; empty for a heartbeat."""
    if isinstance(message, WatchMatchesResponse):
        return b"event: update" if message.match_id else b""
    assert isinstance(message, WatchMatchResponse)
    return b"id: %b\nevent: move" % message.cursor.encode() if message.events else b""


def _lines(stream: EventStream, encoder: JsonEncoder, format_error: ErrorFormatter) -> Iterator[bytes]:
    """Yield a line of JSON for every message, and one with the member ``error`` if the stream is cut off."""
    try:
        for message in stream.messages():
            yield encoder.encode(message) + b"\n"
    except Exception as error:
        yield orjson.dumps({"error": format_error(error)}) + b"\n"
