"""Compression of responses: who gets gzip, what is never compressed, and that entity tags stay right.

The responses are read as they are on the wire, because httpx would decompress them.
"""

from __future__ import annotations

import gzip
import http.client
import json
import struct
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest

from tests.transports.rest_client import Rest, one_deal

GAME = "/v1/games/briscola"
START = "/v1/rules:startGame"
LONG = [GAME, "/openapi.json", "/docs/rules/", "/docs/errors", "/docs/rules/coech", "/docs/proofs", "/metrics",
        "/docs/api/swagger-ui.css", "/docs/api/index.css", "/docs/api/swagger-ui-bundle.js", "/style.css"]  # fmt: skip


class Answer(NamedTuple):
    """A response as it is on the wire."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes


def ask(url: str, path: str, accept: str | None, method: str = "GET", body: str | None = None, **more: str) -> Answer:
    """Send one request with the header Accept-Encoding, or without it."""
    headers = {} if accept is None else {"Accept-Encoding": accept}
    headers |= {name.replace("_", "-"): value for name, value in more.items()}
    if body is not None:
        headers["Content-Type"] = "application/json"
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=20)
    try:
        connection.putrequest(method, path, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name, value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body.encode() if body is not None else None)
        response = connection.getresponse()
        return Answer(response.status, response.headers, response.read())
    finally:
        connection.close()


@pytest.mark.parametrize("path", LONG)
def test_long_answers_are_compressed(rest: str, path: str) -> None:
    """JSON, pages and their files are shorter for a caller who accepts gzip, and the same content."""
    plain, packed = ask(rest, path, None), ask(rest, path, "gzip, deflate, br")
    assert (200, 200) == (plain.status, packed.status)
    if len(plain.body) < 1024:
        assert "Content-Encoding" not in packed.headers
        return
    assert ("gzip", str(len(packed.body))) == (packed.headers["Content-Encoding"], packed.headers["Content-Length"])
    assert len(packed.body) < len(plain.body) / 2
    if path != "/metrics":  # counts the first request
        assert plain.body == gzip.decompress(packed.body)
    for answer in (plain, packed):
        assert "Accept-Encoding" in answer.headers["Vary"].split(", ")
    assert "Content-Encoding" not in plain.headers


@pytest.mark.parametrize(
    ("accept", "expected"),
    [("gzip", True), ("*", True), ("GZIP;q=0.5", True), ("br, gzip;q=0.1", True), ("identity;q=0.5, gzip", True),
     (None, False), ("", False), ("br, zstd", False), ("gzip;q=0", False), ("*;q=0", False),
     ("gzip;q=0.5, identity", False), (";;q=x", False)],
)  # fmt: skip
def test_accept_encoding_decides(rest: str, accept: str | None, expected: bool) -> None:
    """Only a caller who accepts gzip, and does not prefer the plain body, gets it."""
    answer = ask(rest, GAME, accept)
    assert expected == (answer.headers.get("Content-Encoding") == "gzip")
    assert json.loads(gzip.decompress(answer.body) if expected else answer.body) == Rest(rest).get(GAME).json()


def test_post_answers_and_problems_are_compressed(rest: str) -> None:
    """The long answer of a POST is compressed, also a problem; a short one is sent as it is."""
    short = ask(rest, START, "gzip", "POST", '{"ruleSet": {"gameId": "nothing"}}')
    assert (400, None) == (short.status, short.headers.get("Content-Encoding"))
    assert "application/problem+json" == short.headers["Content-Type"]
    many = {"questions": [{"scoreCards": {"ruleSet": {"gameId": "X"}}} for _ in range(60)]}
    long = ask(rest, "/v1/rules:batch", "gzip", "POST", json.dumps(many))
    assert (400, "gzip") == (long.status, long.headers["Content-Encoding"])
    assert "bad_request" == json.loads(gzip.decompress(long.body))["code"]
    made = ask(rest, "/v1/matches", "gzip", "POST", '{"ruleSet": {"gameId": "cucu", "players": 9}}')
    assert (201, "gzip", "no-store") == (made.status, made.headers["Content-Encoding"], made.headers["Cache-Control"])
    assert 9 == len(json.loads(gzip.decompress(made.body))["seatKeys"])


@pytest.mark.parametrize("path", [GAME, "/openapi.json", "/docs/rules/coech", "/docs/api/swagger-ui.css"])
def test_entity_tags_agree_with_304(rest: str, path: str) -> None:
    """The tag of a compressed body is weak; each tag gives 304, with the tag that the body would have."""
    plain, packed = ask(rest, path, "identity"), ask(rest, path, "gzip")
    assert f"W/{plain.headers['ETag']}" == packed.headers["ETag"]
    for shown in (plain, packed):
        for accept, whole in (("identity", plain), ("gzip", packed)):
            again = ask(rest, path, accept, If_None_Match=shown.headers["ETag"])
            assert (304, b"", whole.headers["ETag"]) == (again.status, again.body, again.headers["ETag"])
            assert whole.headers["Vary"] == again.headers["Vary"]
            assert "Content-Encoding" not in again.headers


def test_a_part_of_a_file_is_not_compressed(rest: str) -> None:
    """The range of a file counts the bytes of the plain body, and is sent as it is."""
    plain = ask(rest, "/docs/api/swagger-ui.css", None)
    part = ask(rest, "/docs/api/swagger-ui.css", "gzip", Range="bytes=0-1999")
    assert (206, plain.body[:2000]) == (part.status, part.body)
    assert "Content-Encoding" not in part.headers


def test_head_has_the_headers_of_a_compressed_get(rest: str) -> None:
    """HEAD tells the length that GET has with the same Accept-Encoding."""
    for path in (GAME, "/docs/api/swagger-ui.css"):
        head, get = ask(rest, path, "gzip", "HEAD"), ask(rest, path, "gzip")
        for name in ("Content-Length", "Content-Encoding", "ETag", "Vary"):
            assert get.headers[name] == head.headers[name]
        assert b"" == head.body


@pytest.mark.parametrize("kind", ["text/event-stream", "application/x-ndjson"])
def test_streams_are_never_compressed(rest: str, kind: str) -> None:
    """The events of a match arrive as they are, however many bytes they have together."""
    table = one_deal(rest)
    while table.referee.get(f"{table.path}/moves").json()["moves"]:
        assert 200 == table.play().status_code
    answer = ask(rest, f"{table.path}:watch", "gzip", Accept=kind)
    assert answer.headers["Content-Type"].startswith(kind)
    assert "Content-Encoding" not in answer.headers
    assert len(answer.body) > 1024
    assert b'"events":[' in answer.body


def test_connect_compresses_its_own_messages(rest: str) -> None:
    """A call over Connect is compressed once, by the Connect library; gRPC-Web is left alone."""
    body = '{"ruleSet": {"gameId": "briscola"}}'
    answer = ask(rest, "/chitarrella.v1.RulesService/StartGame", "gzip", "POST", body)
    assert ("gzip", "Accept-Encoding") == (answer.headers["content-encoding"], answer.headers["vary"])
    assert json.loads(gzip.decompress(answer.body)) == Rest(rest).post(START, json.loads(body)).json()
    headers = {"Content-Type": "application/grpc-web+proto", "Accept-Encoding": "gzip"}
    games = "/chitarrella.v1.CatalogueService/ListGames"
    web = Rest(rest).post(games, content=struct.pack(">BI", 0, 0), headers=headers)
    assert (200, "Content-Encoding" in web.headers) == (web.status_code, False)
