"""The settings of REST: the public URL."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from structlog.testing import capture_logs

from chitarrella.api.caller import forwarded_address, network_of
from chitarrella.transports.grpc_server import peer_address
from chitarrella.transports.rest.middleware import (
    ALLOWED_HEADERS,
    EXPOSED_HEADERS,
    Cors,
    InvalidHeader,
    InvalidOrigin,
    parse_header_names,
    parse_origin,
    parse_origins,
    parse_public_url,
)
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1.table_pb2 import RuleSet
from tests.http_server import running_http
from tests.transports.all_transports import TRANSPORTS, through
from tests.transports.conftest import WiredService, opened
from tests.transports.rest_client import PLAIN, Rest

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


# ---------------------------------------------------------------------- rest cors


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


# ---------------------------------------------------------------------- addresses


RULES = {"gameId": "briscola", "options": {"rubber_games": "1"}}
ONE, OTHER = "198.51.100.7", "198.51.100.8"


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("/run/socket", ""),
        ("192.0.2.256", ""),
    ],
)
def test_network_of_an_address(address: str, network: str) -> None:
    """An IPv4 address counts for itself, an IPv6 address for its first 64 bits, and anything else for nothing."""
    assert network == network_of(address)


@pytest.mark.parametrize(
    ("header", "proxies", "address"),
    [
        (None, 0, "peer"),
        (ONE, 0, "peer"),
        (None, 1, "peer"),
        ("", 1, "peer"),
        (ONE, 1, ONE),
        (f"{OTHER}, {ONE}", 1, ONE),
        (f"{OTHER}, {ONE},192.0.2.9", 2, ONE),
        (f"a,b,{ONE}, 192.0.2.9", 2, ONE),
        (ONE, 2, "peer"),
        (f"{ONE}:4711", 1, ONE),
        ("2001:db8::1", 1, "2001:db8::1"),
        ("[2001:db8::1]:4711", 1, "2001:db8::1"),
        ("unknown", 1, "peer"),
        (f"{ONE}, _hidden", 1, "peer"),
        (f"{ONE},", 1, "peer"),
    ],
)
def test_address_behind_proxies(header: str | None, proxies: int, address: str) -> None:
    """The element that the outermost trusted proxy has added counts; what callers add before it does not."""
    assert address == forwarded_address("peer", header, proxies)


@pytest.mark.parametrize(
    ("peer", "address"),
    [
        ("ipv4:192.0.2.1:5000", "192.0.2.1"),
        ("ipv6:%5B2001:db8::1%5D:5000", "2001:db8::1"),
        ("ipv6:[::1]:5000", "::1"),
        ("unix:/run/socket", ""),
        ("", ""),
    ],
)
def test_address_of_a_grpc_peer(peer: str, address: str) -> None:
    """The peer of a gRPC call has an address, unless it came over a socket of this machine."""
    assert address == peer_address(peer)


@pytest.fixture(scope="module")
def proxied(wired: WiredService) -> Iterator[str]:
    """REST behind one proxy."""
    with opened(wired, trusted_proxies=1) as url:
        yield url


def created(url: str, forwarded_for: str, path: str = "/v1/matches") -> str:
    """Create a match as a proxy passes it on; returns its id."""
    headers = {"X-Forwarded-For": forwarded_for}
    answer = httpx.post(url + path, json={"ruleSet": RULES}, headers=headers, **PLAIN)
    assert answer.status_code in (200, 201)
    return str(answer.json()["matchId"])


def digest_of(wired: WiredService, match: str) -> str:
    """The digest of the address in the metadata of a match."""
    digest = json.loads(wired.store.matches.load(match)[0].metadata)["address_digest"]
    assert isinstance(digest, str)
    return digest


@pytest.mark.parametrize("path", ["/v1/matches", "/chitarrella.v1.MatchService/CreateMatch"])
def test_callers_behind_a_proxy_are_distinguished(wired: WiredService, proxied: str, path: str) -> None:
    """Two addresses behind a trusted proxy have two digests, whatever the callers add to the header."""
    one, again = (digest_of(wired, created(proxied, text, path)) for text in (ONE, f"{OTHER}, {ONE}"))
    assert one == again != digest_of(wired, created(proxied, OTHER, path))
    assert 16 == len(one)


def test_header_is_not_believed_without_trusted_proxies(wired: WiredService, rest: str) -> None:
    """Without trusted proxies the header makes no difference: the address is that of the connection."""
    assert digest_of(wired, created(rest, ONE)) == digest_of(wired, created(rest, OTHER))


def test_every_transport_knows_the_same_address(wired: WiredService, rest: str) -> None:
    """From one address a match gets the same digest over every transport, created, imported, or one of many."""
    rules = RuleSet(game_id="briscola", options={"rubber_games": "1"})
    request = pb.CreateMatchRequest(rule_set=rules)
    digests = set()
    for name in TRANSPORTS:
        with through(name, wired, rest) as call:
            match = call("CreateMatch", request)
            many = call("BatchCreateMatches", pb.BatchCreateMatchesRequest(requests=[request]))
            record = call("GetRecord", pb.GetRecordRequest(match_id=match.match_id), match.referee_key).record
            imported = call("ImportMatch", pb.ImportMatchRequest(record=record))
        for one in (match, many.matches[0].created, imported.created):
            digests.add(digest_of(wired, one.match_id))
    assert 1 == len(digests)
    assert {""} != digests


def test_address_is_in_no_log_answer_or_metric(wired: WiredService, proxied: str) -> None:
    """Neither the log of a call, nor the public view of its match, nor a metric has the address or its digest."""
    with capture_logs() as lines:
        match = created(proxied, ONE)
        texts = [httpx.get(proxied + path, **PLAIN).text for path in (f"/v1/matches/{match}", "/metrics")]
    for secret in (ONE, digest_of(wired, match)):
        assert secret not in repr(lines)
        assert not [text for text in texts if secret in text]


# ---------------------------------------------------------------------- rest shutdown


def test_running_call_is_answered_on_stop() -> None:
    """Who has asked before the worker was told to stop is answered; who asks after it finds nobody."""
    begun = threading.Event()

    async def slow(_: Any, __: Any, send: Any) -> None:
        begun.set()
        await asyncio.sleep(0.5)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]})
        await send({"type": "http.response.body", "body": b"done", "more_body": False})

    with ThreadPoolExecutor(1) as caller:
        with running_http(slow) as url:
            asked = caller.submit(httpx.get, url, **PLAIN)
            assert begun.wait(10)
        assert b"done" == asked.result().content
    with pytest.raises(httpx.ConnectError):
        httpx.get(url, **PLAIN)
