"""The settings of REST: the public URL."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chitarrella.transports.rest.origins import InvalidOrigin, parse_origin, parse_public_url
from tests.transports.conftest import WiredService, opened
from tests.transports.rest_client import Rest

PUBLIC = "https://cards.example"
FORGED = {"Host": "evil.example", "X-Forwarded-Host": "evil.example", "Forwarded": "host=evil.example"}


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("https://cards.example", "https://cards.example"),
        (" HTTPS://Cards.Example/ ", "https://cards.example"),
        ("https://cards.example:443", "https://cards.example"),
        ("http://cards.example:443", "http://cards.example:443"),
        ("http://[::1]:80/", "http://[::1]"),
        ("capacitor://localhost", "capacitor://localhost"),
    ],
)
def test_origin_is_read_as_browsers_write_it(text: str, origin: str) -> None:
    """Case, a slash at the end and the default port make no difference."""
    assert origin == parse_origin(text)


@pytest.mark.parametrize(
    "text",
    ["", "*", "null", "cards.example", "https://", "https://a/b", "https://a?b", "https://me:secret@a",
     "https://a:99999", "https://a b", "https://[::1", "https://*.example", "https://k\u00f6ln.example"],
)  # fmt: skip
def test_invalid_origin_is_refused_without_repeating_it(text: str) -> None:
    """Anything that is more or less than an origin is an error, whose text holds nothing of it."""
    with pytest.raises(InvalidOrigin) as caught:
        parse_origin(text)
    assert "secret" not in str(caught.value)


def test_public_url_is_one_of_http() -> None:
    """Only http and https have public URLs; nothing at all is the setting left out."""
    assert ("", PUBLIC) == (parse_public_url(" "), parse_public_url(f"{PUBLIC}/"))
    with pytest.raises(InvalidOrigin):
        parse_public_url("capacitor://localhost")


@pytest.fixture(scope="module")
def public(wired: WiredService) -> Iterator[str]:
    """REST with a public URL."""
    with opened(wired, public_url=PUBLIC) as url:
        yield url


def test_public_url_is_in_problems_and_openapi(public: str) -> None:
    """The type of a problem and the server of the document are absolute, whatever host the caller names."""
    curl = Rest(public)
    problem = curl.get("/v1/games/nothing", headers=FORGED).json()
    assert (f"{PUBLIC}/docs/errors#unknown_game", "/v1/games/nothing") == (problem["type"], problem["instance"])
    assert [{"url": PUBLIC}] == curl.get("/openapi.json", headers=FORGED).json()["servers"]
    described = curl.get("/asyncapi.json", headers=FORGED).json()
    assert {"rest": {"host": "cards.example", "protocol": "https"}} == described["servers"]
    assert [{"$ref": "#/servers/rest"}] == described["channels"]["matchEvents"]["servers"]
    page, _, anchor = problem["type"].removeprefix(PUBLIC).partition("#")
    assert f'id="{anchor}"' in curl.get(page).text


def test_without_public_url_links_are_paths(rest: str) -> None:
    """Without the setting no answer repeats the host that the caller names."""
    curl = Rest(rest)
    assert "/docs/errors#unknown_game" == curl.get("/v1/games/nothing", headers=FORGED).json()["type"]
    assert [{"url": "/"}] == curl.get("/openapi.json", headers=FORGED).json()["servers"]
    assert "evil.example" not in curl.get("/asyncapi.json", headers=FORGED).text
    assert "/docs/" == curl.get("/docs", headers=FORGED).headers["Location"]
