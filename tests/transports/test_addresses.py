"""The address of a caller: the peer's, or what trusted proxies say; an anonymous match keeps only a keyed digest."""

from __future__ import annotations

import json
from collections.abc import Iterator

import httpx
import pytest
from structlog.testing import capture_logs

from chitarrella.api.addresses import forwarded_address, network_of
from chitarrella.transports.grpc_server.call_context import peer_address
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1.table_pb2 import RuleSet
from tests.transports.all_transports import TRANSPORTS, through
from tests.transports.conftest import WiredService, opened
from tests.transports.rest_client import PLAIN

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
