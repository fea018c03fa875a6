"""Bytes at the HTTP port that no library sends: each is answered, and refusals have a reason."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

import pytest

PATH = "/v1/rules:startGame"
START = b'{"ruleSet": {"gameId": "briscola"}}'
MALFORMED = [b"zz\r\n{}\r\n0\r\n\r\n", b"f" * 18 + b"\r\n{}\r\n0\r\n\r\n", b"2\r\n{}XX0\r\n\r\n"]


@pytest.mark.parametrize("chunks", MALFORMED, ids=["size", "long size", "end"])
def test_malformed_chunks_are_a_bad_request(rest: str, chunks: bytes) -> None:
    """A body whose chunks are malformed is refused with a reason."""
    head = f"POST {PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
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
