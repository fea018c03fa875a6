"""The gRPC door: grpc.aio with health and reflection, one handler made for every rpc of the contract.

Stateless questions cost microseconds and are answered on the loop itself; what may wait for the store, or is long, is
handed to threads. Streams end by themselves before the server stops, so that a stop is quick and clean.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any

import grpc
from google.protobuf.message import DecodeError, Message
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1.health import aio as health_aio
from grpc_reflection.v1alpha import reflection
from grpc_status import rpc_status

from chitarrella import errors
from chitarrella.api.api import SERVICES, Api, Rpc, rpcs
from chitarrella.api.caller import Caller, read_caller, request_id_of
from chitarrella.bell import Bell
from chitarrella.chronicle import Told
from chitarrella.hub import Watch
from chitarrella.rpc_status import status_of, understood, unreadable
from chitarrella.v1.matches_pb2 import WatchMatchResponse
from chitarrella.wire import told_message

LARGEST_MESSAGE = 4 * 1024 * 1024
LARGEST_READ = 4 * LARGEST_MESSAGE
"""What is still read to say with a reason code that it is too large; of more gRPC itself hangs up."""
MOST_AT_ONCE = 10_000
"""Calls that may wait to be taken in. When a worker is gone, all who watched there come at once; gRPC by itself would
turn away some of them from the thousandth on."""
LONG_ANSWERS = frozenset({"Batch", "PlayMoves"})
"""Stateless rpcs whose size the caller decides."""

Observe = Callable[[str, str, str, float, str], None]
"""Told of every call: door, rpc, reason code ("ok" if none), seconds, request id."""

Context = grpc.aio.ServicerContext[Any, Any]


class Health(health_aio.HealthServicer):
    """Health whose watchers are told of the stop and let go; left alone they would hold it up for all its grace."""

    def __init__(self, names: Iterable[str], stopping: asyncio.Event) -> None:
        """Answer for the services of those ``names``, until ``stopping`` is set."""
        super().__init__()
        self._names = frozenset(names)
        self._stopping = stopping

    async def Watch(  # type: ignore[override]  # noqa: N802 - as the rpc is called; the library writes where this yields
        self, request: health_pb2.HealthCheckRequest, context: Context
    ) -> AsyncIterator[health_pb2.HealthCheckResponse]:
        """Tell the state now, and once more when it changes."""
        state = health_pb2.HealthCheckResponse
        known = request.service in self._names
        if not self._stopping.is_set():
            yield state(status=state.SERVING if known else state.SERVICE_UNKNOWN)
            await self._stopping.wait()
        yield state(status=state.NOT_SERVING if known else state.SERVICE_UNKNOWN)


class GrpcDoor:
    """A gRPC server for the application."""

    def __init__(
        self,
        api: Api,
        address: str,
        *,
        observe: Observe = lambda *_: None,
        threads: int = 16,
        heartbeat: float = 15.0,
        reuse_port: bool = False,
    ) -> None:
        """Prepare to listen at ``address`` (host:port, port 0 for a free one); call `start` on the running loop."""
        self._api = api
        self._address = address
        self._observe = observe
        self._heartbeat = heartbeat
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="grpc")
        self._stopping = asyncio.Event()
        self._bells: set[Bell] = set()
        self._server = grpc.aio.server(
            options=[
                ("grpc.so_reuseport", int(reuse_port)),
                ("grpc.max_receive_message_length", LARGEST_READ),
                ("grpc.keepalive_time_ms", 60_000),
                ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
                ("grpc.server.max_pending_requests", MOST_AT_ONCE),
                ("grpc.server.max_pending_requests_hard_limit", 2 * MOST_AT_ONCE),
            ]
        )
        self._names = ("", *(service.full_name for service in SERVICES))
        self._health = Health(self._names, self._stopping)
        self.port = 0

    async def start(self) -> None:
        """Listen; raises `RuntimeError` where the address is taken."""
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

    async def leave(self) -> None:
        """Tell those who ask for health that nothing is served here any more; calls are answered all the same."""
        await self._health.enter_graceful_shutdown()

    async def stop(self, grace: float = 5.0) -> None:
        """Say so to those who ask for health, end the streams, let calls under way finish, and close."""
        await self.leave()
        self._stopping.set()
        for bell in self._bells:
            bell.ring()
        await self._server.stop(grace)
        self._threads.shutdown(wait=False, cancel_futures=True)

    # ------------------------------------------------------------------ handlers

    def _handler(self, rpc: Rpc) -> Any:
        """Make the handler of an rpc, which reads the message itself: gRPC would answer what is none with UNKNOWN."""
        if rpc.method.server_streaming:  # what it tells is written already
            return grpc.unary_stream_rpc_method_handler(self._stream(rpc))
        return grpc.unary_unary_rpc_method_handler(self._unary(rpc), response_serializer=rpc.response.SerializeToString)

    def _unary(self, rpc: Rpc) -> Callable[[bytes, Context], Awaitable[Message]]:
        direct = rpc.stateless and rpc.method.name not in LONG_ANSWERS
        call, path = self._api.call, rpc.path

        async def answer(sent: bytes, context: Context) -> Message:
            begun = time.perf_counter()
            headers = headers_of(context.invocation_metadata())
            request_id = request_id_of(headers.get("x-request-id"))
            code = "ok"
            try:
                caller, request = caller_of(headers, request_id), read_message(rpc, sent)
                if direct:
                    return call(path, request, caller)  # type: ignore[no-any-return]  # the class the rpc names
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(self._threads, call, path, request, caller)
            except asyncio.CancelledError:
                code = "cancelled"
                raise
            except Exception as error:
                told = understood(error, request_id)
                code = told.code
                await _abort(context, told)
                raise
            finally:
                self._observe("grpc", path, code, time.perf_counter() - begun, request_id)

        return answer

    def _stream(self, rpc: Rpc) -> Callable[[bytes, Context], AsyncIterator[bytes]]:
        async def answer(sent: bytes, context: Context) -> AsyncIterator[bytes]:
            begun = time.perf_counter()
            headers = headers_of(context.invocation_metadata())
            request_id = request_id_of(headers.get("x-request-id"))
            loop = asyncio.get_running_loop()
            bell = Bell(loop)
            code: str = "ok"
            watch: Watch | None = None
            self._bells.add(bell)
            try:
                caller, request = caller_of(headers, request_id), read_message(rpc, sent)
                beginning = loop.run_in_executor(self._threads, self._api.watch, request, caller, bell.ring)
                try:
                    watch = await asyncio.shield(beginning)
                except asyncio.CancelledError:
                    beginning.add_done_callback(_let_go)
                    raise
                async for message in self._tell(watch, bell, request.cursor):
                    yield message
                if watch.fault is not None:
                    raise watch.fault
            except asyncio.CancelledError:
                code = "cancelled"
                raise
            except Exception as error:
                told = understood(error, request_id)
                code = told.code
                await _abort(context, told)
            finally:
                self._bells.discard(bell)
                if watch is not None:
                    watch.close()
                self._observe("grpc", rpc.path, code, time.perf_counter() - begun, request_id)

        return answer

    async def _tell(self, watch: Watch, bell: Bell, cursor: str) -> AsyncIterator[bytes]:
        """Pass on what the watch has after ``cursor``, a heartbeat where it has nothing for long, until it is over."""
        while True:
            over = watch.over
            for told in watch.fetch():
                cursor = str(told.cursor)
                yield written(told)
            if over or self._stopping.is_set():
                return
            if not await bell.rings(self._heartbeat):
                yield heartbeat(cursor).SerializeToString()


@lru_cache(maxsize=1024)
def written(told: Told) -> bytes:
    """Write what is told; thousands may be told the same, and hear it in one and the same words."""
    return told_message(told).SerializeToString()


def _let_go(beginning: asyncio.Future[Watch]) -> None:
    """Close a watch whose reader had gone before it began."""
    if not beginning.cancelled() and beginning.exception() is None:
        beginning.result().close()


def heartbeat(cursor: str) -> Message:
    """Make a message that says no more than that the stream is alive, and where it stands."""
    revision = cursor.partition(".")[0]
    return WatchMatchResponse(revision=int(revision or 0), cursor=cursor)


def read_message(rpc: Rpc, sent: bytes) -> Any:
    """Read what was sent to an rpc; raises `errors.TooLarge`, and `errors.BadRequest` for no message of its kind."""
    if len(sent) > LARGEST_MESSAGE:
        raise errors.TooLarge("too_large", "A message may have 4 MiB.")
    try:
        return rpc.request.FromString(sent)
    except DecodeError as error:
        raise unreadable(error) from None


def headers_of(metadata: Iterable[tuple[str, str | bytes]] | None) -> dict[str, str]:
    """Read the headers of a call that are text."""
    return {name: value for name, value in metadata or () if isinstance(value, str)}


def caller_of(headers: dict[str, str], request_id: str) -> Caller:
    """Say who calls; raises `errors.NotAuthenticated`."""
    told = headers.get
    return read_caller(request_id, told("authorization"), told("x-api-key"), told("accept-language"))


async def _abort(context: Context, error: errors.ChitarrellaError) -> None:
    """End the call with a status that carries the details."""
    status = rpc_status.to_status(status_of(error))
    await context.abort_with_status(status)
