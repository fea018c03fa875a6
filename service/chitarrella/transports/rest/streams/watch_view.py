"""The view of a streaming rpc, on the event loop."""

from __future__ import annotations

from typing import Final

from flask import Request
from google.protobuf.message import Message

from chitarrella.api.async_calls import AsyncStreams
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.transports.rest.headers import caller_of
from chitarrella.transports.rest.http_exchange import HttpExchange
from chitarrella.transports.rest.request_body import Receive
from chitarrella.transports.rest.request_parser import RequestParser
from chitarrella.transports.rest.routes import Route
from chitarrella.transports.rest.streams.stream_formats import (
    EVENT_STREAM,
    NDJSON,
    StreamFormat,
    event_format,
    line_format,
    stream_body,
)

CURSOR: Final = "cursor"
"""The field of a request that the header `Last-Event-ID` fills."""


class WatchView:
    """Reads the requests of a streaming rpc, and writes its responses."""

    def __init__(self, route: Route, encoder: JsonEncoder) -> None:
        """Serve ``route``; a stream whose request has a cursor can be resumed."""
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
        http_request = Request(exchange.environ)
        try:
            caller = caller_of(exchange.environ)
            message = self._request(http_request, variables)
            async with streams.open(self._path, lambda: message, caller) as stream:
                if self._last_event_id(http_request) and stream.is_over:
                    await exchange.begin(204, [])  # tells a browser not to reconnect
                else:
                    stream_format = self._format(http_request)
                    await exchange.begin(200, stream_format.headers)
                    if http_request.method != "HEAD":
                        parts = stream_body(stream, stream_format, lambda error: exchange.problem(error, public_url))
                        await exchange.send_parts(parts, receive)
                await exchange.send_body(b"")
        except Exception as error:
            if not exchange.has_begun:
                await exchange.respond_error(error, public_url)

    def _request(self, http_request: Request, variables: dict[str, str]) -> Message:
        """Return the request message; raises `errors.ChitarrellaError`."""
        message, _ = self._parser.message(http_request, variables)
        if last_event_id := self._last_event_id(http_request):
            setattr(message, CURSOR, last_event_id)
        return message

    def _last_event_id(self, http_request: Request) -> str:
        """Return the id after which a browser resumes the stream, empty if it begins one."""
        return http_request.headers.get("Last-Event-ID", "") if self._is_resumable else ""

    def _format(self, http_request: Request) -> StreamFormat:
        """Return the format that the caller prefers."""
        preferred = http_request.accept_mimetypes.best_match([EVENT_STREAM, NDJSON], EVENT_STREAM)
        return self._lines if preferred == NDJSON else self._events
