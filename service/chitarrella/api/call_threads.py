"""Which calls run on the event loop and which in threads, and streams: for every asynchronous transport.

The dispatcher is synchronous. Short calls are answered on the loop itself, suspended while they wait for the store.
Those that need the processor for long run in a few threads, in fair shares of their callers. All others wait for the
store, and run in many threads. A stream is opened in a thread, and costs none while it is open.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from typing import Any, Final, TypeVar, cast

from google.protobuf.message import Message

from chitarrella import errors
from chitarrella.api.caller import Caller, network_of
from chitarrella.api.dispatcher import Dispatcher, Rpc
from chitarrella.api.streams import ResponseStream
from chitarrella.runtime.threads import (
    MAX_WAIT_SECONDS,
    MAX_WAITING,
    FairPool,
    ThreadEvent,
    WaitingCalls,
)

# A larger request is parsed and answered in a thread, also where its rpc is usually answered on the loop.
LARGE_BYTES: Final = 16 * 1024
# Stateless rpcs whose duration grows with the request; they run in the threads of a `FairPool`.
SLOW_METHODS: Final = frozenset({"Batch", "ApplyMoves"})
# Rpcs about one match that are short but for the wait for the store.
SUSPENDED_METHODS: Final = frozenset(
    (
        *("CreateMatch", "GetMatch", "PlayMove", "ValidateMatchMove", "ListMatchMoves", "ExplainMatchHand"),
        *("ContributeSeed", "AssignBot", "RotateKey", "EnforceClock", "AbortMatch"),
    )
)
MAX_SUSPENDED: Final = 5000  # calls of a worker that may wait for the store on the loop; more are refused

# Streams that a server opens at the same time: when thousands of watchers come at once, other calls do not wait.
OPENING_STREAMS: Final = 2

Answer = TypeVar("Answer")
Response = TypeVar("Response")


# Runs a call on the event loop, suspended while it waits for the store; one that is cancelled runs to its end.
RunOnLoop = Callable[[Callable[[], Answer]], Awaitable[Answer]]


class AsyncCalls:
    """Runs unary calls on the event loop or in threads. One for all transports of a worker."""

    def __init__(self, threads: Executor, run_on_loop: RunOnLoop[Any] | None = None) -> None:
        """Run in ``threads`` what may take long, and what waits for the store where there is no ``run_on_loop``."""
        self.threads = threads
        self.long = FairPool("long", max_wait=MAX_WAIT_SECONDS)
        self._run_on_loop: Any = run_on_loop
        self.suspended = WaitingCalls()  # the calls that wait for the store on the loop

    async def run(self, rpc: Rpc, size: int, answer: Callable[[], Answer], address: str = "") -> Answer:
        """Call ``answer`` for a request of ``size`` bytes; one that is long stops at its next step if cancelled."""
        if size <= LARGE_BYTES and self.is_short(rpc):
            if rpc.stateless:
                return answer()
            if len(self.suspended) >= MAX_SUSPENDED:
                raise errors.Overloaded()
            call = self.suspended.add()
            try:
                return cast(Answer, await self._run_on_loop(answer))
            finally:
                self.suspended.pop(call)
        if rpc.stateless:
            return cast(Answer, await asyncio.wrap_future(self.long.submit(network_of(address), answer, size)))
        return await asyncio.get_running_loop().run_in_executor(self.threads, answer)

    def is_long(self, rpc: Rpc, size: int) -> bool:
        return rpc.stateless and (size > LARGE_BYTES or not self.is_short(rpc))

    def is_short(self, rpc: Rpc) -> bool:
        if rpc.stateless:
            return rpc.method.name not in SLOW_METHODS
        return self._run_on_loop is not None and rpc.method.name in SUSPENDED_METHODS


class AsyncStreams:
    def __init__(self, dispatcher: Dispatcher, threads: Executor, heartbeat: float) -> None:
        self._dispatcher = dispatcher
        self._threads = threads
        self._heartbeat = heartbeat
        self._wakers: set[ThreadEvent] = set()
        self._opening = asyncio.Semaphore(OPENING_STREAMS)
        self._waiting = 0
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

        await self._wait_to_open()
        try:
            starting = loop.run_in_executor(self._threads, watch)
        except BaseException:
            self._opening.release()
            raise
        starting.add_done_callback(lambda _: self._opening.release())
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

    async def _wait_to_open(self) -> None:
        if self._waiting >= MAX_WAITING:
            raise errors.Overloaded()
        self._waiting += 1
        try:
            async with asyncio.timeout(MAX_WAIT_SECONDS):
                await self._opening.acquire()
        except TimeoutError:
            raise errors.Overloaded() from None
        finally:
            self._waiting -= 1


class AsyncStream:
    def __init__(self, streams: AsyncStreams, stream: ResponseStream, waker: ThreadEvent, heartbeat: float) -> None:
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
        return self._stream.heartbeat()

    async def responses(self, take: Callable[[ResponseStream], list[Response]]) -> AsyncIterator[list[Response]]:
        """Yield the responses as ``take`` takes them; an empty list when a heartbeat is due."""
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
