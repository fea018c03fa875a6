"""A load generator for gRPC and HTTP/1.1 that costs little: calls become bytes beforehand, answers are not unpacked.

The generator shares its processors with the server. A call costs it some twenty microseconds, a tenth of grpc's Python
client; unlike the usual tools it can send another body with every call, as the moves of a match need.

A lane has one call in flight at a time. Lanes of gRPC share connections.
"""

from __future__ import annotations

import gc
import selectors
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import NamedTuple

from lab.bench.connections import SECONDS_OF_SILENCE, Call, Connection, LoadFailed

LANES_A_CONNECTION = 8


class Load(NamedTuple):
    """The result of a load: its duration, and the latency of each call in seconds, sorted."""

    seconds: float
    waits: Sequence[float]
    answers: Sequence[bytes] = ()

    @property
    def rate(self) -> float:
        """Calls a second."""
        return len(self.waits) / self.seconds

    def wait(self, share: float) -> float:
        """Return the latency that this share of the calls did not exceed."""
        return self.waits[min(len(self.waits) - 1, int(share * len(self.waits)))]


def drive(
    open_connection: Callable[[], Connection],
    lanes: Sequence[Iterator[Call]],
    seconds: float = float("inf"),
    *,
    rate: float = 0.0,
    lanes_each: int = LANES_A_CONNECTION,
    keep: bool = False,
) -> Load:
    """Make the calls of every lane for ``seconds``, or until none is left; raises `LoadFailed`.

    Each lane calls again as soon as it was answered. With a ``rate``, in calls a second, the latency of a call counts
    from when it was due, whether or not a lane was free. ``keep`` keeps the answers.
    """
    connections = [open_connection() for _ in range(-(-len(lanes) // lanes_each))]
    try:
        gc.collect()
        gc.disable()  # the prepared calls are many objects, and none of them is garbage
        return _Drive(connections, lanes, lanes_each, keep=keep).go(seconds, rate)
    finally:
        gc.enable()
        for connection in connections:
            connection.sock.close()


class _Drive:
    """A load in progress."""

    def __init__(
        self, connections: list[Connection], lanes: Sequence[Iterator[Call]], lanes_each: int, *, keep: bool
    ) -> None:
        self._connections = connections
        self._lanes = lanes
        self._connection_of = [connections[lane // lanes_each] for lane in range(len(lanes))]
        self._keep = keep
        self._idle = list(range(len(lanes)))
        self._sent: dict[int, tuple[float, bytes]] = {}
        self._waits: list[float] = []
        self._answers: list[bytes] = []
        # unlike epoll, select can wait for less than a millisecond
        self._poll = selectors.SelectSelector()
        for connection in connections:
            self._poll.register(connection.sock, selectors.EVENT_READ, connection)

    def go(self, seconds: float, rate: float) -> Load:
        begun = perf_counter()
        end = begun + seconds
        due = begun
        while self._idle or self._sent:
            now = perf_counter()
            while self._idle and due <= now and (due if rate else now) < end:
                self._call(self._idle.pop(), due if rate else now)
                due += 1 / rate if rate else 0
            for connection in self._connections:
                connection.flush()
            if (due if rate else now) >= end and not self._sent:
                break
            if self._sent or rate:
                timeout = due - perf_counter() if rate and self._idle and due < end else SECONDS_OF_SILENCE
                self._listen(max(0.0, timeout))
        return Load(perf_counter() - begun, sorted(self._waits), self._answers)

    def _call(self, lane: int, since: float) -> None:
        call = next(self._lanes[lane], None)
        if call is not None:  # else this lane has ended
            self._sent[lane] = since, call.answer
            self._connection_of[lane].send(lane, call)

    def _listen(self, timeout: float) -> None:
        ready = self._poll.select(timeout)
        if not ready and timeout == SECONDS_OF_SILENCE:
            raise LoadFailed(f"{len(self._sent)} calls were not answered within {timeout:.0f} seconds")
        now = perf_counter()
        for key, _ in ready:
            for lane, answer in key.data.receive():
                since, expected = self._sent.pop(lane)
                if not answer.startswith(expected):
                    raise LoadFailed(f"an answer is not as it should be: {answer[:200]!r}")
                self._waits.append(now - since)
                self._idle.append(lane)
                if self._keep:
                    self._answers.append(answer)
