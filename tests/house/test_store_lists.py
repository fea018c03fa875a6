"""The store keeps lists of matches, and forgets a match when it is told to: the same on every kind of store."""

from __future__ import annotations

from typing import Any

import pytest

from chitarrella.redis_store import RedisStore
from chitarrella.store import NoSuchMatch, entry_of
from tests.house.pages import Make, opened


@pytest.fixture
def store(make: Make) -> RedisStore:
    """A line to an empty store."""
    return make()


def test_the_list_of_a_platform(store: RedisStore) -> None:
    """A platform's matches are listed latest first, a page at a time, each once; no platform sees another's."""
    for number in range(7):
        store.enlist("arcade", f"match{number}", 1_700_000_000 + number)
    store.enlist("arcade", "match3", 1_700_000_003)
    store.enlist("club", "other", 1_700_000_000)
    first = store.listed("arcade", "", 4)
    assert [entry_of(f"match{number}", 1_700_000_000 + number) for number in (6, 5, 4, 3)] == first
    assert ["match2", "match1", "match0"] == [entry.split(".")[1] for entry in store.listed("arcade", first[-1], 4)]
    store.strike("arcade", first)
    store.strike("arcade", ())
    assert 3 == len(store.listed("arcade", "", 10))
    assert 1 == len(store.listed("club", "", 10))
    assert [] == store.listed("nobody", "", 10)


def test_a_match_is_deleted(store: RedisStore, raw: Any) -> None:
    """A match that is deleted leaves nothing behind; to say so twice does no harm, and its name may be used anew."""
    opened(store, "first")
    opened(store, "second")
    store.delete("first")
    assert not [key for key in raw.scan_iter("*") if "first" in key]
    assert "header" == store.last("second")[0].header
    store.delete("first")
    with pytest.raises(NoSuchMatch):
        store.last("first")
    opened(store, "first")


def test_what_is_due_is_claimed_once(store: RedisStore, make: Make) -> None:
    """Of what is due each match is given to one, and to nobody else before the lease is over; the first due first."""
    other = make()
    for match, when in (("late", 3_000), ("soon", 1_000), ("then", 9_000)):
        store.remind(match, when)
    assert ["soon", "late"] == other.due(5_000, 10_000, 9)
    assert [] == store.due(5_001, 10_000, 9)
    store.remind("late", None)
    store.remind("soon", 6_000)
    assert ["soon"] == store.due(6_000, 10_000, 9)
    assert ["then"] == store.due(16_000, 10_000, 1)
    assert ["soon"] == store.due(16_000, 10_000, 9)
