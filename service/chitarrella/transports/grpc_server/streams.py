"""The gRPC handlers of streaming rpcs: their responses, and heartbeats in times of silence."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import grpc

from chitarrella.api.async_calls import AsyncStreams
from chitarrella.api.caller import caller_from_headers, request_id_of, text_headers
from chitarrella.api.dispatcher import Rpc
from chitarrella.api.rate_headers import RateReport, as_metadata
from chitarrella.api.status import error_of
from chitarrella.api.telemetry import CANCELLED, OK, ObserveRequest
from chitarrella.api.tracing import TraceContext
from chitarrella.transports.grpc_server.call_context import Context, end_with_error, peer_address
from chitarrella.transports.grpc_server.message_parser import parse_request


def stream_handler(rpc: Rpc, streams: AsyncStreams, observe: ObserveRequest) -> Any:
    """Build the handler of a streaming rpc, whose responses are serialised already."""

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
