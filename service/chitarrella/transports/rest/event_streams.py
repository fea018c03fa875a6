"""Streaming rpcs over HTTP: a limit to the number of streams, responses, and heartbeats.

A stream occupies a thread of the WSGI server while it lasts, so the number of streams is limited; gRPC serves more.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from google.protobuf.message import Message

from chitarrella import errors
from chitarrella.api.caller import Caller
from chitarrella.api.dispatcher import Dispatcher
from chitarrella.api.streams import ResponseStream

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

DISCONNECT_POLL_SECONDS: Final = 1.0
"""How often a stream checks whether its client is still connected."""


class StreamLimit:
    """Opens streams, up to a number at a time."""

    def __init__(self, dispatcher: Dispatcher, heartbeat: float, limit: int) -> None:
        """Allow ``limit`` streams at a time, each with a heartbeat after ``heartbeat`` seconds of silence."""
        self._dispatcher = dispatcher
        self._heartbeat = heartbeat
        self._limit = limit
        self._free = threading.BoundedSemaphore(limit)

    def open(self, path: str, message: Message, caller: Caller, environ: WSGIEnvironment) -> EventStream:
        """Open the stream of the rpc at ``path``, which the caller has to close; raises `errors.ChitarrellaError`."""
        if not self._free.acquire(blocking=False):
            limit = f"HTTP serves {self._limit} watchers at a time; gRPC serves more."
            raise errors.TooMany("too_many", limit)
        updated = threading.Event()
        try:
            stream = self._dispatcher.watch(path, message, caller, updated.set)
        except BaseException:
            self._free.release()
            raise
        is_disconnected = environ.get("waitress.client_disconnected", bool)
        return EventStream(stream, updated, self._heartbeat, is_disconnected, self._free.release)


class EventStream:
    """One open stream. ``is_abandoned`` is set when the client has disconnected."""

    def __init__(
        self,
        stream: ResponseStream,
        updated: threading.Event,
        heartbeat: float,
        is_disconnected: Callable[[], bool],
        release: Callable[[], None],
    ) -> None:
        """Pass on the responses of ``stream``, which sets ``updated``; ``release`` is called once by `close`."""
        self._stream = stream
        self._updated = updated
        self._heartbeat = heartbeat
        self._is_disconnected = is_disconnected
        self._release = release
        self._closing = threading.Lock()
        self._finished, self._responses = stream.is_finished, stream.take()
        self.is_abandoned = False

    @property
    def is_finished(self) -> bool:
        """Whether, before the first message, the match is finished and the client has every update."""
        return self._finished and not self._responses and self._stream.error is None

    def messages(self) -> Iterator[Message]:
        """Yield responses and heartbeats until the stream ends; raises `errors.ChitarrellaError` if it is cut off.

        Without responses it starts with a heartbeat, so that the client knows at once that the stream is open.
        """
        if not self._responses and not self._finished:
            yield self.heartbeat()
        while True:
            yield from self._responses
            if self._finished:
                break
            if not self._wait():
                if self._is_disconnected():
                    self.is_abandoned = True
                    return
                yield self.heartbeat()
            self._updated.clear()
            # is_finished is read before take(), or an update between the two would be lost.
            self._finished, self._responses = self._stream.is_finished, self._stream.take()
        if self._stream.error is not None:
            raise self._stream.error

    def _wait(self) -> bool:
        """Wait for responses; return False if the client has disconnected or a heartbeat is due."""
        until = time.monotonic() + self._heartbeat
        while (left := until - time.monotonic()) > 0:
            if self._updated.wait(min(left, DISCONNECT_POLL_SECONDS)):
                return True
            if self._is_disconnected():
                return False
        return False

    def heartbeat(self) -> Message:
        """Build a heartbeat."""
        return self._stream.heartbeat()

    def close(self) -> None:
        """Stop watching and free the place under the limit. Idempotent."""
        if self._closing.acquire(blocking=False):
            self._stream.close()
            self._release()
