"""Jobs that need the processor for long: fair shares of the threads, and a bounded queue."""

import threading
import time
from asyncio import CancelledError
from collections import Counter
from collections.abc import Iterator
from functools import partial

import pytest

from chitarrella import errors
from chitarrella.runtime.threads import LEAST_BYTES, OWNER_BYTES, THREADS, FairPool, Job, check_job
from tests.servers import until

OWNER, OTHER = "192.0.2.1", "192.0.2.2"
BUSY = [f"198.51.100.{number}" for number in range(THREADS)]


@pytest.fixture
def free() -> Iterator[threading.Event]:
    """What running jobs wait for; set at the end, so that their threads can end."""
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture
def pool() -> Iterator[FairPool]:
    made = FairPool("test")
    yield made
    made.shutdown()


def occupy(pool: FairPool, owner: str, free: threading.Event) -> Job:
    begun = threading.Event()

    def work() -> None:
        begun.set()
        assert free.wait(60)
        check_job()

    job = pool.submit(owner, work)
    assert begun.wait(60)
    return job


def run(pool: FairPool, took: dict[str, int], count: int) -> Counter[str]:
    """Run so many jobs of owners who always wait; returns the processor milliseconds of each."""

    def burn(milliseconds: int) -> None:
        end = time.thread_time() + milliseconds / 1000
        while time.thread_time() < end:
            pass

    used = Counter[str]()
    for _ in range(count):
        owner = pool.first(took)
        assert owner
        pool.submit(owner, partial(burn, took[owner])).result()
        used[owner] += took[owner]
    return used


def test_owners_share_by_processor_time() -> None:
    """Of owners whose jobs take differently long, each has the same time; one who was idle has saved up none."""
    pool = FairPool("test", 0)
    used = run(pool, {OWNER: 12, OTHER: 3}, 20)
    assert abs(used[OWNER] - used[OTHER]) <= 2 * 12
    run(pool, {OWNER: 3}, 20)
    used = run(pool, {OWNER: 3, OTHER: 3, BUSY[0]: 3}, 12)
    assert max(used.values()) - min(used.values()) <= 6


@pytest.mark.parametrize("threads", [THREADS, 4])
def test_owner_never_has_all_threads(free: threading.Event, threads: int) -> None:
    """However many jobs of one owner wait, a job of another one begins at once."""
    pool = FairPool("test", threads)
    for _ in range(threads - 1):
        occupy(pool, OWNER, free)
    waiting = [pool.submit(OWNER, lambda: "mine") for _ in range(20)]
    assert pool.first([OWNER]) is None
    assert "other" == pool.submit(OTHER, lambda: "other").result(60)
    assert waiting == pool.waiting
    free.set()
    assert ["mine"] * 20 == [job.result(60) for job in waiting]
    assert [] == pool.waiting
    pool.shutdown()


def test_owners_take_turns(pool: FairPool, free: threading.Event) -> None:
    """Where all threads are taken, an owner with one job waits for one job of each other owner at most."""
    for owner in BUSY:
        occupy(pool, owner, free)
    order: list[str] = []
    queued = [OWNER] * 5 + [OTHER]
    jobs = [pool.submit(owner, partial(order.append, owner)) for owner in queued]
    free.set()
    for job in jobs:
        job.result(60)
    assert order.index(OTHER) <= 2
    assert sorted(queued) == sorted(order)


def test_queue_is_bounded(pool: FairPool, free: threading.Event) -> None:
    """Too many jobs of an owner are refused, those of another owner are not, and of all only so much may wait."""
    for owner in BUSY:
        occupy(pool, owner, free)
    waiting = [pool.submit(OWNER, str) for _ in range(OWNER_BYTES // LEAST_BYTES)]
    with pytest.raises(errors.Overloaded):
        pool.submit(OWNER, str)
    assert waiting[0].cancel()
    pool.submit(OWNER, str)
    for number in range(3):
        pool.submit(f"203.0.113.{number}", str, OWNER_BYTES)
    with pytest.raises(errors.Overloaded):
        pool.submit(OTHER, str)
    free.set()
    until(lambda: not pool.waiting, "nobody waits")
    assert "" == pool.submit(OTHER, str, OWNER_BYTES).result(60)


def test_jobs_that_nobody_waits_for_are_not_finished(pool: FairPool, free: threading.Event) -> None:
    """A job whose turn comes too late is not begun; one that runs cannot be cancelled, but stops at its next step."""
    begun: list[int] = []
    with pytest.raises(errors.Overloaded):
        FairPool("test", 0, max_wait=0.0).submit(OWNER, lambda: begun.append(1)).result(60)
    assert [] == begun
    job = occupy(pool, OWNER, free)
    assert not job.cancel()
    free.set()
    with pytest.raises(CancelledError):
        job.result(60)
