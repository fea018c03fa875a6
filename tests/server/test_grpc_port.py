"""The gRPC port of a worker by itself, and callers that send what no client of gRPC does."""

from __future__ import annotations

import socket
import struct

import pytest

from chitarrella.v1 import catalogue_pb2
from tests.raw_grpc import NO_MESSAGE, call_raw, open_call
from tests.server.process import Player, Service, StartService
from tests.servers import until

LIST_GAMES = b"/chitarrella.v1.CatalogueService/ListGames"
GET_GAME = b"/chitarrella.v1.CatalogueService/GetGame"
GONE = 5
HEADERS = 100


@pytest.fixture
def service(start_service: StartService) -> Service:
    """One worker."""
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
    body = catalogue_pb2.GetGameRequest(game_id="lu-stu").SerializeToString()
    for number in range(GONE):
        _, data = open_call(GET_GAME, struct.pack(">BI", 0, len(body)) + body)
        with socket.create_connection((host, int(port)), timeout=20) as sock:
            sock.sendall(data + no_window)
            until(lambda: len(calls(service)) > number, "the call is answered")  # noqa: B023 - it is called at once
    service.stop()
    assert [] == not_for_information(service)


def calls(service: Service) -> list[object]:
    """The lines of the log about calls of `GET_GAME`."""
    return [line for line in service.events("request") if line.get("rpc") == GET_GAME.decode()]
