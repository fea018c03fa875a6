"""Whose an anonymous match is, and how long it lives."""

from __future__ import annotations

import pytest

from chitarrella.matches.model import CreateMatch, MatchLimits
from chitarrella.matches.service import MatchService
from tests.matches.playing import CATALOGUE, SHORT, connect_service, go_on
from tests.matches.test_search_shares import ATTACKER, FLOOD_MS, NEIGHBOUR, search_match


def test_address_is_kept_only_as_a_keyed_digest(service: MatchService, url: str) -> None:
    """An anonymous match has a digest of its address, which another store makes differently; a platform's has none."""
    owners = {}
    for name, address, platform in (
        ("one", ATTACKER, ""),
        ("same", ATTACKER, ""),
        ("other", NEIGHBOUR, ""),
        ("none", "", ""),
        ("acme", ATTACKER, "acme"),
    ):
        opened = search_match(service, FLOOD_MS, platform=platform, address=address)
        owners[name] = opened.snapshot.metadata.owner
        assert not (address and address in opened.snapshot.row.metadata)
    assert owners["one"] == owners["same"] != owners["other"]
    assert ("address:", "platform:acme") == (owners["none"], owners["acme"])
    apart = connect_service(url)
    apart.store.connection.client.delete("chitarrella:secret")
    assert owners["one"] != search_match(apart.service, FLOOD_MS, address=ATTACKER).snapshot.metadata.owner
    apart.store.close()


def test_request_is_the_same_from_another_address(service: MatchService) -> None:
    """Whoever repeats a request id after the network has changed gets the same match, which is still the first's."""
    first, again = (
        service.create(CreateMatch(SHORT, request_id="one", address=address)) for address in (ATTACKER, NEIGHBOUR)
    )
    assert first.match == again.match
    assert first.snapshot.metadata == again.snapshot.metadata


# ---------------------------------------------------------------------- expiry


@pytest.mark.parametrize(
    ("platform", "limits", "requested", "expected"),
    [
        ("", MatchLimits(), 0, 86_400),
        ("", MatchLimits(), 60, 60),
        ("", MatchLimits(), 31_536_000, 86_400),
        ("", MatchLimits(3_600), 0, 3_600),
        ("", MatchLimits(3_600), 7_200, 3_600),
        ("", MatchLimits(604_800, 120), 0, 120),
        ("acme", MatchLimits(), 0, 604_800),
        ("acme", MatchLimits(), 31_536_000, 31_536_000),
    ],
)
def test_anonymous_match_expires_within_a_day(
    service: MatchService, platform: str, limits: MatchLimits, requested: int, expected: int
) -> None:
    """A match without a platform expires within the limit for them, from its creation and from each of its moves."""
    limited = MatchService(CATALOGUE, service.store, limits)
    opened = limited.create(CreateMatch(SHORT, platform=platform, ttl_seconds=requested))
    client = service.store.connection.client
    for _ in range(2):
        left = client.pttl(f"chitarrella:{{{opened.match}}}") / 1000
        assert expected - 30 < left <= expected
        go_on(limited, opened.match)
