"""The gRPC server: health and reflection, and one handler for every rpc of the contract.

Streams are ended before the server stops, so that a stop does not wait for them. With certificates it speaks TLS only.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Any

from chitarrella.api.async_calls import AsyncCalls, AsyncStreams
from chitarrella.api.dispatcher import SERVICES, Dispatcher, Rpc, rpcs
from chitarrella.api.executor import BoundedExecutor
from chitarrella.api.telemetry import ObserveRequest
from chitarrella.transports.certificates import CertificateFiles
from chitarrella.transports.grpc_server import health
from chitarrella.transports.grpc_server.core_server import CoreServer
from chitarrella.transports.grpc_server.credentials import server_credentials
from chitarrella.transports.grpc_server.handlers import unary_handler
from chitarrella.transports.grpc_server.options import server_options
from chitarrella.transports.grpc_server.reflection import reflection_handlers
from chitarrella.transports.grpc_server.streams import stream_handler
from chitarrella.transports.grpc_server.unknown_rpcs import unknown_rpc_handler

LOG = logging.getLogger("chitarrella")
RETRY_SECONDS = 0.1
"""Between two attempts to listen again, after the server of the library has ended."""


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
        read_timeout: float = 30.0,
        reuse_port: bool = False,
        certificates: CertificateFiles | None = None,
    ) -> None:
        """Prepare to listen at ``address`` (host:port, port 0 for a free one); call `start` on the running loop.

        ``calls`` says where calls run. ``heartbeat`` is the number of seconds after which a silent stream sends a
        heartbeat, ``read_timeout`` that within which a message must arrive. With ``reuse_port`` other
        processes may listen at the same port.
        """
        self._address = address
        self._certificates = certificates
        self._calls = calls or AsyncCalls(BoundedExecutor())
        self._streams = AsyncStreams(dispatcher, self._calls.threads, heartbeat)
        self._options = server_options(reuse_port=reuse_port)
        self._read_timeout = read_timeout
        names = [service.full_name for service in SERVICES]
        self._health = health.Health(("", *names))
        self._handlers = {rpc.path: self._handler(rpc, dispatcher, observe) for rpc in rpcs()}
        self._handlers |= self._health.handlers() | reflection_handlers([*names, health.SERVICE], read_timeout)
        self._unknown = unknown_rpc_handler(observe)
        self._core: CoreServer | None = None
        self._is_stopping = False
        self.port = 0

    def _handler(self, rpc: Rpc, dispatcher: Dispatcher, observe: ObserveRequest) -> Any:
        if rpc.method.server_streaming:
            return stream_handler(rpc, self._streams, observe)
        return unary_handler(rpc, dispatcher, self._calls, observe)

    async def start(self) -> None:
        """Start listening; raises `OSError` with the address if that is not possible."""
        self._core = await self._listen()
        self._following = asyncio.create_task(self._replace_ended_core())
        self.set_serving(is_serving=True)

    @property
    def is_listening(self) -> bool:
        """Whether calls are accepted."""
        return self._core is not None and not self._core.has_ended.is_set()

    async def _listen(self) -> CoreServer:
        core = CoreServer(self._handlers, self._unknown, self._options, self._read_timeout)
        self.port = self._add_port(core)
        await core.start()
        return core

    def _add_port(self, core: CoreServer) -> int:
        host, _, port = self._address.rpartition(":")
        address = f"{host}:{self.port or port}".encode()
        with suppress(RuntimeError):  # its text names a variable of the library; on other systems the port is 0
            if self._certificates is None:
                port = core.add_insecure_port(address)
            else:
                port = core.add_secure_port(address, server_credentials(self._certificates))
            if port:
                return int(port)
        raise OSError(f"cannot listen at {self._address}, for gRPC")

    async def _replace_ended_core(self) -> None:
        """Listen anew at the same port when the server of the library has ended by itself: it never should."""
        while self._core is not None:
            await self._core.has_ended.wait()
            if self._is_stopping:
                return
            LOG.error("the gRPC server has ended by itself, and is started again")
            for _ in range(2):  # the first attempt raises what ended it, the second one frees its port and its calls
                with suppress(Exception):
                    await self._core.shutdown(None)
            self._core = await self._listen_again()

    async def _listen_again(self) -> CoreServer | None:
        while not self._is_stopping:
            try:
                return await self._listen()
            except OSError:
                await asyncio.sleep(RETRY_SECONDS)
        return None

    def set_serving(self, *, is_serving: bool) -> None:
        """Report to health checks whether load balancers should send calls; calls are answered in any case."""
        self._health.set_serving(is_serving=is_serving)

    async def stop(self, grace: float = 5.0) -> None:
        """Report NOT_SERVING, end the streams, give calls in progress ``grace`` seconds to finish, and close."""
        self._is_stopping = True
        self._health.stop()
        self._streams.stop()
        if self._core is not None:
            await self._core.shutdown(grace)
