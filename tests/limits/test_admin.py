"""What an administrator may do: end, delete and list the matches of every platform, and close API keys."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import NamedTuple

import pytest

from chitarrella import v1
from chitarrella.admin.v1 import admin_pb2
from chitarrella.api.api_keys import digest_of
from tests.server.process import Service
from tests.servers import until
from tests.stores import empty, store_servers
from tests.transports.all_transports import Failed, InTurn, Transport, callers

ARCADE, CLUB, ADMIN = "the-key-of-arcade", "the-key-of-the-club", "the-key-of-the-administrator"
API_KEYS = f"arcade all {digest_of(ARCADE)};club all {digest_of(CLUB)};ops admin {digest_of(ADMIN)}"
BRISCOLA = {"game_id": "briscola"}
OUT_OF_SCOPE = Failed("out_of_scope", "x-api-key")


class Callers(NamedTuple):
    """Calls over all transports in turn: of the administrator and of platforms at both workers, and without a key."""

    admin: Transport
    arcade: Transport
    club: Transport
    arcade_elsewhere: Transport
    club_elsewhere: Transport
    public: Transport


@pytest.fixture(scope="module")
def who(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callers]:
    """Connect them to two services on one store that only platforms may call, and to one that everybody may."""
    store = ("--redis-url", empty(store_servers().url("valkey-9")))
    with ExitStack() as stack:

        def connect(flags: tuple[str, ...], *api_keys: str) -> list[InTurn]:
            service = Service(tmp_path_factory.mktemp("admin"), *store, *flags, forked=True)
            stack.callback(service.clear_away)
            return stack.enter_context(callers(service, *api_keys))

        closed = ("--api-keys", API_KEYS)
        here, elsewhere = connect(closed, ADMIN, ARCADE, CLUB), connect(closed, ARCADE, CLUB)
        yield Callers(*here, *elsewhere, *connect(()))


def listed(transport: Transport, platform: str) -> list[str]:
    found = transport("ListMatches", platform=platform)
    return [one.match_id for one in found.matches]


def test_admin_lists_the_matches_of_every_platform(who: Callers) -> None:
    """Also private ones, and those without a platform; others may name no platform, not even their own."""
    own = who.arcade_elsewhere("CreateMatch", rule_set=BRISCOLA, private=True).match.match_id
    anonymous = who.public("CreateMatch", rule_set=BRISCOLA, external_id="mine").match.match_id
    assert own in listed(who.admin, "arcade")
    assert anonymous in listed(who.admin, "@anonymous")
    assert own not in listed(who.admin, "club") + listed(who.admin, "@anonymous")
    found = who.admin("ListMatches", platform="@anonymous", external_id="mine").matches
    assert anonymous in [one.match_id for one in found]
    refused = Failed("out_of_scope", "platform")
    assert [refused] * 2 == [who.arcade("ListMatches", platform=name) for name in ("arcade", "club")]
    assert refused == who.public("ListMatches", platform="@anonymous")
    who.admin("DeleteMatch", match_id=anonymous)
    assert anonymous not in listed(who.admin, "@anonymous")


def test_page_token_is_for_the_platform_that_was_named(who: Callers) -> None:
    """A page of one platform does not go on in the list of another one."""
    for _ in range(2):
        who.arcade("CreateMatch", rule_set=BRISCOLA)
    first = who.admin("ListMatches", platform="arcade", page_size=1)
    second = who.admin("ListMatches", platform="arcade", page_size=1, page_token=first.next_page_token)
    pages = [first.matches[0].match_id, second.matches[0].match_id]
    assert listed(who.admin, "arcade")[:2] == pages
    wrong = who.admin("ListMatches", platform="club", page_token=first.next_page_token)
    assert Failed("bad_request", "page_token") == wrong


def test_admin_ends_and_deletes_any_match(who: Callers) -> None:
    """Without a key of the match, also where it is private; a platform needs the referee's key for its own."""
    made = who.arcade("CreateMatch", rule_set=BRISCOLA, private=True)
    assert "referee_only" == who.arcade("AbortMatch", match_id=made.match.match_id).code
    assert "no_such_match" == who.club("DeleteMatch", match_id=made.match.match_id).code
    assert isinstance(who.admin("AbortMatch", match_id=made.match.match_id), v1.Match)
    state = who.arcade("GetMatch", key=made.referee_key, match_id=made.match.match_id).state
    assert v1.MATCH_STATE_ABORTED == state
    assert isinstance(who.admin("DeleteMatch", match_id=made.match.match_id), v1.DeleteMatchResponse)
    assert "no_such_match" == who.arcade("GetMatch", key=made.referee_key, match_id=made.match.match_id).code


def test_admin_sees_and_plays_nothing(who: Callers) -> None:
    """The scope opens no other call about a match: no view, no record, no move, no new match."""
    match = who.arcade("CreateMatch", rule_set=BRISCOLA).match.match_id
    for rpc in ("GetMatch", "ListMatchMoves", "ListEvents", "GetRecord", "ListShuffles", "WatchMatch", "RotateKey"):
        assert OUT_OF_SCOPE == who.admin(rpc, match_id=match), rpc
    assert OUT_OF_SCOPE == who.admin("CreateMatch", rule_set=BRISCOLA)
    assert OUT_OF_SCOPE == who.admin("ListGames")


def test_closed_api_key_is_refused_by_every_worker(who: Callers) -> None:
    """It is closed at once where the call was made, soon at the others, and open again by another call."""
    digest = digest_of(CLUB)
    closed = who.admin("CloseApiKey", digest=digest).api_key
    assert (digest, "club", True) == (closed.digest, closed.platform, closed.close_time.seconds > 0)
    refused = Failed("bad_api_key", "x-api-key")
    assert refused == who.club("ListGames")
    until(lambda: refused == who.club_elsewhere("ListGames"), "the other worker knows")
    assert closed == who.admin("CloseApiKey", digest=digest).api_key
    assert [closed] == list(who.admin("ListClosedApiKeys").api_keys)
    assert not isinstance(who.arcade_elsewhere("ListGames"), Failed)
    who.admin("OpenApiKey", digest=digest)
    assert not isinstance(who.club("ListGames"), Failed)
    until(lambda: refused != who.club_elsewhere("ListGames"), "the other worker knows")
    assert [] == list(who.admin("ListClosedApiKeys").api_keys)
    assert isinstance(who.admin("OpenApiKey", digest=digest), admin_pb2.OpenApiKeyResponse)


def test_api_keys_are_closed_by_an_administrator_alone(who: Callers) -> None:
    """A platform may not, nobody may where the service has no API keys, and an unknown key is no key."""
    for ask in (who.arcade, who.public):
        assert OUT_OF_SCOPE == ask("ListClosedApiKeys")
    for rpc in ("CloseApiKey", "OpenApiKey"):
        assert OUT_OF_SCOPE == who.arcade(rpc, digest=digest_of(CLUB)) == who.public(rpc, digest=digest_of(CLUB))
        assert Failed("no_such_api_key", "digest") == who.admin(rpc, digest=digest_of("unknown"))
        assert Failed("bad_request", "digest") == who.admin(rpc, digest=CLUB)
