"""Following a match over HTTP: server-sent events, lines of JSON, and the messages that Connect sends.

A stream holds a thread of the WSGI server for as long as it lasts, so there are only so many of them at a time; who
needs more watches over gRPC.
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
from chitarrella.api.api import Api
from chitarrella.api.caller import Caller
from chitarrella.hub import Watch
from chitarrella.rest.access import Call, call_of
from chitarrella.rest.calls import Reading, View
from chitarrella.rest.headers import caller_of
from chitarrella.rest.problems import problem
from chitarrella.rest.routes import Route
from chitarrella.rest.writing import Writer
from chitarrella.rpc_status import understood
from chitarrella.v1.matches_pb2 import WatchMatchRequest, WatchMatchResponse
from chitarrella.wire import told_message

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

EVENT_STREAM: Final = "text/event-stream"
NDJSON: Final = "application/x-ndjson"
RETRY_MILLISECONDS: Final = 1000
SECONDS_BETWEEN_LOOKS: Final = 1.0
"""How often a stream looks whether its reader is still there."""

BrokenOff = Callable[[Exception], dict[str, Any]]


class Watchers:
    """The streams of this door."""

    def __init__(self, api: Api, heartbeat: float, most: int) -> None:
        """Allow ``most`` at a time, and let none be silent for longer than ``heartbeat`` seconds."""
        self._api = api
        self._heartbeat = heartbeat
        self._most = most
        self._places = threading.BoundedSemaphore(most)

    def begin(self, asked: WatchMatchRequest, caller: Caller, environ: WSGIEnvironment) -> Line:
        """Begin to follow a match; raises `errors.ChitarrellaError`."""
        if not self._places.acquire(blocking=False):
            because = f"This door serves {self._most} watchers at a time; gRPC serves more."
            raise errors.TooMany("too_many", because)
        news = threading.Event()
        try:
            watch = self._api.watch(asked, caller, news.set)
        except BaseException:
            self._places.release()
            raise
        gone = environ.get("waitress.client_disconnected", bool)
        return Line(watch, news, self._heartbeat, asked.cursor, gone, self._places.release)


class Line:
    """One stream, as long as it lasts."""

    def __init__(
        self,
        watch: Watch,
        news: threading.Event,
        heartbeat: float,
        cursor: str,
        gone: Callable[[], bool],
        leave: Callable[[], None],
    ) -> None:
        """Tell what ``watch`` hears until it is over or the reader is ``gone``; ``leave`` gives the place back."""
        self._watch = watch
        self._news = news
        self._heartbeat = heartbeat
        self._gone = gone
        self._leave = leave
        self._closing = threading.Lock()
        self._over, self._told = watch.over, watch.fetch()
        self.cursor = cursor
        self.is_left = False

    @property
    def is_finished(self) -> bool:
        """Tell, before the first message, whether the match is over and everything told."""
        return self._over and not self._told and self._watch.fault is None

    def messages(self) -> Iterator[WatchMatchResponse]:
        """Go through what is told; raises `errors.ChitarrellaError` where it breaks off.

        It begins with a heartbeat where there is nothing to tell, so that the reader knows at once that it is heard.
        """
        if not self._told and not self._over:
            yield self.heartbeat()
        while True:
            for told in self._told:
                self.cursor = str(told.cursor)
                yield told_message(told)
            if self._over:
                break
            if not self._waits():
                if self._gone():
                    self.is_left = True
                    return
                yield self.heartbeat()
            self._news.clear()
            self._over, self._told = self._watch.over, self._watch.fetch()  # in this order, or the last may be missed
        if self._watch.fault is not None:
            raise self._watch.fault

    def _waits(self) -> bool:
        """Wait for news; False when the reader is gone, or has to hear that the line is still open."""
        until = time.monotonic() + self._heartbeat
        while (left := until - time.monotonic()) > 0:
            if self._news.wait(min(left, SECONDS_BETWEEN_LOOKS)):
                return True
            if self._gone():
                return False
        return False

    def heartbeat(self) -> WatchMatchResponse:
        """Make a message that says no more than where the reader stands."""
        revision = self.cursor.partition(".")[0]
        return WatchMatchResponse(revision=int(revision or 0), cursor=self.cursor)

    def close(self) -> None:
        """Stop listening and give the place back; a second time does nothing."""
        if self._closing.acquire(blocking=False):
            self._watch.close()
            self._leave()


# ---------------------------------------------------------------------- over REST


def watching(route: Route, watchers: Watchers, writer: Writer) -> View:
    """Make the view of WatchMatch."""
    reading = Reading(route)

    def view(**variables: str) -> Response:
        environ = request.environ
        call = call_of(environ)
        call.rpc = route.rpc.path
        caller = caller_of(environ)
        message, _ = reading.message(request, variables)
        assert isinstance(message, WatchMatchRequest)
        last = request.headers.get("Last-Event-ID", "")
        if last:
            message.cursor = last
        line = watchers.begin(message, caller, environ)
        if last and line.is_finished:
            line.close()
            return Response(status=204)  # tells a browser not to come back
        call.stream = True
        as_lines = request.accept_mimetypes.best_match([EVENT_STREAM, NDJSON], EVENT_STREAM) == NDJSON
        broken_off = partial(_broken_off, call, request.path)
        parts = _lines(line, writer, broken_off) if as_lines else _events(line, writer, broken_off)
        response = Response(parts, content_type=NDJSON if as_lines else f"{EVENT_STREAM}; charset=utf-8")
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Accel-Buffering"] = "no"  # nginx passes every event on at once
        response.call_on_close(line.close)
        return response

    return view


def _broken_off(call: Call, path: str, error: Exception) -> dict[str, Any]:
    """Give the problem for which a stream ends before its time."""
    known = understood(error, call.request_id)
    call.code = known.code
    return problem(known, path, call.request_id)


def _events(line: Line, writer: Writer, broken_off: BrokenOff) -> Iterator[bytes]:
    """Write server-sent events: ``move`` for every move, ``end`` after the last, ``error`` where it breaks off."""
    yield b"retry: %d\n\n" % RETRY_MILLISECONDS
    try:
        for message in line.messages():
            if message.events:
                yield b"id: %b\nevent: move\ndata: %b\n\n" % (message.cursor.encode(), writer.json(message))
            else:
                yield b": heartbeat\n\n"
        if not line.is_left:
            yield b"event: end\ndata: %b\n\n" % writer.json(line.heartbeat())
    except Exception as error:
        yield b"event: error\ndata: %b\n\n" % orjson.dumps(broken_off(error))


def _lines(line: Line, writer: Writer, broken_off: BrokenOff) -> Iterator[bytes]:
    """Write a line of JSON for every message, and one with the member ``error`` where it breaks off."""
    try:
        for message in line.messages():
            yield writer.json(message) + b"\n"
    except Exception as error:
        yield orjson.dumps({"error": broken_off(error)}) + b"\n"
