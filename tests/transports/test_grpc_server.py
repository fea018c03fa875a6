"""The services that come with gRPC, its errors, and HTTP that no client sends."""

import asyncio
import re
import socket
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import grpc
import pytest
from grpc_health.v1 import health_pb2
from grpc_health.v1.health_pb2_grpc import HealthStub
from grpc_status import rpc_status

from chitarrella.api.request_size import MIN_BYTES
from chitarrella.transports.grpc_server import MAX_REQUEST_BYTES, GrpcServer, server_options
from chitarrella_client.errors import read_error
from tests.raw_grpc import call_raw
from tests.transports.all_transports import RPCS, SECONDS, framed, grpc_error, grpc_opened
from tests.transports.conftest import WiredService

CHECK = "/grpc.health.v1.Health/Check"
MESSAGES: Any = health_pb2
MALFORMED = framed(b"\xff\xff")


@pytest.fixture(scope="module")
def address(wired: WiredService) -> Iterator[str]:
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
    assert "too_large" == reason(failed_call(address, path, bytes(MIN_BYTES + 1)))


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
        assert server._server is not None
        await server._server.stop(None)
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            check: Any = channel.unary_unary(CHECK)
            answered = await check(b"", timeout=SECONDS, wait_for_ready=True)
        assert health_pb2.HealthCheckResponse.SERVING == health_pb2.HealthCheckResponse.FromString(answered).status
        assert (True, port) == (server.is_listening, server.port)
        await server.stop(1)
        assert not server.is_listening

    asyncio.run(serve())


def test_idle_channel_may_ping(wired: WiredService, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that pings without calls, at most as often as the server permits, stays connected; here in seconds."""
    options = dict(server_options(reuse_port=False))
    options["grpc.http2.min_ping_interval_without_data_ms"] //= 20
    monkeypatch.setattr("chitarrella.transports.grpc_server.server_options", lambda **_: list(options.items()))
    pings = [("grpc.keepalive_time_ms", 1_000), ("grpc.keepalive_permit_without_calls", 1)]
    pings.append(("grpc.http2.max_pings_without_data", 0))

    async def serve() -> None:
        server = GrpcServer(wired.api, "127.0.0.1:0", calls=wired.calls)
        await server.start()
        async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}", pings) as channel:
            await channel.channel_ready()
            with pytest.raises(TimeoutError):  # too many pings would end the connection with the third of them
                await asyncio.wait_for(channel.wait_for_state_change(grpc.ChannelConnectivity.READY), 5)
        await server.stop(1)

    asyncio.run(serve())


# ---------------------------------------------------------------------- grpc errors


def failed_call(address: str, path: str, body: Any, kind: str = "unary_stream", authorization: str = "Bearer k") -> Any:
    """The error of a call whose body, or bodies, are already written."""
    with grpc.insecure_channel(address) as channel:
        call: Any = getattr(channel, kind)(path)
        with pytest.raises(grpc.RpcError) as failed:
            list(call(body, timeout=SECONDS, metadata=(("authorization", authorization),)))
    return failed.value


def reason(error: Any) -> str:
    """The reason code of an error; empty if it has none."""
    return grpc_error(error).code if rpc_status.from_call(error) else ""


def test_message_over_1088_kib_has_no_reason_code(address: str) -> None:
    """The gRPC library refuses a message of more than 1,088 KiB, and the client knows its refusal."""
    assert 1_088 * 1_024 == MAX_REQUEST_BYTES
    beyond = failed_call(address, RPCS["ValidateMove"].path, bytes(MAX_REQUEST_BYTES + 1))
    assert (grpc.StatusCode.RESOURCE_EXHAUSTED, "") == (beyond.code(), reason(beyond))
    assert ("resource_exhausted", False) == (read_error(beyond).code, read_error(beyond).from_service)


@pytest.mark.parametrize("rpc", RPCS)
def test_every_other_error_of_an_rpc_has_its_reason_code(address: str, rpc: str) -> None:
    """No rpc ends without a reason code for malformed bytes, a message that is too large, or a header of no key."""
    path = RPCS[rpc].path
    assert "bad_request" == reason(failed_call(address, path, b"\xff"))
    assert "too_large" == reason(failed_call(address, path, bytes(MAX_REQUEST_BYTES)))
    assert "bad_key" == reason(failed_call(address, path, b"", authorization="Basic dTpw"))


@pytest.mark.parametrize("kind", ["unary_unary", "unary_stream", "stream_unary", "stream_stream"])
def test_unknown_rpc_has_a_reason_code(address: str, kind: str) -> None:
    """A call of no rpc ends with `no_such_route`, whatever its path and its kind."""
    for path in ("/chitarrella.v1.RulesService/DealMeAnAce", "/nobody/Nothing", "/"):
        body = iter([b"x", b"y"]) if kind.startswith("stream") else b"x"
        assert "no_such_route" == reason(failed_call(address, path, body, kind))


# ---------------------------------------------------------------------- raw http


CALL = "/chitarrella.v1.RulesService/StartGame"
START = b'{"ruleSet": {"gameId": "briscola"}}'


@pytest.mark.parametrize(
    ("path", "header", "body", "answer"),
    [
        ("/v1/rules:startGame", b"Transfer-Encoding: chunked", b"zz\r\n{}\r\n0\r\n\r\n", b'400 .*"bad_request"'),
        (CALL, b"User-Agent: \xe9", START, b"200 "),
        (CALL, b"Content-Encoding: br", START, b"501 .*google.rpc.ErrorInfo"),
    ],
    ids=["malformed chunk", "header that is no text", "unknown encoding"],
)
def test_strange_http_is_answered(rest: str, path: str, header: bytes, body: bytes, answer: bytes) -> None:
    """A malformed chunk and an unknown encoding are refused with a reason; a header of any bytes does no harm."""
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n".encode() + header
    if body == START:
        head += f"\r\nContent-Length: {len(body)}".encode()
    url, read = urlsplit(rest), b""
    with socket.create_connection((url.hostname or "", url.port or 0), timeout=20) as sock:
        sock.sendall(head + b"\r\n\r\n" + body)
        while b"}" not in read and (part := sock.recv(65536)):
            read += part
    assert re.match(b"HTTP/1.1 " + answer, read, re.DOTALL)
