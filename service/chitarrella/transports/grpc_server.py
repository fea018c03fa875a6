"""The gRPC server: health and reflection, and one handler for every rpc of the contract.

Each handler parses its request, calls the dispatcher, and reports errors as statuses. Streams are ended before the
server stops, so that a stop does not wait for them. With certificates it speaks TLS only.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar, cast
from urllib.parse import unquote

import grpc
from google.protobuf.message import DecodeError, Message
from grpc._cython import cygrpc  # type: ignore[attr-defined]  # the library has no types for it
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection, reflection_pb2
from grpc_status import rpc_status

from chitarrella import errors
from chitarrella.api.async_calls import AsyncCalls, AsyncStreams
from chitarrella.api.caller import Caller, TraceContext, caller_from_headers, request_id_of, text_headers
from chitarrella.api.dispatcher import SERVICES, Dispatcher, Rpc, rpcs
from chitarrella.api.request_limits import (
    MAX_BYTES,
    MIN_BYTES,
    RateReport,
    as_metadata,
    check_lists,
    check_size,
    retry_headers,
)
from chitarrella.api.status import error_of, status_of, unreadable_request
from chitarrella.runtime.telemetry import CANCELLED, OK, ObserveRequest
from chitarrella.runtime.threads import BoundedExecutor
from chitarrella.transports.certificates import CertificateError, CertificateFiles, Certificates

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


def peer_address(peer: str) -> str:
    """Return the address in the peer of a call, such as ``ipv4:192.0.2.1:5000`` or ``ipv6:%5B::1%5D:5000``."""
    kind, _, place = peer.partition(":")
    return unquote(place).rpartition(":")[0].strip("[]") if kind in ("ipv4", "ipv6") else ""


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


def unary_handler(rpc: Rpc, dispatcher: Dispatcher, calls: AsyncCalls, observe: ObserveRequest) -> Any:
    """The handler parses the request itself: gRPC would answer malformed bytes with UNKNOWN."""
    path = rpc.path

    def parse_and_call(body: bytes, caller: Caller) -> Any:
        return dispatcher.call(path, parse_request(rpc, body), caller)

    async def answer(body: bytes, context: Context) -> Message:
        started = time.perf_counter()
        headers = text_headers(context.invocation_metadata())
        request_id = request_id_of(headers.get("x-request-id"))
        trace, rate = TraceContext("grpc", headers.get), RateReport()
        code = OK
        try:
            caller = caller_from_headers(headers, request_id, peer_address(context.peer()), trace, rate)
            response: Message = await calls.run(rpc, len(body), lambda: parse_and_call(body, caller), caller.address)
            if rate.left is not None:
                context.set_trailing_metadata(as_metadata(rate.headers()))
            return response
        except asyncio.CancelledError:
            code = CANCELLED
            raise
        except Exception as error:
            failure = error_of(error, request_id)
            code = failure.code
            end_with_error(context, failure, rate)
            return rpc.response()  # not sent with an error
        finally:
            observe("grpc", path, code, time.perf_counter() - started, request_id, trace.trace_id)

    return grpc.unary_unary_rpc_method_handler(answer, response_serializer=rpc.response.SerializeToString)


def stream_handler(rpc: Rpc, streams: AsyncStreams, observe: ObserveRequest) -> Any:
    async def answer(body: bytes, context: Context) -> AsyncIterator[bytes]:
        started = time.perf_counter()
        headers = text_headers(context.invocation_metadata())
        request_id = request_id_of(headers.get("x-request-id"))
        trace, rate = TraceContext("grpc", headers.get), RateReport()
        code: str = OK
        try:
            caller = caller_from_headers(headers, request_id, peer_address(context.peer()), trace, rate)
            async with streams.open(rpc.path, lambda: parse_request(rpc, body), caller) as stream:
                if rate.left is not None:
                    await context.send_initial_metadata(as_metadata(rate.headers()))
                async for responses in stream.responses(lambda source: source.take_serialized()):
                    for response in responses or [stream.heartbeat().SerializeToString()]:
                        yield response
        except asyncio.CancelledError:
            code = CANCELLED
            raise
        except Exception as error:
            failure = error_of(error, request_id)
            code = failure.code
            end_with_error(context, failure, rate)
        finally:
            observe("grpc", rpc.path, code, time.perf_counter() - started, request_id, trace.trace_id)

    return grpc.unary_stream_rpc_method_handler(answer)


def unknown_rpc_handler(observe: ObserveRequest) -> Any:
    """Build the handler of every call that no other handler takes: it ends the call with `errors.NoSuchRoute`.

    gRPC itself would end it without a reason code. ``observe`` does not get the path, which the caller has made up. The
    handler reads no request: it fits all four kinds of rpc.
    """

    async def refuse(_requests: object, context: Context) -> None:
        started = time.perf_counter()
        headers = text_headers(context.invocation_metadata())
        request_id = request_id_of(headers.get("x-request-id"))
        error = errors.NoSuchRoute("no_such_route", "There is no such rpc; the reflection service names all.")
        end_with_error(context, error)
        observe("grpc", "none", error.code, time.perf_counter() - started, request_id, "")

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


def server_options(*, reuse_port: bool) -> list[tuple[str, int]]:
    return [
        ("grpc.so_reuseport", int(reuse_port)),
        ("grpc.max_receive_message_length", MAX_REQUEST_BYTES),
        ("grpc.keepalive_time_ms", 60_000),
        ("grpc.max_concurrent_streams", MAX_STREAMS),
        ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
        ("grpc.server.max_pending_requests", MAX_CONCURRENT),
        ("grpc.server.max_pending_requests_hard_limit", 2 * MAX_CONCURRENT),
    ]


def check_credentials(certificates: Certificates) -> None:
    """Check that gRPC can serve certificates. Raises `CertificateError`."""
    pairs = [(certificates.key, certificates.certificate)]
    is_mutual = certificates.client_ca is not None
    server = grpc.server(ThreadPoolExecutor(1))
    try:
        server.add_secure_port(
            "127.0.0.1:0", grpc.ssl_server_credentials(pairs, certificates.client_ca, require_client_auth=is_mutual)
        )
    except RuntimeError as error:
        raise CertificateError("gRPC cannot use the certificate") from error
    finally:
        server.stop(None)


class _Credentials:
    def __init__(self, files: CertificateFiles) -> None:
        self._files = files
        self._given = files.current

    def make(self) -> grpc.ServerCredentials:
        is_mutual = self._given.client_ca is not None
        fetch = cast(Callable[[], grpc.ServerCertificateConfiguration], self._fetch)  # the stub leaves out None
        return grpc.dynamic_ssl_server_credentials(_configuration(self._given), fetch, is_mutual)

    def _fetch(self) -> grpc.ServerCertificateConfiguration | None:
        """Return certificates that gRPC has not yet, None where it has the present ones; called at each handshake."""
        current = self._files.current
        if current is self._given:
            return None
        self._given = current
        return _configuration(current)


def _configuration(certificates: Certificates) -> grpc.ServerCertificateConfiguration:
    return grpc.ssl_server_certificate_configuration(
        [(certificates.key, certificates.certificate)], certificates.client_ca
    )


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
        try:
            name = parse_message(Request, body).service
        except Exception as error:
            end_with_error(context, error_of(error))
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
        try:
            name = parse_message(Request, body).service
        except Exception as error:
            end_with_error(context, error_of(error))
            return
        shown: int | None = None
        while True:
            change, status = self._change, self._status(name)
            if status != shown:
                yield Response(status=status)
                shown = status
            if self._is_stopped:
                return
            await change.wait()


def _serialize(message: Any) -> bytes:
    serialized: bytes = message.SerializeToString()
    return serialized


UNKNOWN = "/"  # the path under which the library handles a call of no registered rpc


class CoreServer(cygrpc.AioServer):  # type: ignore[misc]  # a class without types
    """The server of the gRPC core on the running loop. It uses private parts of grpcio, whose version is pinned."""

    def __init__(
        self, handlers: Mapping[str, Any], unknown: Any, options: Sequence[tuple[str, int]], read_timeout: float
    ) -> None:
        """Call a handler by path, or ``unknown``. A message must have come within ``read_timeout`` seconds."""
        super().__init__(cygrpc.get_working_loop(), None, (), (), tuple(options), None)
        self.add_registered_method_handlers(dict(handlers))
        self.has_ended = asyncio.Event()
        self._unknown = unknown
        self._handler_by_path = dict(handlers)
        self._read_timeout = read_timeout
        self._calls: set[asyncio.Task[None]] = set()

    def _make_request_call_future(self, path: bytes | None) -> asyncio.Task[None]:
        """Accept calls of a registered path, or of None any other; the library waits until the server stops."""
        return asyncio.create_task(self._accept(path))

    async def _accept(self, path: bytes | None) -> None:
        name, loop = UNKNOWN if path is None else path.decode(), asyncio.get_running_loop()
        while True:
            state = await (self._request_call() if path is None else self._request_registered_call(path))
            call = loop.create_task(cygrpc._schedule_rpc_coro(self._answer(name, state), state, loop, name))
            self._calls.add(call)  # the loop itself keeps no reference
            call.add_done_callback(self._calls.discard)

    def _serving_task_crash_handler(self, task: asyncio.Task[None]) -> None:
        """Note that the accept loop has ended, for whatever reason; the library calls it then."""
        self.has_ended.set()

    async def _answer(self, name: str, state: Any) -> None:
        """Answer a call. Where the caller has gone nothing can be sent, which the library would log as an error."""
        handler, loop = self._handler_by_path.get(name, self._unknown), asyncio.get_running_loop()
        with suppress(cygrpc.ExecuteBatchError):
            if handler.request_streaming:
                await cygrpc._handle_rpc(name, _Resolver(handler), (), state, loop, False)
                return
            limit = asyncio.timeout(self._read_timeout)
            try:
                async with limit:
                    timed = handler._replace(request_deserializer=lambda body: _arrived(limit, body))
                    await cygrpc._handle_rpc(name, _Resolver(timed), (), state, loop, False)
            except TimeoutError:
                await _refuse_late(cygrpc._ServicerContext(state, None, None, loop))


class _Resolver:
    def __init__(self, handler: Any) -> None:
        self._handler = handler

    def resolve_handler(self, _details: object) -> Any:
        """Return the handler; the library calls it with the details of the call."""
        return self._handler


def _arrived(limit: asyncio.Timeout, body: bytes) -> bytes:
    """Lift the limit of time: the message has arrived, and its handler comes next."""
    limit.reschedule(None)
    return body


async def _refuse_late(context: Any) -> None:
    end_with_error(context, errors.BadRequest("bad_request", "The message did not arrive in time."))
    await context.abort(context.code())


LOG = logging.getLogger("chitarrella")
RETRY_SECONDS = 0.1  # between two attempts to listen again, after the server of the library has ended


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
        certificates: CertificateFiles | None = None,
    ) -> None:
        """``heartbeat`` is the longest silence of a stream, ``read_timeout`` that of a message, in seconds."""
        self._address = address
        self._certificates = certificates
        self._calls = calls or AsyncCalls(BoundedExecutor())
        self._streams = AsyncStreams(dispatcher, self._calls.threads, heartbeat)
        self._options = server_options(reuse_port=reuse_port)
        self._read_timeout = read_timeout
        names = [service.full_name for service in SERVICES]
        self._health = Health(("", *names))
        self._handlers = {rpc.path: self._handler(rpc, dispatcher, observe) for rpc in rpcs()}
        self._handlers |= self._health.handlers() | reflection_handlers([*names, HEALTH_SERVICE], read_timeout)
        self._unknown = unknown_rpc_handler(observe)
        self._core: CoreServer | None = None
        self._is_stopping = False
        self.port = 0

    def _handler(self, rpc: Rpc, dispatcher: Dispatcher, observe: ObserveRequest) -> Any:
        if rpc.method.server_streaming:
            return stream_handler(rpc, self._streams, observe)
        return unary_handler(rpc, dispatcher, self._calls, observe)

    async def start(self) -> None:
        self._core = await self._listen()
        self._following = asyncio.create_task(self._replace_ended_core())
        self.set_serving(is_serving=True)

    @property
    def is_listening(self) -> bool:
        return self._core is not None and not self._core.has_ended.is_set()

    async def _listen(self) -> CoreServer:
        core = CoreServer(self._handlers, self._unknown, self._options, self._read_timeout)
        self.port = self._add_port(core)
        await core.start()
        return core

    def _add_port(self, core: CoreServer) -> int:
        host, _, port = self._address.rpartition(":")
        address = f"{host}:{self.port or port}".encode()
        with suppress(RuntimeError):  # its text names a variable of the library; on other systems the port is 0
            if self._certificates is None:
                port = core.add_insecure_port(address)
            else:
                port = core.add_secure_port(address, _Credentials(self._certificates).make())
            if port:
                return int(port)
        raise OSError(f"cannot listen at {self._address}, for gRPC")

    async def _replace_ended_core(self) -> None:
        """Listen anew at the same port when the server of the library has ended by itself: it never should."""
        while self._core is not None:
            await self._core.has_ended.wait()
            if self._is_stopping:
                return
            LOG.error("the gRPC server has ended by itself, and is started again")
            for _ in range(2):  # the first attempt raises what ended it, the second one frees its port and its calls
                with suppress(Exception):
                    await self._core.shutdown(None)
            self._core = await self._listen_again()

    async def _listen_again(self) -> CoreServer | None:
        while not self._is_stopping:
            try:
                return await self._listen()
            except OSError:
                await asyncio.sleep(RETRY_SECONDS)
        return None

    def set_serving(self, *, is_serving: bool) -> None:
        """Report to health checks whether load balancers should send calls; calls are answered in any case."""
        self._health.set_serving(is_serving=is_serving)

    async def stop(self, grace: float = 5.0) -> None:
        """Report NOT_SERVING, end the streams, give calls in progress ``grace`` seconds to finish, and close."""
        self._is_stopping = True
        self._health.stop()
        self._streams.stop()
        if self._core is not None:
            await self._core.shutdown(grace)
