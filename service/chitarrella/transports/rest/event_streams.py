"""Watching a match over HTTP: server-sent events, lines of JSON, and the messages of a Connect stream.

A stream occupies a thread of the WSGI server while it lasts, so the number of streams is limited; gRPC serves more.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import orjson
from flask import Response, request

from chitarrella import errors
from chitarrella.api.caller import Caller
from chitarrella.api.converters import heartbeat_message, update_message
from chitarrella.api.dispatcher import Dispatcher
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.api.status import error_of
from chitarrella.matches.watching import Watcher
from chitarrella.transports.rest.headers import caller_of
from chitarrella.transports.rest.middleware import RequestContext, context_of
from chitarrella.transports.rest.problems import problem
from chitarrella.transports.rest.routes import Route
from chitarrella.transports.rest.views import RequestParser, View
from chitarrella.v1.matches_pb2 import WatchMatchRequest, WatchMatchResponse

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

EVENT_STREAM: Final = "text/event-stream"
NDJSON: Final = "application/x-ndjson"
RETRY_MILLISECONDS: Final = 1000
DISCONNECT_POLL_SECONDS: Final = 1.0
"""How often a stream checks whether its client is still connected."""

ErrorFormatter = Callable[[Exception], dict[str, Any]]
"""Return the problem (RFC 9457) of an exception, as plain data."""


class StreamLimit:
    """Opens streams, up to a number at a time."""

    def __init__(self, dispatcher: Dispatcher, heartbeat: float, limit: int) -> None:
        """Allow ``limit`` streams at a time, each with a heartbeat after ``heartbeat`` seconds of silence."""
        self._dispatcher = dispatcher
        self._heartbeat = heartbeat
        self._limit = limit
        self._free = threading.BoundedSemaphore(limit)

    def open(self, message: WatchMatchRequest, caller: Caller, environ: WSGIEnvironment) -> EventStream:
        """Open a stream, which the caller has to close; raises `errors.ChitarrellaError`."""
        if not self._free.acquire(blocking=False):
            because = f"HTTP serves {self._limit} watchers at a time; gRPC serves more."
            raise errors.TooMany("too_many", because)
        updated = threading.Event()
        try:
            watcher = self._dispatcher.watch(message, caller, updated.set)
        except BaseException:
            self._free.release()
            raise
        is_disconnected = environ.get("waitress.client_disconnected", bool)
        return EventStream(watcher, updated, self._heartbeat, message.cursor, is_disconnected, self._free.release)


class EventStream:
    """One open stream.

    ``cursor`` is that of the last message; ``is_abandoned`` is set when the client has disconnected.
    """

    def __init__(
        self,
        watcher: Watcher,
        updated: threading.Event,
        heartbeat: float,
        cursor: str,
        is_disconnected: Callable[[], bool],
        release: Callable[[], None],
    ) -> None:
        """Pass on the updates of ``watcher``, which sets ``updated``; ``release`` is called once by `close`."""
        self._watcher = watcher
        self._updated = updated
        self._heartbeat = heartbeat
        self._is_disconnected = is_disconnected
        self._release = release
        self._closing = threading.Lock()
        self._finished, self._updates = watcher.is_finished, watcher.take()
        self.cursor = cursor
        self.is_abandoned = False

    @property
    def is_finished(self) -> bool:
        """Whether, before the first message, the match is finished and the client has every update."""
        return self._finished and not self._updates and self._watcher.error is None

    def messages(self) -> Iterator[WatchMatchResponse]:
        """Yield updates and heartbeats until the match is finished; raises `errors.ChitarrellaError` if it is cut off.

        Without updates it starts with a heartbeat, so that the client knows at once that the stream is open.
        """
        if not self._updates and not self._finished:
            yield self.heartbeat()
        while True:
            for update in self._updates:
                self.cursor = str(update.cursor)
                yield update_message(update)
            if self._finished:
                break
            if not self._wait():
                if self._is_disconnected():
                    self.is_abandoned = True
                    return
                yield self.heartbeat()
            self._updated.clear()
            # is_finished is read before take(), or an update between the two would be lost.
            self._finished, self._updates = self._watcher.is_finished, self._watcher.take()
        if self._watcher.error is not None:
            raise self._watcher.error

    def _wait(self) -> bool:
        """Wait for updates; return False if the client has disconnected or a heartbeat is due."""
        until = time.monotonic() + self._heartbeat
        while (left := until - time.monotonic()) > 0:
            if self._updated.wait(min(left, DISCONNECT_POLL_SECONDS)):
                return True
            if self._is_disconnected():
                return False
        return False

    def heartbeat(self) -> WatchMatchResponse:
        """Build a heartbeat with the current cursor."""
        return heartbeat_message(self.cursor)

    def close(self) -> None:
        """Stop watching and free the place under the limit. Idempotent."""
        if self._closing.acquire(blocking=False):
            self._watcher.close()
            self._release()


# ---------------------------------------------------------------------- over REST


def watch_view(route: Route, streams: StreamLimit, encoder: JsonEncoder) -> View:
    """Build the Flask view of WatchMatch."""
    parser = RequestParser(route)

    def view(**variables: str) -> Response:
        environ = request.environ
        context = context_of(environ)
        context.rpc = route.rpc.path
        caller = caller_of(environ)
        message, _ = parser.message(request, variables)
        assert isinstance(message, WatchMatchRequest)
        last_event_id = request.headers.get("Last-Event-ID", "")
        if last_event_id:
            message.cursor = last_event_id
        stream = streams.open(message, caller, environ)
        if last_event_id and stream.is_finished:
            stream.close()
            return Response(status=204)  # tells a browser not to reconnect
        context.stream = True
        as_lines = request.accept_mimetypes.best_match([EVENT_STREAM, NDJSON], EVENT_STREAM) == NDJSON
        format_error = partial(_format_error, context, request.path)
        body = _lines(stream, encoder, format_error) if as_lines else _events(stream, encoder, format_error)
        response = Response(body, content_type=NDJSON if as_lines else f"{EVENT_STREAM}; charset=utf-8")
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Accel-Buffering"] = "no"  # nginx passes every event on at once
        response.call_on_close(stream.close)
        return response

    return view


def _format_error(context: RequestContext, path: str, error: Exception) -> dict[str, Any]:
    """Record the error that cuts off a stream, and return it as a problem."""
    failure = error_of(error, context.request_id)
    context.code = failure.code
    return problem(failure, path, context.request_id)


def _events(stream: EventStream, encoder: JsonEncoder, format_error: ErrorFormatter) -> Iterator[bytes]:
    """Yield server-sent events: ``move`` for every update, ``end`` after the last, ``error`` if it is cut off."""
    yield b"retry: %d\n\n" % RETRY_MILLISECONDS
    try:
        for message in stream.messages():
            if message.events:
                yield b"id: %b\nevent: move\ndata: %b\n\n" % (message.cursor.encode(), encoder.encode(message))
            else:
                yield b": heartbeat\n\n"
        if not stream.is_abandoned:
            yield b"event: end\ndata: %b\n\n" % encoder.encode(stream.heartbeat())
    except Exception as error:
        yield b"event: error\ndata: %b\n\n" % orjson.dumps(format_error(error))


def _lines(stream: EventStream, encoder: JsonEncoder, format_error: ErrorFormatter) -> Iterator[bytes]:
    """Yield a line of JSON for every message, and one with the member ``error`` if the stream is cut off."""
    try:
        for message in stream.messages():
            yield encoder.encode(message) + b"\n"
    except Exception as error:
        yield orjson.dumps({"error": format_error(error)}) + b"\n"
