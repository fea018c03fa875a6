"""The HTTP server: granian, embedded, so that the application runs on the event loop of the worker.

HTTP/1.1 and HTTP/2 (with prior knowledge) are read and written by a thread of granian outside of Python. What granian
does not limit itself, `ConnectionGuard` does.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final

from granian._granian import SocketHolder
from granian.constants import Interfaces
from granian.http import HTTP1Settings, HTTP2Settings
from granian.server.embed import Server

from chitarrella.transports.http_server.connections import ConnectionGuard

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]

BACKLOG: Final = 2048
"""Connections that wait to be accepted; when a worker is lost, all its watchers reconnect at once."""
MAX_CONNECTIONS: Final = 16_384
"""Open connections of a worker; further ones wait in the backlog."""
MAX_HEADER_BYTES: Final = 64 * 1024
MAX_CONCURRENT_STREAMS: Final = 200
"""Calls in progress on one connection of HTTP/2."""
CLOSE_SECONDS: Final = 1.0
POLL_SECONDS: Final = 0.001

logging.getLogger("_granian").setLevel(logging.ERROR)  # at every start it warns that embedding is experimental


class HttpServer:
    """One listening socket and its connections."""

    def __init__(self, app: AsgiApp, sock: socket.socket, *, read_timeout: float = 30.0) -> None:
        """Serve ``app`` on the bound socket ``sock``, which the server closes.

        A connection is closed if the headers of a request are not complete within ``read_timeout`` seconds, or if it
        carries no request for so long.
        """
        self.port: int = sock.getsockname()[1]
        self._app = app
        self._sock = sock
        self._guard = ConnectionGuard(self.port, read_timeout)
        self._server = _EmbeddedServer(self._answer, os.dup(sock.fileno()), read_timeout)
        self._serving: asyncio.Task[None] | None = None
        self._guarding: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Answer in tasks of the running loop; returns when the server listens."""
        self._serving = asyncio.create_task(self._server.serve())
        while not self._sock.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):  # granian's thread listens
            if self._serving.done():
                await self._serving  # raises what has happened
            await asyncio.sleep(POLL_SECONDS)
        self._sock.close()
        self._guarding = asyncio.create_task(self._guard.run())

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        host, port = scope["client"]
        client = host, int(port)
        self._guard.begin(client)
        try:
            await self._app(scope, receive, send)
        finally:
            self._guard.end(client)

    async def stop(self, grace: float = 5.0) -> None:
        """Accept no more connections, give requests in progress ``grace`` seconds to finish, and close."""
        if self._serving is None or self._guarding is None:
            return
        self._server.stop()  # type: ignore[no-untyped-call]  # untyped in granian
        self._guard.close_idle()
        if not await _ended(self._serving, grace):
            self._guard.close_all()
            await _ended(self._serving, CLOSE_SECONDS)
        self._guarding.cancel()


class _EmbeddedServer(Server):
    """granian's server on a socket that is bound already: its own way to bind does not tell the port."""

    def __init__(self, app: AsgiApp, fileno: int, read_timeout: float) -> None:
        super().__init__(
            app,
            interface=Interfaces.ASGINL,
            backlog=BACKLOG,
            backpressure=MAX_CONNECTIONS,
            websockets=False,
            log_enabled=False,
            http1_settings=HTTP1Settings(
                header_read_timeout=int(read_timeout * 1000), max_buffer_size=MAX_HEADER_BYTES
            ),
            http2_settings=HTTP2Settings(
                max_headers_size=MAX_HEADER_BYTES, max_concurrent_streams=MAX_CONCURRENT_STREAMS
            ),
        )
        self._fileno = fileno

    def _init_shared_socket(self) -> None:
        holder: Any = SocketHolder  # granian's stub leaves out its arguments: file, whether of Unix, backlog
        self._ssp, self._shd = None, holder(self._fileno, False, BACKLOG)


async def _ended(task: asyncio.Task[None], seconds: float) -> bool:
    """Wait for a task for so many seconds; return whether it has ended."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(asyncio.shield(task), seconds)
    return task.done()
