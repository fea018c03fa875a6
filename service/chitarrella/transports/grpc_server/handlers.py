"""The gRPC handlers of unary rpcs: each parses its request, calls the dispatcher, and reports errors as statuses.

`AsyncCalls` says where a call runs: stateless questions and the commonest calls of a match on the event loop, others in
threads.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any, TypeVar
from urllib.parse import unquote

import grpc
from google.protobuf.message import DecodeError, Message
from grpc_status import rpc_status

from chitarrella import errors
from chitarrella.api.async_calls import AsyncCalls, AsyncStreams
from chitarrella.api.caller import Caller, TraceContext, caller_from_headers, request_id_of, text_headers
from chitarrella.api.dispatcher import Dispatcher, Rpc
from chitarrella.api.request_limits import MIN_BYTES, RateReport, as_metadata, check_lists, check_size, retry_headers
from chitarrella.api.status import error_of, status_of, unreadable_request
from chitarrella.runtime.telemetry import CANCELLED, OK, ObserveRequest

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


NO_RPC = "none"  # what stands in logs and metrics for a call of no known rpc


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
        observe("grpc", NO_RPC, error.code, time.perf_counter() - started, request_id, "")

    return grpc.stream_stream_rpc_method_handler(refuse)
