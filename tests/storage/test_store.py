"""The contract of the store, kept by every kind of server it may live on."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from operator import methodcaller
from threading import Barrier
from typing import Any

import pytest
from redis.crc import key_slot

from chitarrella.storage.redis_store import RedisStore
from chitarrella.storage.rows import (
    Appended,
    Conflict,
    Duplicate,
    MatchRow,
    NewEntries,
    NoSuchMatch,
    chain_digest,
    index_entry,
)
from tests.servers import until
from tests.storage.rows import DEAL, LONG, Listener, append, create_row, entries, first_row, listening
from tests.stores import OpenStore


@pytest.fixture
def here(open_store: OpenStore) -> RedisStore:
    """An empty store of every kind."""
    return open_store()


def keys(raw_client: Any) -> list[str]:
    """Every key there is, on all nodes."""
    return sorted(raw_client.scan_iter("*"))


def lives(raw_client: Any) -> list[int]:
    """How long every key still lives, in seconds, rounded."""
    return [round(raw_client.pttl(key) / 1000) for key in keys(raw_client)]


# ---------------------------------------------------------------------- creating and reading


def test_create_stores_the_match_once(here: RedisStore) -> None:
    """A match is stored as given; a second one of its name is refused, whatever it holds."""
    row = first_row(("a", "b"))
    assert here.matches.create("match", row, ("a", "b"), LONG)
    assert not here.matches.create("match", first_row(("c",), "another"), ("c",), LONG)
    assert (row, None) == here.matches.load("match")
    assert ["a", "b"] == here.matches.read_log("match")


def test_match_without_moves_can_be_stored(here: RedisStore) -> None:
    """A match whose pack is still to come has a row and no entries, and goes on like any other."""
    row = create_row(here, moves=())
    assert (row, None) == here.matches.load("match", "request")
    assert [] == here.matches.read_log("match")
    after = append(here, row, "first", "request")
    assert (after, 0) == here.matches.load("match", "request")
    assert ["first"] == here.matches.read_log("match")


def test_text_is_stored_verbatim(here: RedisStore) -> None:
    """Metadata, position and entries come back character for character, also ones that no game writes."""
    odd = "è ♣ \\ \" ' \n\t {} %s \x00 end"
    row = MatchRow(odd, 1, chain_digest("", (odd,)), odd, 1)
    assert here.matches.create("match", row, (odd,), LONG)
    assert (row, None) == here.matches.load("match")
    assert [odd] == here.matches.read_log("match")


@pytest.mark.parametrize("name", ["", "match", "}{", "{x}", "*", "two words", "è", "a" * 40, "secret"])
def test_unknown_match_is_an_error_without_a_trace(here: RedisStore, raw_client: Any, name: str) -> None:
    """Reading or aborting an unknown match is an error, and creates no key."""
    for ask in (
        lambda: here.matches.load(name),
        lambda: here.matches.load(name, "request"),
        lambda: here.matches.abort(name),
    ):
        with pytest.raises(NoSuchMatch):
            ask()
    assert [] == here.matches.read_log(name)
    assert [] == keys(raw_client)


def test_append_to_an_unknown_match_is_an_error(here: RedisStore, raw_client: Any) -> None:
    """Appending to an unknown match is an error, and creates nothing."""
    with pytest.raises(NoSuchMatch):
        here.matches.append("match", first_row(), entries(first_row(), "move"), "request", LONG)
    assert [] == keys(raw_client)


def test_keys_of_a_match_share_a_cluster_slot(here: RedisStore, raw_client: Any) -> None:
    """All keys of a match are in one slot of a cluster, and different matches in different slots."""
    slots = set()
    for number in range(20):
        create_row(here, f"match{number}")
        mine = [key for key in keys(raw_client) if f"match{number}}}" in key]
        assert 3 == len(mine)
        slot = {key_slot(key.encode()) for key in mine}
        assert 1 == len(slot)
        slots |= slot
    assert len(slots) > 15


# ---------------------------------------------------------------------- appending


def test_append_on_the_last_row_is_added(here: RedisStore) -> None:
    """An entry after the last row is added, and the answer is the new row as everybody reads it."""
    row = create_row(here)
    answer = here.matches.append("match", row, entries(row, "0 play_card Ab"), "request", LONG)
    assert Appended(here.matches.load("match")[0]) == answer
    assert ["table start_deal", "0 play_card Ab"] == here.matches.read_log("match")
    assert (2, 2, "position 2", "header") == answer.row[1:2] + answer.row[4:5] + answer.row[3:4] + answer.row[:1]


def test_several_entries_are_appended_atomically(here: RedisStore) -> None:
    """Several entries are added as one, and the next one follows the last of them."""
    row = create_row(here)
    answer = here.matches.append("match", row, NewEntries(("x", "y", "z"), "behind z", row.revision + 2), "", LONG)
    digest, earlier = chain_digest(row.log_digest, ("x", "y", "z")), f" {row.log_digest}"
    assert Appended(MatchRow("header", 4, digest, "behind z", 3, earlier=earlier)) == answer
    after = append(here, answer.row, "w")
    assert ["table start_deal", "x", "y", "z", "w"] == here.matches.read_log("match")
    assert (after, None) == here.matches.load("match")


def test_append_on_stale_row_returns_conflict(here: RedisStore) -> None:
    """An append on a stale row changes nothing and returns the row that won."""
    old = create_row(here)
    new = append(here, old, "fast")
    assert Conflict(new) == here.matches.append("match", old, entries(old, "late"), "request", LONG)
    assert (new, None) == here.matches.load("match", "request")
    assert [*DEAL, "fast"] == here.matches.read_log("match")


def test_of_eight_writers_on_one_row_one_wins(open_store: OpenStore) -> None:
    """Of eight appends sent at once behind one row one succeeds; the others return the row that it made."""
    stores, start = [open_store() for _ in range(8)], Barrier(8)
    row = create_row(stores[0])

    def append(number: int) -> Appended | Conflict | Duplicate:
        start.wait()
        new = entries(row, f"writer {number}")
        return stores[number].matches.append("match", row, new, f"{number} {row.length}", LONG)

    with ThreadPoolExecutor(8) as threads:
        for _ in range(30):
            answers = list(threads.map(append, range(8)))
            (winner,) = [number for number, answer in enumerate(answers) if isinstance(answer, Appended)]
            new = entries(row, f"writer {winner}")
            after = row.extended(new)
            assert chain_digest(row.log_digest, new.entries) == after.log_digest
            assert [Conflict(after)] * winner + [Appended(after)] + [Conflict(after)] * (7 - winner) == answers
            assert [f"writer {winner}"] == stores[0].matches.read_log("match", row.length)
            row = after


def test_read_log_from_any_index(here: RedisStore) -> None:
    """The log can be read from any index; behind its end it is empty."""
    row = create_row(here, moves=("0", "1", "2", "3"))
    append(here, row, "4")
    assert [["0", "1", "2", "3", "4"], ["3", "4"], ["4"], [], []] == [
        here.matches.read_log("match", n) for n in (0, 3, 4, 5, 9)
    ]


def test_append_on_a_row_lost_by_failover_returns_conflict(here: RedisStore, raw_client: Any) -> None:
    """A writer whose row was lost by a failover gets a conflict, though another history has the same length."""
    row = create_row(here)
    lost = append(here, row, "lost")
    raw_client.delete(*[key for key in keys(raw_client) if "match" in key])
    assert create_row(here) == row
    other = append(here, row, "found instead")
    assert (lost.length, lost.revision, lost.position) == (other.length, other.revision, other.position)
    assert Conflict(other) == here.matches.append("match", lost, entries(lost, "next"), "request", LONG)
    assert [*DEAL, "found instead"] == here.matches.read_log("match")


def test_flushed_scripts_are_loaded_again(here: RedisStore, raw_client: Any) -> None:
    """Scripts that the server has lost, as after a restart, are loaded again."""
    row = create_row(here)
    raw_client.script_flush()
    row = append(here, row, "move")
    raw_client.script_flush()
    here.matches.abort("match")
    raw_client.script_flush()
    assert not here.matches.create("match", row, (), LONG)


# ---------------------------------------------------------------------- ending


def test_append_after_abort_returns_conflict(here: RedisStore) -> None:
    """An aborted match takes no entry and stays as it is, however often it is aborted."""
    row = create_row(here)
    here.matches.abort("match")
    ended = row._replace(aborted=True)
    assert (ended, None) == here.matches.load("match")
    assert Conflict(ended) == here.matches.append("match", row, entries(row, "move"), "request", LONG)
    here.matches.abort("match")
    assert (ended, None) == here.matches.load("match")
    assert list(DEAL) == here.matches.read_log("match")


def test_abort_keeps_the_expiry(here: RedisStore, raw_client: Any) -> None:
    """Aborting a match neither shortens nor removes its expiry."""
    create_row(here, expires=100)
    here.matches.abort("match")
    assert [100, 100, 100] == lives(raw_client)


# ---------------------------------------------------------------------- forgetting


def test_append_renews_the_expiry(here: RedisStore, raw_client: Any) -> None:
    """Each append renews the expiry of all keys; a failed one renews nothing."""
    row = create_row(here, moves=(), expires=100)
    assert [100] == lives(raw_client)
    answer = here.matches.append("match", row, entries(row, "move"), "request", 200)
    assert [200, 200, 200] == lives(raw_client)
    here.matches.append("match", row, entries(row, "late"), "other", 300)
    here.matches.append("match", row, entries(row, "move"), "request", 300)
    here.matches.load("match")
    assert isinstance(answer, Appended)
    assert [200, 200, 200] == lives(raw_client)


def test_expired_match_leaves_nothing(here: RedisStore, raw_client: Any) -> None:
    """Nothing is left of an expired match, and a late writer cannot bring it back."""
    row = create_row(here, expires=1)
    until(lambda: not keys(raw_client), "the match is forgotten", 5)
    with pytest.raises(NoSuchMatch):
        here.matches.load("match")
    with pytest.raises(NoSuchMatch):
        here.matches.append("match", row, entries(row, "move"), "request", LONG)
    assert [] == here.matches.read_log("match") == keys(raw_client)
    assert here.matches.create("match", row, DEAL, LONG)


# ---------------------------------------------------------------------- what workers share


def test_secret_is_shared_per_prefix(open_store: OpenStore) -> None:
    """All workers on one store share a secret of 32 bytes; another prefix has another one."""
    workers = [open_store() for _ in range(8)]
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(methodcaller("secret"), workers))
    assert [32] * 8 == [len(secret) for secret in found]
    assert {open_store().secret()} == set(found)
    assert open_store("elsewhere").secret() not in found


def test_prefixes_are_separate(open_store: OpenStore, raw_client: Any) -> None:
    """Two services with different prefixes on one server share neither matches nor news."""
    store_a, store_b = open_store("here"), open_store("there")
    listener = Listener()
    with listening(store_b, listener, "match", "last"):
        listener.wait_for("match")
        listener.clear()
        row = create_row(store_a)
        with pytest.raises(NoSuchMatch):
            store_b.matches.load("match")
        create_row(store_b, moves=("other",))
        append(store_a, row, "move")
        store_a.matches.abort("match")
        assert (first_row(("other",)), None) == store_b.matches.load("match")
        assert ["other"] == store_b.matches.read_log("match")
        create_row(store_b, "last")
        store_b.matches.abort("last")
        listener.wait_for("last")
        assert 0 == listener.count("match")
    assert all(key.startswith(("here:", "there:")) for key in keys(raw_client))


# ---------------------------------------------------------------------- store lists


@pytest.fixture
def lists(open_store: OpenStore) -> RedisStore:
    """A line to an empty store."""
    return open_store()


def test_index_lists_matches_of_a_platform_latest_first(lists: RedisStore) -> None:
    """The matches of a platform are listed latest first, in pages, each once, and apart from other platforms."""
    for number in range(7):
        lists.index.add("arcade", f"match{number}", 1_700_000_000 + number)
    lists.index.add("arcade", "match3", 1_700_000_003)
    lists.index.add("club", "other", 1_700_000_000)
    first = lists.index.page("arcade", "", 4)
    assert [index_entry(f"match{number}", 1_700_000_000 + number) for number in (6, 5, 4, 3)] == first
    assert ["match2", "match1", "match0"] == [entry.split(".")[1] for entry in lists.index.page("arcade", first[-1], 4)]
    lists.index.remove("arcade", first)
    lists.index.remove("arcade", ())
    assert 3 == len(lists.index.page("arcade", "", 10))
    assert 1 == len(lists.index.page("club", "", 10))
    assert [] == lists.index.page("nobody", "", 10)


def test_index_lists_matches_by_term(lists: RedisStore) -> None:
    """Each term has a list of its own; an entry that is removed leaves every list of its platform."""
    for number in range(4):
        lists.index.add("arcade", f"match{number}", 1_700_000_000 + number, ("even",) if number % 2 == 0 else ())
    lists.index.add("arcade", "match2", 1_700_000_002, ("even",))
    lists.index.add("club", "match0", 1_700_000_000, ("even",))
    entries = [index_entry(f"match{number}", 1_700_000_000 + number) for number in range(4)]
    assert [entries[2], entries[0]] == lists.index.page("arcade", "", 9, "even")
    assert [entries[0]] == lists.index.page("arcade", entries[2], 9, "even")
    assert [] == lists.index.page("arcade", "", 9, "odd")
    lists.index.remove("arcade", entries[1:3])
    assert [entries[3], entries[0]] == lists.index.page("arcade", "", 9)
    assert [entries[0]] == lists.index.page("arcade", "", 9, "even")
    assert [entries[0]] == lists.index.page("club", "", 9, "even")


def test_removed_entries_leave_no_key_behind(lists: RedisStore, raw_client: Any) -> None:
    """When all entries are removed, no key of the index is left."""
    lists.index.add("arcade", "match", 1_700_000_000, ("one", "two"))
    assert 4 == len(list(raw_client.scan_iter("chitarrella:platform*")))
    lists.index.remove("arcade", [index_entry("match", 1_700_000_000)])
    assert [] == list(raw_client.scan_iter("chitarrella:platform*"))


def test_many_rows_are_read_in_order(lists: RedisStore) -> None:
    """Several rows are read at once, in the order asked for, None for a match that does not exist."""
    first, second = create_row(lists, "first"), create_row(lists, "second", header="other")
    assert [second, None, first, second] == lists.matches.load_many(["second", "gone", "first", "second"])
    assert [] == lists.matches.load_many([])


def test_delete_is_idempotent_and_complete(lists: RedisStore, raw_client: Any) -> None:
    """A deleted match leaves nothing behind; deleting twice does no harm, and its name is free."""
    create_row(lists, "first")
    create_row(lists, "second")
    lists.matches.delete("first")
    assert not [key for key in raw_client.scan_iter("*") if "first" in key]
    assert "header" == lists.matches.load("second")[0].metadata
    lists.matches.delete("first")
    with pytest.raises(NoSuchMatch):
        lists.matches.load("first")
    create_row(lists, "first")


def test_due_match_is_claimed_once(lists: RedisStore, open_store: OpenStore) -> None:
    """Each due match is claimed by one worker until its lease is over, the earliest first."""
    other = open_store()
    for match, when in (("late", 3_000), ("soon", 1_000), ("then", 9_000)):
        lists.schedule.set(match, when)
    assert ["soon", "late"] == other.schedule.claim(5_000, 10_000, 9)
    assert [] == lists.schedule.claim(5_001, 10_000, 9)
    lists.schedule.set("late", None)
    lists.schedule.set("soon", 6_000)
    assert ["soon"] == lists.schedule.claim(6_000, 10_000, 9)
    assert ["then"] == lists.schedule.claim(16_000, 10_000, 1)
    assert ["soon"] == lists.schedule.claim(16_000, 10_000, 9)


# ---------------------------------------------------------------------- store requests


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
