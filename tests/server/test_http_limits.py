"""Clients of the HTTP port that waste what is done for them: they are kept out or cut off, and others served."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import MutableMapping
from contextlib import ExitStack, suppress
from typing import Any
from urllib.parse import urlsplit

import pytest
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.settings import SettingCodes

from chitarrella import errors
from chitarrella.transports.http_server import (
    MAX_NETWORKS,
    MAX_REQUESTS,
    MAX_REQUESTS_OF_ADDRESS,
    MAX_WASTED,
    RequestAdmission,
    drop_connects,
)
from chitarrella.transports.rest import request_body
from chitarrella.transports.rest.request_body import BodyReader
from tests.server.process import Service, StartService, fetched
from tests.servers import until

ATTACKER = "127.0.0.2"
PATH = "/v1/rules:startGame"
START = b'{"ruleSet": {"gameId": "briscola"}}'
JSON = {"Content_Type": "application/json"}
STREAMS = 100
BODIES = 24
BODY_BYTES = 4 * 1024**2 - 1
DOCUMENT_CONNECTIONS = 4
BLOCKED = "an address is blocked"
SECONDS = 60.0


def connect(service: Service, source: str = ATTACKER) -> socket.socket:
    """Connect to the HTTP port from an address of this machine."""
    url = urlsplit(service.rest)
    return socket.create_connection((url.hostname or "", url.port or 0), timeout=2, source_address=(source, 0))


def call_honestly(service: Service, **headers: str) -> None:
    """Make a call as any client does; it must be answered."""
    assert "position" in fetched(f"{service.rest}{PATH}", START, **JSON, **headers)


def requests_at_once(method: str, path: str, *headers: tuple[str, str], window: int = 65_535) -> bytes:
    """Many requests over one connection of HTTP/2, those with a body without it; ``window`` is that for answers."""
    connection = H2Connection(H2Configuration(client_side=True))
    connection.local_settings.update({SettingCodes.INITIAL_WINDOW_SIZE: window})
    connection.initiate_connection()
    pseudo = [(":method", method), (":path", path), (":authority", "x"), (":scheme", "http")]
    for _ in range(STREAMS):
        number = connection.get_next_available_stream_id()
        connection.send_headers(number, [*pseudo, *headers], end_stream=method == "GET")
    return connection.data_to_send()


def leave_until_blocked(service: Service, source: str, *headers: tuple[str, str]) -> None:
    """Open calls and leave, until the service blocks the address."""
    data = requests_at_once("POST", PATH, *headers)

    def leave() -> bool:
        with suppress(OSError), connect(service, source) as sock:
            sock.sendall(data)
        return bool(service.events(BLOCKED))

    until(leave, "the address is blocked", SECONDS)


def test_client_that_leaves_its_calls_is_kept_out(start_service: StartService) -> None:
    """An address that opens calls and leaves, again and again, cannot connect for a while; others are served."""
    service = start_service()
    leave_until_blocked(service, ATTACKER)
    until(lambda: not connects(service), "no connection is made", SECONDS)
    call_honestly(service)
    until(lambda: connects(service), "the address can connect again", SECONDS)


def connects(service: Service) -> bool:
    """Whether the attacker can connect."""
    try:
        connect(service).close()
    except OSError:
        return False
    return True


def test_behind_a_proxy_only_the_caller_is_blocked(start_service: StartService) -> None:
    """Behind a trusted proxy the caps count callers by the address that the proxy names, and the proxy is served."""
    service = start_service("--trusted-proxies", "1")
    leave_until_blocked(service, "127.0.0.1", ("x-forwarded-for", "203.0.113.9"))
    call_honestly(service, X_Forwarded_For="203.0.113.10")
    with connect(service, "127.0.0.1") as sock:
        sock.sendall(b"GET /v1/games HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.9\r\n\r\n")
        assert sock.recv(65536).startswith(b"HTTP/1.1 503 ")


def test_unfinished_bodies_are_bounded(start_service: StartService) -> None:
    """Of great bodies that are never finished some are refused, and a small one from another address is not."""
    service = start_service("--read-timeout", "300")
    head = b"POST %b HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % (PATH.encode(), BODY_BYTES + 1)
    refused: list[bytes] = []
    with ExitStack() as stack:
        sockets = [stack.enter_context(connect(service)) for _ in range(BODIES)]
        for sock in sockets:
            with suppress(OSError):  # refused before it has been sent
                sock.sendall(head + b" " * BODY_BYTES)

        def some_refused() -> bool:
            for sock in sockets:
                sock.settimeout(0.01)
                with suppress(OSError):
                    refused.append(sock.recv(65536))
            return any(b'"overloaded"' in answer for answer in refused)

        until(some_refused, "a body is refused", SECONDS)
        call_honestly(service)


def test_answers_that_are_not_read_are_bounded(start_service: StartService) -> None:
    """Connections of HTTP/2 whose client asks for documents and reads none are closed; others are served."""
    service = start_service("--read-timeout", "300")
    data = requests_at_once("GET", "/openapi.json", window=0)
    with ExitStack() as stack:
        sockets = [stack.enter_context(connect(service)) for _ in range(DOCUMENT_CONNECTIONS)]
        for sock in sockets:
            sock.sendall(data)
        until(lambda: any(map(is_closed, sockets)), "a connection is closed", SECONDS)
        call_honestly(service)


def is_closed(sock: socket.socket) -> bool:
    """Whether the service has closed a connection."""
    sock.settimeout(0.01)
    try:
        while sock.recv(65536):
            pass
    except TimeoutError:
        return False
    except OSError:
        return True
    return True


def test_client_that_reads_is_served_every_document(start_service: StartService) -> None:
    """A client that reads all that it asks for gets much more than may be unread."""
    service = start_service()
    size = len(fetched(f"{service.rest}/openapi.json"))
    found: list[int] = []

    def read() -> None:
        for _ in range(STREAMS):
            found.append(len(fetched(f"{service.rest}/openapi.json")))

    readers = [threading.Thread(target=read) for _ in range(DOCUMENT_CONNECTIONS)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    assert DOCUMENT_CONNECTIONS * STREAMS == found.count(size)


# ---------------------------------------------------------------------- admission


ADDRESS, OTHER = "192.0.2.1", "192.0.2.2"
PART = b" " * 1024**2


def test_requests_of_an_address_are_capped() -> None:
    """An address has its cap, and another one is let in; a request that ends makes room."""
    admission = RequestAdmission()
    assert all(admission.begin(ADDRESS) for _ in range(MAX_REQUESTS_OF_ADDRESS))
    assert not admission.begin(ADDRESS)
    assert admission.begin(OTHER)
    admission.end(ADDRESS)
    assert admission.begin(ADDRESS)


def test_requests_of_a_worker_are_capped() -> None:
    """There is a cap on the requests of all addresses together."""
    admission = RequestAdmission()
    assert MAX_REQUESTS == sum(admission.begin(f"192.0.2.{number % 200}") for number in range(MAX_REQUESTS + 10))


def test_address_that_wastes_requests_is_blocked_once() -> None:
    """An address is blocked at its last wasted request, and others are not."""
    blocked: list[str] = []
    admission = RequestAdmission(blocked.append)
    for _ in range(MAX_WASTED - 1):
        admission.waste(ADDRESS)
    assert not admission.is_blocked(ADDRESS)
    for _ in range(2 * MAX_WASTED):
        admission.waste(ADDRESS)
    assert [ADDRESS] == blocked == admission.blocked
    assert admission.is_blocked(ADDRESS)
    assert not admission.is_blocked(OTHER)


CROWD = [f"198.51.{number // 250}.{number % 250}" for number in range(MAX_NETWORKS - 1)]


@pytest.mark.parametrize(
    ("host", "source", "network"), [("127.0.0.1", "127.0.0.2", "127.0.0.2"), ("::1", "::1", "::/64")]
)
def test_connections_from_a_network_are_dropped(host: str, source: str, network: str) -> None:
    """The kernel drops attempts from the networks of the filter, however many there are, until it is empty again."""
    with socket.create_server((host, 0), family=socket.AF_INET6 if ":" in host else socket.AF_INET) as sock:
        port = sock.getsockname()[1]
        drop_connects(sock, CROWD)
        assert connects_admission(host, port, source)
        drop_connects(sock, [*CROWD, network])
        assert not connects_admission(host, port, source)
        drop_connects(sock, [])
        assert connects_admission(host, port, source)


def test_other_networks_are_not_dropped() -> None:
    """Attempts from other networks are accepted, of either version of IP."""
    with socket.create_server(("127.0.0.1", 0)) as sock:
        drop_connects(sock, ["127.0.0.2", "::/64"])
        assert connects_admission("127.0.0.1", sock.getsockname()[1], "127.0.0.3")


def connects_admission(host: str, port: int, source: str) -> bool:
    """Whether a connection from an address is made."""
    try:
        socket.create_connection((host, port), timeout=0.5, source_address=(source, 0)).close()
    except OSError:
        return False
    return True


async def parts(*bodies: bytes) -> bytes:
    """Read the body of a request whose client sends these parts, and then nothing more."""
    return await BodyReader(300).read(sending(*bodies), {"REMOTE_ADDR": ADDRESS})


def sending(*bodies: bytes) -> request_body.Receive:
    """A client that sends parts of a body without an end."""
    left = list(bodies)

    async def receive() -> MutableMapping[str, Any]:
        if not left:
            await asyncio.Event().wait()
        return {"type": "http.request", "body": left.pop(0), "more_body": True}

    return receive


def test_body_that_comes_too_slowly_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A body that does not come at the least pace is refused long before the time for a whole body is over."""
    monkeypatch.setattr(request_body, "SLOW_SECONDS", 0.1)
    with pytest.raises(errors.BadRequest, match="too slowly"):
        asyncio.run(parts(b"{", b" "))


def test_greatest_unfinished_body_is_refused() -> None:
    """Where unfinished bodies have too many bytes, one of the address with most of them is refused, and no other."""
    reader = BodyReader(300)

    async def read_all() -> tuple[list[BaseException], bool]:
        small = asyncio.create_task(reader.read(sending(b"{"), {"REMOTE_ADDR": OTHER}))
        great = [asyncio.create_task(reader.read(sending(*[PART] * 3), {"REMOTE_ADDR": ADDRESS})) for _ in range(30)]
        ended, _ = await asyncio.wait([small, *great], return_when=asyncio.FIRST_COMPLETED, timeout=20)
        is_small_refused = small.done()
        for task in (small, *great):
            task.cancel()
        await asyncio.gather(small, *great, return_exceptions=True)
        return [error for task in ended if (error := task.exception())], is_small_refused

    refused, is_small_refused = asyncio.run(read_all())
    assert refused
    assert all(isinstance(error, errors.Overloaded) for error in refused)
    assert not is_small_refused
