"""How a stream is written over HTTP: server-sent events, or lines of JSON."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any, Final, NamedTuple

import orjson
from google.protobuf.message import Message

from chitarrella.api.async_calls import AsyncStream
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.v1.matches_pb2 import WatchMatchesResponse, WatchMatchResponse

EVENT_STREAM: Final = "text/event-stream"
"""The content type of server-sent events."""
NDJSON: Final = "application/x-ndjson"
"""The content type of lines of JSON."""
RETRY_MILLISECONDS: Final = 1000
"""Milliseconds after which a browser connects again."""

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


def event_format(encoder: JsonEncoder) -> StreamFormat:
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


def line_format(encoder: JsonEncoder) -> StreamFormat:
    """Lines of JSON: one for every message, and one with the member ``error`` if the stream is cut off."""
    return StreamFormat(
        NDJSON,
        b"",
        lambda message: encoder.encode(message) + b"\n",
        lambda _: b"",
        lambda problem: orjson.dumps({"error": problem}) + b"\n",
    )
