"""A request id acts once: the store knows the requests of a match."""

from __future__ import annotations

import pytest

from chitarrella.storage.redis_store import RedisStore
from chitarrella.storage.rows import Appended, Duplicate, NewEntries
from tests.storage.rows import DEAL, LONG, append, create_row, entries
from tests.stores import OpenStore


@pytest.fixture
def store(open_store: OpenStore) -> RedisStore:
    """An empty store, of every kind in turn."""
    return open_store()


def test_repeated_request_returns_its_entry(store: RedisStore) -> None:
    """A request that was carried out is not carried out again; its index in the log is returned, now and later."""
    row = create_row(store)
    first = append(store, row, "one", "request 1")
    assert Duplicate(1) == store.matches.append("match", row, entries(row, "one"), "request 1", LONG)
    assert Duplicate(1) == store.matches.append("match", first, entries(first, "one"), "request 1", LONG)
    third = store.matches.append("match", first, NewEntries(("two", "deal"), "p", 3), "request 2", LONG)
    assert isinstance(third, Appended)
    fourth = append(store, third.row, "three", "request 3")
    again = [store.matches.append("match", fourth, entries(fourth, "x"), f"request {n}", LONG) for n in (1, 2, 3)]
    assert [Duplicate(1), Duplicate(2), Duplicate(4)] == again
    assert [1, 2, 4, None] == [store.matches.load("match", f"request {n}")[1] for n in (1, 2, 3, 4)]
    assert [*DEAL, "one", "two", "deal", "three"] == store.matches.read_log("match")


def test_old_request_is_still_known(store: RedisStore) -> None:
    """A request is known however much was appended since."""
    row = create_row(store)
    first = append(store, row, "one", "request 1")
    many = store.matches.append("match", first, NewEntries(("more",) * 1500, "p", 1600), "request 2", LONG)
    assert isinstance(many, Appended)
    assert Duplicate(1) == store.matches.append("match", many.row, entries(many.row, "one"), "request 1", LONG)
    assert 1 == store.matches.load("match", "request 1")[1]


def test_request_ids_are_per_match(store: RedisStore) -> None:
    """A request id counts for its match only."""
    for match in ("first", "second"):
        row = create_row(store, match)
        assert isinstance(store.matches.append(match, row, entries(row, "move"), "request", LONG), Appended)


def test_empty_request_id_is_never_a_duplicate(store: RedisStore) -> None:
    """Entries without a request id are never taken for one another."""
    row = create_row(store)
    for number in range(5):
        row = append(store, row, "the same", "")
        assert number + 2 == row.length
    assert None is store.matches.load("match", "")[1]


def test_request_is_known_after_abort(store: RedisStore) -> None:
    """An entry made before the match was aborted is still known by its request id."""
    row = create_row(store)
    append(store, row, "move", "request")
    store.matches.abort("match")
    assert Duplicate(1) == store.matches.append("match", row, entries(row, "move"), "request", LONG)
