"""The gRPC server: health and reflection, and one handler for every rpc of the contract.

Each handler parses its request, calls the dispatcher, and reports errors as statuses. Streams are ended before the
server stops, so that a stop does not wait for them. It speaks plain text: TLS is the edge's.
"""

from __future__ import annotations

import asyncio
import logging
import operator
import time
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import suppress
from typing import Any, TypeVar
from urllib.parse import unquote

import grpc
from google.protobuf.message import DecodeError, Message
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection, reflection_pb2
from grpc_status import rpc_status

from chitarrella import errors
from chitarrella.api.call_threads import AsyncCalls, AsyncStreams
from chitarrella.api.caller import (
    Caller,
    TraceContext,
    caller_from_headers,
    forwarded_address,
    request_id_of,
    text_headers,
)
from chitarrella.api.dispatcher import SERVICES, Dispatcher, Rpc, rpcs
from chitarrella.api.request_size import MAX_BYTES, MIN_BYTES, check_lists, check_size
from chitarrella.api.retry_headers import RateReport, as_metadata, retry_headers
from chitarrella.api.status import error_of, status_of, unknown_rpc, unreadable_request
from chitarrella.runtime.telemetry import CANCELLED, OK, CallRecord, ObserveRequest
from chitarrella.runtime.threads import BoundedExecutor

Parsed = TypeVar("Parsed", bound=Message)


def parse_request(rpc: Rpc, body: bytes) -> Any:
    check_size(rpc.method.input_type, len(body))
    check_lists(rpc.method.input_type, body)
    try:
        return rpc.request.FromString(body)
    except DecodeError as error:
        raise unreadable_request(error) from None


def parse_message(kind: type[Parsed], body: bytes) -> Parsed:
    if len(body) > MIN_BYTES:
        raise errors.TooLarge("too_large", f"A request of this call may have {MIN_BYTES // 1024} KiB.")
    try:
        return kind.FromString(body)
    except DecodeError as error:
        raise unreadable_request(error) from None


Context = grpc.aio.ServicerContext[Any, Any]


def caller_address(peer: str, forwarded_for: str | None = None, trusted_proxies: int = 0) -> str:
    """Return the address of the caller; a peer is such as ``ipv4:192.0.2.1:5000`` or ``ipv6:%5B::1%5D:5000``."""
    kind, _, place = peer.partition(":")
    address = unquote(place).rpartition(":")[0].strip("[]") if kind in ("ipv4", "ipv6") else ""
    return forwarded_address(address, forwarded_for, trusted_proxies)


def end_with_error(context: Context, error: errors.ChitarrellaError, rate: RateReport | None = None) -> None:
    """Set the status of the call, with the error details and the ``rate``; the handler returns after it.

    ``context.abort_with_status`` does the same by an exception, which the context keeps: the frames of the handler, and
    so the request, would stay in memory until the garbage collector runs.
    """
    status = rpc_status.to_status(status_of(error))
    context.set_code(status.code)
    context.set_details(status.details)
    headers = as_metadata([*retry_headers(error), *(rate.headers() if rate else ())])
    context.set_trailing_metadata((*status.trailing_metadata, *headers))


class GrpcCall:
    """A call, from its arrival to its record. ``outcome`` is the code of the record, and the name of the status."""

    __slots__ = ("context", "headers", "outcome", "rate", "request_id", "started", "trace")

    def __init__(self, context: Context) -> None:
        self.started, self.context, self.outcome = time.perf_counter(), context, (OK, "OK")
        self.headers = headers = text_headers(context.invocation_metadata())
        self.request_id = request_id_of(headers.get("x-request-id"))
        self.trace, self.rate = TraceContext("grpc", headers.get), RateReport()

    def caller(self, trusted_proxies: int) -> Caller:
        address = caller_address(self.context.peer(), self.headers.get("x-forwarded-for"), trusted_proxies)
        return caller_from_headers(self.headers, self.request_id, address, self.trace, self.rate)

    def fail(self, error: Exception) -> None:
        failure = error_of(error, self.request_id)
        self.outcome = failure.code, errors.STATUSES[type(failure)].grpc
        end_with_error(self.context, failure, self.rate)

    def record(self, rpc: str) -> CallRecord:
        (code, status), trace = self.outcome, self.trace
        seconds = time.perf_counter() - self.started
        of_caller = trace.platform, trace.trace_id
        return CallRecord(time.time(), "grpc", rpc, code, seconds, self.request_id, status, "", *of_caller)


