"""The HTTP server: granian, embedded, so that the application runs on the event loop of the worker.

HTTP/1.1 and HTTP/2 are read and written by a thread of granian outside of Python. What granian does not limit itself,
`ConnectionGuard` does. With certificates the server speaks TLS only, and ALPN chooses the protocol; without them,
HTTP/2 needs prior knowledge. granian reads a certificate once: a new one is served by a new granian server on the same
socket.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from typing import Any, Final

from granian._granian import SocketHolder
from granian.constants import Interfaces, SSLProtocols
from granian.http import HTTP1Settings, HTTP2Settings
from granian.server.embed import Server

from chitarrella.transports.certificates import CertificateFiles, TlsFiles
from chitarrella.transports.http_server.guards import (
    BLOCK_SECONDS,
    MAX_WASTED,
    ConnectionGuard,
    Connections,
    Peer,
    RequestAdmission,
    UnreadAnswers,
    drop_connects,
)

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]

BACKLOG: Final = 2048  # connections that wait to be accepted; when a worker is lost, all its watchers reconnect at once
MAX_CONNECTIONS: Final = 16_384  # open connections of a worker; further ones wait in the backlog
MAX_HEADER_BYTES: Final = 64 * 1024  # the greatest size of all headers of a request, in bytes
MAX_CONCURRENT_STREAMS: Final = 100  # calls in progress on one connection of HTTP/2
CLOSE_SECONDS: Final = 1.0  # seconds that `HttpServer.stop` waits once all connections are closed
POLL_SECONDS: Final = 0.001  # seconds between two looks whether the server listens
LOG = logging.getLogger("chitarrella")

logging.getLogger("_granian").setLevel(logging.ERROR)  # at every start it warns that embedding is experimental


class HttpServer:
    def __init__(
        self,
        app: AsgiApp,
        sock: socket.socket,
        *,
        read_timeout: float = 30.0,
        certificates: CertificateFiles | None = None,
        address_of: Callable[[Scope], str] = lambda scope: str(scope["client"][0]),
        is_proxied: bool = False,
        refuse: AsgiApp | None = None,
    ) -> None:
        """Serve ``app`` on the bound socket ``sock``, which the server closes.

        A connection is closed if the headers of a request are not complete within ``read_timeout`` seconds, or if it
        carries no request for so long. ``address_of`` returns the address that a request counts for, which is that of
        its connection unless the server ``is_proxied``. ``refuse`` answers requests beyond the caps.
        """
        self.port: int = sock.getsockname()[1]
        self._app = app
        self._sock = sock
        self._read_timeout = read_timeout
        self._certificates = certificates
        self._address_of = address_of
        self._is_proxied = is_proxied
        self._refuse = refuse
        self._connections = Connections(self.port)
        self._guard = ConnectionGuard(self._connections, read_timeout)
        self._unread = UnreadAnswers(self._connections, read_timeout)
        self._admission = RequestAdmission(self._block)
        self._serving: dict[asyncio.Task[None], _EmbeddedServer] = {}
        self._guarding: list[asyncio.Task[None]] = []
        self._blocking: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Answer in tasks of the running loop; returns when the server listens."""
        serving = self._serve()
        while not self._sock.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):  # granian's thread listens
            if serving.done():
                await serving  # raises what has happened
                raise RuntimeError("the HTTP server has ended at its start")
            await asyncio.sleep(POLL_SECONDS)
        self._guarding = [asyncio.create_task(guard.run()) for guard in (self._guard, self._unread)]

    async def reload(self) -> None:
        """Serve new connections with the certificates of this moment; open ones go on until they end.

        Connections that come in between wait in the socket, which both servers share. One that is in the middle of its
        handshake is closed: granian drops it, and its client has sent no request yet.
        """
        earlier = list(self._serving.values())
        self._serve()
        for server in earlier:
            server.stop()  # type: ignore[no-untyped-call]  # untyped in granian

    def _serve(self) -> asyncio.Task[None]:
        with contextlib.ExitStack() as stack:
            files = stack.enter_context(self._certificates.current.as_files()) if self._certificates else None
            server = _EmbeddedServer(self._answer, os.dup(self._sock.fileno()), self._read_timeout, files)
            task = asyncio.create_task(_run(server, stack.pop_all()))
        self._serving[task] = server
        task.add_done_callback(self._serving.pop)
        return task

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        host, port = scope["client"]
        client = host, int(port)
        address = self._address_of(scope)
        self._guard.begin(client)
        try:
            if self._admission.is_blocked(address):
                await _send_unavailable(send)
            elif self._admission.begin(address):
                await self._answer_admitted(scope, receive, send, client, address)
            else:
                await (self._refuse(scope, receive, send) if self._refuse else _send_unavailable(send))
        finally:
            self._guard.end(client)

    async def _answer_admitted(self, scope: Scope, receive: Receive, send: Send, client: Peer, address: str) -> None:
        has_begun, is_counted = False, True

        async def receive_counted() -> MutableMapping[str, Any]:
            message = await receive()
            if message["type"] == "http.disconnect" and not has_begun:
                self._admission.waste(address)
            return message

        async def send_counted(message: MutableMapping[str, Any]) -> None:
            nonlocal has_begun, is_counted
            has_begun = True
            if message["type"] == "http.response.body":
                await self._unread.hand_over(client, len(message.get("body", b"")))
                if is_counted:
                    is_counted = False
                    self._admission.end(address)
            await send(message)

        try:
            await self._app(scope, receive_counted, send_counted)
        finally:
            if is_counted:
                self._admission.end(address)

    def _block(self, address: str) -> None:
        """Close the connections of an address, and accept none for a while; behind a proxy, requests are refused."""
        LOG.warning("an address is blocked for %d s: it has wasted %d requests", BLOCK_SECONDS, MAX_WASTED)
        if not self._is_proxied:
            task = asyncio.create_task(self._keep_out(address))
            self._blocking.add(task)
            task.add_done_callback(self._blocking.discard)

    async def _keep_out(self, address: str) -> None:
        drop_connects(self._sock, self._admission.blocked)
        await asyncio.to_thread(self._connections.close, lambda peer: self._address_of({"client": peer}) == address)
        await asyncio.sleep(BLOCK_SECONDS)
        drop_connects(self._sock, self._admission.blocked)

    async def stop(self, grace: float = 5.0) -> None:
        """Accept no more connections, give requests in progress ``grace`` seconds to finish, and close."""
        if not self._guarding:
            return
        self._sock.close()
        for server in self._serving.values():
            server.stop()  # type: ignore[no-untyped-call]  # untyped in granian
        self._guard.close_idle()
        if not await _ended(self._serving, grace):
            self._guard.close_all()
            await _ended(self._serving, CLOSE_SECONDS)
        for task in (*self._guarding, *self._blocking):
            task.cancel()


