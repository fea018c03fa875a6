"""The answer to Connect and gRPC-Web calls of rpcs that there are not."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.server import Endpoint
from google.protobuf.empty_pb2 import Empty

from chitarrella import errors
from chitarrella.transports.rest.connect.endpoints import CONTEXT, failed


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
        text = "There is no such rpc; /openapi.json says what there is."
        raise failed(errors.NoSuchRoute("no_such_route", text), CONTEXT.get())

    async def answer(request: Any, call: Any) -> bytes:
        return refuse()

    async def stream(request: Any, call: Any) -> AsyncIterator[bytes]:
        yield refuse()

    if is_stream:
        return Endpoint.server_stream(method=info, function=stream)
    return Endpoint.unary(method=info, function=answer)
