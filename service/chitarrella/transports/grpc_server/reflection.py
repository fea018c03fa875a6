"""The reflection service of gRPC, by which tools find the rpcs and their messages."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from typing import Any

import grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2

from chitarrella.api.status import error_of
from chitarrella.transports.grpc_server.handlers import Context, end_with_error, parse_message

SERVICE = reflection.SERVICE_NAME
"""The full name of the reflection service."""


def reflection_handlers(names: Iterable[str]) -> dict[str, Any]:
    """Return the handler of the reflection service by its path, for the services of those full ``names``.

    It parses requests itself: gRPC would answer malformed bytes with UNKNOWN.
    """
    servicer: Any = reflection.aio.ReflectionServicer([*names, SERVICE])

    async def answer(bodies: AsyncIterator[bytes], context: Context) -> AsyncIterator[bytes]:
        try:
            async for response in servicer.ServerReflectionInfo(_parsed(bodies), context):
                yield response.SerializeToString()
        except Exception as error:
            end_with_error(context, error_of(error))

    return {f"/{SERVICE}/ServerReflectionInfo": grpc.stream_stream_rpc_method_handler(answer)}


async def _parsed(bodies: AsyncIterator[bytes]) -> AsyncIterator[reflection_pb2.ServerReflectionRequest]:
    async for body in bodies:
        yield parse_message(reflection_pb2.ServerReflectionRequest, body)
