"""Attacks on the HTTP port by thousands of connections: others are answered meanwhile, and the slow ones closed."""

from __future__ import annotations

import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from urllib.parse import urlsplit

import grpc
import pytest
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.errors import ErrorCodes
from h2.events import ConnectionTerminated, ResponseReceived, StreamReset, TrailersReceived

from chitarrella.server.process import raise_file_limit
from chitarrella.transports.grpc_server import MAX_REQUEST_BYTES, MAX_STREAMS
from chitarrella.v1 import catalogue_pb2, matches_pb2
from chitarrella.v1.catalogue_pb2_grpc import CatalogueServiceStub
from chitarrella.v1.matches_pb2_grpc import MatchServiceStub
from tests.http2_flood import rapid_reset
from tests.raw_grpc import NO_MESSAGE, SECONDS, call_raw, headers_of, open_call
from tests.server.process import Player, Service, StartService, fetched, watchers
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
def limited(start_service: StartService) -> Service:
    """One worker that waits three seconds for a request, and has a port for operators."""
    return start_service("--read-timeout", READ_TIMEOUT, "--admin", "127.0.0.1:0")


def connect(limited: Service) -> socket.socket:
    """Connect to the HTTP port."""
    url = urlsplit(limited.rest)
    return socket.create_connection((url.hostname or "", url.port or 0), timeout=20)


def call_honestly(limited: Service) -> None:
    """Make calls as any client does; each must be answered."""
    for _ in range(HONEST_CALLS):
        assert "position" in fetched(f"{limited.rest}/v1/rules:startGame", START, **JSON)
    assert '"alive"' in fetched(f"{limited.rest}/healthz")


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


def test_dripping_connections_are_closed_and_others_served(limited: Service) -> None:
    """Of two thousand connections half send headers and half bodies, a byte at a time: nobody else waits for them."""
    raise_file_limit()
    with ExitStack() as stack:
        sockets = [stack.enter_context(connect(limited)) for _ in range(CONNECTIONS)]
        for sock in sockets[1::2]:
            sock.sendall(BODY)
        with dripping(sockets, lambda number: b"x" if number % 2 else HEADERS):
            call_honestly(limited)
            assert '"ready"' in fetched(f"{limited.admin}/readyz")
            until(lambda: all(map(is_closed, sockets)), "every slow connection is closed")
        call_honestly(limited)


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
def test_connection_without_a_request_is_closed(limited: Service, sent: bytes) -> None:
    """A connection on which no request is complete in time is closed, in whatever state it is."""
    with connect(limited) as sock:
        sock.sendall(sent)
        assert is_closed(sock)


def test_body_that_does_not_come_is_refused(limited: Service) -> None:
    """A request over HTTP/2 without its body is refused with a reason, and its connection closed when it is idle."""
    with connect(limited) as sock:
        sock.sendall(no_body())
        received = b""
        while data := sock.recv(65536):
            received += data
        assert b'"bad_request"' in received


