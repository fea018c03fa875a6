"""A unary call of Connect: decoded, answered by the dispatcher, and encoded."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

from chitarrella.api.async_calls import AsyncCalls
from chitarrella.api.caller import caller_from_headers
from chitarrella.api.dispatcher import Dispatcher, Rpc
from chitarrella.api.telemetry import REFUSED
from chitarrella.transports.rest.connect.codec import EncodedRequest
from chitarrella.transports.rest.middleware import RequestContext
from chitarrella.transports.rest.views import PLAY_MOVE

UnaryCall: TypeAlias = Callable[[EncodedRequest, Mapping[str, str], RequestContext], Awaitable[bytes]]
"""Answers a request, given its headers by their names in lower case; raises what the dispatcher raises."""


def unary_call(rpc: Rpc, dispatcher: Dispatcher, calls: AsyncCalls) -> UnaryCall:
    """Return the function that decodes, answers and encodes a call of a unary rpc."""
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
