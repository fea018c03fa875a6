"""The services that come with gRPC, and a server of the library that ends by itself."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from typing import Any, cast
from urllib.parse import urlsplit

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2
from grpc_health.v1.health_pb2_grpc import HealthStub
from grpc_status import rpc_status
from h2.connection import H2Connection
from h2.events import Event, ResponseReceived, StreamEnded, TrailersReceived

from chitarrella.api.request_limits import MIN_BYTES
from chitarrella.transports.grpc_server import MAX_REQUEST_BYTES, GrpcServer
from chitarrella_client.errors import read_error
from tests.raw_grpc import call_raw
from tests.transports.all_transports import RPCS, SECONDS, framed, grpc_opened
from tests.transports.conftest import WiredService

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


# ---------------------------------------------------------------------- grpc errors


PATH = RPCS["ValidateMove"].path
NO_MESSAGE = framed(b"")

Outcome = tuple[str, str, set[str]]
"""The number of the status, its message, and the names of all headers and trailers of a response."""


def call_raw_grpc_errors(address: str, body: bytes, *headers: tuple[str, str]) -> Outcome:
    """Call `PATH` over a plain socket, with headers that no gRPC client would send."""
    host, _, port = address.partition(":")
    own = [(":method", "POST"), (":scheme", "http"), (":path", PATH), (":authority", address)]
    connection, read = H2Connection(), dict[str, str]()
    connection.initiate_connection()
    connection.send_headers(1, [*own, ("content-type", "application/grpc"), ("te", "trailers"), *headers])
    connection.send_data(1, body, end_stream=True)
    with socket.create_connection((host, int(port)), timeout=SECONDS) as sock:
        events: list[Event] = []
        while not any(isinstance(event, StreamEnded) for event in events):
            sock.sendall(connection.data_to_send())
            events = connection.receive_data(sock.recv(65_536))
            for event in events:
                if isinstance(event, ResponseReceived | TrailersReceived):
                    read |= {name.decode(): value.decode() for name, value in event.headers or ()}
    return read["grpc-status"], read.get("grpc-message", ""), set(read)


def failure(address: str, path: str, body: bytes, *metadata: tuple[str, str]) -> Any:
    """The error of a call whose body is already written."""
    with grpc.insecure_channel(address) as channel:
        call: Any = channel.unary_stream(path)
        with pytest.raises(grpc.RpcError) as failed:
            list(call(body, timeout=SECONDS, metadata=metadata))
    return failed.value


def reason(error: Any) -> str:
    """The reason code of an error; empty if it has none."""
    status, info = rpc_status.from_call(cast(grpc.Call, error)), error_details_pb2.ErrorInfo()
    found = [info for detail in (status.details if status else ()) if detail.Unpack(info)]
    return found[0].reason if found and info.domain == "chitarrella" else ""


@pytest.mark.parametrize("timeout", ["soon", "", "1x", "-1S"])
def test_unreadable_timeout_is_internal_without_a_reason_code(address: str, timeout: str) -> None:
    """The gRPC library itself, before the service sees the call, ends one whose `grpc-timeout` it cannot read."""
    expected = {":status", "content-type", "grpc-status", "grpc-message"}
    answered = call_raw_grpc_errors(address, NO_MESSAGE, ("grpc-timeout", timeout))
    assert ("13", "Error parsing 'grpc-timeout' metadata", expected) == answered


def test_unreadable_compression_is_internal_without_a_reason_code(address: str) -> None:
    """The gRPC library ends a call as INTERNAL whose encoding is unknown, or is not named at all."""
    unknown = call_raw_grpc_errors(address, framed(b"x", 1), ("grpc-encoding", "zip"))
    unnamed = call_raw_grpc_errors(address, framed(b"x", 1))
    assert ("13", "Error parsing 'grpc-encoding' metadata") == unknown[:2]
    assert ("13", "Compression bit set but no encoding configured") == unnamed[:2]
    assert not {"grpc-status-details-bin"} & (unknown[2] | unnamed[2])


def test_readable_headers_lead_to_a_reason_code(address: str) -> None:
    """The same call with a `grpc-timeout` that can be read is answered by the service."""
    status, _, headers = call_raw_grpc_errors(address, NO_MESSAGE, ("grpc-timeout", "5S"))
    assert "3" == status
    assert "grpc-status-details-bin" in headers


def test_message_over_1088_kib_has_no_reason_code(address: str) -> None:
    """The gRPC library refuses a message of more than 1,088 KiB; the service refuses one of exactly that size."""
    assert 1_088 * 1_024 == MAX_REQUEST_BYTES
    beyond, within = (failure(address, PATH, bytes(size)) for size in (MAX_REQUEST_BYTES + 1, MAX_REQUEST_BYTES))
    assert {grpc.StatusCode.RESOURCE_EXHAUSTED} == {beyond.code(), within.code()}
    assert ("", "too_large") == (reason(beyond), reason(within))
    assert () == tuple(beyond.trailing_metadata())
    assert ("resource_exhausted", False) == (read_error(beyond).code, read_error(beyond).from_service)


@pytest.mark.parametrize("rpc", RPCS)
def test_every_other_error_of_an_rpc_has_its_reason_code(address: str, rpc: str) -> None:
    """No rpc ends without a reason code for malformed bytes, a message that is too large, or a key of nobody."""
    path = RPCS[rpc].path
    assert "bad_request" == reason(failure(address, path, b"\xff"))
    assert "too_large" == reason(failure(address, path, bytes(MAX_REQUEST_BYTES)))
    assert reason(failure(address, path, b"\xff", ("authorization", "Bearer nobody")))


@pytest.mark.parametrize("path", ["/chitarrella.v1.RulesService/DealMeAnAce", "/nobody/Nothing", "/"])
def test_unknown_rpc_has_a_reason_code(address: str, path: str) -> None:
    """A call of no rpc ends with `no_such_route`, whatever its path."""
    assert "no_such_route" == reason(failure(address, path, b""))


def test_health_service_has_no_reason_code_for_an_unknown_name(address: str) -> None:
    """The health service ends with a bare status for a name it does not know, as its protocol has it."""
    request = health_pb2.HealthCheckRequest(service="nobody").SerializeToString()
    error = failure(address, "/grpc.health.v1.Health/Check", request)
    assert (grpc.StatusCode.NOT_FOUND, "") == (error.code(), reason(error))


# ---------------------------------------------------------------------- raw http


START_PATH = "/v1/rules:startGame"
START = b'{"ruleSet": {"gameId": "briscola"}}'
MALFORMED_RAW_HTTP = [b"zz\r\n{}\r\n0\r\n\r\n", b"f" * 18 + b"\r\n{}\r\n0\r\n\r\n", b"2\r\n{}XX0\r\n\r\n"]


@pytest.mark.parametrize("chunks", MALFORMED_RAW_HTTP, ids=["size", "long size", "end"])
def test_malformed_chunks_are_a_bad_request(rest: str, chunks: bytes) -> None:
    """A body whose chunks are malformed is refused with a reason."""
    head = f"POST {START_PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    head += "Transfer-Encoding: chunked\r\n\r\n"
    answer = sent_raw(rest, head.encode() + chunks)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b'"bad_request"' in answer


def connect_call(header: bytes) -> bytes:
    """A call over Connect with a header."""
    path = "/chitarrella.v1.RulesService/StartGame"
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(START)}\r\n"
    return head.encode() + header + b"\r\n\r\n" + START


def test_headers_over_connect_need_not_be_text(rest: str) -> None:
    """A header with bytes that are not UTF-8 does no harm to a call over Connect."""
    assert sent_raw(rest, connect_call(b"User-Agent: \xe9")).startswith(b"HTTP/1.1 200 ")


def test_unknown_encoding_over_connect_has_a_reason(rest: str) -> None:
    """A content encoding that cannot be read is refused with a reason code."""
    answer = sent_raw(rest, connect_call(b"Content-Encoding: br"))
    assert answer.startswith(b"HTTP/1.1 501 ")
    assert b"google.rpc.ErrorInfo" in answer


def sent_raw(rest: str, data: bytes) -> bytes:
    """Send bytes to the HTTP port; return the begin of the answer."""
    url = urlsplit(rest)
    with socket.create_connection((url.hostname or "", url.port or 0), timeout=20) as sock:
        sock.sendall(data)
        answer = b""
        while b"}" not in answer and (part := sock.recv(65536)):
            answer += part
        return answer
