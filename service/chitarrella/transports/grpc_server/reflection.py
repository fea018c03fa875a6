"""The reflection service of gRPC, by which tools find the rpcs and their messages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import Any

import grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2

from chitarrella import errors
from chitarrella.api.status import error_of
from chitarrella.transports.grpc_server.call_context import Context, end_with_error
from chitarrella.transports.grpc_server.message_parser import parse_message

SERVICE = reflection.SERVICE_NAME
"""The full name of the reflection service."""


def reflection_handlers(names: Iterable[str], read_timeout: float) -> dict[str, Any]:
    """Return the handler of the reflection service by its path, for the services of those full ``names``.

    It parses requests itself: gRPC would answer malformed bytes with UNKNOWN. Each request must come within
    ``read_timeout`` seconds.
    """
    servicer: Any = reflection.aio.ReflectionServicer([*names, SERVICE])

    async def answer(bodies: AsyncIterator[bytes], context: Context) -> AsyncIterator[bytes]:
        try:
            async for response in servicer.ServerReflectionInfo(_parsed(bodies, read_timeout), context):
                yield response.SerializeToString()
        except Exception as error:
            end_with_error(context, error_of(error))

    return {f"/{SERVICE}/ServerReflectionInfo": grpc.stream_stream_rpc_method_handler(answer)}


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
