"""The services that come with gRPC, and a server of the library that ends by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2
from grpc_health.v1.health_pb2_grpc import HealthStub

from chitarrella.api.request_limits import MIN_BYTES
from chitarrella.transports.grpc_server.server import GrpcServer
from tests.raw_grpc import call_raw
from tests.transports.all_transports import SECONDS, framed, grpc_opened
from tests.transports.conftest import WiredService
from tests.transports.test_grpc_errors import failure, reason

CHECK = "/grpc.health.v1.Health/Check"
MESSAGES: Any = health_pb2
MALFORMED = framed(b"\xff\xff")


@pytest.fixture(scope="module")
def address(wired: WiredService) -> Iterator[str]:
    """The gRPC server of the module."""
    with grpc_opened(wired) as opened:
        yield opened


@pytest.mark.parametrize(
    "path",
    [
        CHECK,
        "/grpc.health.v1.Health/List",
        "/grpc.health.v1.Health/Watch",
        "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
    ],
)
def test_malformed_bytes_for_a_service_of_grpc_are_a_bad_request(address: str, path: str) -> None:
    """The services that come with gRPC refuse malformed bytes, and long ones, as those of the contract do."""
    assert ("3", "bad_request") == call_raw(address, path.encode(), MALFORMED)
    assert "too_large" == reason(failure(address, path, bytes(MIN_BYTES + 1)))


def test_health_list_names_every_service(address: str) -> None:
    """``List`` has the status of each service, the whole server, and the liveness of the process."""
    with grpc.insecure_channel(address) as channel:
        health: Any = HealthStub(channel)
        listed = health.List(MESSAGES.HealthListRequest(), timeout=SECONDS)
        for name, shown in listed.statuses.items():
            checked = health.Check(health_pb2.HealthCheckRequest(service=name), timeout=SECONDS)
            assert health_pb2.HealthCheckResponse.SERVING == shown.status == checked.status
    assert {"", "liveness", "chitarrella.v1.MatchService"} < set(listed.statuses)


def test_a_server_of_the_library_that_ends_is_replaced(wired: WiredService) -> None:
    """When it ends unasked, the worker is not ready until there is another one at the same port."""

    async def serve() -> None:
        server = GrpcServer(wired.api, "127.0.0.1:0", calls=wired.calls)
        await server.start()
        port = server.port
        assert server.is_listening
        assert server._core is not None
        ended = server._core
        await ended.shutdown(None)
        assert server.is_listening is (server._core is not ended)
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            check: Any = channel.unary_unary(CHECK)
            answered = await check(b"", timeout=SECONDS, wait_for_ready=True)
        assert health_pb2.HealthCheckResponse.SERVING == health_pb2.HealthCheckResponse.FromString(answered).status
        assert (True, port) == (server.is_listening, server.port)
        await server.stop(1)
        assert not server.is_listening

    asyncio.run(serve())
