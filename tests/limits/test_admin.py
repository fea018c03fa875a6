"""What an administrator may do: end, delete and list the matches of every platform, and close API keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

from chitarrella.api.api_keys import digest_of
from chitarrella.v1 import admin_pb2, matches_pb2, table_pb2
from tests.server.process import Service
from tests.servers import until
from tests.stores import empty, store_servers
from tests.transports.all_transports import RPCS, TRANSPORTS, Failed, Transport, caller_of

ARCADE, CLUB, ADMIN = "the-key-of-arcade", "the-key-of-the-club", "the-key-of-the-administrator"
API_KEYS = f"arcade all {digest_of(ARCADE)};club all {digest_of(CLUB)};ops admin {digest_of(ADMIN)}"
BRISCOLA = table_pb2.RuleSet(game_id="briscola")
OUT_OF_SCOPE = Failed("out_of_scope", "x-api-key")


class Services(NamedTuple):
    """Two services on one store that only platforms may call, and one that everybody may."""

    one: Service
    other: Service
    public: Service


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    """Start them."""
    flags = ("--redis-url", empty(store_servers().url("valkey-9")))
    folder = tmp_path_factory.mktemp("admin")
    started: list[Service] = []
    try:
        for name, keys in (("one", API_KEYS), ("other", API_KEYS), ("public", "")):
            started.append(Service(folder / name, *flags, *(("--api-keys", keys) if keys else ()), forked=True))
        yield Services(*started)
    finally:
        for service in started:
            service.clear_away()


@pytest.fixture(params=TRANSPORTS)
def connect(request: pytest.FixtureRequest) -> Iterator[Callable[[Service, str], Transport]]:
    """Call a service with an API key, over each transport in turn."""
    opened: list[Any] = []

    def open_one(service: Service, key: str = "") -> Transport:
        opened.append(caller_of(request.param, service, key))
        return opened[-1]  # type: ignore[no-any-return]  # each is a transport

    yield open_one
    for one in opened:
        one.close()


Connect = Callable[..., Transport]


def ask(transport: Transport, rpc: str, key: str = "", **fields: Any) -> Any:
    """Make a call."""
    return transport(rpc, RPCS[rpc].request(**fields), key)


def listed(transport: Transport, platform: str) -> list[str]:
    """The ids of the matches of a platform."""
    found = ask(transport, "ListMatches", platform=platform)
    return [one.match_id for one in found.matches]


def test_admin_lists_the_matches_of_every_platform(services: Services, connect: Connect) -> None:
    """Also private ones, and those without a platform; others may name no platform, not even their own."""
    admin, arcade, public = (
        connect(services.one, ADMIN),
        connect(services.other, ARCADE),
        connect(services.public),
    )
    own = ask(arcade, "CreateMatch", rule_set=BRISCOLA, private=True).match_id
    anonymous = ask(public, "CreateMatch", rule_set=BRISCOLA, external_id="mine").match_id
    assert own in listed(admin, "arcade")
    assert anonymous in listed(admin, "@anonymous")
    assert own not in listed(admin, "club") + listed(admin, "@anonymous")
    found = ask(admin, "ListMatches", platform="@anonymous", external_id="mine").matches
    assert anonymous in [one.match_id for one in found]
    refused = Failed("out_of_scope", "platform")
    assert [refused] * 2 == [ask(arcade, "ListMatches", platform=name) for name in ("arcade", "club")]
    assert refused == ask(public, "ListMatches", platform="@anonymous")
    ask(admin, "DeleteMatch", match_id=anonymous)
    assert anonymous not in listed(admin, "@anonymous")


def test_page_token_is_for_the_platform_that_was_named(services: Services, connect: Connect) -> None:
    """A page of one platform does not go on in the list of another one."""
    admin, arcade = connect(services.one, ADMIN), connect(services.one, ARCADE)
    for _ in range(2):
        ask(arcade, "CreateMatch", rule_set=BRISCOLA)
    first = ask(admin, "ListMatches", platform="arcade", page_size=1)
    second = ask(admin, "ListMatches", platform="arcade", page_size=1, page_token=first.next_page_token)
    pages = [first.matches[0].match_id, second.matches[0].match_id]
    assert listed(admin, "arcade")[:2] == pages
    wrong = ask(admin, "ListMatches", platform="club", page_token=first.next_page_token)
    assert Failed("bad_request", "page_token") == wrong


def test_admin_ends_and_deletes_any_match(services: Services, connect: Connect) -> None:
    """Without a key of the match, also where it is private; a platform needs the referee's key for its own."""
    admin, arcade, club = (connect(services.one, key) for key in (ADMIN, ARCADE, CLUB))
    made = ask(arcade, "CreateMatch", rule_set=BRISCOLA, private=True)
    assert "referee_only" == ask(arcade, "AbortMatch", match_id=made.match_id).code
    assert "no_such_match" == ask(club, "DeleteMatch", match_id=made.match_id).code
    assert isinstance(ask(admin, "AbortMatch", match_id=made.match_id), matches_pb2.AbortMatchResponse)
    assert ask(arcade, "GetMatch", made.referee_key, match_id=made.match_id).aborted
    assert isinstance(ask(admin, "DeleteMatch", match_id=made.match_id), matches_pb2.DeleteMatchResponse)
    assert "no_such_match" == ask(arcade, "GetMatch", made.referee_key, match_id=made.match_id).code