def unary_handler(
    rpc: Rpc, dispatcher: Dispatcher, calls: AsyncCalls, observe: ObserveRequest, trusted_proxies: int
) -> Any:
    """The handler parses the request itself: gRPC would answer malformed bytes with UNKNOWN."""
    path = rpc.path

    async def answer(body: bytes, context: Context) -> Message:
        call = GrpcCall(context)

        def parse_and_call() -> Any:
            return dispatcher.call(path, parse_request(rpc, body), caller)

        try:
            caller = call.caller(trusted_proxies)
            response: Message = await calls.run(rpc, len(body), parse_and_call, caller.address)
            if call.rate.left is not None:
                context.set_trailing_metadata(as_metadata(call.rate.headers()))
            return response
        except asyncio.CancelledError:
            call.outcome = CANCELLED, "CANCELLED"
            raise
        except Exception as error:
            call.fail(error)
            return rpc.response()  # not sent with an error
        finally:
            observe(call.record(path))

    return grpc.unary_unary_rpc_method_handler(answer, response_serializer=rpc.response.SerializeToString)


def stream_handler(rpc: Rpc, streams: AsyncStreams, observe: ObserveRequest, trusted_proxies: int) -> Any:
    async def answer(body: bytes, context: Context) -> AsyncIterator[bytes]:
        call = GrpcCall(context)
        try:
            caller = call.caller(trusted_proxies)
            async with streams.open(rpc.path, lambda: parse_request(rpc, body), caller) as stream:
                if call.rate.left is not None:
                    await context.send_initial_metadata(as_metadata(call.rate.headers()))
                async for responses in stream.responses(lambda source: source.take_serialized()):
                    for response in responses or [stream.heartbeat().SerializeToString()]:
                        yield response
        except asyncio.CancelledError:
            call.outcome = CANCELLED, "CANCELLED"
            raise
        except Exception as error:
            call.fail(error)
        finally:
            observe(call.record(rpc.path))

    return grpc.unary_stream_rpc_method_handler(answer)


def unknown_rpc_handler(path: str, known: Iterable[str], observe: ObserveRequest) -> Any:
    """Build the handler of every call that no other handler takes: it ends the call with `errors.NoSuchRoute`.

    gRPC itself would end it without a reason code. ``observe`` does not get the path, which the caller has made up. The
    handler reads no request: it fits all four kinds of rpc.
    """

    async def refuse(_requests: object, context: Context) -> None:
        call = GrpcCall(context)
        call.fail(unknown_rpc(path, known))
        observe(call.record("none"))

    return grpc.stream_stream_rpc_method_handler(refuse)


# Messages up to this size are read, and refused with a reason code where they are too large for their call. Beyond it
# gRPC ends the call. The server keeps as much of a message that is not complete.
MAX_REQUEST_BYTES = MAX_BYTES + MIN_BYTES
# Calls that may wait to be accepted. When a worker is lost all its watchers reconnect at once; by default gRPC would
# refuse some from the thousandth on.
MAX_CONCURRENT = 10_000
# Calls and watches at once on one connection; further ones wait in the client. Each can make the server keep a message
# that is not complete, or an answer that is not read. Without a limit, streams that are opened and reset at once
# (HTTP/2 rapid reset) fill the queue of calls, and those of other connections wait. With 256 the library refused calls
# of honest clients that had 300 to make at once: it counts those that have just ended.
MAX_STREAMS = 500
MAX_METADATA_BYTES = 16 * 1024


def server_options(*, reuse_port: bool) -> list[tuple[str, int]]:
    return [
        ("grpc.so_reuseport", int(reuse_port)),
        ("grpc.max_receive_message_length", MAX_REQUEST_BYTES),
        # Without the first of them calls beyond 8 KiB would be refused by chance.
        ("grpc.max_metadata_size", MAX_METADATA_BYTES),
        ("grpc.absolute_max_metadata_size", MAX_METADATA_BYTES),
        ("grpc.keepalive_time_ms", 60_000),
        ("grpc.max_concurrent_streams", MAX_STREAMS),
        # A client may ping every ten seconds, also without a call.
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_ping_interval_without_data_ms", 9_000),
        ("grpc.server.max_pending_requests", MAX_CONCURRENT),
        ("grpc.server.max_pending_requests_hard_limit", 2 * MAX_CONCURRENT),
    ]


