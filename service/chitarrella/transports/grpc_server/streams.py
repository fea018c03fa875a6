"""The gRPC handlers of streaming rpcs: their responses, and heartbeats in times of silence."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from concurrent.futures import Executor
from typing import Any

import grpc

from chitarrella.api.caller import caller_from_headers, request_id_of, text_headers
from chitarrella.api.dispatcher import Dispatcher, Rpc
from chitarrella.api.status import error_of
from chitarrella.api.streams import ResponseStream
from chitarrella.api.telemetry import ObserveRequest
from chitarrella.transports.grpc_server.handlers import Context, end_with_error, parse_request
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
            stream: ResponseStream | None = None
            self._wakers.add(waker)
            try:
                caller, request = caller_from_headers(headers, request_id), parse_request(rpc, body)
                starting = loop.run_in_executor(
                    self._threads, self._dispatcher.watch, rpc.path, request, caller, waker.set
                )
                try:
                    stream = await asyncio.shield(starting)
                except asyncio.CancelledError:
                    starting.add_done_callback(_close_stream)
                    raise
                async for message in self._write_responses(stream, waker):
                    yield message
                if stream.error is not None:
                    raise stream.error
            except asyncio.CancelledError:
                code = "cancelled"
                raise
            except Exception as error:
                failure = error_of(error, request_id)
                code = failure.code
                end_with_error(context, failure)
            finally:
                self._wakers.discard(waker)
                if stream is not None:
                    stream.close()
                self._observe("grpc", rpc.path, code, time.perf_counter() - started, request_id)

        return grpc.unary_stream_rpc_method_handler(answer)

    async def _write_responses(self, stream: ResponseStream, waker: ThreadEvent) -> AsyncIterator[bytes]:
        """Yield the responses until the stream is finished, with heartbeats in times of silence."""
        while True:
            finished = stream.is_finished  # read before taking, or a response between the two would be lost
            for response in stream.take_serialized():
                yield response
            if finished or self._stopping:
                return
            if not await waker.wait(self._heartbeat):
                yield stream.heartbeat().SerializeToString()


def _close_stream(starting: asyncio.Future[ResponseStream]) -> None:
    """Close a stream that was opened after its client had disconnected."""
    if not starting.cancelled() and starting.exception() is None:
        starting.result().close()
