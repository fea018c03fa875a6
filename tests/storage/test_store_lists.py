"""The store keeps lists of matches, and forgets a match when it is told to: the same on every kind of store."""

from __future__ import annotations

from typing import Any

import pytest

from chitarrella.storage.redis_store import RedisStore
from chitarrella.storage.rows import NoSuchMatch, index_entry
from tests.storage.rows import create_row
from tests.stores import OpenStore


@pytest.fixture
def store(open_store: OpenStore) -> RedisStore:
    """A line to an empty store."""
    return open_store()


def test_index_lists_matches_of_a_platform_latest_first(store: RedisStore) -> None:
    """The matches of a platform are listed latest first, in pages, each once, and apart from other platforms."""
    for number in range(7):
        store.index.add("arcade", f"match{number}", 1_700_000_000 + number)
    store.index.add("arcade", "match3", 1_700_000_003)
    store.index.add("club", "other", 1_700_000_000)
    first = store.index.page("arcade", "", 4)
    assert [index_entry(f"match{number}", 1_700_000_000 + number) for number in (6, 5, 4, 3)] == first
    assert ["match2", "match1", "match0"] == [entry.split(".")[1] for entry in store.index.page("arcade", first[-1], 4)]
    store.index.remove("arcade", first)
    store.index.remove("arcade", ())
    assert 3 == len(store.index.page("arcade", "", 10))
    assert 1 == len(store.index.page("club", "", 10))
    assert [] == store.index.page("nobody", "", 10)


def test_index_lists_matches_by_term(store: RedisStore) -> None:
    """Each term has a list of its own; an entry that is removed leaves every list of its platform."""
    for number in range(4):
        store.index.add("arcade", f"match{number}", 1_700_000_000 + number, ("even",) if number % 2 == 0 else ())
    store.index.add("arcade", "match2", 1_700_000_002, ("even",))
    store.index.add("club", "match0", 1_700_000_000, ("even",))
    entries = [index_entry(f"match{number}", 1_700_000_000 + number) for number in range(4)]
    assert [entries[2], entries[0]] == store.index.page("arcade", "", 9, "even")
    assert [entries[0]] == store.index.page("arcade", entries[2], 9, "even")
    assert [] == store.index.page("arcade", "", 9, "odd")
    store.index.remove("arcade", entries[1:3])
    assert [entries[3], entries[0]] == store.index.page("arcade", "", 9)
    assert [entries[0]] == store.index.page("arcade", "", 9, "even")
    assert [entries[0]] == store.index.page("club", "", 9, "even")


def test_removed_entries_leave_no_key_behind(store: RedisStore, raw_client: Any) -> None:
    """When all entries are removed, no key of the index is left."""
    store.index.add("arcade", "match", 1_700_000_000, ("one", "two"))
    assert 4 == len(list(raw_client.scan_iter("chitarrella:platform*")))
    store.index.remove("arcade", [index_entry("match", 1_700_000_000)])
    assert [] == list(raw_client.scan_iter("chitarrella:platform*"))


def test_many_rows_are_read_in_order(store: RedisStore) -> None:
    """Several rows are read at once, in the order asked for, None for a match that does not exist."""
    first, second = create_row(store, "first"), create_row(store, "second", header="other")
    assert [second, None, first, second] == store.matches.load_many(["second", "gone", "first", "second"])
    assert [] == store.matches.load_many([])


def test_delete_is_idempotent_and_complete(store: RedisStore, raw_client: Any) -> None:
    """A deleted match leaves nothing behind; deleting twice does no harm, and its name is free."""
    create_row(store, "first")
    create_row(store, "second")
    store.matches.delete("first")
    assert not [key for key in raw_client.scan_iter("*") if "first" in key]
    assert "header" == store.matches.load("second")[0].metadata
    store.matches.delete("first")
    with pytest.raises(NoSuchMatch):
        store.matches.load("first")
    create_row(store, "first")


def test_due_match_is_claimed_once(store: RedisStore, open_store: OpenStore) -> None:
    """Each due match is claimed by one worker until its lease is over, the earliest first."""
    other = open_store()
    for match, when in (("late", 3_000), ("soon", 1_000), ("then", 9_000)):
        store.schedule.set(match, when)
    assert ["soon", "late"] == other.schedule.claim(5_000, 10_000, 9)
    assert [] == store.schedule.claim(5_001, 10_000, 9)
    store.schedule.set("late", None)
    store.schedule.set("soon", 6_000)
    assert ["soon"] == store.schedule.claim(6_000, 10_000, 9)
    assert ["then"] == store.schedule.claim(16_000, 10_000, 1)
    assert ["soon"] == store.schedule.claim(16_000, 10_000, 9)
