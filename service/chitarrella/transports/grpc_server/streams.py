"""The gRPC handlers of streams: updates of a watched match, and heartbeats in times of silence."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from concurrent.futures import Executor
from typing import Any

import grpc

from chitarrella.api.caller import caller_from_headers, request_id_of, text_headers
from chitarrella.api.converters import heartbeat_message, serialize_update
from chitarrella.api.dispatcher import Dispatcher, Rpc
from chitarrella.api.status import error_of
from chitarrella.api.telemetry import ObserveRequest
from chitarrella.matches.watcher import Watcher
from chitarrella.transports.grpc_server.handlers import Context, abort, parse_request
from chitarrella.transports.grpc_server.thread_event import ThreadEvent


class Streams:
    """The open streams of a server, which `stop` ends."""

    def __init__(self, dispatcher: Dispatcher, threads: Executor, observe: ObserveRequest, heartbeat: float) -> None:
        """Watch through ``dispatcher``, with a heartbeat after ``heartbeat`` seconds of silence."""
        self._dispatcher = dispatcher
        self._threads = threads
        self._observe = observe
        self._heartbeat = heartbeat
        self._wakers: set[ThreadEvent] = set()
        self._stopping = False

    def stop(self) -> None:
        """End every stream."""
        self._stopping = True
        for waker in self._wakers:
            waker.set()

    def handler(self, rpc: Rpc) -> Any:
        """Build the handler of a streaming rpc, whose responses are serialised already."""

        async def answer(body: bytes, context: Context) -> AsyncIterator[bytes]:
            started = time.perf_counter()
            headers = text_headers(context.invocation_metadata())
            request_id = request_id_of(headers.get("x-request-id"))
            loop = asyncio.get_running_loop()
            waker = ThreadEvent(loop)
            code: str = "ok"
            watcher: Watcher | None = None
            self._wakers.add(waker)
            try:
                caller, request = caller_from_headers(headers, request_id), parse_request(rpc, body)
                starting = loop.run_in_executor(self._threads, self._dispatcher.watch, request, caller, waker.set)
                try:
                    watcher = await asyncio.shield(starting)
                except asyncio.CancelledError:
                    starting.add_done_callback(_close_watcher)
                    raise
                async for message in self._write_updates(watcher, waker, request.cursor):
                    yield message
                if watcher.error is not None:
                    raise watcher.error
            except asyncio.CancelledError:
                code = "cancelled"
                raise
            except Exception as error:
                failure = error_of(error, request_id)
                code = failure.code
                await abort(context, failure)
            finally:
                self._wakers.discard(waker)
                if watcher is not None:
                    watcher.close()
                self._observe("grpc", rpc.path, code, time.perf_counter() - started, request_id)

        return grpc.unary_stream_rpc_method_handler(answer)

    async def _write_updates(self, watcher: Watcher, waker: ThreadEvent, cursor: str) -> AsyncIterator[bytes]:
        """Yield the updates after ``cursor`` until the match is finished, with heartbeats in times of silence."""
        while True:
            finished = watcher.is_finished  # read before take(), or an update between the two would be lost
            for update in watcher.take():
                cursor = str(update.cursor)
                yield serialize_update(update)
            if finished or self._stopping:
                return
            if not await waker.wait(self._heartbeat):
                yield heartbeat_message(cursor).SerializeToString()


def _close_watcher(starting: asyncio.Future[Watcher]) -> None:
    """Close a watcher that was created after its client had disconnected."""
    if not starting.cancelled() and starting.exception() is None:
        starting.result().close()
