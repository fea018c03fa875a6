"""A load generator for gRPC and HTTP/1.1 that costs little, and figures that were measured in several rounds.

Calls become bytes beforehand, and answers are not unpacked. The generator shares its processors with the server: a call
costs it some twenty microseconds, a tenth of grpc's Python client. Unlike the usual tools it can send another body with
every call, as the moves of a match need. A lane has one call in flight at a time. Lanes of gRPC share connections.
"""

from __future__ import annotations

import gc
import selectors
import socket
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from statistics import median, quantiles
from time import monotonic, perf_counter
from typing import NamedTuple, Protocol

from google.protobuf.message import Message

LEAST_ROUNDS = 3
"""On a machine that is too busy for more."""
PATIENCE = 2.0
"""How many times as long as planned a measurement may take before its rounds are cut down."""


class Measured(NamedTuple):
    """The median of the rounds, and their spread: half of the range between the quartiles, as a share of the median."""

    median: float
    spread: float = 0.0


def of_rounds(seen: Sequence[float]) -> Measured:
    """Return the median and the spread of some rounds."""
    middle = median(seen)
    if len(seen) < 2 or not middle:
        return Measured(middle)
    first, _, third = quantiles(seen, n=4, method="inclusive")
    return Measured(middle, (third - first) / 2 / abs(middle))


def ratio_of_rounds(seen: Sequence[float], baseline: Sequence[float]) -> Measured:
    """Return the median and the spread of the ratios of two figures that were measured in turns, round by round."""
    return of_rounds([one / max(other, 1e-9) for one, other in zip(seen, baseline, strict=True)])


def rounds_within(most: int, planned_seconds: float) -> Iterator[int]:
    """Iterate over the numbers of ``most`` rounds; of fewer where they take much longer than planned."""
    end = monotonic() + PATIENCE * planned_seconds
    for number in range(most):
        if number >= LEAST_ROUNDS and monotonic() > end:
            return
        yield number


HOST = "127.0.0.1"
SECONDS_OF_SILENCE = 20.0
BIG_WINDOW = 2**31 - 1
FIRST_WINDOW = 65_535
LARGEST_FRAME = 16_384
LONGEST_WORD = 126
"""Longer header values have a length of more than one byte."""
DATA, HEADERS, RESET, SETTINGS, PING, GOAWAY, WINDOW_UPDATE = 0, 1, 3, 4, 6, 7, 8
END_STREAM, ACK, END_HEADERS = 1, 1, 4


class LoadFailed(RuntimeError):
    """A call was not answered as expected, so the measurement is void."""


class Call(NamedTuple):
    """One call as bytes: its headers (in HTTP/1.1: all of it), its body, and the expected beginning of the answer."""

    head: bytes
    body: bytes = b""
    answer: bytes = b""


class Connection(Protocol):
    """A connection with its lanes."""

    sock: socket.socket

    def send(self, lane: int, call: Call) -> None:
        """Queue a call; `flush` sends it."""

    def flush(self) -> None:
        """Send the queued calls. Raises `LoadFailed`."""

    def receive(self) -> list[tuple[int, bytes]]:
        """Receive; return the lanes whose calls were answered, with the answers. Raises `LoadFailed`."""


# ---------------------------------------------------------------------- gRPC


def grpc_call(path: str, message: Message, key: str = "", answer: bytes = b"") -> Call:
    """Encode a unary call. The headers do not use the dynamic table, so they are valid on any connection."""
    head = (
        b"\x83\x86"
        + _field(4, path)
        + _field(1, "bench")
        + _field(31, "application/grpc")
        + _field(0, "trailers", "te")
    )
    if key:
        head += _field(23, f"Bearer {key}")
    body = message.SerializeToString()
    return Call(head, b"\0" + len(body).to_bytes(4, "big") + body, answer)


def _field(place: int, value: str, name: str = "") -> bytes:
    """An HPACK header field that is not indexed: its name, by index in the static table or as text, and its value."""
    first = bytes([place]) if place < 15 else bytes([15, place - 15])
    words = [word.encode() for word in (*([name] if name else []), value)]
    if max(map(len, words)) > LONGEST_WORD:
        raise ValueError(f"a header is too long: {value[:40]}")
    return first + b"".join(bytes([len(word)]) + word for word in words)


def _frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    return len(payload).to_bytes(3, "big") + bytes((kind, flags)) + stream.to_bytes(4, "big") + payload


