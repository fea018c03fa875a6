"""Many watchers over HTTP: a connection each, with server-sent events or lines of JSON, read by one thread."""

from __future__ import annotations

import selectors
import socket
from collections.abc import Sequence
from multiprocessing.synchronize import Event
from time import perf_counter
from urllib.parse import urlsplit

from lab.bench.connections import LoadFailed

SECONDS = 60.0
RECEIVED = b'"events":['
"""What only a message with an update holds."""


class EventStreamCrowd:
    """Watchers at one URL."""

    def __init__(self, url: str, matches: Sequence[str], accept: str = "text/event-stream") -> None:
        """Watch each of the ``matches`` on a connection of its own."""
        where = urlsplit(url)
        self._poll = selectors.DefaultSelector()
        self._sockets = []
        self._rest = [b""] * len(matches)
        self.received: list[list[bytes]] = [[] for _ in matches]
        for number, match in enumerate(matches):
            sock = socket.create_connection((where.hostname or "", where.port or 0))
            sock.sendall(f"GET /v1/matches/{match}:watch HTTP/1.1\r\nHost: x\r\nAccept: {accept}\r\n\r\n".encode())
            self._sockets.append(sock)
            self._poll.register(sock, selectors.EVENT_READ, number)

    def wait_for(self, number: int) -> float:
        """Wait until every watcher has received that many updates; return when. Raises `LoadFailed`."""
        deadline = perf_counter() + SECONDS
        lacking = sum(len(received) < number for received in self.received)
        while lacking:
            if perf_counter() > deadline:
                raise LoadFailed(f"{lacking} watchers lack an update")
            for key, _ in self._poll.select(1):
                had = len(self.received[key.data])
                self._take(key.data, self._sockets[key.data].recv(65536))
                lacking -= had < number <= len(self.received[key.data])
        return perf_counter()

    def read(self, stop: Event) -> None:
        """Read what comes until ``stop`` is set."""
        while not stop.is_set():
            for key, _ in self._poll.select(0.1):
                self._take(key.data, self._sockets[key.data].recv(65536))

    def _take(self, number: int, data: bytes) -> None:
        if not data:
            raise LoadFailed("a stream was closed")
        *lines, self._rest[number] = (self._rest[number] + data).split(b"\n")
        self.received[number] += [line for line in lines if RECEIVED in line and b'"events":[]' not in line]

    def close(self) -> None:
        """Disconnect all."""
        for sock in self._sockets:
            sock.close()
        self._poll.close()
