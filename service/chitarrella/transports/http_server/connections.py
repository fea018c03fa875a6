"""The connections of an HTTP server, and their guard: it closes those that carry no request for too long.

granian limits only the time for the headers of HTTP/1.1. A connection that sends nothing, half a preface of HTTP/2,
half a frame of headers, or nothing after its last response over HTTP/2, would stay open for ever. The guard finds the
connections among the open files of the process, and shuts them down; granian then frees them.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import stat
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

Peer = tuple[str, int]
"""The address and port of a client, which name one connection."""

FOLDER: Final = Path("/dev/fd")
"""The open files of this process, on Linux and macOS; elsewhere no connection is closed."""
CHECKS: Final = 4
"""Checks within the time that a connection may be idle."""


class Connections:
    """The open connections to a local port."""

    def __init__(self, port: int) -> None:
        """Find those to ``port``."""
        self._port = port

    def peers(self) -> list[Peer]:
        """Return the clients of the open connections."""
        return [peer for peer, _ in self]

    def close(self, is_meant: Callable[[Peer], bool]) -> None:
        """Close the connections of some clients."""
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
    """Knows which connections carry requests, and closes the others in time."""

    def __init__(self, connections: Connections, idle_seconds: float) -> None:
        """Guard the ``connections``; each may be idle for ``idle_seconds``."""
        self._connections = connections
        self._idle_seconds = idle_seconds
        self._requests: Counter[Peer] = Counter()
        self._idle_since: dict[Peer, float] = {}

    def begin(self, client: Peer) -> None:
        """Note that a request of a connection begins."""
        self._requests[client] += 1
        self._idle_since.pop(client, None)

    def end(self, client: Peer) -> None:
        """Note that a request has ended."""
        if self._requests[client] > 1:
            self._requests[client] -= 1
        else:
            del self._requests[client]

    async def run(self) -> None:
        """Close idle connections until cancelled."""
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
        """Close every connection without a request."""
        self._connections.close(lambda peer: peer not in self._requests)

    def close_all(self) -> None:
        """Close every connection."""
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
