"""Attacks on the HTTP port by thousands of connections: others are answered meanwhile, and the slow ones closed."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from urllib.parse import urlsplit

import pytest
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.errors import ErrorCodes
from h2.events import ConnectionTerminated

from chitarrella.server.process import raise_file_limit
from tests.server.process import Service, StartService, fetched, watchers
from tests.servers import until

READ_TIMEOUT = "3"
CONNECTIONS = 2100
HONEST_CALLS = 20
RESETS = 20_000
RESETS_AT_ONCE = 50
START = b'{"ruleSet": {"gameId": "briscola"}}'
JSON = {"Content_Type": "application/json"}
HEADERS = b"POST /v1/rules:startGame HTTP/1.1\r\nHost: x\r\n" + b"X-Filler: 0123456789\r\n" * 20
BODY = b"POST /v1/rules:startGame HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n"
HTTP_2 = [(":method", "POST"), (":path", "/v1/rules:startGame"), (":authority", "x"), (":scheme", "http")]


@pytest.fixture
def service(start_service: StartService) -> Service:
    """One worker that waits three seconds for a request, and has a port for operators."""
    return start_service("--read-timeout", READ_TIMEOUT, "--admin", "127.0.0.1:0")


def connect(service: Service) -> socket.socket:
    """Connect to the HTTP port."""
    url = urlsplit(service.rest)
    return socket.create_connection((url.hostname or "", url.port or 0), timeout=20)


def call_honestly(service: Service) -> None:
    """Make calls as any client does; each must be answered."""
    for _ in range(HONEST_CALLS):
        assert "position" in fetched(f"{service.rest}/v1/rules:startGame", START, **JSON)
    assert '"alive"' in fetched(f"{service.rest}/healthz")


@contextmanager
def dripping(sockets: list[socket.socket], part: Callable[[int], bytes]) -> Iterator[None]:
    """Send each connection the next byte of its request, over and over, for as long as the block lasts."""
    stop = threading.Event()

    def drip() -> None:
        place = 0
        while not stop.wait(0.2):
            for number, sock in enumerate(sockets):
                data = part(number)
                with suppress(OSError):  # the service has closed it
                    sock.sendall(data[place % len(data) :][:1])
            place += 1

    thread = threading.Thread(target=drip)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def is_closed(sock: socket.socket) -> bool:
    """Whether the service has closed a connection; waits for what is on its way."""
    try:
        while sock.recv(65536):
            pass
    except TimeoutError:
        return False
    except OSError:
        return True
    return True


def test_dripping_connections_are_closed_and_others_served(service: Service) -> None:
    """Of two thousand connections half send headers and half bodies, a byte at a time: nobody else waits for them."""
    raise_file_limit()
    with ExitStack() as stack:
        sockets = [stack.enter_context(connect(service)) for _ in range(CONNECTIONS)]
        for sock in sockets[1::2]:
            sock.sendall(BODY)
        with dripping(sockets, lambda number: b"x" if number % 2 else HEADERS):
            call_honestly(service)
            assert '"ready"' in fetched(f"{service.admin}/readyz")
            until(lambda: all(map(is_closed, sockets)), "every slow connection is closed")
        call_honestly(service)


def preface() -> tuple[H2Connection, bytes]:
    """Begin a connection of HTTP/2."""
    connection = H2Connection(H2Configuration(client_side=True))
    connection.initiate_connection()
    return connection, connection.data_to_send()


def half_headers() -> bytes:
    """A request over HTTP/2 whose headers lack their last bytes."""
    connection, data = preface()
    connection.send_headers(1, HTTP_2)
    return data + connection.data_to_send()[:-3]


def no_body() -> bytes:
    """A request over HTTP/2 whose body does not come."""
    connection, data = preface()
    connection.send_headers(1, [*HTTP_2, ("content-length", "100")])
    return data + connection.data_to_send()


@pytest.mark.parametrize(
    "sent",
    [b"", b"P", b"PRI * HTTP/2.0\r\n", b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", preface()[1], half_headers()],
    ids=["nothing", "one byte", "half a preface", "a whole request", "a preface", "half the headers of HTTP/2"],
)
def test_connection_without_a_request_is_closed(service: Service, sent: bytes) -> None:
    """A connection on which no request is complete in time is closed, in whatever state it is."""
    with connect(service) as sock:
        sock.sendall(sent)
        assert is_closed(sock)


def test_body_that_does_not_come_is_refused(service: Service) -> None:
    """A request over HTTP/2 without its body is refused with a reason, and its connection closed when it is idle."""
    with connect(service) as sock:
        sock.sendall(no_body())
        received = b""
        while data := sock.recv(65536):
            received += data
        assert b'"bad_request"' in received


def test_stream_is_not_idle(service: Service) -> None:
    """A stream that is silent for longer than the service waits for a request stays open."""
    created = fetched(f"{service.rest}/v1/matches", START, **JSON)
    match = created.partition('"matchId":"')[2].partition('"')[0]
    with connect(service) as sock:
        sock.sendall(f"GET /v1/matches/{match}:watch HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        time.sleep(3 * float(READ_TIMEOUT))
        assert 1 == watchers(service)


def test_rapid_reset_is_cut_off(service: Service) -> None:
    """A client of HTTP/2 that opens and resets calls without end is sent away; others are answered meanwhile."""
    answered = threading.Thread(target=call_honestly, args=(service,))
    answered.start()
    ended: list[ConnectionTerminated] = []
    while answered.is_alive() or not ended:
        ended += flood(service)
    answered.join()
    assert {ErrorCodes.ENHANCE_YOUR_CALM} == {one.error_code for one in ended}
    call_honestly(service)


def flood(service: Service) -> list[ConnectionTerminated]:
    """Reset calls until the service ends the connection; return how it did, nothing if it just closed it."""
    connection, data = preface()
    with connect(service) as sock:
        sock.sendall(data)
        sock.settimeout(0.01)
        for _ in range(RESETS // RESETS_AT_ONCE):
            for _ in range(RESETS_AT_ONCE):
                number = connection.get_next_available_stream_id()
                connection.send_headers(number, HTTP_2)
                connection.reset_stream(number)
            try:
                sock.sendall(connection.data_to_send())
                received = connection.receive_data(sock.recv(65536))
            except TimeoutError:
                continue
            except OSError:
                return []
            if ended := [one for one in received if isinstance(one, ConnectionTerminated)]:
                return ended
    raise AssertionError("the service let every reset pass")
