"""The settings of REST: the public URL."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import httpx
import pytest

from chitarrella.api.caller import forwarded_address, network_of
from chitarrella.transports.grpc_server import caller_address
from chitarrella.transports.rest import middleware
from tests.transports.all_transports import Transport
from tests.transports.conftest import WiredService, opened
from tests.transports.rest_client import PLAIN, Rest

PUBLIC = "https://cards.example"
LISTED = ("https://cards.example", "https://beta.cards.example:8443")
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
        *((text, None) for text in ("", "*", "null", "cards.example", "https://", "https://a/b", "https://a?b")),
        *((text, None) for text in ("https://me:secret@a", "https://a:99999", "https://a b", "https://[::1")),
        *((text, None) for text in ("https://*.example", "https://k\u00f6ln.example")),
    ],
)
def test_origin_is_read_as_browsers_write_it(text: str, origin: str | None) -> None:
    """Case, a slash at the end and the default port make no difference; what is no origin is not repeated."""
    if origin:
        assert origin == middleware.parse_origin(text)
        return
    with pytest.raises(middleware.InvalidOrigin) as caught:
        middleware.parse_origin(text)
    assert "secret" not in str(caught.value)


def test_lists_of_settings_are_checked() -> None:
    """Origins and headers are separated by commas or blanks, a star alone is every origin; a URL is of http."""
    assert ("", PUBLIC) == (middleware.parse_public_url(" "), middleware.parse_public_url(f"{PUBLIC}/"))
    assert middleware.parse_origins(" * ") is None
    assert frozenset(LISTED) == middleware.parse_origins(f"{LISTED[0]}/ {LISTED[1]},{LISTED[0]}")
    assert ["X-One", "X-Two"] == middleware.parse_header_names("X-One,X-Two")
    with pytest.raises(middleware.InvalidOrigin):
        middleware.parse_public_url("capacitor://localhost")
    for text in ("", " , ", "*, https://cards.example", "cards.example", "null"):
        with pytest.raises(middleware.InvalidOrigin):
            middleware.parse_origins(text)
    for text in ("X-One; X-Two", "*", "X-\u00c4"):
        with pytest.raises(middleware.InvalidHeader):
            middleware.parse_header_names(text)


def test_public_url_is_in_problems_documents_and_pages(wired: WiredService) -> None:
    """The type of a problem, the server of the document and the other languages of a page are absolute."""
    with opened(wired, public_url=PUBLIC) as url:
        problem, openapi, asyncapi = (
            Rest(url).get(path, headers=FORGED).json()
            for path in ("/v1/games/nothing", "/openapi.json", "/asyncapi.json")
        )
        page, _, anchor = problem["type"].removeprefix(PUBLIC).partition("#")
        assert f'id="{anchor}"' in Rest(url).get(page).text
        book = Rest(url).get("/docs/rules/cucu", headers=FORGED).text
        assert f'hreflang="de" href="{PUBLIC}/docs/rules/cucu?language=de"' in book
    assert (f"{PUBLIC}/docs/errors#unknown_game", "/v1/games/nothing") == (problem["type"], problem["instance"])
    assert [{"url": PUBLIC}] == openapi["servers"]
    assert {"rest": {"host": "cards.example", "protocol": "https"}} == asyncapi["servers"]
    assert [{"$ref": "#/servers/rest"}] == asyncapi["channels"]["matchEvents"]["servers"]


def test_without_public_url_links_are_paths(rest: str) -> None:
    """Without the setting no answer repeats the host that the caller names."""
    curl = Rest(rest)
    assert "/docs/errors#unknown_game" == curl.get("/v1/games/nothing", headers=FORGED).json()["type"]
    assert [{"url": "/"}] == curl.get("/openapi.json", headers=FORGED).json()["servers"]
    assert "evil.example" not in curl.get("/asyncapi.json", headers=FORGED).text
    assert "/docs/" == curl.get("/docs", headers=FORGED).headers["Location"]


# ---------------------------------------------------------------------- rest cors


def preflight(curl: Rest, path: str, *headers: str, origin: str = "https://table.example") -> Any:
    """Ask for leave as a browser does."""
    asked = {"Origin": origin, "Access-Control-Request-Method": "POST"}
    asked["Access-Control-Request-Headers"] = ", ".join(headers)
    return curl("OPTIONS", path, headers=asked)


def test_cors_preflight_allows_every_header(curl: Rest) -> None:
    """A browser that asks for leave is given it, with every header that a call may need, those of traces too."""
    for path in ("/v1/matches", "/chitarrella.v1.MatchService/PlayMove", "/v1/matches/x/moves"):
        answer = preflight(curl, path, "authorization", "idempotency-key", "connect-protocol-version")
        assert (204, "*") == (answer.status_code, answer.headers["Access-Control-Allow-Origin"])
        allowed = answer.headers["Access-Control-Allow-Headers"].split(", ")
        assert set(middleware.ALLOWED_HEADERS) == set(allowed)
        assert {"traceparent", "tracestate", "baggage", "sentry-trace"} <= {name.lower() for name in allowed}
        assert "POST" in answer.headers["Access-Control-Allow-Methods"]


def test_cors_answers_are_readable_without_cookies(curl: Rest) -> None:
    """Every answer, errors too, may be read by any page, with the headers that say something; never with cookies."""
    for path in ("/v1/games", "/v1/games/nothing", "/nowhere", "/docs/"):
        answer = curl.get(path, headers={"Origin": "https://table.example"})
        assert "*" == answer.headers["Access-Control-Allow-Origin"], path
        assert set(middleware.EXPOSED_HEADERS) == set(answer.headers["Access-Control-Expose-Headers"].split(", "))
        assert "Access-Control-Allow-Credentials" not in answer.headers


def test_cors_headers_of_a_post_are_for_pages_alone(curl: Rest) -> None:
    """A page, which names its origin, may read the answer to a POST; a program without one is not sent the headers."""
    for path in ("/v1/rules:startGame", "/chitarrella.v1.RulesService/StartGame"):
        asked = {"rule_set": {"game_id": "briscola", "players": 2}}
        of_page = curl.post(path, json=asked, headers={"Origin": "https://table.example"})
        assert (200, "*") == (of_page.status_code, of_page.headers["Access-Control-Allow-Origin"])
        of_program = curl.post(path, json=asked)
        assert of_page.content == of_program.content
        assert not [name for name in of_program.headers if name.startswith("access-control")]


# ---------------------------------------------------------------------- with a list of origins


@pytest.fixture(scope="module")
def limited(wired: WiredService) -> Iterator[Rest]:
    with opened(wired, cors=middleware.Cors(", ".join(LISTED), "X-Tenant x-session")) as url:
        yield Rest(url)


def test_listed_origin_is_echoed(limited: Rest) -> None:
    """Each listed origin receives itself, a cache learns that answers vary, and the operator's headers are allowed."""
    for path in ("/v1/games", "/v1/games/nothing", "/docs/", "/chitarrella.v1.RulesService/StartGame"):
        for origin in LISTED:
            answer = limited.get(path, headers={"Origin": origin})
            assert origin == answer.headers["Access-Control-Allow-Origin"]
            assert "ETag" in answer.headers["Access-Control-Expose-Headers"]
            assert "Origin" in answer.headers["Vary"].split(", ")
    answer = preflight(limited, "/v1/matches", "x-tenant", origin=LISTED[0])
    assert LISTED[0] == answer.headers["Access-Control-Allow-Origin"]
    allowed = set(answer.headers["Access-Control-Allow-Headers"].split(", "))
    assert {*middleware.ALLOWED_HEADERS, "X-Tenant", "x-session"} == allowed


