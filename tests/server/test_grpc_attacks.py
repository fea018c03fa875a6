"""Malformed calls at the gRPC port: each is refused, nobody else notices, and nothing of it is in the log."""

from __future__ import annotations

import socket
import struct

import grpc
import pytest
from h2.connection import H2Connection
from h2.errors import ErrorCodes
from h2.events import ResponseReceived, StreamReset, TrailersReceived

from chitarrella.transports.grpc_server.options import MAX_REQUEST_BYTES, MAX_STREAMS
from chitarrella.v1 import catalogue_pb2
from chitarrella.v1.catalogue_pb2_grpc import CatalogueServiceStub
from tests.raw_grpc import NO_MESSAGE, SECONDS, call_raw, headers_of, open_call
from tests.server.process import Player, Service, StartService
from tests.servers import until

LIST_GAMES = b"/chitarrella.v1.CatalogueService/ListGames"
GET_GAME = b"/chitarrella.v1.CatalogueService/GetGame"
GONE = 5
HEADERS = 100
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
