"""Calls and streams on an event loop: what every asynchronous transport does with the dispatcher, which is synchronous.

Short calls that keep nothing are answered on the loop itself. All others may wait for the store or take long, and run
in threads. A stream is opened in a thread, and costs none while it is open.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from typing import Final, TypeVar

from google.protobuf.message import Message

from chitarrella.api.caller import Caller
from chitarrella.api.dispatcher import Dispatcher, Rpc
from chitarrella.api.streams import ResponseStream
from chitarrella.api.thread_event import ThreadEvent

LARGE_BYTES: Final = 16 * 1024
"""A larger request is parsed and answered in a thread, also where its rpc is usually answered on the loop."""
SLOW_METHODS: Final = frozenset({"Batch", "ApplyMoves"})
"""Stateless rpcs whose duration grows with the request; they run in threads."""

Answer = TypeVar("Answer")
Response = TypeVar("Response")


class AsyncCalls:
    """Runs unary calls on the event loop or in threads."""

    def __init__(self, threads: Executor) -> None:
        """Run in ``threads`` what may wait or take long."""
        self._threads = threads

    async def run(self, rpc: Rpc, size: int, answer: Callable[[], Answer]) -> Answer:
        """Call ``answer``, which parses and answers a request of ``size`` bytes; raises what it raises."""
        if size <= LARGE_BYTES and rpc.stateless and rpc.method.name not in SLOW_METHODS:
            return answer()
        return await asyncio.get_running_loop().run_in_executor(self._threads, answer)


class AsyncStreams:
    """The open streams of a server, which `stop` ends."""

    def __init__(self, dispatcher: Dispatcher, threads: Executor, heartbeat: float) -> None:
        """Watch through ``dispatcher``; a stream is silent for at most ``heartbeat`` seconds."""
        self._dispatcher = dispatcher
        self._threads = threads
        self._heartbeat = heartbeat
        self._wakers: set[ThreadEvent] = set()
        self.is_stopping = False

    def stop(self) -> None:
        """End every stream, as if it had no more responses."""
        self.is_stopping = True
        for waker in self._wakers:
            waker.set()

    @asynccontextmanager
    async def open(self, path: str, request: Callable[[], Message], caller: Caller) -> AsyncIterator[AsyncStream]:
        """Watch for as long as the block lasts; ``request`` parses the request. Raises `errors.ChitarrellaError`."""
        loop = asyncio.get_running_loop()
        waker = ThreadEvent(loop)

        def watch() -> ResponseStream:
            return self._dispatcher.watch(path, request(), caller, waker.set)

        starting = loop.run_in_executor(self._threads, watch)
        try:
            stream = await asyncio.shield(starting)
        except asyncio.CancelledError:
            starting.add_done_callback(_close_stream)
            raise
        self._wakers.add(waker)
        try:
            yield AsyncStream(self, stream, waker, self._heartbeat)
        finally:
            self._wakers.discard(waker)
            stream.close()


class AsyncStream:
    """One open stream, read by one coroutine."""

    def __init__(self, streams: AsyncStreams, stream: ResponseStream, waker: ThreadEvent, heartbeat: float) -> None:
        """Read the responses of ``stream``, which sets ``waker``."""
        self._streams = streams
        self._stream = stream
        self._waker = waker
        self._heartbeat_seconds = heartbeat

    @property
    def is_over(self) -> bool:
        """Whether the match is finished and the client has every update; before the first response is read."""
        return self._stream.is_finished and self._stream.is_empty and self._stream.error is None

    @property
    def is_silent(self) -> bool:
        """Whether nothing is ready yet, and something may come; before the first response is read."""
        return self._stream.is_empty and not self._stream.is_finished

    def heartbeat(self) -> Message:
        """Build the response for a time of silence."""
        return self._stream.heartbeat()

    async def responses(self, take: Callable[[ResponseStream], list[Response]]) -> AsyncIterator[list[Response]]:
        """Yield the responses as ``take`` takes them; an empty list when a heartbeat is due.

        Ends with the stream; raises `errors.ChitarrellaError` if it is cut off.
        """
        while True:
            finished = self._stream.is_finished  # read before taking, or a response between the two would be lost
            if taken := take(self._stream):
                yield taken
            if finished or self._streams.is_stopping:
                break
            if not await self._waker.wait(self._heartbeat_seconds):
                yield []
        if self._stream.error is not None:
            raise self._stream.error


def _close_stream(starting: asyncio.Future[ResponseStream]) -> None:
    """Close a stream that was opened after its client had disconnected."""
    if not starting.cancelled() and starting.exception() is None:
        starting.result().close()