# The reflection service of gRPC, by which tools find the rpcs and their messages


REFLECTION_SERVICE = reflection.SERVICE_NAME


def reflection_handlers(names: Iterable[str], read_timeout: float) -> dict[str, Any]:
    """The handler parses requests itself: gRPC would answer malformed bytes with UNKNOWN."""
    servicer: Any = reflection.aio.ReflectionServicer([*names, REFLECTION_SERVICE])

    async def answer(bodies: AsyncIterator[bytes], context: Context) -> AsyncIterator[bytes]:
        try:
            async for response in servicer.ServerReflectionInfo(_parsed(bodies, read_timeout), context):
                yield response.SerializeToString()
        except Exception as error:
            end_with_error(context, error_of(error))

    return {f"/{REFLECTION_SERVICE}/ServerReflectionInfo": grpc.stream_stream_rpc_method_handler(answer)}


async def _parsed(
    bodies: AsyncIterator[bytes], read_timeout: float
) -> AsyncIterator[reflection_pb2.ServerReflectionRequest]:
    while True:
        try:
            body = await asyncio.wait_for(anext(bodies), read_timeout)
        except StopAsyncIteration:
            return
        except TimeoutError:
            raise errors.BadRequest("bad_request", "The next message did not arrive in time.") from None
        yield parse_message(reflection_pb2.ServerReflectionRequest, body)


# The health service of gRPC, for load balancers and orchestrators


Request = health_pb2.HealthCheckRequest
Response = health_pb2.HealthCheckResponse
LISTS: Any = health_pb2  # the messages of ``List``, which the types of the library leave out
HEALTH_SERVICE = health_pb2.DESCRIPTOR.services_by_name["Health"].full_name
LIVENESS = "liveness"  # the name under which a process that answers is SERVING, also where it is out of service
ServingStatus = int
_serialize = operator.methodcaller("SerializeToString")


