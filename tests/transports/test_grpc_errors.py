"""Errors over gRPC: every one has its reason code, except those of the gRPC library itself."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any, cast

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2
from grpc_status import rpc_status
from h2.connection import H2Connection
from h2.events import Event, ResponseReceived, StreamEnded, TrailersReceived

from chitarrella.transports.grpc_server.options import MAX_REQUEST_BYTES
from chitarrella_client.rpc_errors import read_error
from tests.transports.all_transports import RPCS, SECONDS, framed, grpc_opened
from tests.transports.conftest import WiredService

PATH = RPCS["ValidateMove"].path
NO_MESSAGE = framed(b"")

Outcome = tuple[str, str, set[str]]
"""The number of the status, its message, and the names of all headers and trailers of a response."""


@pytest.fixture(scope="module")
def address(wired: WiredService) -> Iterator[str]:
    """The gRPC server of the module."""
    with grpc_opened(wired) as opened:
        yield opened


def call_raw(address: str, body: bytes, *headers: tuple[str, str]) -> Outcome:
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
    answered = call_raw(address, NO_MESSAGE, ("grpc-timeout", timeout))
    assert ("13", "Error parsing 'grpc-timeout' metadata", expected) == answered


def test_unreadable_compression_is_internal_without_a_reason_code(address: str) -> None:
    """The gRPC library ends a call as INTERNAL whose encoding is unknown, or is not named at all."""
    unknown = call_raw(address, framed(b"x", 1), ("grpc-encoding", "zip"))
    unnamed = call_raw(address, framed(b"x", 1))
    assert ("13", "Error parsing 'grpc-encoding' metadata") == unknown[:2]
    assert ("13", "Compression bit set but no encoding configured") == unnamed[:2]
    assert not {"grpc-status-details-bin"} & (unknown[2] | unnamed[2])


def test_readable_headers_lead_to_a_reason_code(address: str) -> None:
    """The same call with a `grpc-timeout` that can be read is answered by the service."""
    status, _, headers = call_raw(address, NO_MESSAGE, ("grpc-timeout", "5S"))
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
