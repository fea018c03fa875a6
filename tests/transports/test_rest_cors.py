"""CORS: which pages may call, and with which headers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from chitarrella.transports.rest.cors import (
    ALLOWED_HEADERS,
    EXPOSED_HEADERS,
    Cors,
    InvalidHeader,
    parse_header_names,
    parse_origins,
)
from chitarrella.transports.rest.origins import InvalidOrigin
from tests.transports.conftest import WiredService, opened
from tests.transports.rest_client import Rest


@pytest.fixture
def curl(rest: str) -> Rest:
    """A caller without a key."""
    return Rest(rest)


def preflight(curl: Rest, path: str, *headers: str, origin: str = "https://table.example") -> Any:
    """Ask for leave as a browser does."""
    asked = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": ", ".join(headers),
    }
    return curl("OPTIONS", path, headers=asked)


@pytest.mark.parametrize("path", ["/v1/matches", "/chitarrella.v1.MatchService/PlayMove", "/v1/matches/x/moves"])
def test_cors_preflight_allows_every_header(curl: Rest, path: str) -> None:
    """A browser that asks for leave is given it, with every header that a call may need."""
    answer = preflight(curl, path, "authorization", "idempotency-key", "connect-protocol-version")
    assert 204 == answer.status_code
    assert "*" == answer.headers["Access-Control-Allow-Origin"]
    assert set(ALLOWED_HEADERS) == set(answer.headers["Access-Control-Allow-Headers"].split(", "))
    assert "POST" in answer.headers["Access-Control-Allow-Methods"]


@pytest.mark.parametrize("path", ["/v1/games", "/v1/games/nothing", "/nowhere", "/docs/"])
def test_cors_answers_are_readable_without_cookies(curl: Rest, path: str) -> None:
    """Every answer, errors too, may be read by any page, with the headers that say something; never with cookies."""
    answer = curl.get(path, headers={"Origin": "https://table.example"})
    assert "*" == answer.headers["Access-Control-Allow-Origin"]
    assert set(EXPOSED_HEADERS) == set(answer.headers["Access-Control-Expose-Headers"].split(", "))
    assert "Access-Control-Allow-Credentials" not in answer.headers


@pytest.mark.parametrize("header", ["traceparent", "tracestate", "baggage", "sentry-trace"])
def test_cors_allows_the_headers_of_traces(curl: Rest, header: str) -> None:
    """A page that traces its calls may send the headers of traces without a setting."""
    allowed = preflight(curl, "/v1/matches", header).headers["Access-Control-Allow-Headers"]
    assert header in allowed.lower().split(", ")


# ---------------------------------------------------------------------- with a list of origins

LISTED = ("https://cards.example", "https://beta.cards.example:8443")


@pytest.fixture(scope="module")
def limited(wired: WiredService) -> Iterator[Rest]:
    """REST with a list of origins, and with headers of the operator."""
    with opened(wired, cors=Cors(", ".join(LISTED), "X-Tenant x-session")) as url:
        yield Rest(url)


@pytest.mark.parametrize("path", ["/v1/games", "/v1/games/nothing", "/docs/", "/chitarrella.v1.RulesService/StartGame"])
def test_listed_origin_is_echoed(limited: Rest, path: str) -> None:
    """Each listed origin receives itself, and a cache learns that the answer depends on it."""
    for origin in LISTED:
        answer = limited.get(path, headers={"Origin": origin})
        assert origin == answer.headers["Access-Control-Allow-Origin"]
        assert "ETag" in answer.headers["Access-Control-Expose-Headers"]
        assert "Origin" in answer.headers["Vary"].split(", ")


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "http://cards.example", "https://cards.example.evil", "null"]
)
def test_unlisted_origin_is_not_echoed(limited: Rest, origin: str) -> None:
    """Another origin receives no permission, for a preflight neither, and the answer still varies by origin."""
    for answer in (
        limited.get("/v1/games", headers={"Origin": origin}),
        preflight(limited, "/v1/games", origin=origin),
    ):
        assert "Access-Control-Allow-Origin" not in answer.headers
        assert "Origin" in answer.headers["Vary"].split(", ")


def test_a_call_without_an_origin_is_answered(limited: Rest) -> None:
    """A program, which sends no origin, is answered as before; a cache may not give its answer to a page."""
    answer = limited.get("/v1/games")
    assert 200 == answer.status_code
    assert "Access-Control-Allow-Origin" not in answer.headers
    assert "Origin" in answer.headers["Vary"].split(", ")


def test_operators_headers_join_those_of_the_service(limited: Rest) -> None:
    """The headers of the setting are allowed beside those of the service."""
    answer = preflight(limited, "/v1/matches", "x-tenant", origin=LISTED[0])
    assert LISTED[0] == answer.headers["Access-Control-Allow-Origin"]
    allowed = set(answer.headers["Access-Control-Allow-Headers"].split(", "))
    assert {*ALLOWED_HEADERS, "X-Tenant", "x-session"} == allowed


def test_origins_are_a_list_or_a_star() -> None:
    """Origins are separated by commas or blanks; a star alone is every origin, and an empty list is an error."""
    assert parse_origins(" * ") is None
    assert frozenset(LISTED) == parse_origins(f"{LISTED[0]}/ {LISTED[1]},{LISTED[0]}")
    for text in ("", " , ", "*, https://cards.example", "cards.example", "null"):
        with pytest.raises(InvalidOrigin):
            parse_origins(text)


def test_header_names_are_checked() -> None:
    """The names of headers are separated by commas or blanks; what cannot be sent in a header is an error."""
    assert ["X-One", "X-Two"] == parse_header_names("X-One,X-Two")
    for text in ("X-One; X-Two", "*", "X-\u00c4"):
        with pytest.raises(InvalidHeader):
            parse_header_names(text)
