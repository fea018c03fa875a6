"""The view of a streaming rpc, on the event loop."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any, Final, NamedTuple

import orjson
from flask import Request
from google.protobuf.message import Message
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Map, Rule

from chitarrella.api.call_threads import AsyncStream, AsyncStreams
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.transports.rest.http_exchange import HttpExchange
from chitarrella.transports.rest.middleware import caller_of, context_of
from chitarrella.transports.rest.request_body import Receive
from chitarrella.transports.rest.views import RequestParser, Route, Segment, routes
from chitarrella.v1.match_pb2 import MatchUpdate
from chitarrella.v1.match_play_pb2 import PlatformUpdate

EVENT_STREAM: Final = "text/event-stream"
NDJSON: Final = "application/x-ndjson"
RETRY_MILLISECONDS: Final = 1000  # milliseconds after which a browser connects again

ErrorFormatter = Callable[[Exception], dict[str, Any]]


class StreamFormat(NamedTuple):
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
    """Yield the body of a stream: its responses, heartbeats at the start and in times of silence, and how it ended."""
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
    if isinstance(message, PlatformUpdate):
        return b"event: update" if message.match_id else b""
    assert isinstance(message, MatchUpdate)
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


CURSOR: Final = "cursor"  # the field of a request that the header `Last-Event-ID` fills


class WatchView:
    def __init__(self, route: Route, encoder: JsonEncoder) -> None:
        self._path = route.rpc.path
        self._parser = RequestParser(route)
        self._is_resumable = route.has_field(CURSOR)
        self._events = event_format(encoder)
        self._lines = line_format(encoder)

    async def answer(
        self,
        exchange: HttpExchange,
        variables: dict[str, str],
        receive: Receive,
        streams: AsyncStreams,
        public_url: str,
    ) -> None:
        """Stream until the watch ends or the client disconnects."""
        exchange.context.rpc = self._path
        try:
            caller = caller_of(exchange.context)
            http_request = Request(exchange.environ)
            message, resumed = self._request(http_request, variables), self._last_event_id(http_request)
            stream_format, has_body = self._format(http_request), http_request.method != "HEAD"
            del http_request, exchange.environ  # thousands of watches would keep them
            async with streams.open(self._path, lambda: message, caller) as stream:
                if resumed and stream.is_over:
                    await exchange.begin(204, [])  # tells a browser not to reconnect
                else:
                    await exchange.begin(200, stream_format.headers)
                    if has_body:
                        parts = stream_body(stream, stream_format, lambda error: exchange.problem(error, public_url))
                        await exchange.send_parts(parts, receive)
                await exchange.send_body(b"")
        except Exception as error:
            if not exchange.has_begun:
                await exchange.respond_error(error, public_url)

    def _request(self, http_request: Request, variables: dict[str, str]) -> Message:
        headers = context_of(http_request.environ).request_headers
        message, _ = self._parser.message(headers, http_request.args.lists(), b"", variables)
        if last_event_id := self._last_event_id(http_request):
            setattr(message, CURSOR, last_event_id)
        return message

    def _last_event_id(self, http_request: Request) -> str:
        """Return the id after which a browser resumes the stream, empty if it begins one."""
        return http_request.headers.get("Last-Event-ID", "") if self._is_resumable else ""

    def _format(self, http_request: Request) -> StreamFormat:
        preferred = http_request.accept_mimetypes.best_match([EVENT_STREAM, NDJSON], EVENT_STREAM)
        return self._lines if preferred == NDJSON else self._events


class WatchRoutes:
    def __init__(self, encoder: JsonEncoder) -> None:
        watched = [route for route in routes() if route.rpc.method.server_streaming]
        rules = [Rule(route.rule, endpoint=route.rpc.path, methods=[route.method]) for route in watched]
        self._views = {route.rpc.path: WatchView(route, encoder) for route in watched}
        self._map = Map(rules, converters={"segment": Segment}, merge_slashes=False).bind("")

    def find(self, method: str, path: str) -> tuple[WatchView, dict[str, str]] | None:
        if not path.endswith(":watch"):
            return None
        try:
            endpoint, variables = self._map.match(path, method)
        except HTTPException:
            return None
        return self._views[endpoint], dict(variables)
