"""The health service of gRPC, for load balancers and orchestrators."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import Any

import grpc
from grpc_health.v1 import health_pb2

from chitarrella import errors
from chitarrella.api.status import error_of
from chitarrella.transports.grpc_server.call_context import Context, end_with_error
from chitarrella.transports.grpc_server.message_parser import parse_message

Request = health_pb2.HealthCheckRequest
"""Names a service."""
Response = health_pb2.HealthCheckResponse
"""Has the status of a service."""
LISTS: Any = health_pb2
"""The messages of ``List``, which the types of the library leave out."""
SERVICE = health_pb2.DESCRIPTOR.services_by_name["Health"].full_name
"""The full name of the health service."""
LIVENESS = "liveness"
"""The name under which a process that answers is SERVING, also where it is out of service."""
ServingStatus = int
"""A value of the enumeration of that name in the health protocol."""


class Health:
    """Health service whose watches end when the server stops; otherwise they would use up its whole grace period.

    It parses requests itself: the servicer of the library answers malformed bytes with UNKNOWN, and has no ``List``.
    """

    def __init__(self, names: Iterable[str]) -> None:
        """Report the services of those ``names``, and `LIVENESS`; none of them serves yet."""
        self._names = frozenset((*names, LIVENESS))
        self._is_serving = False
        self._is_stopped = False
        self._change = asyncio.Event()

    def handlers(self) -> dict[str, Any]:
        """Return the handler of each rpc by its path."""
        return {
            f"/{SERVICE}/Check": grpc.unary_unary_rpc_method_handler(self._check, None, _serialize),
            f"/{SERVICE}/List": grpc.unary_unary_rpc_method_handler(self._list, None, _serialize),
            f"/{SERVICE}/Watch": grpc.unary_stream_rpc_method_handler(self._watch, None, _serialize),
        }

    def set_serving(self, *, is_serving: bool) -> None:
        """Report that all services serve, or that none does."""
        self._is_serving = is_serving
        change, self._change = self._change, asyncio.Event()
        change.set()

    def stop(self) -> None:
        """Report that no service serves, and end the watches."""
        self._is_stopped = True
        self.set_serving(is_serving=False)

    def _status(self, name: str) -> ServingStatus:
        if name not in self._names:
            return Response.SERVICE_UNKNOWN
        is_serving = not self._is_stopped if name == LIVENESS else self._is_serving
        return Response.SERVING if is_serving else Response.NOT_SERVING

    async def _check(self, body: bytes, context: Context) -> health_pb2.HealthCheckResponse:
        """Return the status now."""
        try:
            name = parse_message(Request, body).service
        except Exception as error:
            end_with_error(context, error_of(error))
            return Response()
        if name not in self._names:
            context.set_code(grpc.StatusCode[errors.STATUSES[errors.NotFound].grpc])
        return Response(status=self._status(name))

    async def _list(self, body: bytes, context: Context) -> Any:
        """Return the status of every name now."""
        try:
            parse_message(LISTS.HealthListRequest, body)
        except Exception as error:
            end_with_error(context, error_of(error))
        return LISTS.HealthListResponse(statuses={name: Response(status=self._status(name)) for name in self._names})

    async def _watch(self, body: bytes, context: Context) -> AsyncIterator[health_pb2.HealthCheckResponse]:
        """Yield the status now, and whenever it changes."""
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
