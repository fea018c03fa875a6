"""The Python client of a platform: labels and filters, many matches at once, and one stream for all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from chitarrella.storage.embedded_valkey import EmbeddedValkey
from chitarrella_client import AsyncChitarrella, Chitarrella, errors
from tests.transports.all_transports import grpc_opened
from tests.transports.conftest import WiredService
from tests.transports.platforms import ACME, CLUB, platform_service


@pytest.fixture(scope="module")
def closed(valkey: EmbeddedValkey) -> Iterator[WiredService]:
    """A service for two platforms."""
    with platform_service(valkey.url, "client") as wired:
        yield wired


@pytest.fixture(scope="module")
def address(closed: WiredService) -> Iterator[str]:
    """Where gRPC listens."""
    with grpc_opened(closed) as listening:
        yield listening


def test_match_is_found_by_its_labels(address: str) -> None:
    """What a match was created with is returned, and `matches` finds the match by each of it."""
    with Chitarrella(address, api_key=ACME) as client:
        match = client.create_match(
            "briscola", external_id="game 7", labels={"cup": "spring"}, player_names={1: "Zoë", 0: "Ada"}
        )
        client.create_match("briscola", labels={"cup": "autumn"})
        state = match.get()
        assert ("game 7", {"cup": "spring"}) == (state.external_id, state.labels)
        assert [(0, "Ada"), (1, "Zoë")] == [(one.seat, one.name) for one in state.player_names]
        for found in (
            client.matches(external_id="game 7"),
            client.matches(labels={"cup": "spring"}),
            client.matches(player_name="Zoë"),
        ):
            (summary,) = found
            assert (match.id, "game 7", {"cup": "spring"}) == (summary.match_id, summary.external_id, summary.labels)
            assert state.player_names == summary.player_names
        assert "Ada" not in repr(state)
        record = client.match(match.id, match.key).record()
        imported = client.import_match(record, external_id="game 8", labels={"cup": "x"}, player_names={0: "Bob"})
        assert ("game 8", "Bob") == (imported.get().external_id, imported.get().player_names[0].name)


def test_many_matches_are_returned_at_once(address: str) -> None:
    """Each match is found or has its error; the key counts at its own match."""
    with Chitarrella(address, api_key=CLUB) as client:
        first, second = client.create_match("briscola"), client.create_match("briscola")
        own, other, unknown = client.get_matches([first.id, second.id, "nobody"], first.as_seat(1).key)
        assert (first.as_seat(1).get(), client.match(second.id).get()) == (own.match, other.match)
        assert (None, None, None) == (own.error, other.error, unknown.match)
        assert unknown.error is not None
        assert ("no_such_match", "match_id") == (unknown.error.code, unknown.error.field)


def test_all_matches_are_watched(address: str, closed: WiredService) -> None:
    """The stream begins with a heartbeat, has every update, and raises when it is cut off."""
    with Chitarrella(address, api_key=ACME) as client:
        updates = client.watch_matches()
        assert next(updates) is None
        match = client.create_match("briscola")
        dealt = next(one for one in updates if one)
        assert (match.id, False, False) == (dealt.match_id, dealt.finished, dealt.aborted)
        assert [dealt.update] == list(client.match(match.id).events())
        match.abort()
        aborted = next(one for one in updates if one)
        assert (match.id, None, True) == (aborted.match_id, aborted.update, aborted.aborted)
        (lost,) = closed.platform_hub._platforms
        closed.platform_hub._lose_all()
        assert "acme" == lost
        with pytest.raises(errors.Unavailable):
            list(updates)
    with Chitarrella(address, api_key="guessed") as stranger, pytest.raises(errors.NotAuthenticated):
        next(stranger.watch_matches())


def test_all_matches_are_watched_with_asyncio(address: str) -> None:
    """The asyncio client watches in the same way."""

    async def watch() -> tuple[str, str]:
        async with AsyncChitarrella(address, api_key=ACME) as client:
            updates = client.watch_matches()
            assert await anext(updates) is None
            match = await client.create_match("briscola")
            async for update in updates:
                if update:
                    return match.id, update.match_id
        raise AssertionError

    created, received = asyncio.run(watch())
    assert created == received
