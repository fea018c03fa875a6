"""The HTTP server of a worker: uvicorn on the worker's own event loop, HTTP/1.1 in plain text.

It bounds neither the time nor the memory of headers, nor connections: a port that strangers reach needs the edge in
front (`chitarrella.server.edge_config`). Answers that are not read wait in the application.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from chitarrella.transports.rest.request_body import WHOLE

AsgiApp = Callable[[Any, Callable[[], Awaitable[Any]], Callable[[Any], Awaitable[None]]], Awaitable[None]]

BACKLOG: Final = 2048  # connections that wait to be accepted; when a worker is lost, all its watchers reconnect at once
PROBLEM: Final = "application/problem+json"
POLL_SECONDS: Final = 0.001  # seconds between two looks whether the server listens

logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # it reports each start, and each malformed request


def _protocol(malformed: bytes) -> type[HttpToolsProtocol]:
    class Protocol(HttpToolsProtocol):
        def send_400_response(self, _: str) -> None:
            """Refuse what is not HTTP as all else is refused."""
            head = f"HTTP/1.1 400 Bad Request\r\ncontent-type: {PROBLEM}\r\ncontent-length: {len(malformed)}\r\n"
            self.transport.write(f"{head}connection: close\r\n\r\n".encode() + malformed)
            self.transport.close()

        def on_message_complete(self) -> None:
            super().on_message_complete()
            self.scope["extensions"] = {WHOLE: {}}

    return Protocol


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals to the worker."""
        yield


class HttpServer:
    def __init__(self, app: AsgiApp, sock: socket.socket, *, keep_alive: float = 30.0, malformed: bytes = b"") -> None:
        """Serve ``app`` on the bound socket ``sock``, which the server closes.

        A connection without a request is closed after ``keep_alive`` seconds. ``malformed`` is the body that answers
        what is not HTTP, a problem in JSON.
        """
        self.port: int = sock.getsockname()[1] if sock.family != socket.AF_UNIX else 0
        self._path: str = sock.getsockname() if sock.family == socket.AF_UNIX else ""
        self._sock = sock
        how: dict[str, Any] = {"http": _protocol(malformed), "ws": "none", "lifespan": "off", "interface": "asgi3"}
        how |= {"log_config": None, "access_log": False, "proxy_headers": False, "server_header": False}
        config = uvicorn.Config(app, **how, backlog=BACKLOG, timeout_keep_alive=keep_alive)  # type: ignore[arg-type]  # takes parts of seconds too
        self._server = _Server(config)
        self._serving: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Answer in tasks of the running loop; returns when the server listens."""
        self._serving = asyncio.create_task(self._server.serve([self._sock]))
        while not self._server.started:
            if self._serving.done():
                await self._serving  # raises what has happened
                raise RuntimeError("the HTTP server has ended at its start")
            await asyncio.sleep(POLL_SECONDS)

    async def stop(self, grace: float = 5.0) -> None:
        """Accept no more connections, give requests in progress ``grace`` seconds to finish, and close."""
        if self._serving is not None:
            self._server.config.timeout_graceful_shutdown = grace  # type: ignore[assignment]  # it takes parts of seconds too
            self._server.should_exit = True
            await self._serving
        if self._path:
            Path(self._path).unlink(missing_ok=True)
