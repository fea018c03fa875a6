"""Rates of calls: the store counts for all workers, and a worker spends blocks of calls by itself."""

from collections.abc import Callable
from typing import Any

import pytest

from chitarrella import errors
from chitarrella.runtime.limiter import MAX_OWNERS, RateLimiter
from chitarrella.storage.counters import Grant, Rate, RateStore, parse_rate
from chitarrella.storage.redis_store import RedisStore, connect
from chitarrella.storage.rows import StoreError
from tests.servers import Server, until

SLOW = Rate(limit=1, period=3600, burst=10)
LARGE = Rate(limit=1, period=3600, burst=100)
OWNER, OTHER = "192.0.2.1", "192.0.2.2"


class CountingStore:
    def __init__(self, store: RedisStore) -> None:
        self._rates = RateStore(store.connection)
        self.owners: list[str] = []

    def take(self, owner: str, rate: Rate, units: int) -> Grant:
        self.owners.append(owner)
        return self._rates.take(owner, rate, units)


class AbsentStore:
    def __init__(self) -> None:
        self.attempts = 0

    def take(self, owner: str, rate: Rate, units: int) -> Grant:
        self.attempts += 1
        raise StoreError("absent")


def at_once(fetch: Callable[[], None]) -> None:
    """Fetch a block before anything else happens."""
    fetch()


def derive(name: str, purpose: str) -> str:
    return f"{purpose}-{name.replace(' ', '-').replace('.', '-')}"


def limiter(store: Any, rate: Rate | None = SLOW, submit: Callable[[Callable[[], None]], object] = at_once) -> Any:
    return RateLimiter(store, derive, submit, platform=LARGE, address=rate)


def passed(worker: RateLimiter, requests: int, owner: str = OWNER, platform: str = "", calls: int = 1) -> int:
    """How many of some requests are let through, each of which counts as so many calls."""
    count = 0
    for _ in range(requests):
        try:
            worker.spend(platform, owner, calls)
            count += 1
        except errors.RateLimited:
            pass
    return count


@pytest.mark.parametrize("calls", [60, 1000])
def test_request_of_many_calls_is_charged_for_all(store: RedisStore, calls: int) -> None:
    """What a request has beyond the burst is owed; one of more calls than a burst has its turn like any other."""
    worker = limiter(CountingStore(store), LARGE)
    assert 2 == passed(worker, 50, calls=calls)
    assert 0 == passed(worker, 50)


def test_two_workers_share_one_burst(store: RedisStore) -> None:
    """An owner that calls two workers has one burst; each worker lets one call through while it asks for more."""
    workers = limiter(CountingStore(store)), limiter(CountingStore(store))
    assert 12 == sum(passed(workers[turn % 2], 1) for turn in range(60))
    assert 11 == passed(workers[0], 60, OTHER)


def test_worker_asks_the_store_once_for_many_calls(store: RedisStore) -> None:
    """A block is a tenth of the burst, so that a tenth of the calls or fewer leads to the store; refusals never do."""
    counting = CountingStore(store)
    worker = limiter(counting, LARGE)
    assert 100 <= passed(worker, 1000) <= 101
    assert len(counting.owners) <= 21
    assert {"rate-calls_per_address-192-0-2-1"} == set(counting.owners)


def test_platform_and_address_are_counted_apart(store: RedisStore) -> None:
    """A platform has its own rate, off is no limit at all; a refusal names the quota and the time, not the address."""
    worker = limiter(CountingStore(store))
    assert 11 == passed(worker, 50)
    assert 50 == passed(worker, 50, platform="arcade")
    assert 5000 == passed(limiter(CountingStore(store), None), 5000)
    with pytest.raises(errors.RateLimited) as refused:
        worker.spend("", OWNER)
    details = refused.value.details
    assert ("calls_per_address", "10", "36000") == tuple(details[one] for one in ("quota", "limit", "window_seconds"))
    assert 0 < float(details["retry_after_seconds"]) <= 2 * SLOW.period
    assert OWNER not in f"{refused.value} {details}"


def test_calls_left_are_estimated_without_the_store(store: RedisStore) -> None:
    """What is left counts down with every call, at no round trip of its own, and grows with time up to the burst."""
    counting = CountingStore(store)
    worker = limiter(counting, LARGE)
    assert worker.spend("", OWNER).calls is None, "the store was not asked yet"
    assert list(range(98, 48, -1)) == [worker.spend("", OWNER).calls for _ in range(50)]
    assert len(counting.owners) <= 11
    assert limiter(counting, None).spend("", OWNER) is None
    fast = limiter(CountingStore(store), Rate(limit=500, period=1, burst=1000))
    assert 900 == passed(fast, 900, OTHER)
    until(lambda: fast.spend("", OTHER).calls == 1000, "the burst is regained")


def test_calls_pass_while_a_block_is_fetched(store: RedisStore) -> None:
    """No call waits for the store: up to a burst pass while a block is fetched, and are charged to the next one."""
    pending: list[Callable[[], None]] = []
    worker = limiter(CountingStore(store), submit=pending.append)
    assert 9 == passed(worker, 9)
    assert 1 == len(pending)
    pending.pop()()
    assert 1 == passed(worker, 1)
    pending.pop()()
    assert 1 == passed(limiter(CountingStore(store)), 50)
    slow = limiter(CountingStore(store), submit=pending.append)
    assert SLOW.burst == passed(slow, 100, OTHER), "however long a block takes"
    assert 1 == len(pending)


def test_store_that_does_not_answer_limits_nobody(server: Server) -> None:
    """Without the store every call passes, and it is asked once a block; a real server that was killed is the same."""
    absent = AbsentStore()
    assert 1000 == passed(limiter(absent, LARGE), 1000)
    assert absent.attempts <= 201
    store = RedisStore(connect(server.url))
    server.kill()
    assert 12 == passed(limiter(RateStore(store.connection), LARGE), 12)
    store.close()


def test_owners_in_memory_are_bounded() -> None:
    """However many addresses call, a worker keeps the stock of a bounded number."""
    worker = limiter(AbsentStore())
    for number in range(MAX_OWNERS + 10):
        worker.spend("", str(number))
    assert MAX_OWNERS == worker.owners


def test_rate_is_read() -> None:
    """A rate is a number in a unit of time, perhaps with a burst; what is none is refused by name."""
    assert [None, Rate(600, 1, 3000), Rate(60, 60, 60), Rate(10, 3600, 3)] == [
        parse_rate(text) for text in ("0", "600/s burst 3000", "60/m", "10 per hour burst 3")
    ]
    for text in ("", "fast", "10", "0/s", "-1/s", "1/s burst 0", "1/s;2/m", "1/fortnight"):
        with pytest.raises(ValueError, match=r"rate|burst"):
            parse_rate(text)