def test_stream_is_not_idle(limited: Service) -> None:
    """A stream that is silent for longer than the service waits for a request stays open."""
    created = fetched(f"{limited.rest}/v1/matches", START, **JSON)
    match = created.partition('"matchId":"')[2].partition('"')[0]
    with connect(limited) as sock:
        sock.sendall(f"GET /v1/matches/{match}:watch HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        time.sleep(3 * float(READ_TIMEOUT))
        assert 1 == watchers(limited)


def test_rapid_reset_is_cut_off(limited: Service) -> None:
    """A client of HTTP/2 that opens and resets calls without end is sent away; others are answered meanwhile."""
    answered = threading.Thread(target=call_honestly, args=(limited,))
    answered.start()
    ended: list[ConnectionTerminated] = []
    while answered.is_alive() or not ended:
        ended += flood(limited)
    answered.join()
    assert {ErrorCodes.ENHANCE_YOUR_CALM} == {one.error_code for one in ended}
    call_honestly(limited)


def flood(limited: Service) -> list[ConnectionTerminated]:
    """Reset calls until the service ends the connection; return how it did, nothing if it just closed it."""
    connection, data = preface()
    with connect(limited) as sock:
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


# ---------------------------------------------------------------------- rapid reset


PATH = "/chitarrella.v1.MatchService/ListEvents"
CALLERS = 4
CALLS = 50
DEADLINE_SECONDS = 20.0


def test_honest_calls_are_answered_during_a_rapid_reset(start_service: StartService) -> None:
    """Every honest call, with and without the store, is answered while thousands of streams are opened and reset."""
    service = start_service()
    with rapid_reset(service.grpc, PATH) as flood:
        until(lambda: flood.resets >= 5_000, "the flood has begun")
        with ThreadPoolExecutor(CALLERS) as callers:
            answers = [answer for codes in callers.map(codes_of, [service.grpc] * CALLERS) for answer in codes]
    assert {"OK", "NOT_FOUND"} == set(answers)
    assert 2 * CALLERS * CALLS == len(answers)


def codes_of(address: str) -> list[str]:
    """Call the service in a connection of its own, one call after the other; the status codes of the answers."""
    with grpc.insecure_channel(address, [("grpc.use_local_subchannel_pool", 1)]) as channel:
        return [code for _ in range(CALLS) for code in two_calls(channel)]


def two_calls(channel: grpc.Channel) -> Iterator[str]:
    """Call a stateless rpc, and one that reads from the store."""
    games = catalogue_pb2.ListGamesRequest()
    events = matches_pb2.ListEventsRequest(match_id="a" * 20)
    try:
        CatalogueServiceStub(channel).ListGames(games, timeout=DEADLINE_SECONDS)
        yield "OK"
        MatchServiceStub(channel).ListEvents(events, timeout=DEADLINE_SECONDS)
    except grpc.RpcError as error:
        yield error.code().name


# ---------------------------------------------------------------------- grpc attacks


LIST_GAMES = b"/chitarrella.v1.CatalogueService/ListGames"
GET_GAME = b"/chitarrella.v1.CatalogueService/GetGame"
GONE = 5
HEADERS_GRPC_ATTACKS = 100
CALLS_AT_ONCE = 700


@pytest.fixture
def service(start_service: StartService) -> Service:
    """One worker."""
    return start_service()


def not_for_information(service: Service) -> list[object]:
    """The lines of the log that tell of something wrong."""
    return [line for line in service.events("") if line["level"] != "info"]


@pytest.mark.parametrize("path", [b"/\xff", b"\xff", LIST_GAMES + b"\xc2"])
def test_path_that_is_not_utf8_is_refused_and_others_go_on(service: Service, path: bytes) -> None:
    """A path of any bytes is one of no rpc; a watch and calls on other connections go on as if it had not come."""
    player = Player(service.grpc)
    watch = player.watch()
    next(watch)
    for _ in range(3):
        assert ("12", "no_such_route") == call_raw(service.grpc, path)
        CatalogueServiceStub(player.channel).ListGames(catalogue_pb2.ListGamesRequest(), timeout=20)
    player.play()
    next(watch)
    with grpc.insecure_channel(service.grpc, [("grpc.use_local_subchannel_pool", 1)]) as channel:
        CatalogueServiceStub(channel).ListGames(catalogue_pb2.ListGamesRequest(), timeout=20)
    player.close()
    assert [] == not_for_information(service)


def test_a_key_that_is_not_utf8_is_not_logged(service: Service) -> None:
    """Metadata of any bytes leaves one line, which names the class of the fault and no value."""
    key = Player(service.grpc).created.referee_key
    spoilt = (b"authorization", b"Bearer " + key.encode() + b"\xc2")
    assert "16" == call_raw(service.grpc, LIST_GAMES, NO_MESSAGE, spoilt).status
    many = [(b"x-%d" % number, b"\xff") for number in range(HEADERS_GRPC_ATTACKS)]
    assert "0" == call_raw(service.grpc, LIST_GAMES, NO_MESSAGE, *many).status
    (line,) = service.events("a library reports a fault")
    assert ("grpc._cython.cygrpc", "UnicodeDecodeError") == (line["logger"], line["exception"])
    assert key not in service.log()
    assert "xff" not in service.log()


def test_callers_that_leave_are_no_errors(service: Service) -> None:
    """Clients that take no data, and close before their answer is sent, leave the lines of their calls alone."""
    no_window = b"\0\0\6\4\0\0\0\0\0" + struct.pack(">HI", 4, 0)
    host, _, port = service.grpc.rpartition(":")
    body = catalogue_pb2.GetGameRequest(game_id="lu-stu").SerializeToString()
    for number in range(GONE):
        _, data = open_call(GET_GAME, struct.pack(">BI", 0, len(body)) + body)
        with socket.create_connection((host, int(port)), timeout=20) as sock:
            sock.sendall(data + no_window)
            until(lambda: len(calls(service)) > number, "the call is answered")  # noqa: B023 - it is called at once
    service.stop()
    assert [] == not_for_information(service)


@pytest.mark.parametrize(
    "path",
    [LIST_GAMES, b"/grpc.health.v1.Health/Watch", b"/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"],
)
def test_message_that_does_not_arrive_is_refused(start_service: StartService, path: bytes) -> None:
    """A call without the end of its message is refused with a reason, so that what has come is kept no longer."""
    service = start_service("--read-timeout", "1")
    started = struct.pack(">BI", 0, 1_000) + bytes(900)
    assert ("3", "bad_request") == call_raw(service.grpc, path, started, end=False)
    assert [] == not_for_information(service)


def test_calls_whose_messages_do_not_end_are_few_and_end(start_service: StartService) -> None:
    """Of the calls that one connection begins and does not end, so many as it may have are kept, for a limited time."""
    service = start_service("--read-timeout", "2")
    connection = H2Connection()
    connection.initiate_connection()
    for number in range(CALLS_AT_ONCE):
        connection.send_headers(2 * number + 1, headers_of(LIST_GAMES))
        connection.send_data(2 * number + 1, struct.pack(">BI", 0, MAX_REQUEST_BYTES))
    host, _, port = service.grpc.rpartition(":")
    refused, ended = set[int](), set[int]()
    with socket.create_connection((host, int(port)), timeout=SECONDS) as sock:
        while len(refused | ended) < CALLS_AT_ONCE:
            sock.sendall(connection.data_to_send())
            for event in connection.receive_data(sock.recv(65_536)):
                if isinstance(event, TrailersReceived | ResponseReceived) and (b"grpc-status", b"3") in event.headers:
                    ended.add(event.stream_id)
                if isinstance(event, StreamReset) and event.error_code == ErrorCodes.ENHANCE_YOUR_CALM:
                    refused.add(event.stream_id)
    assert (MAX_STREAMS, CALLS_AT_ONCE - MAX_STREAMS) == (len(ended), len(refused))


def calls(service: Service) -> list[object]:
    """The lines of the log about calls of `GET_GAME`."""
    return [line for line in service.events("request") if line.get("rpc") == GET_GAME.decode()]
