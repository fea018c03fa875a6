"""The cap on open matches: counted for all workers, by platform or address, until a match ends or has expired."""

from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import product
from typing import Any

import pytest

from chitarrella import errors
from chitarrella.api import api_keys
from chitarrella.api.api_keys import ClosedApiKeys, digest_of
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import legal_moves, seat_to_move
from chitarrella.matches.log_writer import choose_move
from chitarrella.matches.metadata import BotAssignment
from chitarrella.matches.model import CreatedMatch, CreateMatch, MatchLimits, MoveRequest
from chitarrella.matches.operations import MatchOperations
from chitarrella.matches.service import MatchService
from chitarrella.storage.counters import ClosedApiKeyStore, OpenMatchStore
from chitarrella.storage.redis_store import RedisStore, connect
from chitarrella.v1.match_play_pb2 import WatchMatchesRequest, WatchMatchRequest
from tests.limits.test_admin import ADMIN, API_KEYS, ARCADE, CLUB
from tests.server.process import StartService, watchers
from tests.servers import until
from tests.stores import empty, store_servers
from tests.transports.all_transports import caller_of
from tests.transports.raw_transports import STREAMS, Answer, Asked, Line, written
from tests.walks import CATALOGUE

LIMITS = MatchLimits(
    max_ttl_seconds=1000,
    open_matches_per_platform=4,
    open_matches_per_address=3,
    bot_matches_per_platform=2,
    bot_matches_per_address=1,
)
ASKED = CreateMatch(RuleSet("briscola"), address="192.0.2.1")
PLATFORM = ASKED._replace(platform="arcade")


def worker(store: RedisStore) -> MatchService:
    return MatchService(CATALOGUE, store, LIMITS, open_matches=OpenMatchStore(store.connection))


@pytest.fixture
def workers(url: str) -> Iterator[tuple[MatchService, MatchService]]:
    stores = RedisStore(connect(url)), RedisStore(connect(url))
    yield worker(stores[0]), worker(stores[1])
    for store in stores:
        store.close()


def fill(workers: tuple[MatchService, ...], asked: CreateMatch, count: int) -> list[CreatedMatch]:
    """Create matches at the workers in turn; then each refuses the next one."""
    created = [workers[number % len(workers)].create(asked) for number in range(count)]
    for one in workers:
        assert_full(one, asked)
    return created


def assert_full(one: MatchService, asked: CreateMatch) -> None:
    kind, limit = ("platform", 4) if asked.platform else ("address", 3)
    assert_refused(lambda: one.create(asked), f"open_matches_per_{kind}", limit)


def assert_refused(call: Callable[[], object], quota: str, limit: int) -> None:
    """A call is refused with the name of the quota; no answer names the address."""
    with pytest.raises(errors.QuotaExceeded) as refused:
        call()
    assert {"quota": quota, "limit": str(limit)} == refused.value.details
    assert ASKED.address not in str(refused.value)


def play_to_the_end(one: MatchService, match: str) -> None:
    snapshot = one.repository.load(match)
    while not snapshot.game.is_finished(snapshot.position):
        seat = seat_to_move(snapshot.game, snapshot.position)
        assert seat is not None
        move = next(iter(legal_moves(snapshot.game, snapshot.position, seat)))
        snapshot = one.play(match, MoveRequest(seat, move)).snapshot


def test_cap_holds_over_workers_and_owners_are_apart(workers: tuple[MatchService, MatchService]) -> None:
    """Two workers count together; another address and each platform have caps of their own."""
    fill(workers, ASKED, 3)
    fill(workers, ASKED._replace(address="192.0.2.2"), 3)
    fill(workers, PLATFORM, 4)
    fill(workers, PLATFORM._replace(platform="club", address="192.0.2.3"), 4)


def test_match_that_ends_makes_room(workers: tuple[MatchService, MatchService]) -> None:
    """A match that is finished, aborted or deleted, at whichever worker, is not open any more."""
    one, other = workers
    short = ASKED._replace(rule_set=RuleSet("briscola", 2, (("rubber_games", "1"),)))
    first, second, third = (created.match for created in fill(workers, short, 3))
    for end in (lambda: play_to_the_end(one, first), lambda: other.abort(second), lambda: one.delete(third)):
        end()
        other.create(short)
        assert_full(one, short)


BOT = BotAssignment(1, "greedy", 100)
WITH_BOT = ASKED._replace(bots=(BOT,))


def test_matches_with_bots_have_a_cap_of_their_own(workers: tuple[MatchService, MatchService]) -> None:
    """One more is refused and not counted as open; a match that ends makes room; owners are apart."""
    one, other = workers
    first = one.create(WITH_BOT)
    assert_refused(lambda: other.create(WITH_BOT), "bot_matches_per_address", 1)
    one.create(ASKED)
    other.create(ASKED)
    assert_full(one, ASKED)
    other.abort(first.match)
    one.create(WITH_BOT)
    for worker_of_platform in workers:
        worker_of_platform.create(WITH_BOT._replace(platform="arcade"))
    assert_refused(lambda: one.create(WITH_BOT._replace(platform="arcade")), "bot_matches_per_platform", 2)


def test_assigned_bots_count_until_the_last_leaves(workers: tuple[MatchService, MatchService]) -> None:
    """A bot in a second match is refused; a second bot in the first one is not; without bots there is room again."""
    one, other = (MatchOperations(worker, choose_move) for worker in workers)
    first, second = (workers[0].create(ASKED).match for _ in range(2))
    one.assign_bot(first, BOT)
    other.assign_bot(first, BOT._replace(seat=0))
    assert_refused(lambda: other.assign_bot(second, BOT), "bot_matches_per_address", 1)
    assert () == workers[1].repository.load(second).control.bots
    one.assign_bot(first, BOT._replace(bot=""))
    assert_refused(lambda: other.assign_bot(second, BOT), "bot_matches_per_address", 1)
    other.assign_bot(first, BOT._replace(seat=0, bot=""))
    one.assign_bot(second, BOT)


