"""The queue of searches: the same on every kind of store, and shared by all workers."""

from __future__ import annotations

from chitarrella.storage.counters import MOST_OWNERS
from chitarrella.storage.counters import RedisSearchQueue as SearchQueue
from chitarrella.storage.redis_store import RedisStore
from chitarrella.storage.rows import SearchClaim
from tests.stores import OpenStore

ACME, OTHER = "platform:acme", "address:"


def claimed(queue: SearchQueue, owner: str = "") -> SearchClaim:
    """A claim, with the owners in order."""
    claim = queue.claim(owner)
    return claim._replace(owners=tuple(sorted(claim.owners)))


def test_searches_of_an_owner_are_claimed_in_order(open_store: OpenStore) -> None:
    """One owner's searches are claimed in the order in which they were queued, each once, with what is left behind."""
    one, other = open_store().searches, open_store().searches
    for match, when in (("b", 9_000), ("a", 10_000), ("b", 11_000)):
        one.put(match, ACME, when)
    other.put("c", OTHER, 8_000)
    assert SearchClaim("", (OTHER, ACME), 3, 8_000) == claimed(one)
    assert SearchClaim("b", (OTHER, ACME), 2, 8_000) == claimed(other, ACME)
    assert SearchClaim("c", (ACME,), 1, 10_000) == claimed(one, OTHER)
    assert SearchClaim("a") == claimed(one, ACME)
    assert SearchClaim() == claimed(other, ACME)
    one.put("b", ACME, 12_000)
    assert SearchClaim("b") == claimed(other, ACME)


def test_of_very_many_owners_some_are_named(store: RedisStore) -> None:
    """Each is named in the end, and an owner that waits no more leaves no key behind."""
    for number in range(MOST_OWNERS + 5):
        store.searches.put(f"m{number}", f"address:{number}", 1_000)
    claim = store.searches.claim()
    assert MOST_OWNERS == len(set(claim.owners))
    while claim.owners:
        claim = store.searches.claim(claim.owners[0])
        assert claim.match
    assert 0 == claim.waiting
    assert [] == store.connection.client.keys("*searches*")
