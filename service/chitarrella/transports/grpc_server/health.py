"""The health service of gRPC, for load balancers and orchestrators."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable

from grpc_health.v1 import health_pb2
from grpc_health.v1.health import aio as health_aio

from chitarrella.transports.grpc_server.handlers import Context


class Health(health_aio.HealthServicer):
    """Health service whose watches end when the server stops; otherwise they would use up its whole grace period."""

    def __init__(self, names: Iterable[str], stopping: asyncio.Event) -> None:
        """Report the services of those ``names`` until ``stopping`` is set."""
        super().__init__()
        self._names = frozenset(names)
        self._stopping = stopping

    async def Watch(  # type: ignore[override]  # noqa: N802 - name of the rpc; the library writes to the context instead of yielding
        self, request: health_pb2.HealthCheckRequest, context: Context
    ) -> AsyncIterator[health_pb2.HealthCheckResponse]:
        """Yield the status now, and NOT_SERVING when the server stops."""
        response = health_pb2.HealthCheckResponse
        known = request.service in self._names
        if not self._stopping.is_set():
            yield response(status=response.SERVING if known else response.SERVICE_UNKNOWN)
            await self._stopping.wait()
        yield response(status=response.NOT_SERVING if known else response.SERVICE_UNKNOWN)
