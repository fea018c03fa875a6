"""The gRPC handlers of unary rpcs: each parses its request, calls the dispatcher, and reports errors as statuses.

`AsyncCalls` says where a call runs: stateless questions and the commonest calls of a match on the event loop, others in
threads.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

import grpc
from google.protobuf.message import Message

from chitarrella.api.async_calls import AsyncCalls
from chitarrella.api.caller import Caller, caller_from_headers, request_id_of, text_headers
from chitarrella.api.dispatcher import Dispatcher, Rpc
from chitarrella.api.rate_headers import RateReport, as_metadata
from chitarrella.api.status import error_of
from chitarrella.api.telemetry import CANCELLED, OK, ObserveRequest
from chitarrella.api.tracing import TraceContext
from chitarrella.transports.grpc_server.call_context import Context, end_with_error, peer_address
from chitarrella.transports.grpc_server.message_parser import parse_request


def unary_handler(rpc: Rpc, dispatcher: Dispatcher, calls: AsyncCalls, observe: ObserveRequest) -> Any:
    """Build the handler of a unary rpc.

    It parses the request itself: gRPC would answer malformed bytes with UNKNOWN.
    """
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
