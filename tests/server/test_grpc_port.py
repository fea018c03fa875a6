"""The gRPC port of a worker by itself, and callers that send what no client of gRPC does."""

import socket
import struct
from typing import Any

import grpc
import pytest

from chitarrella import v1
from chitarrella.transports.grpc_server import MAX_METADATA_BYTES
from chitarrella.v1.catalogue_pb2_grpc import CatalogueServiceStub
from tests.raw_grpc import NO_MESSAGE, call_raw, open_call
from tests.server.process import Player, Service, StartService, metric
from tests.servers import until

LIST_GAMES = b"/chitarrella.v1.CatalogueService/ListGames"
GET_GAME = b"/chitarrella.v1.CatalogueService/GetGame"
GONE = 5
HEADERS = 100
CALLS, ALLOWED = 1500, 15_000


@pytest.fixture
def service(start_service: StartService) -> Service:
    return start_service()


def not_for_information(service: Service) -> list[object]:
    """The lines of the log that tell of something wrong."""
    return [line for line in service.events("") if line["level"] != "info"]


def test_a_key_that_is_not_utf8_is_not_logged(service: Service) -> None:
    """Metadata of any bytes leaves one line, which names the class of the fault and no value."""
    key = Player(service.grpc).created.referee_key
    spoilt = (b"authorization", b"Bearer " + key.encode() + b"\xc2")
    assert "16" == call_raw(service.grpc, LIST_GAMES, NO_MESSAGE, spoilt).status
    many = [(b"x-%d" % number, b"\xff") for number in range(HEADERS)]
    assert "0" == call_raw(service.grpc, LIST_GAMES, NO_MESSAGE, *many).status
    (line,) = service.events("a library reports a fault")
    assert ("grpc._cython.cygrpc", "UnicodeDecodeError") == (line["logger"], line["exception"])
    assert key not in service.log()
    assert "xff" not in service.log()


def test_callers_that_leave_are_no_errors(service: Service) -> None:
    """Clients that take no data, and close before their answer is sent, leave the lines of their calls alone."""
    no_window = b"\0\0\6\4\0\0\0\0\0" + struct.pack(">HI", 4, 0)
    host, _, port = service.grpc.rpartition(":")
    body = v1.GetGameRequest(game_id="lu-stu").SerializeToString()
    for number in range(GONE):
        _, data = open_call(GET_GAME, struct.pack(">BI", 0, len(body)) + body)
        with socket.create_connection((host, int(port)), timeout=20) as sock:
            sock.sendall(data + no_window)
            until(lambda: len(calls(service)) > number, "the call is answered")  # noqa: B023 - it is called at once
    service.stop()
    assert [] == not_for_information(service)


def test_metadata_have_one_limit_and_leave_no_memory(service: Service) -> None:
    """Of metadata some bytes are taken in any call, and some in none; what thousands of calls sent is freed."""

    def ask(size: int) -> None:
        stub.ListGames(v1.ListGamesRequest(), metadata=[("x-filler", "a" * size)], timeout=20)

    with grpc.insecure_channel(service.grpc) as channel:
        stub: Any = CatalogueServiceStub(channel)
        ask(ALLOWED)
        before = metric(service, "process_resident_memory_bytes")
        for _ in range(CALLS):
            ask(ALLOWED)
        for _ in range(HEADERS):
            with pytest.raises(grpc.RpcError, match="RESOURCE_EXHAUSTED"):
                ask(MAX_METADATA_BYTES)
    assert metric(service, "process_resident_memory_bytes") < before + CALLS * ALLOWED / 2


def calls(service: Service) -> list[object]:
    """The lines of the log about calls of `GET_GAME`."""
    return [line for line in service.events("request") if line.get("rpc") == GET_GAME.decode()]