def test_unlisted_origin_is_not_echoed(limited: Rest) -> None:
    """Another origin, or a program without one, receives no permission, and a cache learns that answers vary."""
    for origin in ("https://evil.example", "http://cards.example", "https://cards.example.evil", "null", None):
        for answer in (
            limited.get("/v1/games", headers={"Origin": origin} if origin else {}),
            preflight(limited, "/v1/games", origin=origin or "https://evil.example"),
        ):
            assert answer.is_success
            assert "Access-Control-Allow-Origin" not in answer.headers
            assert "Origin" in answer.headers["Vary"].split(", ")


# ---------------------------------------------------------------------- addresses


RULE_SET = {"game_id": "briscola", "options": {"rubber_games": "1"}}
ONE, OTHER = "198.51.100.7", "198.51.100.8"


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"), ("fe80::1%eth0", "fe80::/64"), ("", ""), ("/run/socket", ""),
        ("192.0.2.256", ""),
    ],
)  # fmt: skip
def test_network_of_an_address(address: str, network: str) -> None:
    """An IPv4 address counts for itself, an IPv6 address for its first 64 bits, and anything else for nothing."""
    assert network == network_of(address)


@pytest.mark.parametrize(
    ("header", "proxies", "address"),
    [
        (None, 0, "peer"), (ONE, 0, "peer"), (None, 1, "peer"), ("", 1, "peer"), (ONE, 1, ONE),
        (f"{OTHER}, {ONE}", 1, ONE), (f"{OTHER}, {ONE},192.0.2.9", 2, ONE), (f"a,b,{ONE}, 192.0.2.9", 2, ONE),
        (ONE, 2, "peer"), (f"{ONE}:4711", 1, ONE), ("2001:db8::1", 1, "2001:db8::1"),
        ("[2001:db8::1]:4711", 1, "2001:db8::1"), ("unknown", 1, "peer"), (f"{ONE}, _hidden", 1, "peer"),
        (f"{ONE},", 1, "peer"),
    ],
)  # fmt: skip
def test_address_behind_proxies(header: str | None, proxies: int, address: str) -> None:
    """The element that the outermost trusted proxy has added counts; what callers add before it does not."""
    assert address == forwarded_address("peer", header, proxies)


