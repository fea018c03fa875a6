"""Calls of gRPC over a plain socket, with bytes that no client of gRPC would send."""

import base64
import socket
from typing import NamedTuple

from google.rpc import error_details_pb2
from google.rpc.status_pb2 import Status
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import ResponseReceived, StreamEnded, StreamReset, TrailersReceived

SECONDS = 20.0  # a safety against a server that does not answer
NO_MESSAGE = bytes(5)  # the frame of an empty message


class RawAnswer(NamedTuple):
    """How a call ended: its status, and the reason code, each empty where there is none."""

    status: str
    reason: str


def headers_of(path: bytes) -> list[tuple[bytes, bytes]]:
    own = [(b":method", b"POST"), (b":scheme", b"http"), (b":path", path), (b":authority", b"x")]
    return [*own, (b"content-type", b"application/grpc"), (b"te", b"trailers")]


def open_call(path: bytes, body: bytes, *headers: tuple[bytes, bytes], end: bool = True) -> tuple[H2Connection, bytes]:
    """Begin a connection with one call, with or without the ``end`` of its body; return what is to be sent."""
    connection = H2Connection(H2Configuration(header_encoding=None, validate_outbound_headers=False))
    connection.initiate_connection()
    connection.send_headers(1, [*headers_of(path), *headers])
    connection.send_data(1, body, end_stream=end)
    return connection, connection.data_to_send()


def call_raw(
    address: str, path: bytes, body: bytes = NO_MESSAGE, *headers: tuple[bytes, bytes], end: bool = True
) -> RawAnswer:
    """Make one call at ``address`` (host:port), and wait for its answer."""
    connection, data = open_call(path, body, *headers, end=end)
    host, _, port = address.rpartition(":")
    read: dict[bytes, bytes] = {}
    with socket.create_connection((host, int(port)), timeout=SECONDS) as sock:
        has_ended = False
        while not has_ended:
            sock.sendall(data)
            received = sock.recv(65_536)
            assert received, "the server has closed the connection"
            for event in connection.receive_data(received):
                if isinstance(event, ResponseReceived | TrailersReceived):
                    read |= {bytes(name): bytes(value) for name, value in event.headers or ()}
                has_ended |= isinstance(event, StreamEnded | StreamReset)
            data = connection.data_to_send()
    return RawAnswer(read.get(b"grpc-status", b"").decode(), _reason(read.get(b"grpc-status-details-bin", b"")))


def _reason(encoded: bytes) -> str:
    status = Status.FromString(base64.b64decode(encoded + b"=" * (-len(encoded) % 4)))
    info = error_details_pb2.ErrorInfo()
    return next((info.reason for detail in status.details if detail.Unpack(info)), "")
