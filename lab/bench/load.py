"""The load driver: calls of gRPC and HTTP/1.1 that cost their generator little.

Calls become bytes beforehand, and answers are not unpacked. The driver shares its processors with the server: a call
costs it some twenty microseconds, a tenth of grpc's Python client. Unlike the usual tools it can send another body with
every call, as the moves of a match need. A lane has one call in flight at a time. Lanes of gRPC share connections.
"""

import gc
import selectors
import socket
from collections import deque
from collections.abc import Iterator, Sequence
from enum import Enum
from time import perf_counter
from typing import NamedTuple

import orjson
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

SECONDS_OF_SILENCE = 20.0
BIG_WINDOW = 2**31 - 1
FIRST_WINDOW = 65_535
LARGEST_FRAME = 16_384
LONGEST_WORD = 126  # longer header values have a length of more than one byte
DATA, HEADERS, RESET, SETTINGS, PING, GOAWAY, WINDOW_UPDATE = 0, 1, 3, 4, 6, 7, 8
END_STREAM, ACK, END_HEADERS = 1, 1, 4


class LoadFailed(RuntimeError):
    """A call was not answered as expected, so the measurement is void."""


class Way(Enum):
    """How calls are sent. REST has a body of JSON, Connect one of Protocol Buffers; both go over HTTP/1.1."""

    GRPC = "gRPC"
    CONNECT = "Connect"
    REST = "REST"


ACCEPTED = {Way.GRPC: b"\x08\x01", Way.CONNECT: b"\x08\x01", Way.REST: b'{"accepted":true'}
VALID = {**ACCEPTED, Way.REST: b'{"verdict":"VERDICT_ACCEPTED"'}
"""The beginning of an answer that accepts a move."""


class Call(NamedTuple):
    """One call as bytes: its headers (in HTTP/1.1: all of it), its body, and the expected beginning of the answer."""

    head: bytes
    body: bytes = b""
    answer: bytes = b""


def encode(way: Way, path: str, message: Message, key: str = "", answer: bytes = b"") -> Call:
    """Encode a unary call. Headers of gRPC do not use the dynamic table, so they are valid on any connection."""
    if way is Way.GRPC:
        fields = [_field(4, path), _field(1, "bench"), _field(31, "application/grpc"), _field(0, "trailers", "te")]
        if key:
            fields.append(_field(23, f"Bearer {key}"))
        body = message.SerializeToString()
        return Call(b"\x83\x86" + b"".join(fields), b"\0" + len(body).to_bytes(4, "big") + body, answer)
    body = orjson.dumps(MessageToDict(message)) if way is Way.REST else message.SerializeToString()
    kind = "json" if way is Way.REST else "proto"
    head = f"POST {path} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/{kind}\r\nContent-Length: {len(body)}\r\n"
    secret = f"Authorization: Bearer {key}\r\n" if key else ""
    return Call(f"{head}{secret}\r\n".encode() + body, answer=answer)


def _field(place: int, value: str, name: str = "") -> bytes:
    """An HPACK header field that is not indexed: its name, by index in the static table or as text, and its value."""
    first = bytes([place]) if place < 15 else bytes([15, place - 15])
    words = [word.encode() for word in (*([name] if name else []), value)]
    if max(map(len, words)) > LONGEST_WORD:
        raise ValueError(f"a header is too long: {value[:40]}")
    return first + b"".join(bytes([len(word)]) + word for word in words)


def _frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    return len(payload).to_bytes(3, "big") + bytes((kind, flags)) + stream.to_bytes(4, "big") + payload


class Connection:
    def __init__(self, port: int) -> None:
        self.sock = socket.create_connection(("127.0.0.1", port), timeout=SECONDS_OF_SILENCE)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._out: list[bytes] = []
        self._in = b""

    def send(self, lane: int, call: Call) -> None:
        """Queue a call; `flush` sends it."""
        raise NotImplementedError

    def receive(self) -> list[tuple[int, bytes]]:
        """Receive; return the lanes whose calls were answered, with the answers. Raises `LoadFailed`."""
        raise NotImplementedError

    def flush(self) -> None:
        """Send what is queued. Raises `LoadFailed`."""
        if self._out:
            try:
                self.sock.sendall(b"".join(self._out))
            except ConnectionError as error:
                raise LoadFailed("the server closed the connection") from error
            self._out.clear()

    def _received(self) -> bytes:
        try:
            data = self.sock.recv(262_144)
        except ConnectionError:
            data = b""
        if not data:
            raise LoadFailed("the server closed the connection")
        return self._in + data


