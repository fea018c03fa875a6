"""The health service of gRPC, for load balancers and orchestrators."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable

from grpc_health.v1 import health_pb2
from grpc_health.v1.health import aio as health_aio

from chitarrella.transports.grpc_server.handlers import Context

Response = health_pb2.HealthCheckResponse
"""What the health service answers."""
LIVENESS = "liveness"
"""The name under which a process that answers is SERVING, also where it is out of service."""
ServingStatus = int
"""A value of the enumeration of that name in the health protocol."""


class Health(health_aio.HealthServicer):
    """Health service whose watches end when the server stops; otherwise they would use up its whole grace period."""

    def __init__(self, names: Iterable[str]) -> None:
        """Report the services of those ``names``, and `LIVENESS`; none of them serves yet."""
        super().__init__()
        self._names = frozenset((*names, LIVENESS))
        self._is_serving = False
        self._is_stopped = False
        self._change = asyncio.Event()

    async def set_serving(self, *, is_serving: bool) -> None:
        """Report that all services serve, or that none does."""
        self._is_serving = is_serving
        for name in self._names:
            await self.set(name, self._status(name))
        self._wake_watches()

    async def stop(self) -> None:
        """Report that no service serves, and end the watches."""
        self._is_stopped = True
        await self.set_serving(is_serving=False)

    def _wake_watches(self) -> None:
        change, self._change = self._change, asyncio.Event()
        change.set()

    def _status(self, name: str) -> ServingStatus:
        if name not in self._names:
            return Response.SERVICE_UNKNOWN
        is_serving = not self._is_stopped if name == LIVENESS else self._is_serving
        return Response.SERVING if is_serving else Response.NOT_SERVING

    async def Watch(  # type: ignore[override]  # noqa: N802 - name of the rpc; the library writes to the context instead of yielding
        self, request: health_pb2.HealthCheckRequest, context: Context
    ) -> AsyncIterator[health_pb2.HealthCheckResponse]:
        """Yield the status now, and whenever it changes."""
        shown: int | None = None
        while True:
            change, status = self._change, self._status(request.service)
            if status != shown:
                yield Response(status=status)
                shown = status
            if self._is_stopped:
                return
            await change.wait()
