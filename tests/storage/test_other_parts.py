"""The parts of a store beside the matches: one script of calls is answered alike by every kind of store."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

from chitarrella.storage.counters import Admission, Grant, Rate
from chitarrella.storage.redis_store import RedisStore
from chitarrella.storage.rows import Backlog
from tests.servers import START_SECONDS, until
from tests.storage.parts import Parts, Recorded, methods, parts_of
from tests.storage.rows import create_row
from tests.stores import OpenStore

SLOW = Rate(limit=1, period=3600, burst=10)
HOUR_MS = 3_600_000
METADATA = json.dumps({"platform": "acme", "created_at": 7})


def limits(parts: Parts) -> Iterator[object]:
    """Call every method of the parts that limit callers, and give the answers."""
    yield [parts.rates.take("a", SLOW, 6) for _ in range(2)]
    refused = parts.rates.take("a", SLOW, 1)
    yield refused.units, 0 < refused.retry_after <= SLOW.period
    early, due, later = HOUR_MS, 10 * HOUR_MS, 20 * HOUR_MS
    calls = (("a", early), ("b", early), ("c", early), ("a", due))
    yield [parts.open_matches.add("o", match, due, 2, now) for match, now in calls]
    parts.open_matches.postpone("o", ["a", "gone"], later)
    yield parts.open_matches.add("o", "c", due, 2, due)
    parts.open_matches.remove("o", ["a", "b", "gone"])
    yield parts.open_matches.add("o", "c", later, 2, due)
    for match in ("a", "b", "a"):
        parts.open_match_set.include(match)
    yield [parts.open_match_set.exclude(matches) for matches in ([], ["a", "gone"], ["a"])]
    changed = threading.Semaphore(0)
    subscription = parts.closed_api_keys.subscribe(changed.release)
    yield changed.acquire(timeout=START_SECONDS)
    for closed_at in (5, 6):
        parts.closed_api_keys.add("digest", closed_at)
    yield parts.closed_api_keys.all()
    yield [parts.closed_api_keys.remove("digest") for _ in range(2)]
    yield [changed.acquire(timeout=START_SECONDS) for _ in range(4)]
    subscription.close()


LIMITS = [
    [Grant(6, left=4), Grant(4)],
    (0, True),
    [Admission(True), Admission(True), Admission(False), Admission(True, ("a", "b"))],
    Admission(False, ("b",)),
    Admission(True),
    [2, 1, 1],
    True,
    {"digest": 5},
    [True, False],
    [True] * 4,
]


def archiving(parts: Parts, store: RedisStore) -> Iterator[object]:
    """Call every method of the parts of records, and give the answers."""
    for text in ("first", "second"):
        parts.archive.put("a/record.txt", text)
    yield parts.archive.get("a/record.txt"), parts.archive.get("a/other.txt")
    for _ in range(2):
        parts.archive.delete("a/record.txt")
    yield parts.archive.get("a/record.txt")
    queue = parts.archive_queue
    for match, when in (("m", 5), ("n", 4), ("m", 6)):
        queue.add(match, when)
    yield queue.backlog(), [queue.claim(now, 10, 9) for now in (3, 6, 7)], queue.backlog()
    queue.remove("m", 99)
    queue.remove("n", 16)
    yield queue.backlog(), queue.claim(20, 10, 9), queue.claim(40, 10, 9), queue.backlog()
    queue.remove("m", 50)
    yield queue.backlog()
    create_row(store, "short", expires=1, header=METADATA)
    copies = parts.copies
    copies.keep("short", 3600)
    copies.keep("gone", 3600)
    row = create_row(store, "other", expires=3600, header=METADATA)
    copy = copies.copy("other")
    yield copies.copy("gone"), [copies.shorten(match, 1) for match in ("other", "gone")]
    until(lambda: not store.matches.read_log("other"), "its time is over", 5)
    yield store.matches.read_log("short")
    for _ in range(2):
        copies.restore(copy, 3600)
    yield store.matches.load("other")[0] == row, store.matches.read_log("other")
    yield copies.put(copy, replace=True)


ARCHIVING = [
    ("second", None),
    None,
    (Backlog(2, 4), [[], ["n", "m"], []], Backlog(2, 6)),
    (Backlog(1, 16), ["m"], ["m"], Backlog(1, 20)),
    Backlog(),
    (None, [True, False]),
    ["table start_deal"],
    (True, ["table start_deal"]),
    True,
]


def test_limits_and_archives_answer_alike_on_every_store(open_store: OpenStore, tmp_path: Path) -> None:
    """One script calls every method of the limits and the archive; the answers are the same on every kind of store."""
    called: set[tuple[str, str]] = set()
    store = open_store()
    made = parts_of(store, tmp_path)
    parts = Parts(*(Recorded(part, called) for part in made))
    assert LIMITS == list(limits(parts))
    assert ARCHIVING == list(archiving(parts, store))
    used = set(made) - {made.outbox, made.webhooks}
    assert set() == set().union(*(methods(type(part)) for part in used)) - called