def test_admin_sees_and_plays_nothing(services: Services, connect: Connect) -> None:
    """The scope opens no other call about a match: no view, no record, no move, no new match."""
    admin, arcade = connect(services.one, ADMIN), connect(services.one, ARCADE)
    match = ask(arcade, "CreateMatch", rule_set=BRISCOLA).match_id
    for rpc in ("GetMatch", "ListMatchMoves", "ListEvents", "GetRecord", "ListShuffles", "WatchMatch", "RotateKey"):
        assert OUT_OF_SCOPE == ask(admin, rpc, match_id=match), rpc
    assert OUT_OF_SCOPE == ask(admin, "CreateMatch", rule_set=BRISCOLA)
    assert OUT_OF_SCOPE == ask(admin, "ListGames")


def test_closed_api_key_is_refused_by_every_worker(services: Services, connect: Connect) -> None:
    """It is closed at once where the call was made, soon at the others, and open again by another call."""
    admin, club, elsewhere = connect(services.one, ADMIN), connect(services.one, CLUB), connect(services.other, CLUB)
    digest = digest_of(CLUB)
    closed = ask(admin, "CloseApiKey", digest=digest).api_key
    assert (digest, "club", True) == (closed.digest, closed.platform, closed.close_time.seconds > 0)
    refused = Failed("bad_api_key", "x-api-key")
    assert refused == ask(club, "ListGames")
    until(lambda: refused == ask(elsewhere, "ListGames"), "the other worker knows")
    assert closed == ask(admin, "CloseApiKey", digest=digest).api_key
    assert [closed] == list(ask(admin, "ListClosedApiKeys").api_keys)
    assert not isinstance(ask(connect(services.other, ARCADE), "ListGames"), Failed)
    ask(admin, "OpenApiKey", digest=digest)
    assert not isinstance(ask(club, "ListGames"), Failed)
    until(lambda: refused != ask(elsewhere, "ListGames"), "the other worker knows")
    assert [] == list(ask(admin, "ListClosedApiKeys").api_keys)
    assert isinstance(ask(admin, "OpenApiKey", digest=digest), admin_pb2.OpenApiKeyResponse)


def test_api_keys_are_closed_by_an_administrator_alone(services: Services, connect: Connect) -> None:
    """A platform may not, nobody may where the service has no API keys, and an unknown key is no key."""
    arcade, public, admin = connect(services.one, ARCADE), connect(services.public), connect(services.one, ADMIN)
    for rpc, fields in (
        ("CloseApiKey", {"digest": digest_of(CLUB)}),
        ("OpenApiKey", {"digest": digest_of(CLUB)}),
        ("ListClosedApiKeys", {}),
    ):
        assert OUT_OF_SCOPE == ask(arcade, rpc, **fields) == ask(public, rpc, **fields)
    for rpc in ("CloseApiKey", "OpenApiKey"):
        assert Failed("no_such_api_key", "digest") == ask(admin, rpc, digest=digest_of("unknown"))
        assert Failed("bad_request", "digest") == ask(admin, rpc, digest=CLUB)