def test_address_of_a_grpc_peer() -> None:
    """The peer of a gRPC call has an address, unless it came over a socket of this machine."""
    for peer, address in {
        "ipv4:192.0.2.1:5000": "192.0.2.1", "ipv6:%5B2001:db8::1%5D:5000": "2001:db8::1", "ipv6:[::1]:5000": "::1",
        "unix:/run/socket": "", "": "",
    }.items():  # fmt: skip
        assert address == caller_address(peer), peer


def created(url: str, forwarded_for: str, path: str = "/v1/matches") -> str:
    """Create a match as a proxy passes it on; returns its id."""
    headers = {"X-Forwarded-For": forwarded_for}
    answer = httpx.post(url + path, json={"rule_set": RULE_SET}, headers=headers, **PLAIN)
    assert answer.status_code in (200, 201)
    return str(answer.json()["match"]["matchId"])


def digest_of(wired: WiredService, match: str) -> str:
    return str(json.loads(wired.store.matches.load(match)[0].metadata)["address_digest"])


def test_callers_behind_a_proxy_are_distinguished(wired: WiredService, rest: str) -> None:
    """Two addresses behind a trusted proxy have two digests, whatever callers add; without it the header is nothing."""
    with opened(wired, trusted_proxies=1) as proxied:
        for path in ("/v1/matches", "/chitarrella.v1.MatchService/CreateMatch"):
            one, again = (digest_of(wired, created(proxied, text, path)) for text in (ONE, f"{OTHER}, {ONE}"))
            assert one == again != digest_of(wired, created(proxied, OTHER, path))
            assert 16 == len(one)
    assert digest_of(wired, created(rest, ONE)) == digest_of(wired, created(rest, OTHER))


def test_every_transport_knows_the_same_address(wired: WiredService, transports: Sequence[Transport]) -> None:
    """From one address a match gets the same digest over every transport, created, imported, or one of many."""
    digests = set()
    for call in transports:
        match = call("CreateMatch", rule_set=RULE_SET)
        many = call("BatchCreateMatches", requests=[{"rule_set": RULE_SET}])
        record = call("GetRecord", match_id=match.match.match_id, key=match.referee_key).record
        imported = call("ImportMatch", record=record)
        for one in (match, many.results[0].created, imported):
            digests.add(digest_of(wired, one.match.match_id))
    assert 1 == len(digests)
    assert {""} != digests
