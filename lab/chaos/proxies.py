"""A proxy between clients and a port of the service, which cuts connections."""

from __future__ import annotations

import socket

from tests.fault_proxy import FaultProxy


class PortProxy(FaultProxy):
    """Forwards to a TCP port of the loopback."""

    def __init__(self, address: str) -> None:
        """Forward to ``address``, from a free port."""
        host, _, port = address.rpartition(":")
        self._target = host, int(port)
        super().__init__()

    @property
    def address(self) -> str:
        """Where it listens."""
        return self.url.removeprefix("redis://")

    def _connect(self) -> socket.socket:
        return socket.create_connection(self._target)
