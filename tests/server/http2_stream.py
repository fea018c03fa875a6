"""A stream over HTTP/2 that goes on after GOAWAY, as RFC 9113 has it; the clients of Python end it there."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator

from hpack import Encoder
from hyperframe.frame import DataFrame, Frame, HeadersFrame, PingFrame, RstStreamFrame, SettingsFrame

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
HEAD_BYTES = 9


class Http2Stream:
    """One request on a connection of its own, and the data of its response."""

    def __init__(self, context: ssl.SSLContext, address: str, path: str, headers: dict[str, str]) -> None:
        """Send a GET."""
        host, _, port = address.rpartition(":")
        context.set_alpn_protocols(["h2"])
        sock = socket.create_connection((host, int(port)), timeout=30)
        self._sock = context.wrap_socket(sock, server_hostname=host)
        self._file = self._sock.makefile("rb")
        pseudo = [(":method", "GET"), (":scheme", "https"), (":authority", address), (":path", path)]
        head = HeadersFrame(1, Encoder().encode([*pseudo, *headers.items()]), flags=["END_HEADERS", "END_STREAM"])
        self._sock.sendall(PREFACE + SettingsFrame(0).serialize() + head.serialize())

    def data(self) -> Iterator[bytes]:
        """Iterate over the frames of data, until the response ends. Fails if the stream is reset."""
        while head := self._file.read(HEAD_BYTES):
            frame, length = Frame.parse_frame_header(memoryview(head))
            frame.parse_body(memoryview(self._file.read(length)))
            assert not isinstance(frame, RstStreamFrame)
            if isinstance(frame, SettingsFrame) and "ACK" not in frame.flags:
                self._sock.sendall(SettingsFrame(0, flags=["ACK"]).serialize())
            if isinstance(frame, PingFrame) and "ACK" not in frame.flags:
                self._sock.sendall(PingFrame(0, frame.opaque_data, flags=["ACK"]).serialize())
            if isinstance(frame, DataFrame):
                yield frame.data

    def close(self) -> None:
        """Close the connection."""
        self._file.close()
        self._sock.close()