def test_expired_matches_are_forgotten(
    workers: tuple[MatchService, MatchService], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Matches that have expired make room by themselves; one that is still there after its first time is counted."""
    created = fill(workers, ASKED._replace(ttl_seconds=1), 3)
    store = workers[0].store.matches
    until(lambda: [None] * 3 == store.load_many([one.match for one in created]), "they have expired")
    fill(workers, ASKED, 3)
    monkeypatch.setattr("chitarrella.matches.open_matches.now_ms", lambda: 3 * 7 * 24 * 3600 * 1000)
    for one in workers:
        assert_full(one, ASKED)


def test_repeated_call_gets_its_match_under_a_full_cap(workers: tuple[MatchService, MatchService]) -> None:
    """A call that is repeated is no further match, also when the match has ended since."""
    named = ASKED._replace(request_id="a-random-request-id")
    first = workers[0].create(named)
    fill(workers, ASKED, 2)
    assert first.match == workers[1].create(named).match
    workers[0].abort(first.match)
    fill(workers, ASKED, 1)
    assert first.match == workers[1].create(named).match


def test_store_has_no_address(workers: tuple[MatchService, MatchService], store: RedisStore) -> None:
    """Keys in the store name neither an address nor, for the cap, a platform; a match lives no longer than allowed."""
    workers[0].create(ASKED)
    assert workers[0].create(PLATFORM._replace(ttl_seconds=1000)).match
    with pytest.raises(errors.BadRequest) as refused:
        workers[0].create(PLATFORM._replace(ttl_seconds=1001))
    assert "expire_after" == refused.value.field
    client: Any = store.connection.client
    keys = client.keys("*open_matches:*")
    assert 2 == len(keys)
    assert not any("192.0.2" in key or "arcade" in key for key in keys)
    assert all(client.pttl(key) > 0 for key in keys)


# ---------------------------------------------------------------------- closed api keys


DIGEST = digest_of(CLUB)
REFUSED = "bad_api_key"


def test_watches_end_with_the_key_that_opened_them(start_service: StartService) -> None:
    """At every worker and over every transport, with the code of a call; those of another key go on."""
    flags = ("--redis-url", empty(store_servers().url("valkey-9")), "--api-keys", API_KEYS, "--heartbeat", "0.3")
    services = [start_service(*flags, folder=folder) for folder in ("one", "other")]
    lines = [Line(service.grpc, service.rest) for service in services]
    with closing(caller_of("rest", services[0], CLUB)) as club, closing(caller_of("rest", services[0], ADMIN)) as admin:
        match = club("CreateMatch", rule_set={"game_id": "briscola"}).match.match_id
        ends: dict[str, list[Callable[[], Answer]]] = {CLUB: [], ARCADE: []}
        for line, (key, watches) in product(lines, ends.items()):
            asked = Asked("WatchMatch", WatchMatchRequest(match_id=match), api_key=key)
            watches += [line.watch(transport, asked) for transport in STREAMS]
        of_platform = Asked("WatchMatches", WatchMatchesRequest(), api_key=CLUB)
        ends[CLUB] += [line.watch("grpc", of_platform) for line in lines]
        until(lambda: all(2 * len(STREAMS) + 1 == watchers(service) for service in services), "all watch")
        admin("CloseApiKey", digest=DIGEST)
        assert [] == [text for end in ends[CLUB] if REFUSED not in (text := written(end()))]
        assert [len(STREAMS)] * 2 == [watchers(service) for service in services]
        admin("AbortMatch", match_id=match)
        assert [] == [text for end in ends[ARCADE] if REFUSED in (text := written(end())) or "deal_started" not in text]
    for line in lines:
        line.close()


def test_worker_learns_of_a_closed_key_by_a_message(store: RedisStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without waiting for the next read of all keys, also that a key is open again."""
    monkeypatch.setattr(api_keys, "REFRESH_SECONDS", 3600.0)
    kept = ClosedApiKeyStore(store.connection)
    here, there = ClosedApiKeys(kept), ClosedApiKeys(kept)
    there.start()
    ended: list[str] = []
    forget = there.end_when_closed(DIGEST, lambda: ended.append("forgotten"))
    there.end_when_closed(DIGEST, lambda: ended.append("watch"))
    there.end_when_closed(digest_of(ARCADE), lambda: ended.append("another"))
    forget()
    here.add(DIGEST)
    until(lambda: DIGEST in there and ended, "the other worker knows")
    assert {"watch"} == set(ended)
    there.end_when_closed(DIGEST, lambda: ended.append("late"))
    assert "late" in ended
    here.remove(DIGEST)
    until(lambda: DIGEST not in there, "the other worker knows")
    there.close()


def test_lost_message_is_made_up_for(store: RedisStore) -> None:
    """A key that was closed without a message is found by the next read of all keys."""
    there = ClosedApiKeys(ClosedApiKeyStore(store.connection))
    there.start()
    ended: list[str] = []
    there.end_when_closed(DIGEST, lambda: ended.append("watch"))
    store.connection.client.hset(store.connection.key("closed_api_keys"), DIGEST, 5)
    until(lambda: ended, "the keys are read again")
    assert DIGEST in there
    there.close()