class _EmbeddedServer(Server):
    """granian's server on a socket that is bound already: its own way to bind does not tell the port."""

    def __init__(self, app: AsgiApp, fileno: int, read_timeout: float, files: TlsFiles | None) -> None:
        self._files = files
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

    def build_ssl_context(self, *_: object) -> None:
        """Set what granian's thread reads: TLS 1.2 at least. granian's own method does not take files in memory."""
        files = self._files
        paths = (str(files.certificate), str(files.key)) if files else (None, None)
        client_ca = str(files.client_ca) if files and files.client_ca else None
        self.ssl_ctx = (files is not None, *paths, None, str(SSLProtocols.tls12), client_ca, [], client_ca is not None)

    def _init_shared_socket(self) -> None:
        holder: Any = SocketHolder  # granian's stub leaves out its arguments: file, whether of Unix, backlog
        self._ssp, self._shd = None, holder(self._fileno, False, BACKLOG)


async def _run(server: _EmbeddedServer, resources: contextlib.ExitStack) -> None:
    with resources:
        await server.serve()


async def _send_unavailable(send: Send) -> None:
    headers = [(b"retry-after", b"%d" % BLOCK_SECONDS), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _ended(tasks: Collection[asyncio.Task[None]], seconds: float) -> bool:
    if not tasks:
        return True
    _, pending = await asyncio.wait(list(tasks), timeout=seconds)
    return not pending
