"""The contract of the store, kept by every kind of server it may live on."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from operator import methodcaller
from threading import Barrier
from typing import Any

import pytest
from redis.crc import key_slot

from chitarrella.storage.redis_store import RedisStore
from chitarrella.storage.rows import Appended, Conflict, Duplicate, MatchRow, NewEntries, NoSuchMatch, chain_digest
from tests.servers import until
from tests.storage.rows import DEAL, LONG, Listener, append, create_row, entries, first_row, listening
from tests.stores import OpenStore


@pytest.fixture
def store(open_store: OpenStore) -> RedisStore:
    """An empty store of every kind."""
    return open_store()


def keys(raw_client: Any) -> list[str]:
    """Every key there is, on all nodes."""
    return sorted(raw_client.scan_iter("*"))


def lives(raw_client: Any) -> list[int]:
    """How long every key still lives, in seconds, rounded."""
    return [round(raw_client.pttl(key) / 1000) for key in keys(raw_client)]


# ---------------------------------------------------------------------- creating and reading


def test_create_stores_the_match_once(store: RedisStore) -> None:
    """A match is stored as given; a second one of its name is refused, whatever it holds."""
    row = first_row(("a", "b"))
    assert store.matches.create("match", row, ("a", "b"), LONG)
    assert not store.matches.create("match", first_row(("c",), "another"), ("c",), LONG)
    assert (row, None) == store.matches.load("match")
    assert ["a", "b"] == store.matches.read_log("match")


def test_match_without_moves_can_be_stored(store: RedisStore) -> None:
    """A match whose pack is still to come has a row and no entries, and goes on like any other."""
    row = create_row(store, moves=())
    assert (row, None) == store.matches.load("match", "request")
    assert [] == store.matches.read_log("match")
    after = append(store, row, "first", "request")
    assert (after, 0) == store.matches.load("match", "request")
    assert ["first"] == store.matches.read_log("match")


def test_text_is_stored_verbatim(store: RedisStore) -> None:
    """Metadata, position and entries come back character for character, also ones that no game writes."""
    odd = "è ♣ \\ \" ' \n\t {} %s \x00 end"
    row = MatchRow(odd, 1, chain_digest("", (odd,)), odd, 1)
    assert store.matches.create("match", row, (odd,), LONG)
    assert (row, None) == store.matches.load("match")
    assert [odd] == store.matches.read_log("match")


@pytest.mark.parametrize("name", ["", "match", "}{", "{x}", "*", "two words", "è", "a" * 40, "secret"])
def test_unknown_match_is_an_error_without_a_trace(store: RedisStore, raw_client: Any, name: str) -> None:
    """Reading or aborting an unknown match is an error, and creates no key."""
    for ask in (
        lambda: store.matches.load(name),
        lambda: store.matches.load(name, "request"),
        lambda: store.matches.abort(name),
    ):
        with pytest.raises(NoSuchMatch):
            ask()
    assert [] == store.matches.read_log(name)
    assert [] == keys(raw_client)


def test_append_to_an_unknown_match_is_an_error(store: RedisStore, raw_client: Any) -> None:
    """Appending to an unknown match is an error, and creates nothing."""
    with pytest.raises(NoSuchMatch):
        store.matches.append("match", first_row(), entries(first_row(), "move"), "request", LONG)
    assert [] == keys(raw_client)


def test_keys_of_a_match_share_a_cluster_slot(store: RedisStore, raw_client: Any) -> None:
    """All keys of a match are in one slot of a cluster, and different matches in different slots."""
    slots = set()
    for number in range(20):
        create_row(store, f"match{number}")
        mine = [key for key in keys(raw_client) if f"match{number}}}" in key]
        assert 3 == len(mine)
        slot = {key_slot(key.encode()) for key in mine}
        assert 1 == len(slot)
        slots |= slot
    assert len(slots) > 15


# ---------------------------------------------------------------------- appending


def test_append_on_the_last_row_is_added(store: RedisStore) -> None:
    """An entry after the last row is added, and the answer is the new row as everybody reads it."""
    row = create_row(store)
    answer = store.matches.append("match", row, entries(row, "0 play_card Ab"), "request", LONG)
    assert Appended(store.matches.load("match")[0]) == answer
    assert ["table start_deal", "0 play_card Ab"] == store.matches.read_log("match")
    assert (2, 2, "position 2", "header") == answer.row[1:2] + answer.row[4:5] + answer.row[3:4] + answer.row[:1]


def test_several_entries_are_appended_atomically(store: RedisStore) -> None:
    """Several entries are added as one, and the next one follows the last of them."""
    row = create_row(store)
    answer = store.matches.append("match", row, NewEntries(("x", "y", "z"), "behind z", row.revision + 2), "", LONG)
    digest, earlier = chain_digest(row.log_digest, ("x", "y", "z")), f" {row.log_digest}"
    assert Appended(MatchRow("header", 4, digest, "behind z", 3, earlier=earlier)) == answer
    after = append(store, answer.row, "w")
    assert ["table start_deal", "x", "y", "z", "w"] == store.matches.read_log("match")
    assert (after, None) == store.matches.load("match")


def test_append_on_stale_row_returns_conflict(store: RedisStore) -> None:
    """An append on a stale row changes nothing and returns the row that won."""
    old = create_row(store)
    new = append(store, old, "fast")
    assert Conflict(new) == store.matches.append("match", old, entries(old, "late"), "request", LONG)
    assert (new, None) == store.matches.load("match", "request")
    assert [*DEAL, "fast"] == store.matches.read_log("match")


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


def test_read_log_from_any_index(store: RedisStore) -> None:
    """The log can be read from any index; behind its end it is empty."""
    row = create_row(store, moves=("0", "1", "2", "3"))
    append(store, row, "4")
    assert [["0", "1", "2", "3", "4"], ["3", "4"], ["4"], [], []] == [
        store.matches.read_log("match", n) for n in (0, 3, 4, 5, 9)
    ]


def test_append_on_a_row_lost_by_failover_returns_conflict(store: RedisStore, raw_client: Any) -> None:
    """A writer whose row was lost by a failover gets a conflict, though another history has the same length."""
    row = create_row(store)
    lost = append(store, row, "lost")
    raw_client.delete(*[key for key in keys(raw_client) if "match" in key])
    assert create_row(store) == row
    other = append(store, row, "found instead")
    assert (lost.length, lost.revision, lost.position) == (other.length, other.revision, other.position)
    assert Conflict(other) == store.matches.append("match", lost, entries(lost, "next"), "request", LONG)
    assert [*DEAL, "found instead"] == store.matches.read_log("match")


def test_flushed_scripts_are_loaded_again(store: RedisStore, raw_client: Any) -> None:
    """Scripts that the server has lost, as after a restart, are loaded again."""
    row = create_row(store)
    raw_client.script_flush()
    row = append(store, row, "move")
    raw_client.script_flush()
    store.matches.abort("match")
    raw_client.script_flush()
    assert not store.matches.create("match", row, (), LONG)


# ---------------------------------------------------------------------- ending


def test_append_after_abort_returns_conflict(store: RedisStore) -> None:
    """An aborted match takes no entry and stays as it is, however often it is aborted."""
    row = create_row(store)
    store.matches.abort("match")
    ended = row._replace(aborted=True)
    assert (ended, None) == store.matches.load("match")
    assert Conflict(ended) == store.matches.append("match", row, entries(row, "move"), "request", LONG)
    store.matches.abort("match")
    assert (ended, None) == store.matches.load("match")
    assert list(DEAL) == store.matches.read_log("match")


def test_abort_keeps_the_expiry(store: RedisStore, raw_client: Any) -> None:
    """Aborting a match neither shortens nor removes its expiry."""
    create_row(store, expires=100)
    store.matches.abort("match")
    assert [100, 100, 100] == lives(raw_client)


# ---------------------------------------------------------------------- forgetting


def test_append_renews_the_expiry(store: RedisStore, raw_client: Any) -> None:
    """Each append renews the expiry of all keys; a failed one renews nothing."""
    row = create_row(store, moves=(), expires=100)
    assert [100] == lives(raw_client)
    answer = store.matches.append("match", row, entries(row, "move"), "request", 200)
    assert [200, 200, 200] == lives(raw_client)
    store.matches.append("match", row, entries(row, "late"), "other", 300)
    store.matches.append("match", row, entries(row, "move"), "request", 300)
    store.matches.load("match")
    assert isinstance(answer, Appended)
    assert [200, 200, 200] == lives(raw_client)


def test_expired_match_leaves_nothing(store: RedisStore, raw_client: Any) -> None:
    """Nothing is left of an expired match, and a late writer cannot bring it back."""
    row = create_row(store, expires=1)
    until(lambda: not keys(raw_client), "the match is forgotten", 5)
    with pytest.raises(NoSuchMatch):
        store.matches.load("match")
    with pytest.raises(NoSuchMatch):
        store.matches.append("match", row, entries(row, "move"), "request", LONG)
    assert [] == store.matches.read_log("match") == keys(raw_client)
    assert store.matches.create("match", row, DEAL, LONG)


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