class GrpcConnection:
    """An HTTP/2 connection, as far as unary gRPC calls need it."""

    def __init__(self, port: int) -> None:
        """Connect, with the largest flow-control windows for the server."""
        self.sock = _connected(port)
        hello = (4).to_bytes(2, "big") + BIG_WINDOW.to_bytes(4, "big")  # SETTINGS_INITIAL_WINDOW_SIZE
        more = (BIG_WINDOW - FIRST_WINDOW).to_bytes(4, "big")
        preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
        self._out = [preface, _frame(SETTINGS, 0, 0, hello), _frame(WINDOW_UPDATE, 0, 0, more)]
        self._in = b""
        self._stream = -1
        self._lanes: dict[int, int] = {}
        self._answers: dict[int, bytes] = {}
        self._window = FIRST_WINDOW
        self._waiting: deque[tuple[int, bytes]] = deque()

    def send(self, lane: int, call: Call) -> None:
        """Open a stream for a call."""
        if len(call.body) > FIRST_WINDOW:
            raise LoadFailed("a body is larger than the window of a stream")
        self._stream += 2
        self._lanes[self._stream] = lane
        self._out.append(_frame(HEADERS, END_HEADERS, self._stream, call.head))
        self._waiting.append((self._stream, call.body))

    def flush(self) -> None:
        """Send the queued calls, as far as the server's window allows."""
        while self._waiting and self._window > 0:
            stream, body = self._waiting.popleft()
            size = min(len(body), self._window, LARGEST_FRAME)
            self._window -= size
            self._out.append(_frame(DATA, END_STREAM if size == len(body) else 0, stream, body[:size]))
            if size < len(body):
                self._waiting.appendleft((stream, body[size:]))
        if self._out:
            _send(self.sock, b"".join(self._out))
            self._out.clear()

    def receive(self) -> list[tuple[int, bytes]]:
        """Receive frames, and acknowledge those that need it."""
        data = self._in + _received(self.sock)
        done: list[tuple[int, bytes]] = []
        at = 0
        while len(data) - at >= 9:
            end = at + 9 + int.from_bytes(data[at : at + 3], "big")
            if end > len(data):
                break
            kind, flags, stream = data[at + 3], data[at + 4], int.from_bytes(data[at + 5 : at + 9], "big")
            self._take(kind, flags, stream, data[at + 9 : end])
            if flags & END_STREAM and stream:
                if stream not in self._answers:
                    raise LoadFailed(f"a call failed: {data[at + 9 : end]!r}")
                done.append((self._lanes.pop(stream), self._answers.pop(stream)[5:]))
            at = end
        self._in = data[at:]
        return done

    def _take(self, kind: int, flags: int, stream: int, payload: bytes) -> None:
        if kind == DATA:
            self._answers[stream] = self._answers.get(stream, b"") + payload
        elif kind == WINDOW_UPDATE and not stream:
            self._window += int.from_bytes(payload, "big")
        elif kind in (SETTINGS, PING) and not flags & ACK:
            self._out.append(_frame(kind, ACK, 0, payload if kind == PING else b""))
        elif kind in (RESET, GOAWAY):
            raise LoadFailed(f"the server ended a stream or the connection: {payload!r}")


# ---------------------------------------------------------------------- HTTP/1.1


def rest_call(path: str, body: bytes, key: str = "", answer: bytes = b"", kind: str = "application/json") -> Call:
    """Encode a POST request whose body has the content type ``kind``."""
    lines = [f"POST {path} HTTP/1.1", "Host: bench", f"Content-Type: {kind}", f"Content-Length: {len(body)}"]
    if key:
        lines.append(f"Authorization: Bearer {key}")
    return Call("\r\n".join([*lines, "", ""]).encode() + body, answer=answer)


def connect_call(path: str, message: Message, key: str = "", answer: bytes = b"") -> Call:
    """Encode a unary call of the Connect protocol: over HTTP/1.1, the message as Protocol Buffers."""
    return rest_call(path, message.SerializeToString(), key, answer, "application/proto")


class RestConnection:
    """A persistent HTTP/1.1 connection with a single lane."""

    def __init__(self, port: int) -> None:
        """Connect."""
        self.sock = _connected(port)
        self._out = b""
        self._in = b""
        self._lane = 0

    def send(self, lane: int, call: Call) -> None:
        """Queue the request."""
        self._lane, self._out = lane, call.head

    def flush(self) -> None:
        """Send the request."""
        if self._out:
            _send(self.sock, self._out)
            self._out = b""

    def receive(self) -> list[tuple[int, bytes]]:
        """Receive until the answer is complete."""
        self._in += _received(self.sock)
        head, found, body = self._in.partition(b"\r\n\r\n")
        if not found:
            return []
        if not head.startswith(b"HTTP/1.1 200 "):
            raise LoadFailed(f"a call failed: {self._in[:400]!r}")
        _, _, length = head.lower().partition(b"content-length:")
        if len(body) < int(length.partition(b"\r\n")[0]):
            return []
        self._in = b""
        return [(self._lane, body)]


def _connected(port: int) -> socket.socket:
    sock = socket.create_connection((HOST, port), timeout=SECONDS_OF_SILENCE)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock


def _send(sock: socket.socket, data: bytes) -> None:
    try:
        sock.sendall(data)
    except ConnectionError as error:
        raise LoadFailed("the server closed the connection") from error


def _received(sock: socket.socket) -> bytes:
    try:
        data = sock.recv(262_144)
    except ConnectionError as error:
        raise LoadFailed("the server closed the connection") from error
    if not data:
        raise LoadFailed("the server closed the connection")
    return data


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
