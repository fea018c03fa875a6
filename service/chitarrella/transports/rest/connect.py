"""Connect and gRPC-Web on the port of REST: every rpc of the contract at ``/package.Service/Method``."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, MutableMapping
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from connectrpc.code import Code
from connectrpc.compat import google_protobuf_binary_codec, google_protobuf_json_codec
from connectrpc.compression.gzip import GzipCompression
from connectrpc.errors import ConnectError, ErrorDetail
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.server import ConnectASGIApplication, Endpoint
from google.protobuf.descriptor_pb2 import MethodOptions
from google.protobuf.empty_pb2 import Empty
from google.protobuf.message import Message
from protobuf.wkt import Any as Packed

from chitarrella import errors
from chitarrella.api.call_threads import AsyncCalls, AsyncStreams
from chitarrella.api.caller import caller_from_headers
from chitarrella.api.dispatcher import Dispatcher, Rpc, rpcs
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.api.request_size import MAX_BODY_BYTES, check_lists, check_size
from chitarrella.api.retry_headers import retry_headers
from chitarrella.api.status import details_of, error_of, unknown_rpc, unreadable_request
from chitarrella.runtime.telemetry import CANCELLED, REFUSED
from chitarrella.transports.rest.http_exchange import HttpExchange
from chitarrella.transports.rest.middleware import RequestContext
from chitarrella.transports.rest.request_body import Receive, Scope, encoded, received
from chitarrella.transports.rest.views import PLAY_MOVE, cache_headers, decode_object

if TYPE_CHECKING:
    from connectrpc.request import RequestContext as Call


BINARY: Final = "proto"


class Codec:
    """A codec of the library that leaves its work to the endpoint, which does it where it delays no other call."""

    def __init__(self, codec: Any, encode: Callable[[Message], bytes]) -> None:
        """Decode by ``codec``, but JSON as REST does; encode by ``encode``."""
        self.name = codec.name
        self.encode_message = encode
        self._decode = codec.decode
        self.is_binary = codec.name() == BINARY

    def decode(self, data: bytes | bytearray, message_class: type[Any]) -> Any:
        return EncodedRequest(data, message_class, self)

    def encode(self, message: bytes) -> bytes:
        return message

    def decode_message(self, data: bytes | bytearray, message_class: type[Any]) -> Message:
        """Decode a message; raises `errors.ChitarrellaError` for one that is malformed or too large."""
        check_size(message_class.DESCRIPTOR, len(data))
        if not self.is_binary:
            message: Message = message_class(**decode_object(message_class, data)) if data else message_class()
            return message
        check_lists(message_class.DESCRIPTOR, data)
        try:
            message = self._decode(data, message_class)
        except Exception as error:  # one of two libraries, each with its own errors
            raise unreadable_request(error) from None
        return message


class EncodedRequest(NamedTuple):
    data: bytes | bytearray
    message_class: type[Any]
    codec: Codec

    def decode(self) -> Message:
        return self.codec.decode_message(self.data, self.message_class)


def codecs(encoder: JsonEncoder) -> dict[str, Codec]:
    """Return the codecs by the content types of unary calls."""
    binary, json = google_protobuf_binary_codec(), google_protobuf_json_codec()
    return {"application/proto": Codec(binary, binary.encode), "application/json": Codec(json, encoder.encode)}


def deadline_passed() -> ConnectError:
    return ConnectError(Code.DEADLINE_EXCEEDED, "The deadline of the call has passed.")


async def within_deadline(timeout: str, call: Awaitable[bytes]) -> bytes:
    """Await a call for the milliseconds of its header connect-timeout-ms, if it has one. Raises `TimeoutError`."""
    if not timeout:
        return await call
    async with asyncio.timeout(int(timeout) / 1000):
        return await call


def connect_error(error: errors.ChitarrellaError) -> ConnectError:
    details = [
        ErrorDetail(
            Packed(type_url="type.googleapis.com/" + detail.DESCRIPTOR.full_name, value=detail.SerializeToString())
        )
        for detail in details_of(error)
    ]
    return ConnectError(Code[errors.STATUSES[type(error)].grpc], error.message, details)


# Answers a request, given its headers by their names in lower case; raises what the dispatcher raises.
UnaryCall: TypeAlias = Callable[[EncodedRequest, Mapping[str, str], RequestContext], Awaitable[bytes]]


def unary_call(rpc: Rpc, dispatcher: Dispatcher, calls: AsyncCalls) -> UnaryCall:
    path = rpc.path

    def run(request: EncodedRequest, headers: Mapping[str, str], context: RequestContext) -> Awaitable[bytes]:
        def decode_and_call() -> bytes:
            caller = caller_from_headers(headers, context.request_id, context.address, context.trace, context.rate)
            response = dispatcher.call(path, request.decode(), caller)
            if path == PLAY_MOVE and not response.accepted:
                context.code = REFUSED
            return request.codec.encode_message(response)

        return calls.run(rpc, len(request.data), decode_and_call, context.address)

    return run


# What is recorded about the request that the running task answers; the library has no place for it.
CONTEXT: Final[ContextVar[RequestContext]] = ContextVar("request")
# The level of idempotency in Connect for each level in the contract.
LEVELS: Final = {
    MethodOptions.IDEMPOTENCY_UNKNOWN: IdempotencyLevel.UNKNOWN,
    MethodOptions.NO_SIDE_EFFECTS: IdempotencyLevel.NO_SIDE_EFFECTS,
    MethodOptions.IDEMPOTENT: IdempotencyLevel.IDEMPOTENT,
}


def make_endpoint(rpc: Rpc, dispatcher: Dispatcher, calls: AsyncCalls, streams: AsyncStreams) -> Any:
    info: MethodInfo[Any, Any] = MethodInfo(
        name=rpc.method.name,
        service_name=rpc.method.containing_service.full_name,
        input=rpc.request,
        output=rpc.response,
        idempotency_level=LEVELS[rpc.method.GetOptions().idempotency_level],
        stream_type=StreamType.SERVER_STREAM if rpc.method.server_streaming else StreamType.UNARY,
    )
    if rpc.method.server_streaming:
        return Endpoint.server_stream(method=info, function=_stream(rpc, streams))
    return Endpoint.unary(method=info, function=_unary(rpc, dispatcher, calls))


def _unary(
    rpc: Rpc, dispatcher: Dispatcher, calls: AsyncCalls
) -> Callable[[EncodedRequest, Call[Any, Any]], Awaitable[Any]]:
    run = unary_call(rpc, dispatcher, calls)

    async def answer(request: EncodedRequest, call: Call[Any, Any]) -> bytes:
        context = CONTEXT.get()
        try:
            if context.refused is not None:
                raise context.refused
            return await run(request, call.request_headers, context)
        except Exception as error:
            raise failed(error, context) from None

    return answer


def _stream(rpc: Rpc, streams: AsyncStreams) -> Callable[[EncodedRequest, Call[Any, Any]], AsyncIterator[Any]]:
    async def answer(request: EncodedRequest, call: Call[Any, Any]) -> AsyncIterator[bytes]:
        context, encode = CONTEXT.get(), request.codec.encode_message
        try:
            if context.refused is not None:
                raise context.refused
            caller = caller_from_headers(
                call.request_headers, context.request_id, context.address, context.trace, context.rate
            )
            async with streams.open(rpc.path, request.decode, caller) as stream:
                if stream.is_silent:
                    yield encode(stream.heartbeat())
                async for responses in stream.responses(lambda source: source.take_formatted(encode)):
                    for response in responses or [encode(stream.heartbeat())]:
                        yield response
        except Exception as error:
            raise failed(error, context) from None

    return answer


def failed(error: Exception, context: RequestContext) -> Exception:
    if isinstance(error, ConnectError):
        context.raised = error
        return error
    failure = error_of(error, context.request_id)
    context.code = failure.code
    context.retry = retry_headers(failure)
    context.raised = connect_error(failure)
    return context.raised


def unknown_endpoint(*, is_stream: bool = False) -> Any:
    """Build the endpoint that refuses every call, for rpcs that there are not; it reads no message."""
    info: MethodInfo[Any, Any] = MethodInfo(
        name="Unknown",
        service_name="Unknown",
        input=Empty,
        output=Empty,
        idempotency_level=IdempotencyLevel.UNKNOWN,
        stream_type=StreamType.SERVER_STREAM if is_stream else StreamType.UNARY,
    )

    def refuse() -> bytes:
        raise failed(CONTEXT.get().refused or errors.InternalError(), CONTEXT.get())

    async def answer(request: Any, call: Any) -> bytes:
        return refuse()

    async def stream(request: Any, call: Any) -> AsyncIterator[bytes]:
        yield refuse()

    if is_stream:
        return Endpoint.server_stream(method=info, function=stream)
    return Endpoint.unary(method=info, function=answer)


UNKNOWN_UNARY: Final = "/unknown"
UNKNOWN_STREAM: Final = "/unknown-stream"


class Gzip(GzipCompression):
    def decompress(self, data: Any, read_max_bytes: int | None = None) -> bytes:
        """Decompress; an error is remembered, so that it can forget the frames in which the body is."""
        try:
            return super().decompress(data, read_max_bytes)
        except Exception as error:
            known = isinstance(error, ConnectError)
            raised = error if known else connect_error(unreadable_request(error))
            CONTEXT.get().raised = raised
            raise raised from None


class ConnectApp(ConnectASGIApplication[None]):
    path = "/"

    def __init__(self, dispatcher: Dispatcher, calls: AsyncCalls, streams: AsyncStreams, encoder: JsonEncoder) -> None:
        endpoints = {rpc.path: make_endpoint(rpc, dispatcher, calls, streams) for rpc in rpcs()}
        endpoints |= {UNKNOWN_UNARY: unknown_endpoint(), UNKNOWN_STREAM: unknown_endpoint(is_stream=True)}
        super().__init__(
            service=None,
            endpoints=lambda _: endpoints,
            read_max_bytes=MAX_BODY_BYTES,
            codecs=codecs(encoder).values(),
            compressions=[Gzip()],
        )


CONNECT_DEADLINE: Final = re.compile(rb"[0-9]{0,10}")
DEADLINES: Final = {
    "connect": (b"connect-timeout-ms", CONNECT_DEADLINE),
    "grpc-web": (b"grpc-timeout", re.compile(rb"([0-9]{1,8}[HMSmun])?")),
}


def take_unreadable_deadline(headers: list[tuple[bytes, bytes]], transport: str) -> errors.BadRequest | None:
    """Remove a deadline that cannot be read, and return its error: that of the library has no reason code."""
    name, pattern = DEADLINES[transport]
    if all(pattern.fullmatch(value) for key, value in headers if key == name):
        return None
    headers[:] = [header for header in headers if header[0] != name]
    return errors.BadRequest("bad_request", f"The header {name.decode()} cannot be read.", name.decode())


ENCODING: Final = b"content-encoding"
ENCODINGS: Final = {b"", b"identity", b"gzip"}


def take_unknown_encoding(headers: list[tuple[bytes, bytes]]) -> errors.WrongMethod | None:
    """Remove an encoding that cannot be read, and return its error: that of the library has no reason code."""
    if all(value in ENCODINGS for name, value in headers if name == ENCODING):
        return None
    headers[:] = [header for header in headers if header[0] != ENCODING]
    return errors.WrongMethod("bad_request", "The content encoding must be gzip, or none.", ENCODING.decode())


GRPC: Final = "application/grpc"
GRPC_WEB: Final = "application/grpc-web"
GRPC_WEB_TEXT: Final = "application/grpc-web-text"
# The path of an rpc of some package; no path of REST is like it.
RPC_PATH: Final = re.compile(r"/\w+(\.\w+)+/\w+", re.ASCII)
# A content type of Connect, the second group of one of its streams, or of gRPC-Web.
RPC_CONTENT: Final = re.compile(r"application/(json|proto|(connect)\+\w+|grpc-web(-text)?(\+\w+)?)\s*(;.*)?", re.ASCII)


class ConnectRequests:
    """Finds the calls among the requests, and answers them by `ConnectApp`."""

    def __init__(self, dispatcher: Dispatcher, calls: AsyncCalls, streams: AsyncStreams, encoder: JsonEncoder) -> None:
        self._app: Any = ConnectApp(dispatcher, calls, streams, encoder)
        self._methods = {rpc.path: http_methods(rpc) for rpc in rpcs()}
        self._public = {rpc.path for rpc in rpcs() if rpc.stateless}

    def find(self, method: str, path: str, content_type: str) -> str:
        """Return the path at which `ConnectApp` answers, also for an unknown rpc; empty if the request is no call."""
        if methods := self._methods.get(path):
            is_grpc = content_type.startswith(GRPC) and not content_type.startswith(GRPC_WEB)
            return path if method in methods and not is_grpc else ""
        content = RPC_CONTENT.fullmatch(content_type)
        if method != "POST" or content is None or not RPC_PATH.fullmatch(path):
            return ""
        return UNKNOWN_STREAM if content[2] else UNKNOWN_UNARY

    async def answer(
        self, path: str, scope: Scope, body: bytes, receive: Receive, exchange: HttpExchange, content_type: str
    ) -> None:
        """Answer the call at ``path``; ``receive`` is called once the whole ``body`` is read."""
        CONTEXT.set(context := exchange.context)
        context.rpc = path if path in self._methods else ""
        context.trace.transport = "grpc-web" if content_type.startswith(GRPC_WEB) else "connect"
        headers = [(name, value) for name, value in scope["headers"] if value.isascii()]  # the library reads UTF-8
        fault = take_unreadable_deadline(headers, context.trace.transport) or take_unknown_encoding(headers)
        unknown = None if context.rpc else unknown_rpc(scope["path"], self._methods)
        context.refused = context.refused or unknown or fault

        async def send_cached(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                control = cache_headers(is_public=path in self._public)
                control = control if message["status"] == 200 else [("Cache-Control", "no-store")]
                message["headers"] = [*message["headers"], *encoded(control)]
            await exchange.send(message)

        try:
            send = send_cached if scope["method"] == "GET" else exchange.send
            await self._app({**scope, "path": path, "headers": headers}, received(body, receive), send)
        except asyncio.CancelledError:
            context.code = CANCELLED
            raise
        finally:
            for error in (context.raised, context.refused):
                if error is not None:  # the library keeps it in a frame, and with it the request: a cycle
                    error.__traceback__ = None
            context.raised = context.refused = None  # a connection keeps the context of its last request


def http_methods(rpc: Rpc) -> list[str]:
    """Return the HTTP methods of an rpc: unary rpcs without side effects have GET, too."""
    unary_and_safe = (
        not rpc.method.server_streaming and rpc.method.GetOptions().idempotency_level == MethodOptions.NO_SIDE_EFFECTS
    )
    return ["GET", "POST"] if unary_and_safe else ["POST"]
