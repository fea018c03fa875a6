"""The HTTP server: granian, embedded, so that the application runs on the event loop of the worker.

HTTP/1.1 and HTTP/2 are read and written by a thread of granian outside of Python. What granian does not limit itself,
`ConnectionGuard` does. With certificates the server speaks TLS only, and ALPN chooses the protocol; without them,
HTTP/2 needs prior knowledge. granian reads a certificate once: a new one is served by a new granian server on the same
socket.

granian limits only the time for the headers of HTTP/1.1. A connection that sends nothing, half a preface of HTTP/2,
half a frame of headers, or nothing after its last response over HTTP/2, would stay open for ever. The guard finds the
connections among the open files of the process, and shuts them down; granian then frees them.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import logging
import os
import socket
import stat
import struct
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator, MutableMapping
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, Final, NamedTuple

from granian._granian import SocketHolder
from granian.constants import Interfaces, SSLProtocols
from granian.http import HTTP1Settings, HTTP2Settings
from granian.server.embed import Server

from chitarrella.transports.certificates import CertificateFiles, TlsFiles

Peer = tuple[str, int]

FOLDER: Final = Path("/dev/fd")  # the open files of this process, on Linux and macOS; elsewhere no connection is closed
CHECKS: Final = 4  # checks within the time that a connection may be idle


class Connections:
    def __init__(self, port: int) -> None:
        self._port = port

    def peers(self) -> list[Peer]:
        return [peer for peer, _ in self]

    def close(self, is_meant: Callable[[Peer], bool]) -> None:
        for peer, sock in self:
            if is_meant(peer):
                with contextlib.suppress(OSError):  # the client has closed it meanwhile
                    sock.shutdown(socket.SHUT_RDWR)

    def __iter__(self) -> Iterator[tuple[Peer, socket.socket]]:
        """Iterate over the open connections, each with a socket that is valid until the next one."""
        try:
            files = [int(file.name) for file in FOLDER.iterdir()]
        except OSError:
            return
        for file in files:
            with contextlib.suppress(OSError), _duplicate(file) as sock:  # the file may be closed at any moment
                if sock.type == socket.SOCK_STREAM and sock.getsockname()[1:2] == (self._port,):
                    host, port = sock.getpeername()[:2]
                    yield (host.partition("%")[0], port), sock  # without the interface of a local IPv6 address


class ConnectionGuard:
    def __init__(self, connections: Connections, idle_seconds: float) -> None:
        self._connections = connections
        self._idle_seconds = idle_seconds
        self._requests: Counter[Peer] = Counter()
        self._idle_since: dict[Peer, float] = {}

    def begin(self, client: Peer) -> None:
        self._requests[client] += 1
        self._idle_since.pop(client, None)

    def end(self, client: Peer) -> None:
        if self._requests[client] > 1:
            self._requests[client] -= 1
        else:
            del self._requests[client]

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(self._idle_seconds / CHECKS)
            peers = await asyncio.to_thread(self._connections.peers)
            now = loop.time()
            idle = {peer: self._idle_since.get(peer, now) for peer in peers if peer not in self._requests}
            self._idle_since = idle
            late = {peer for peer, since in idle.items() if now - since >= self._idle_seconds * (1 - 1 / CHECKS)}
            if late := late - self._requests.keys():
                await asyncio.to_thread(self._connections.close, late.__contains__)

    def close_idle(self) -> None:
        self._connections.close(lambda peer: peer not in self._requests)

    def close_all(self) -> None:
        self._connections.close(lambda _: True)


def _duplicate(file: int) -> socket.socket:
    """Return another socket for an open file, so that the number cannot come to mean another file. Raises `OSError`."""
    if not stat.S_ISSOCK(os.fstat(file).st_mode):
        raise OSError("no socket")
    copy = os.dup(file)
    try:
        return socket.socket(fileno=copy)
    except OSError:
        os.close(copy)
        raise


MAX_REQUESTS: Final = 10_000  # requests in progress of a worker; more are refused
MAX_REQUESTS_OF_ADDRESS: Final = 3000  # requests in progress of one address; more are refused
MAX_WASTED: Final = 1000  # requests that an address may waste within `WINDOW_SECONDS`; then it is blocked
WINDOW_SECONDS: Final = 5.0  # the time in which wasted requests are counted
BLOCK_SECONDS: Final = 10.0  # for so long an address is blocked


class RequestAdmission:
    def __init__(self, on_block: Callable[[str], None] = lambda _: None) -> None:
        """``on_block`` is called with an address when it is blocked."""
        self._on_block = on_block
        self._requests: Counter[str] = Counter()
        self._count = 0
        self._wasted: Counter[str] = Counter()
        self._window_end = 0.0
        self._blocked: dict[str, float] = {}

    @property
    def blocked(self) -> list[str]:
        now = time.monotonic()
        self._blocked = {address: end for address, end in self._blocked.items() if now < end}
        return list(self._blocked)

    def is_blocked(self, address: str) -> bool:
        return bool(self._blocked) and time.monotonic() < self._blocked.get(address, 0.0)

    def begin(self, address: str) -> bool:
        """Begin a request; False if there are too many in progress, and this one is not counted."""
        if self._count >= MAX_REQUESTS or self._requests[address] >= MAX_REQUESTS_OF_ADDRESS:
            self.waste(address)
            return False
        self._count += 1
        self._requests[address] += 1
        return True

    def end(self, address: str) -> None:
        """Note that the answer to a request begins to be sent, or that there will be none."""
        self._count -= 1
        self._requests[address] -= 1
        if not self._requests[address]:
            del self._requests[address]

    def waste(self, address: str) -> None:
        """Note that an address has wasted a request; it is blocked if these are too many."""
        if self.is_blocked(address):
            return
        if (now := time.monotonic()) >= self._window_end:
            self._wasted.clear()
            self._window_end = now + WINDOW_SECONDS
        self._wasted[address] += 1
        if self._wasted[address] >= MAX_WASTED:
            del self._wasted[address]
            self._blocked[address] = now + BLOCK_SECONDS
            self._on_block(address)


# The source filter of a listening socket


SO_ATTACH_FILTER: Final = 26  # the option of a socket on Linux that sets its filter
MAX_NETWORKS: Final = 256  # networks in a filter at most
IP_HEADER: Final = 0xFFF00000  # the offset of the header of IP, for the instructions that load a part of a packet
SOURCE_V4: Final = IP_HEADER + 12  # where the source address is in a packet of IPv4
SOURCE_V6: Final = IP_HEADER + 8  # where the source address is in a packet of IPv6
# The codes of the instructions.
LOAD_WORD, LOAD_BYTE, AND, JUMP, JUMP_IF_EQUAL, RETURN = 0x20, 0x30, 0x54, 0x05, 0x15, 0x06
PASS: Final = 0xFFFFFFFF  # what a filter returns for a packet that it lets through whole; 0 drops the packet


class Instruction(NamedTuple):
    code: int
    if_true: int
    if_false: int
    operand: int


def drop_connects(sock: socket.socket, networks: Collection[str]) -> None:
    """Drop attempts to connect to a listening socket from ``networks``, and no others; open connections go on."""
    program = _program([ip_network(network) for network in [*filter(None, networks)][-MAX_NETWORKS:]])
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *instruction) for instruction in program))
    with contextlib.suppress(OSError):
        sock.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, struct.pack("HP", len(program), ctypes.addressof(code)))


def _program(networks: list[IPv4Network | IPv6Network]) -> list[Instruction]:
    """Compile the networks: single addresses of IPv4, and the first 64 bits of addresses of IPv6."""
    v4 = [Instruction(LOAD_WORD, 0, 0, SOURCE_V4)]
    v6: list[Instruction] = []
    for network in networks:
        address = network.network_address
        if isinstance(address, IPv4Address):
            v4 += [Instruction(JUMP_IF_EQUAL, 0, 1, int(address)), Instruction(RETURN, 0, 0, 0)]
        else:
            high, low = struct.unpack(">II", address.packed[:8])
            v6 += [
                Instruction(LOAD_WORD, 0, 0, SOURCE_V6),
                Instruction(JUMP_IF_EQUAL, 0, 3, high),
                Instruction(LOAD_WORD, 0, 0, SOURCE_V6 + 4),
                Instruction(JUMP_IF_EQUAL, 0, 1, low),
                Instruction(RETURN, 0, 0, 0),
            ]
    v4.append(Instruction(RETURN, 0, 0, PASS))
    head = [
        Instruction(LOAD_BYTE, 0, 0, IP_HEADER),
        Instruction(AND, 0, 0, 0xF0),
        Instruction(JUMP_IF_EQUAL, 1, 0, 0x40),  # the version is 4
        Instruction(JUMP, 0, 0, len(v4)),
    ]
    return [*head, *v4, *v6, Instruction(RETURN, 0, 0, PASS)]


# The answers that clients do not read


# Unread bytes of a worker; beyond it, connections whose client reads nothing are closed, the greatest first.
MAX_UNREAD_BYTES: Final = 32 * 1024**2
MAX_UNREAD_BYTES_OF_CONNECTION: Final = 1024**2  # unread bytes of a connection whose client has read nothing for long
# So many bytes fit into the buffers of the kernel; a connection with no more is never closed.
FEW_BYTES: Final = 64 * 1024
SILENT_SECONDS: Final = 1.0  # a client that reads nothing for so long is closed where there are too many unread bytes
CHECK_SECONDS: Final = 0.5  # seconds between two checks
# Where the number of acknowledged bytes is in ``TCP_INFO`` of Linux; elsewhere nothing is known to be unread.
ACKED_AT: Final = 120
TCP_INFO_BYTES: Final = 128  # how much of ``TCP_INFO`` is read


@dataclass(slots=True)
class _Answers:
    """The bytes of the answers on one connection: those handed over, those acknowledged, and when that last grew."""

    handed: int = 0
    acked: int = 0
    read_at: float = 0.0

    @property
    def unread(self) -> int:
        return self.handed - self.acked


class UnreadAnswers:
    """Counts the bytes of answers that are not read yet, by connection."""

    def __init__(self, connections: Connections, stall_seconds: float) -> None:
        self._connections = connections
        self._stall_seconds = stall_seconds
        self._answers: dict[Peer, _Answers] = {}
        self._total = 0
        self._checked = asyncio.Event()

    async def hand_over(self, client: Peer, size: int) -> None:
        answers = self._answers.get(client)
        if answers is None:
            answers = self._answers[client] = _Answers(read_at=asyncio.get_running_loop().time())
        while self._total > MAX_UNREAD_BYTES and answers.unread > FEW_BYTES and self._answers.get(client) is answers:
            await self._checked.wait()
        answers.handed += size
        self._total += size

    async def run(self) -> None:
        """Close connections that are not read, until cancelled."""
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            if self._total > MAX_UNREAD_BYTES_OF_CONNECTION:
                acked = await asyncio.to_thread(self._acked)
                if late := self._check(acked, asyncio.get_running_loop().time()):
                    await asyncio.to_thread(self._connections.close, late.__contains__)
            self._checked.set()
            self._checked = asyncio.Event()

    def _acked(self) -> dict[Peer, int]:
        found: dict[Peer, int] = {}
        for peer, sock in self._connections:
            with contextlib.suppress(OSError, AttributeError, struct.error):  # closed meanwhile, or no Linux
                info = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, TCP_INFO_BYTES)
                found[peer] = struct.unpack_from("Q", info, ACKED_AT)[0]
        return found

    def _check(self, acked: dict[Peer, int], now: float) -> set[Peer]:
        """Take the acknowledged bytes of all connections; return those to close."""
        self._answers = {peer: answers for peer, answers in self._answers.items() if peer in acked}
        for peer, answers in self._answers.items():
            if acked[peer] > answers.acked:
                answers.acked, answers.read_at = acked[peer], now
            answers.handed = max(answers.handed, answers.acked)  # headers and frames are acknowledged too
        self._total = sum(answers.unread for answers in self._answers.values())
        greatest = sorted(self._answers.items(), key=lambda item: item[1].unread, reverse=True)
        late, left = set[Peer](), self._total
        for peer, answers in greatest:
            silence = now - answers.read_at
            is_stalled = answers.unread > MAX_UNREAD_BYTES_OF_CONNECTION and silence >= self._stall_seconds
            if is_stalled or (left > MAX_UNREAD_BYTES and answers.unread > FEW_BYTES and silence >= SILENT_SECONDS):
                late.add(peer)
                left -= answers.unread
        return late


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
