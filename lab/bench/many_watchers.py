"""Many watchers: gRPC streams over few connections, read by one thread."""

from __future__ import annotations

import selectors
from collections.abc import Sequence
from time import perf_counter

from chitarrella.v1.matches_pb2 import WatchMatchResponse
from lab.bench.connections import DATA, Call, GrpcConnection, LoadFailed

WATCHERS_A_LINE = 100
SECONDS = 60.0
PREFIX = 5
"""Bytes before each gRPC message: a flag and its length."""


class CrowdConnection(GrpcConnection):
    """A connection whose lanes receive streams; the measurement fails if one ends."""

    def __init__(self, port: int, watchers: int) -> None:
        """Connect; ``watchers`` lanes will watch."""
        super().__init__(port)
        self.received: list[list[bytes]] = [[] for _ in range(watchers)]
        self._rest: dict[int, bytes] = {}

    def lacks(self, number: int) -> int:
        """Number of watchers that received fewer than ``number`` updates."""
        return sum(len(received) < number for received in self.received)

    def _take(self, kind: int, flags: int, stream: int, payload: bytes) -> None:
        if kind != DATA:
            super()._take(kind, flags, stream, payload)
            return
        data = self._rest.pop(stream, b"") + payload
        while len(data) >= PREFIX and len(data) >= (end := PREFIX + int.from_bytes(data[1:PREFIX], "big")):
            message = data[PREFIX:end]
            if WatchMatchResponse.FromString(message).events:  # else it is a heartbeat
                self.received[self._lanes[stream]].append(message)
            data = data[end:]
        if data:
            self._rest[stream] = data


class WatcherCrowd:
    """Watchers at one port, each with its own call."""

    def __init__(self, port: int, calls: Sequence[Call]) -> None:
        """Open the streams."""
        self._connections = []
        self._poll = selectors.DefaultSelector()
        for begin in range(0, len(calls), WATCHERS_A_LINE):
            mine = calls[begin : begin + WATCHERS_A_LINE]
            connection = CrowdConnection(port, len(mine))
            self._connections.append(connection)
            self._poll.register(connection.sock, selectors.EVENT_READ, connection)
            for lane, call in enumerate(mine):
                connection.send(lane, call)
            connection.flush()

    @property
    def received(self) -> list[list[bytes]]:
        """The updates that each watcher received."""
        return [received for connection in self._connections for received in connection.received]

    def wait_for(self, number: int, seconds: float = SECONDS) -> float:
        """Read until each watcher has ``number`` updates; return when the last one had. Raises `LoadFailed`."""
        end = perf_counter() + seconds
        waiting = {connection for connection in self._connections if connection.lacks(number)}
        while waiting:
            ready = self._poll.select(max(0.0, end - perf_counter()))
            if not ready:
                short = sum(connection.lacks(number) for connection in waiting)
                raise LoadFailed(f"{short} watchers were not told {number} times in {seconds} seconds")
            for key, _ in ready:
                connection: CrowdConnection = key.data
                connection.receive()
                connection.flush()
                if connection in waiting and not connection.lacks(number):
                    waiting.remove(connection)
        return perf_counter()

    def close(self) -> None:
        """Close the connections."""
        self._poll.close()
        for connection in self._connections:
            connection.sock.close()
