"""The gRPC server: grpc.aio with health and reflection, and one handler for every rpc of the contract.

Streams are ended before the server stops, so that a stop does not wait for them. With certificates it speaks TLS only.
"""

from __future__ import annotations

from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from chitarrella.api.async_calls import AsyncCalls, AsyncStreams
from chitarrella.api.dispatcher import SERVICES, Dispatcher, Rpc, rpcs
from chitarrella.api.executor import BoundedExecutor
from chitarrella.api.telemetry import ObserveRequest
from chitarrella.transports.certificates import CertificateFiles
from chitarrella.transports.grpc_server.credentials import server_credentials
from chitarrella.transports.grpc_server.handlers import unary_handler
from chitarrella.transports.grpc_server.health import Health
from chitarrella.transports.grpc_server.options import server_options
from chitarrella.transports.grpc_server.streams import stream_handler
from chitarrella.transports.grpc_server.unknown_rpcs import UnknownRpcs


class GrpcServer:
    """A gRPC server in front of the dispatcher."""

    def __init__(
        self,
        dispatcher: Dispatcher,
        address: str,
        *,
        observe: ObserveRequest = lambda *_: None,
        calls: AsyncCalls | None = None,
        heartbeat: float = 15.0,
        reuse_port: bool = False,
        certificates: CertificateFiles | None = None,
    ) -> None:
        """Prepare to listen at ``address`` (host:port, port 0 for a free one); call `start` on the running loop.

        ``calls`` says where calls run. ``heartbeat`` is the number of seconds after which a silent stream sends a
        heartbeat. With ``reuse_port`` other processes may listen at the same port.
        """
        self._address = address
        self._certificates = certificates
        self._calls = calls or AsyncCalls(BoundedExecutor())
        self._streams = AsyncStreams(dispatcher, self._calls.threads, heartbeat)
        self._observe = observe
        self._server = grpc.aio.server(options=server_options(reuse_port=reuse_port))
        self._names = ("", *(service.full_name for service in SERVICES))
        self._health = Health(self._names)
        for service in SERVICES:
            methods = [rpc for rpc in rpcs() if rpc.method.containing_service == service]
            handlers = {rpc.method.name: self._handler(rpc, dispatcher, observe) for rpc in methods}
            handler = grpc.method_handlers_generic_handler(service.full_name, handlers)
            self._server.add_generic_rpc_handlers((handler,))
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        self.port = 0

    def _handler(self, rpc: Rpc, dispatcher: Dispatcher, observe: ObserveRequest) -> Any:
        if rpc.method.server_streaming:
            return stream_handler(rpc, self._streams, observe)
        return unary_handler(rpc, dispatcher, self._calls, observe)

    async def start(self) -> None:
        """Start listening; raises `RuntimeError` if the address is in use."""
        health = health_pb2.DESCRIPTOR.services_by_name["Health"].full_name
        reflection.enable_server_reflection([*self._names[1:], health, reflection.SERVICE_NAME], self._server)
        self._server.add_generic_rpc_handlers((UnknownRpcs(self._observe),))
        self.port = self._add_port()
        await self._server.start()
        await self.set_serving(is_serving=True)

    def _add_port(self) -> int:
        if self._certificates is None:
            return self._server.add_insecure_port(self._address)
        return self._server.add_secure_port(self._address, server_credentials(self._certificates))

    async def set_serving(self, *, is_serving: bool) -> None:
        """Report to health checks whether load balancers should send calls; calls are answered in any case."""
        await self._health.set_serving(is_serving=is_serving)

    async def stop(self, grace: float = 5.0) -> None:
        """Report NOT_SERVING, end the streams, give calls in progress ``grace`` seconds to finish, and close."""
        await self._health.stop()
        self._streams.stop()
        await self._server.stop(grace)