class GrpcConnection(Connection):
    """An HTTP/2 connection, as far as unary gRPC calls need it, with the largest windows for the server."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        hello = (4).to_bytes(2, "big") + BIG_WINDOW.to_bytes(4, "big")  # SETTINGS_INITIAL_WINDOW_SIZE
        more = (BIG_WINDOW - FIRST_WINDOW).to_bytes(4, "big")
        preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
        self._out += [preface, _frame(SETTINGS, 0, 0, hello), _frame(WINDOW_UPDATE, 0, 0, more)]
        self._stream = -1
        self._lanes: dict[int, int] = {}
        self._answers: dict[int, bytes] = {}
        self._window = FIRST_WINDOW
        self._waiting: deque[tuple[int, bytes]] = deque()

    def send(self, lane: int, call: Call) -> None:
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
        super().flush()

    def receive(self) -> list[tuple[int, bytes]]:
        data = self._received()
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


class HttpConnection(Connection):
    _lane = 0

    def send(self, lane: int, call: Call) -> None:
        self._lane = lane
        self._out.append(call.head)

    def receive(self) -> list[tuple[int, bytes]]:
        self._in = self._received()
        head, found, body = self._in.partition(b"\r\n\r\n")
        if not found:
            return []
        if not head.startswith(b"HTTP/1.1 200 "):
            raise LoadFailed(f"a call failed: {self._in[:400]!r}")
        _, is_sized, length = head.lower().partition(b"content-length:")
        if len(body) < int(length.partition(b"\r\n")[0]) if is_sized else not body.endswith(b"\r\n0\r\n\r\n"):
            return []
        self._in = b""
        return [(self._lane, body if is_sized else body.partition(b"\r\n")[2])]  # of chunks the first begins there


CONNECTIONS = {Way.GRPC: GrpcConnection, Way.CONNECT: HttpConnection, Way.REST: HttpConnection}


class Load(NamedTuple):
    """The result of a load: its duration, and the latency of each call in seconds, sorted."""

    seconds: float
    waits: Sequence[float]
    answers: Sequence[bytes] = ()

    @property
    def rate(self) -> float:
        return len(self.waits) / self.seconds

    def wait(self, share: float) -> float:
        """Return the latency that this share of the calls did not exceed."""
        return self.waits[min(len(self.waits) - 1, int(share * len(self.waits)))]


def drive(
    way: Way,
    port: int,
    lanes: Sequence[Iterator[Call]],
    seconds: float = float("inf"),
    *,
    rate: float = 0,
    keep: bool = False,
) -> Load:
    """Make the calls of every lane for ``seconds``, or until none is left; raises `LoadFailed`.

    Each lane calls again as soon as it was answered. With a ``rate``, in calls a second, the latency of a call counts
    from when it was due, whether or not a lane was free. ``keep`` keeps the answers.
    """
    each = 8 if way is Way.GRPC else 1
    connections = [CONNECTIONS[way](port) for _ in range(-(-len(lanes) // each))]
    # Unlike epoll, select can wait for less than a millisecond; but not for more than a thousand files.
    poll = selectors.SelectSelector() if rate else selectors.DefaultSelector()
    for connection in connections:
        poll.register(connection.sock, selectors.EVENT_READ, connection)
    idle, sent = list(range(len(lanes))), dict[int, tuple[float, bytes]]()
    waits, answers = list[float](), list[bytes]()
    gc.collect()
    gc.disable()  # the prepared calls are many objects, and none of them is garbage
    begun = due = perf_counter()
    end = begun + seconds
    try:
        while idle or sent:
            now = perf_counter()
            while idle and due <= now and (due if rate else now) < end:
                lane = idle.pop()
                if call := next(lanes[lane], None):  # else this lane has ended
                    sent[lane] = due if rate else now, call.answer
                    connections[lane // each].send(lane, call)
                due += 1 / rate if rate else 0
            for connection in connections:
                connection.flush()
            if not sent and (not rate or due >= end):
                break
            timeout = due - perf_counter() if rate and idle and due < end else SECONDS_OF_SILENCE
            ready = poll.select(max(0.0, timeout))
            if not ready and timeout == SECONDS_OF_SILENCE:
                raise LoadFailed(f"{len(sent)} calls were not answered within {timeout:.0f} seconds")
            now = perf_counter()
            for lane, answer in (one for key, _ in ready for one in key.data.receive()):
                since, expected = sent.pop(lane)
                if not answer.startswith(expected):
                    raise LoadFailed(f"an answer is not as it should be: {answer[:200]!r}")
                waits.append(now - since)
                idle.append(lane)
                if keep:
                    answers.append(answer)
        return Load(perf_counter() - begun, sorted(waits), answers)
    finally:
        gc.enable()
        poll.close()
        for connection in connections:
            connection.sock.close()
