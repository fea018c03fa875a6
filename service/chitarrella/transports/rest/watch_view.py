"""The view of a streaming rpc: server-sent events, or lines of JSON."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any, Final, NamedTuple

import orjson
from flask import Request
from google.protobuf.message import Message

from chitarrella.api.async_calls import AsyncStream
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.transports.rest.request_parser import RequestParser
from chitarrella.transports.rest.routes import Route
from chitarrella.v1.matches_pb2 import WatchMatchesResponse, WatchMatchResponse

EVENT_STREAM: Final = "text/event-stream"
NDJSON: Final = "application/x-ndjson"
RETRY_MILLISECONDS: Final = 1000
CURSOR: Final = "cursor"

ErrorFormatter = Callable[[Exception], dict[str, Any]]
"""Return the problem (RFC 9457) of an exception, as plain data."""


class StreamFormat(NamedTuple):
    """How the responses of a stream are written."""

    content_type: str
    begin: bytes
    message: Callable[[Message], bytes]
    end: Callable[[Message], bytes]
    error: Callable[[dict[str, Any]], bytes]

    @property
    def headers(self) -> list[tuple[str, str]]:
        """The headers of the response; nginx passes every event on at once."""
        return [("Content-Type", self.content_type), ("Cache-Control", "no-store"), ("X-Accel-Buffering", "no")]


class WatchView:
    """Reads the requests of a streaming rpc, and writes its responses."""

    def __init__(self, route: Route, encoder: JsonEncoder) -> None:
        """Serve ``route``; a stream whose request has a cursor can be resumed."""
        self.route = route
        self._parser = RequestParser(route)
        self._is_resumable = route.has_field(CURSOR)
        self._events = _event_format(encoder)
        self._lines = _line_format(encoder)

    def request(self, http_request: Request, variables: dict[str, str]) -> Message:
        """Return the request message; raises `errors.ChitarrellaError`."""
        message, _ = self._parser.message(http_request, variables)
        if last_event_id := self.last_event_id(http_request):
            setattr(message, CURSOR, last_event_id)
        return message

    def last_event_id(self, http_request: Request) -> str:
        """Return the id after which a browser resumes the stream, empty if it begins one."""
        return http_request.headers.get("Last-Event-ID", "") if self._is_resumable else ""

    def format(self, http_request: Request) -> StreamFormat:
        """Return the format that the caller prefers."""
        preferred = http_request.accept_mimetypes.best_match([EVENT_STREAM, NDJSON], EVENT_STREAM)
        return self._lines if preferred == NDJSON else self._events


async def stream_body(
    stream: AsyncStream, stream_format: StreamFormat, format_error: ErrorFormatter
) -> AsyncIterator[bytes]:
    """Yield the body of a stream: its responses, heartbeats in times of silence, and how it ended.

    Without responses it starts with a heartbeat, so that the client knows at once that the stream is open.
    """
    begin = stream_format.begin
    if stream.is_silent:
        begin += stream_format.message(stream.heartbeat())
    if begin:
        yield begin
    try:
        async for responses in stream.responses(lambda source: source.take_formatted(stream_format.message)):
            yield b"".join(responses) or stream_format.message(stream.heartbeat())
        if end := stream_format.end(stream.heartbeat()):
            yield end
    except Exception as error:
        yield stream_format.error(format_error(error))


def _event_format(encoder: JsonEncoder) -> StreamFormat:
    """Server-sent events: one for every update, ``end`` after the last, ``error`` if the stream is cut off."""

    def event(message: Message) -> bytes:
        head = _head(message)
        return b"%b\ndata: %b\n\n" % (head, encoder.encode(message)) if head else b": heartbeat\n\n"

    return StreamFormat(
        f"{EVENT_STREAM}; charset=utf-8",
        b"retry: %d\n\n" % RETRY_MILLISECONDS,
        event,
        lambda heartbeat: b"event: end\ndata: %b\n\n" % encoder.encode(heartbeat),
        lambda problem: b"event: error\ndata: %b\n\n" % orjson.dumps(problem),
    )


def _head(message: Message) -> bytes:
    """Return the fields of an event before its data; empty for a heartbeat."""
    if isinstance(message, WatchMatchesResponse):
        return b"event: update" if message.match_id else b""
    assert isinstance(message, WatchMatchResponse)
    return b"id: %b\nevent: move" % message.cursor.encode() if message.events else b""


def _line_format(encoder: JsonEncoder) -> StreamFormat:
    """Lines of JSON: one for every message, and one with the member ``error`` if the stream is cut off."""
    return StreamFormat(
        NDJSON,
        b"",
        lambda message: encoder.encode(message) + b"\n",
        lambda _: b"",
        lambda problem: orjson.dumps({"error": problem}) + b"\n",
    )
