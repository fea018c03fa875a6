"""The endpoints of the Connect library: each calls the dispatcher, or opens a stream."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final

from connectrpc.errors import ConnectError
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.server import Endpoint
from google.protobuf.descriptor_pb2 import MethodOptions

from chitarrella.api.async_calls import AsyncCalls, AsyncStreams
from chitarrella.api.caller import caller_from_headers
from chitarrella.api.dispatcher import Dispatcher, Rpc
from chitarrella.api.rate_headers import retry_headers
from chitarrella.api.status import error_of
from chitarrella.transports.rest.connect.codec import EncodedRequest, connect_error
from chitarrella.transports.rest.connect.unary import unary_call
from chitarrella.transports.rest.middleware import RequestContext

if TYPE_CHECKING:
    from connectrpc.request import RequestContext as Call

CONTEXT: Final[ContextVar[RequestContext]] = ContextVar("request")
"""What is recorded about the request that the running task answers; the library has no place for it."""
LEVELS: Final = {
    MethodOptions.IDEMPOTENCY_UNKNOWN: IdempotencyLevel.UNKNOWN,
    MethodOptions.NO_SIDE_EFFECTS: IdempotencyLevel.NO_SIDE_EFFECTS,
    MethodOptions.IDEMPOTENT: IdempotencyLevel.IDEMPOTENT,
}
"""The level of idempotency in Connect for each level in the contract."""


def make_endpoint(rpc: Rpc, dispatcher: Dispatcher, calls: AsyncCalls, streams: AsyncStreams) -> Any:
    """Build the endpoint of an rpc."""
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
    """Record an error, and return it as one of the library."""
    if isinstance(error, ConnectError):
        context.raised = error
        return error
    failure = error_of(error, context.request_id)
    context.code = failure.code
    context.retry = retry_headers(failure)
    context.raised = connect_error(failure)
    return context.raised
