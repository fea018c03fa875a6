"""The cap on open matches: counted for all workers, by platform or address, until a match ends or has expired."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from chitarrella import errors
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import legal_moves, seat_to_move
from chitarrella.matches.bot_moves import choose_move
from chitarrella.matches.control import BotAssignment
from chitarrella.matches.model import CreatedMatch, CreateMatch, MatchLimits, MoveRequest
from chitarrella.matches.operations import MatchOperations
from chitarrella.matches.service import MatchService
from chitarrella.storage.counters import Admission, OpenMatchStore
from chitarrella.storage.redis_store import RedisStore, connect
from tests.servers import until
from tests.storage.parts import parts_of
from tests.stores import OpenStore
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
    """A worker with caps."""
    return MatchService(CATALOGUE, store, LIMITS, open_matches=OpenMatchStore(store.connection))


@pytest.fixture
def workers(url: str) -> Iterator[tuple[MatchService, MatchService]]:
    """Two workers on one store."""
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
    """A further match is refused, with the name of the quota; no answer names the address."""
    with pytest.raises(errors.QuotaExceeded) as refused:
        one.create(asked)
    kind, limit = ("platform", "4") if asked.platform else ("address", "3")
    assert {"quota": f"open_matches_per_{kind}", "limit": limit} == refused.value.details
    assert ASKED.address not in str(refused.value)


def play_to_the_end(one: MatchService, match: str) -> None:
    """Play legal moves until a match is finished."""
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


def assert_too_many_bots(call: Callable[[], object], limit: int, kind: str = "address") -> None:
    """A call is refused for the cap on matches with bots."""
    with pytest.raises(errors.QuotaExceeded) as refused:
        call()
    assert {"quota": f"bot_matches_per_{kind}", "limit": str(limit)} == refused.value.details


def test_matches_with_bots_have_a_cap_of_their_own(workers: tuple[MatchService, MatchService]) -> None:
    """One more is refused and not counted as open; a match that ends makes room; owners are apart."""
    one, other = workers
    first = one.create(WITH_BOT)
    assert_too_many_bots(lambda: other.create(WITH_BOT), 1)
    one.create(ASKED)
    other.create(ASKED)
    assert_full(one, ASKED)
    other.abort(first.match)
    one.create(WITH_BOT)
    for worker_of_platform in workers:
        worker_of_platform.create(WITH_BOT._replace(platform="arcade"))
    assert_too_many_bots(lambda: one.create(WITH_BOT._replace(platform="arcade")), 2, "platform")


def test_assigned_bots_count_until_the_last_leaves(workers: tuple[MatchService, MatchService]) -> None:
    """A bot in a second match is refused; a second bot in the first one is not; without bots there is room again."""
    one, other = (MatchOperations(worker, choose_move) for worker in workers)
    first, second = (workers[0].create(ASKED).match for _ in range(2))
    one.assign_bot(first, BOT)
    other.assign_bot(first, BOT._replace(seat=0))
    assert_too_many_bots(lambda: other.assign_bot(second, BOT), 1)
    assert () == workers[1].repository.load(second).control.bots
    one.assign_bot(first, BOT._replace(bot=""))
    assert_too_many_bots(lambda: other.assign_bot(second, BOT), 1)
    other.assign_bot(first, BOT._replace(seat=0, bot=""))
    one.assign_bot(second, BOT)


def test_expired_matches_are_forgotten(workers: tuple[MatchService, MatchService]) -> None:
    """Matches that have expired make room by themselves; one that went on is still counted."""
    brief = ASKED._replace(ttl_seconds=1)
    created = fill(workers, brief, 3)
    store = workers[0].store.matches
    until(lambda: [None] * 3 == store.load_many([one.match for one in created]), "they have expired")
    workers[1].create(ASKED)
    workers[0].create(ASKED)
    workers[0].create(ASKED)
    assert_full(workers[1], ASKED)


def test_match_that_went_on_is_counted_after_its_first_time(
    workers: tuple[MatchService, MatchService], monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the time has passed that was noted at its creation, a match that is still there counts for another one."""
    fill(workers, ASKED, 3)
    later = 3 * 7 * 24 * 3600 * 1000
    times = [later]
    monkeypatch.setattr("chitarrella.matches.open_matches.now_ms", lambda: times[0])
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
    """Keys in the store name neither an address nor, for the cap, a platform."""
    workers[0].create(ASKED)
    workers[0].create(PLATFORM)
    client: Any = store.connection.client
    keys = [key for key in client.keys("*") if "open_matches" in key]
    assert 2 == len(keys)
    assert not any("192.0.2" in key or "arcade" in key for key in keys)
    assert all(client.pttl(key) > 0 for key in keys)


def test_longer_time_than_allowed_is_refused(workers: tuple[MatchService, MatchService]) -> None:
    """A match cannot be created with a greater time to live than the operator allows."""
    with pytest.raises(errors.BadRequest) as refused:
        workers[0].create(PLATFORM._replace(ttl_seconds=1001))
    assert "expires_after_seconds" == refused.value.field
    assert workers[0].create(PLATFORM._replace(ttl_seconds=1000)).match


def test_store_counts_up_to_the_limit(open_store: OpenStore, tmp_path: Path) -> None:
    """On every kind of store a match is counted once, up to the limit, and those whose time has passed are returned."""
    counted = parts_of(open_store(), tmp_path).open_matches
    assert Admission(True) == counted.add("a", "one", 2000, 2, 1000)
    assert Admission(True) == counted.add("a", "one", 2000, 2, 1000)
    assert Admission(True) == counted.add("a", "two", 3000, 2, 1000)
    assert Admission(False) == counted.add("a", "three", 3000, 2, 1000)
    assert Admission(True) == counted.add("b", "three", 3000, 2, 1000)
    assert Admission(False, ("one",)) == counted.add("a", "three", 4000, 2, 2500)
    counted.postpone("a", ("one", "unknown"), 5000)
    assert Admission(False) == counted.add("a", "three", 4000, 2, 2500)
    counted.remove("a", ("one",))
    assert Admission(True) == counted.add("a", "three", 4000, 2, 2500)
