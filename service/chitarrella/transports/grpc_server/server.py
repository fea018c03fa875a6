"""The gRPC server: grpc.aio with health and reflection, and one handler for every rpc of the contract.

Stateless questions take microseconds and are answered on the event loop. Calls that may wait for the store or take long
run in threads. Streams are ended before the server stops, so that a stop does not wait for them.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
from google.protobuf.message import DecodeError, Message
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1.health import aio as health_aio
from grpc_reflection.v1alpha import reflection
from grpc_status import rpc_status

from chitarrella import errors
from chitarrella.api.caller import caller_from_headers, request_id_of, text_headers
from chitarrella.api.converters import heartbeat_message, serialize_update
from chitarrella.api.dispatcher import SERVICES, Dispatcher, Rpc, rpcs
from chitarrella.api.status import error_of, status_of, unreadable_request
from chitarrella.api.telemetry import ObserveRequest
from chitarrella.matches.watching import Watcher
from chitarrella.transports.grpc_server.thread_event import ThreadEvent

MAX_MESSAGE_BYTES = 4 * 1024 * 1024
MAX_REQUEST_BYTES = 4 * MAX_MESSAGE_BYTES
"""Larger messages up to this size are read and refused with a reason code; beyond it gRPC ends the call."""
MAX_CONCURRENT = 10_000
"""Calls that may wait to be accepted. When a worker is lost all its watchers reconnect at once; by default gRPC would
refuse some from the thousandth on."""
SLOW_METHODS = frozenset({"Batch", "PlayMoves"})
"""Stateless rpcs whose duration grows with the request; they run in threads."""

Context = grpc.aio.ServicerContext[Any, Any]


class Health(health_aio.HealthServicer):
    """Health service whose watches end when the server stops; otherwise they would use up its whole grace period."""

    def __init__(self, names: Iterable[str], stopping: asyncio.Event) -> None:
        """Report the services of those ``names`` until ``stopping`` is set."""
        super().__init__()
        self._names = frozenset(names)
        self._stopping = stopping

    async def Watch(  # type: ignore[override]  # noqa: N802 - name of the rpc; the library writes to the context instead of yielding
        self, request: health_pb2.HealthCheckRequest, context: Context
    ) -> AsyncIterator[health_pb2.HealthCheckResponse]:
        """Yield the status now, and NOT_SERVING when the server stops."""
        response = health_pb2.HealthCheckResponse
        known = request.service in self._names
        if not self._stopping.is_set():
            yield response(status=response.SERVING if known else response.SERVICE_UNKNOWN)
            await self._stopping.wait()
        yield response(status=response.NOT_SERVING if known else response.SERVICE_UNKNOWN)


class GrpcServer:
    """A gRPC server in front of the dispatcher."""

    def __init__(
        self,
        dispatcher: Dispatcher,
        address: str,
        *,
        observe: ObserveRequest = lambda *_: None,
        threads: int = 16,
        heartbeat: float = 15.0,
        reuse_port: bool = False,
    ) -> None:
        """Prepare to listen at ``address`` (host:port, port 0 for a free one); call `start` on the running loop.

        ``heartbeat`` is the number of seconds after which a silent stream sends a heartbeat. With ``reuse_port`` other
        processes may listen at the same port.
        """
        self._dispatcher = dispatcher
        self._address = address
        self._observe = observe
        self._heartbeat = heartbeat
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="grpc")
        self._stopping = asyncio.Event()
        self._wakers: set[ThreadEvent] = set()
        self._server = grpc.aio.server(
            options=[
                ("grpc.so_reuseport", int(reuse_port)),
                ("grpc.max_receive_message_length", MAX_REQUEST_BYTES),
                ("grpc.keepalive_time_ms", 60_000),
                ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
                ("grpc.server.max_pending_requests", MAX_CONCURRENT),
                ("grpc.server.max_pending_requests_hard_limit", 2 * MAX_CONCURRENT),
            ]
        )
        self._names = ("", *(service.full_name for service in SERVICES))
        self._health = Health(self._names, self._stopping)
        self.port = 0

    async def start(self) -> None:
        """Start listening; raises `RuntimeError` if the address is in use."""
        for service in SERVICES:
            handlers = {
                rpc.method.name: self._handler(rpc) for rpc in rpcs() if rpc.method.containing_service == service
            }
            handler = grpc.method_handlers_generic_handler(service.full_name, handlers)
            self._server.add_generic_rpc_handlers((handler,))
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        health = health_pb2.DESCRIPTOR.services_by_name["Health"].full_name
        reflection.enable_server_reflection([*self._names[1:], health, reflection.SERVICE_NAME], self._server)
        self.port = self._server.add_insecure_port(self._address)
        await self._server.start()
        for name in self._names:
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)

    async def drain(self) -> None:
        """Report NOT_SERVING to health checks, so that load balancers turn away; calls are still answered."""
        await self._health.enter_graceful_shutdown()

    async def stop(self, grace: float = 5.0) -> None:
        """Drain, end the streams, give calls in progress ``grace`` seconds to finish, and close."""
        await self.drain()
        self._stopping.set()
        for waker in self._wakers:
            waker.set()
        await self._server.stop(grace)
        self._threads.shutdown(wait=False, cancel_futures=True)

    # ------------------------------------------------------------------ handlers

    def _handler(self, rpc: Rpc) -> Any:
        """Build the handler of an rpc. It parses the request itself: gRPC would answer malformed bytes with UNKNOWN."""
        if rpc.method.server_streaming:  # its responses are serialised already
            return grpc.unary_stream_rpc_method_handler(self._stream(rpc))
        return grpc.unary_unary_rpc_method_handler(self._unary(rpc), response_serializer=rpc.response.SerializeToString)

    def _unary(self, rpc: Rpc) -> Callable[[bytes, Context], Awaitable[Message]]:
        direct = rpc.stateless and rpc.method.name not in SLOW_METHODS
        call, path = self._dispatcher.call, rpc.path

        async def answer(body: bytes, context: Context) -> Message:
            started = time.perf_counter()
            headers = text_headers(context.invocation_metadata())
            request_id = request_id_of(headers.get("x-request-id"))
            code = "ok"
            try:
                caller, request = caller_from_headers(headers, request_id), parse_request(rpc, body)
                if direct:
                    return call(path, request, caller)  # type: ignore[no-any-return]  # the class the rpc names
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(self._threads, call, path, request, caller)
            except asyncio.CancelledError:
                code = "cancelled"
                raise
            except Exception as error:
                failure = error_of(error, request_id)
                code = failure.code
                await _abort(context, failure)
                raise
            finally:
                self._observe("grpc", path, code, time.perf_counter() - started, request_id)

        return answer

    def _stream(self, rpc: Rpc) -> Callable[[bytes, Context], AsyncIterator[bytes]]:
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
                await _abort(context, failure)
            finally:
                self._wakers.discard(waker)
                if watcher is not None:
                    watcher.close()
                self._observe("grpc", rpc.path, code, time.perf_counter() - started, request_id)

        return answer

    async def _write_updates(self, watcher: Watcher, waker: ThreadEvent, cursor: str) -> AsyncIterator[bytes]:
        """Yield the updates after ``cursor`` until the match is finished, with heartbeats in times of silence."""
        while True:
            finished = watcher.is_finished  # read before take(), or an update between the two would be lost
            for update in watcher.take():
                cursor = str(update.cursor)
                yield serialize_update(update)
            if finished or self._stopping.is_set():
                return
            if not await waker.wait(self._heartbeat):
                yield heartbeat_message(cursor).SerializeToString()


def _close_watcher(starting: asyncio.Future[Watcher]) -> None:
    """Close a watcher that was created after its client had disconnected."""
    if not starting.cancelled() and starting.exception() is None:
        starting.result().close()


def parse_request(rpc: Rpc, body: bytes) -> Any:
    """Parse the request of an rpc; raises `errors.TooLarge`, `errors.BadRequest` for malformed bytes."""
    if len(body) > MAX_MESSAGE_BYTES:
        raise errors.TooLarge("too_large", "A message may have 4 MiB.")
    try:
        return rpc.request.FromString(body)
    except DecodeError as error:
        raise unreadable_request(error) from None


async def _abort(context: Context, error: errors.ChitarrellaError) -> None:
    """End the call with a status that carries the error details."""
    status = rpc_status.to_status(status_of(error))
    await context.abort_with_status(status)