class Health:
    """The health service: its watches end when the server stops, and unlike that of the library it has ``List``."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset((*names, LIVENESS))
        self._is_serving = False
        self._is_stopped = False
        self._change = asyncio.Event()

    def handlers(self) -> dict[str, Any]:
        return {
            f"/{HEALTH_SERVICE}/Check": grpc.unary_unary_rpc_method_handler(self._check, None, _serialize),
            f"/{HEALTH_SERVICE}/List": grpc.unary_unary_rpc_method_handler(self._list, None, _serialize),
            f"/{HEALTH_SERVICE}/Watch": grpc.unary_stream_rpc_method_handler(self._watch, None, _serialize),
        }

    def set_serving(self, *, is_serving: bool) -> None:
        self._is_serving = is_serving
        change, self._change = self._change, asyncio.Event()
        change.set()

    def stop(self) -> None:
        self._is_stopped = True
        self.set_serving(is_serving=False)

    def _status(self, name: str) -> ServingStatus:
        if name not in self._names:
            return Response.SERVICE_UNKNOWN
        is_serving = not self._is_stopped if name == LIVENESS else self._is_serving
        return Response.SERVING if is_serving else Response.NOT_SERVING

    async def _check(self, body: bytes, context: Context) -> health_pb2.HealthCheckResponse:
        name = _asked_for(body, context)
        if name is None:
            return Response()
        if name not in self._names:
            context.set_code(grpc.StatusCode[errors.STATUSES[errors.NotFound].grpc])
        return Response(status=self._status(name))

    async def _list(self, body: bytes, context: Context) -> Any:
        try:
            parse_message(LISTS.HealthListRequest, body)
        except Exception as error:
            end_with_error(context, error_of(error))
        return LISTS.HealthListResponse(statuses={name: Response(status=self._status(name)) for name in self._names})

    async def _watch(self, body: bytes, context: Context) -> AsyncIterator[health_pb2.HealthCheckResponse]:
        name = _asked_for(body, context)
        shown: int | None = None
        while name is not None:
            change, status = self._change, self._status(name)
            if status != shown:
                yield Response(status=status)
                shown = status
            if self._is_stopped:
                return
            await change.wait()


def _asked_for(body: bytes, context: Context) -> str | None:
    """The name in a request; None if it cannot be read, with which the call has ended."""
    try:
        return parse_message(Request, body).service
    except Exception as error:
        end_with_error(context, error_of(error))
        return None


LOG = logging.getLogger("chitarrella")
RETRY_SECONDS = 0.1  # between two attempts to listen again, after the server of the library has ended


class _Handlers(grpc.GenericRpcHandler):
    def __init__(self, by_path: Mapping[str, Any], observe: ObserveRequest) -> None:
        self._by_path = by_path
        self._observe = observe

    def service(self, call: grpc.HandlerCallDetails) -> Any:
        """Return the handler of a call."""
        return self._by_path.get(call.method) or unknown_rpc_handler(call.method, self._by_path, self._observe)


class GrpcServer:
    def __init__(
        self,
        dispatcher: Dispatcher,
        address: str,
        *,
        observe: ObserveRequest = lambda *_: None,
        calls: AsyncCalls | None = None,
        heartbeat: float = 15.0,
        read_timeout: float = 30.0,
        reuse_port: bool = False,
        trusted_proxies: int = 0,
    ) -> None:
        """``heartbeat`` is the longest silence of a stream, ``read_timeout`` that of a message, in seconds."""
        self._address = address
        self._calls = calls or AsyncCalls(BoundedExecutor())
        self._streams = AsyncStreams(dispatcher, self._calls.threads, heartbeat)
        self._options = server_options(reuse_port=reuse_port)
        names = [service.full_name for service in SERVICES]
        self._health = Health(("", *names))
        handlers = {rpc.path: self._handler(rpc, dispatcher, observe, trusted_proxies) for rpc in rpcs()}
        handlers |= self._health.handlers() | reflection_handlers([*names, HEALTH_SERVICE], read_timeout)
        self._handlers = _Handlers(handlers, observe)
        self._server: grpc.aio.Server | None = None
        self._is_stopping = False
        self.port = 0

    def _handler(self, rpc: Rpc, dispatcher: Dispatcher, observe: ObserveRequest, trusted_proxies: int) -> Any:
        if rpc.method.server_streaming:
            return stream_handler(rpc, self._streams, observe, trusted_proxies)
        return unary_handler(rpc, dispatcher, self._calls, observe, trusted_proxies)

    async def start(self) -> None:
        """Listen, and listen again whenever the library's server ends by itself. Raises `OSError`."""
        self._server = await self._listen()
        self._following = asyncio.create_task(self._replace_ended_server())
        self.set_serving(is_serving=True)

    async def _listen(self) -> grpc.aio.Server:
        server = grpc.aio.server(options=self._options)
        server.add_generic_rpc_handlers((self._handlers,))
        host, _, port = self._address.rpartition(":")
        place = self._address if host == "unix" else f"{host}:{self.port or port}"
        try:
            self.port = server.add_insecure_port(place)
        except RuntimeError:  # its text names a variable of the library
            raise OSError(f"cannot listen at {self._address}, for gRPC") from None
        await server.start()
        return server

    async def _replace_ended_server(self) -> None:
        """A path that is not UTF-8 ends the server of the library. The edge lets none through."""
        while self._server is not None:
            with suppress(Exception):
                await self._server.wait_for_termination()
            if self._is_stopping:
                return
            LOG.error("the gRPC server has ended by itself, and is started again")
            self._server = None
            while self._server is None and not self._is_stopping:
                with suppress(OSError):
                    self._server = await self._listen()
                await asyncio.sleep(RETRY_SECONDS)

    @property
    def is_listening(self) -> bool:
        return self._server is not None

    def set_serving(self, *, is_serving: bool) -> None:
        """Report to health checks whether load balancers should send calls; calls are answered in any case."""
        self._health.set_serving(is_serving=is_serving)

    async def stop(self, grace: float = 5.0) -> None:
        """Report NOT_SERVING, end the streams, give calls in progress ``grace`` seconds to finish, and close."""
        self._is_stopping = True
        self._health.stop()
        self._streams.stop()
        if self._server is not None:
            await self._server.stop(grace)
            self._server = None
