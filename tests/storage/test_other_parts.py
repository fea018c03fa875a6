"""What is kept beside the matches, limits of callers and the archive: the same on every kind of store."""

import json
import threading

from chitarrella.storage.archive import ArchiveQueue, MatchCopyStore
from chitarrella.storage.counters import Admission, ClosedApiKeyStore, Grant, OpenMatchStore, Rate, RateStore
from chitarrella.storage.rows import Backlog
from tests.servers import START_SECONDS, until
from tests.storage.rows import create_row
from tests.stores import OpenStore

SLOW = Rate(limit=1, period=3600, burst=10)
HOUR_MS = 3_600_000


def test_rates_are_taken_up_to_the_burst(open_store: OpenStore) -> None:
    """An owner gets its burst, then what is left, then nothing until later."""
    rates = RateStore(open_store().connection)
    assert [Grant(6, left=4), Grant(4)] == [rates.take("a", SLOW, 6) for _ in range(2)]
    refused = rates.take("a", SLOW, 1)
    assert 0 == refused.units
    assert 0 < refused.retry_after <= SLOW.period


def test_open_matches_are_counted_up_to_the_limit(open_store: OpenStore) -> None:
    """A match of an owner is counted once, until it is removed or its time has passed; all are counted in a set."""
    store = open_store()
    matches = OpenMatchStore(store.connection)
    early, due, later = HOUR_MS, 10 * HOUR_MS, 20 * HOUR_MS
    added = [
        matches.add("o", match, due, 2, now) for match, now in zip("abca", (early, early, early, due), strict=True)
    ]
    assert [Admission(True), Admission(True), Admission(False), Admission(True, ("a", "b"))] == added
    matches.postpone("o", ["a", "gone"], later)
    assert Admission(False, ("b",)) == matches.add("o", "c", due, 2, due)
    matches.remove("o", ["a", "b", "gone"])
    assert Admission(True) == matches.add("o", "c", later, 2, due)
    for match in ("a", "b", "a"):
        matches.include(store.connection.client, match)
    assert [2, 1, 1] == [matches.exclude(gone) for gone in ([], ["a", "gone"], ["a"])]


def test_closed_keys_are_kept_and_announced(open_store: OpenStore) -> None:
    """A key is closed with the time of the first call, and opened again; a subscriber is told of each change."""
    keys, changed = ClosedApiKeyStore(open_store().connection), threading.Semaphore(0)
    unsubscribe = keys.subscribe(changed.release)
    assert changed.acquire(timeout=START_SECONDS)
    for closed_at in (5, 6):
        keys.add("digest", closed_at)
    assert {"digest": 5} == keys.all()
    assert [True, False] == [keys.remove("digest") for _ in range(2)]
    assert [True] * 4 == [changed.acquire(timeout=START_SECONDS) for _ in range(4)]
    unsubscribe()


def test_matches_wait_for_the_archive(open_store: OpenStore) -> None:
    """A due match is claimed once, until its lease is over, and removed by that lease unless it was queued anew."""
    queue = ArchiveQueue(open_store().connection)
    for match, when in (("m", 5), ("n", 4), ("m", 6)):
        queue.add(match, when)
    assert Backlog(2, 4) == queue.backlog()
    assert [[], ["n", "m"], []] == [queue.claim(now, 10, 9) for now in (3, 6, 7)]
    assert Backlog(2, 6) == queue.backlog()
    for match, lease in (("m", 99), ("n", 16), ("none", 16)):
        queue.remove(match, lease)
    assert Backlog(1, 16) == queue.backlog()
    assert [["m"], ["m"]] == [queue.claim(now, 10, 9) for now in (20, 40)]
    assert Backlog(1, 20) == queue.backlog()
    queue.remove("m", 50)
    assert Backlog() == queue.backlog()


def test_copies_of_matches_are_restored(open_store: OpenStore) -> None:
    """A match is kept for longer or shorter; a copy brings one back that has expired, as it was."""
    store, header = open_store(), json.dumps({"platform": "acme", "created_at": 7})
    copies = MatchCopyStore(store.connection)
    create_row(store, "short", expires=1, header=header)
    row = create_row(store, "other", expires=3600, header=header)
    for match in ("short", "gone"):
        copies.keep(match, 3600)
    copy = copies.copy("other")
    assert None is copies.copy("gone")
    assert [True, False] == [copies.shorten(match, 1) for match in ("other", "gone")]
    until(lambda: not store.matches.read_log("other"), "its time is over", 5)
    assert ["table start_deal"] == store.matches.read_log("short")
    assert copy
    for _ in range(2):
        copies.restore(copy, 3600)
    assert (row, ["table start_deal"]) == (store.matches.load("other")[0], store.matches.read_log("other"))
    assert copies.put(copy, replace=True)
