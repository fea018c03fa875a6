"""Which requests the HTTP port lets in, from which networks it accepts connections, and how bodies are read."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import MutableMapping
from typing import Any

import pytest

from chitarrella import errors
from chitarrella.transports.http_server.admission import (
    MAX_REQUESTS,
    MAX_REQUESTS_OF_ADDRESS,
    MAX_WASTED,
    RequestAdmission,
)
from chitarrella.transports.http_server.source_filter import MAX_NETWORKS, drop_connects
from chitarrella.transports.rest import request_body
from chitarrella.transports.rest.request_body import BodyReader

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
        assert connects(host, port, source)
        drop_connects(sock, [*CROWD, network])
        assert not connects(host, port, source)
        drop_connects(sock, [])
        assert connects(host, port, source)


def test_other_networks_are_not_dropped() -> None:
    """Attempts from other networks are accepted, of either version of IP."""
    with socket.create_server(("127.0.0.1", 0)) as sock:
        drop_connects(sock, ["127.0.0.2", "::/64"])
        assert connects("127.0.0.1", sock.getsockname()[1], "127.0.0.3")


def connects(host: str, port: int, source: str) -> bool:
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
