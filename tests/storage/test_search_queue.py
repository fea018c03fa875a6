"""The queue of searches gives every owner the same share of the processor: the same on every kind of store."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from chitarrella.matches.store import SearchClaim, SearchQueue
from tests.stores import OpenStore

MANY = 200


@pytest.fixture
def queue(open_store: OpenStore) -> SearchQueue:
    """An empty queue."""
    return open_store().searches


def put_many(queue: SearchQueue, owner: str, count: int = MANY, expected_ms: int = 100) -> None:
    """Queue so many searches of an owner."""
    for number in range(count):
        queue.put(f"{owner}-{number}", owner, expected_ms, 1_000 + number)


def claim_and_use(queue: SearchQueue, used_ms: int) -> str:
    """Claim a search that takes so long, and return its owner."""
    claim = queue.claim()
    queue.settle(claim.owner, used_ms - claim.expected_ms)
    return claim.owner


def test_searches_of_an_owner_are_claimed_in_order(queue: SearchQueue) -> None:
    """One owner's searches are claimed in the order in which they were queued, each once, with what is left behind."""
    for match, when in (("b", 9_000), ("a", 10_000), ("b", 11_000)):
        queue.put(match, "platform:acme", 50, when)
    assert SearchClaim("b", "platform:acme", 50, 1, 10_000) == queue.claim()
    assert SearchClaim("a", "platform:acme", 50) == queue.claim()
    assert SearchClaim() == queue.claim()
    queue.put("b", "platform:acme", 60, 12_000)
    assert SearchClaim("b", "platform:acme", 60) == queue.claim()


@pytest.mark.parametrize("flood", ["address:f", "platform:acm", "platform:acmeacme", "address:"])
def test_new_owner_is_next(queue: SearchQueue, flood: str) -> None:
    """Behind two hundred searches of one owner, before or after some of them have run, another's first one is next."""
    put_many(queue, flood)
    for match in ("early", "late"):
        claimed = [claim_and_use(queue, 100) for _ in range(MANY // 4)]
        assert {flood} == set(claimed)
        queue.put(match, f"platform:{match}", 100, 99_000)
        assert f"platform:{match}" in [claim_and_use(queue, 100) for _ in range(2)]


def test_owners_share_by_processor_time(queue: SearchQueue) -> None:
    """Of two owners one of whom searches twice as long, each gets half of the time, whatever they announced."""
    put_many(queue, "address:long", expected_ms=1)
    put_many(queue, "address:short", expected_ms=200)
    took = {"address:long": 200, "address:short": 100}
    used = Counter[str]()
    for _ in range(MANY):
        claim = queue.claim()
        used[claim.owner] += took[claim.owner]
        queue.settle(claim.owner, took[claim.owner] - claim.expected_ms)
    assert abs(used["address:long"] - used["address:short"]) <= 2 * max(took.values())


def test_announcing_less_gains_nothing(queue: SearchQueue) -> None:
    """An owner whose searches take two hundred times what they were expected to take gets no more than another."""
    put_many(queue, "address:flood", expected_ms=1)
    used = Counter[str]()
    for number in range(30):
        queue.put(f"honest-{number}", "platform:acme", 100, 5_000)  # its turn comes after its last search only
        while (claim := queue.claim()).owner != "platform:acme":
            used[claim.owner] += 200
            queue.settle(claim.owner, 200 - claim.expected_ms)
        used[claim.owner] += 100
    assert used["address:flood"] <= used["platform:acme"] + 2 * 200


def test_nobody_saves_up_time(queue: SearchQueue) -> None:
    """An owner that was idle for long has no claim to the time that others have used meanwhile."""
    queue.put("first", "address:idle", 100, 1_000)
    put_many(queue, "address:busy")
    for _ in range(MANY // 2):
        claim_and_use(queue, 100)
    put_many(queue, "address:idle")
    shares = Counter(claim_and_use(queue, 100) for _ in range(20))
    assert {"address:idle": 10, "address:busy": 10} == shares


def test_cancelled_searches_cost_nothing(queue: SearchQueue) -> None:
    """An owner whose searches were not needed any more does not wait for having queued them."""
    put_many(queue, "address:busy")
    put_many(queue, "platform:acme", 50)
    took = {"address:busy": 100, "platform:acme": 0}
    for _ in range(52):
        claim = queue.claim()
        queue.settle(claim.owner, took[claim.owner] - claim.expected_ms)
    queue.put("next", "platform:acme", 100, 9_000)
    assert "platform:acme" in [claim_and_use(queue, 100) for _ in range(2)]


def test_shares_hold_across_workers(open_store: OpenStore) -> None:
    """Workers that share a store share the queue: what one of them has searched counts at the others."""
    one, other = open_store().searches, open_store().searches
    put_many(one, "address:flood")
    for _ in range(50):
        claim_and_use(one, 100)
    other.put("honest", "platform:acme", 100, 9_000)
    assert "platform:acme" in [claim_and_use(one, 100) for _ in range(2)]
    other.put("again", "platform:acme", 100, 9_000)
    assert "platform:acme" in [claim_and_use(other, 100) for _ in range(2)]


def test_waiting_owner_is_served_within_a_round(queue: SearchQueue) -> None:
    """With random owners and durations, between two claims of a waiting owner each other is claimed a few times."""
    rng, owners = Random(16), [f"address:{number}" for number in range(5)]
    for owner in owners:
        put_many(queue, owner, 60)
    last = dict.fromkeys(owners, 0)
    for turn in range(1, 151):
        owner = claim_and_use(queue, rng.randint(50, 150))
        assert turn - last[owner] <= 4 * len(owners)
        last[owner] = turn


@pytest.mark.needs_server
@pytest.mark.parametrize("lost", ["entries", "owners"])
def test_queue_recovers_where_a_key_was_lost(open_store: OpenStore, raw_client: Any, lost: str) -> None:
    """Where the store has lost a part of the queue, it begins anew, and the searches can be queued again."""
    queue = open_store().searches
    put_many(queue, "platform:acme", 3)
    raw_client.delete(f"chitarrella:{{searches}}:{lost}")
    assert SearchClaim() == queue.claim()
    put_many(queue, "platform:acme", 3)
    assert "platform:acme-0" == queue.claim().match


@pytest.mark.needs_server
def test_owners_without_searches_are_forgotten(open_store: OpenStore, raw_client: Any) -> None:
    """However many owners there have been, only those are kept that have used more than the others' least."""
    queue = open_store().searches
    for number in range(MANY):
        queue.put(f"m{number}", f"address:{number}", 100, 1_000)
    for _ in range(MANY):
        claim_and_use(queue, 100)
    for number in range(3):  # one owner alone goes on, and the time with it
        queue.put(f"x{number}", "address:0", 100, 1_000)
        claim_and_use(queue, 100)
    queue.put("y", "address:new", 100, 1_000)
    assert 1 >= raw_client.zcard("chitarrella:{searches}:passes")
