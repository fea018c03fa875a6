"""The parts of a store beside the matches: one script of calls is answered alike by every kind of store."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chitarrella.storage.backup import BackupStore, WebhookCopy
from chitarrella.storage.counters import Admission, Grant, Rate
from chitarrella.storage.redis_store import RedisStore
from chitarrella.storage.rows import Backlog, MatchCopy
from chitarrella.storage.webhooks import (
    Delivery,
    DeliveryRecord,
    NoSuchQueue,
    Outbox,
    Webhook,
    WebhookStore,
    delivery_id_of,
)
from tests.servers import START_SECONDS, until
from tests.storage.parts import Parts, Recorded, methods, parts_of
from tests.storage.rows import create_row
from tests.stores import OpenStore

SLOW = Rate(limit=1, period=3600, burst=10)
HOUR_MS = 3_600_000
HOOK = Webhook("a" * 20, "acme", "https://x.example/", (b"s" * 32,), request_hash="hash")
ROW = {"metadata": json.dumps({"platform": "acme", "created_at": 7}), "length": "1", "digest": "d", "position": "p"}
MATCH = MatchCopy("m" * 20, ROW, ["table start_deal"], [""], -1)
WEBHOOK = WebhookCopy("b" * 20, "", [("1-0", {"match": "m", "start": "0", "stop": "1"})], [])


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
    create_row(store, "short", expires=1, header=ROW["metadata"])
    copies = parts.copies
    copies.keep("short", 3600)
    copies.keep("gone", 3600)
    row = create_row(store, "other", expires=3600, header=ROW["metadata"])
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


def backing_up(backup: Any) -> Iterator[object]:
    """Call every method of the backup, and give the answers."""
    yield backup.get_secret()
    backup.set_secret("secret")
    yield backup.get_secret()
    other = MATCH._replace(row={**ROW, "digest": "other"})
    yield [backup.put_matches([one], replace=one is MATCH) for one in (other, other, MATCH, other)]
    yield backup.existing_matches([MATCH.match, "gone"])
    yield [(one.match, one.row, one.log) for one in backup.matches() if one.match == MATCH.match]
    yield backup.estimate() >= 1
    yield backup.has_webhook(WEBHOOK)
    backup.put_webhook(WEBHOOK)
    yield backup.has_webhook(WEBHOOK)
    yield [(one.webhook_id, dict(one.queue[0][1])) for one in backup.webhooks()]


BACKING_UP = [
    "",
    "secret",
    [1, 1, 1, 0],
    1,
    [(MATCH.match, ROW, MATCH.log)],
    True,
    False,
    True,
    [(WEBHOOK.webhook_id, {"match": "m", "start": "0", "stop": "1"})],
]


def webhooks(parts: Parts) -> Iterator[object]:
    """Call every method of the parts of webhooks, and give the answers."""
    yield parts.webhooks.create(HOOK, 1)
    yield parts.webhooks.all()
    yield parts.webhooks.replace(HOOK, HOOK)
    yield bool(parts.webhooks.version())
    record = DeliveryRecord(delivery_id_of(2_000_000_000_000, 0, 1), "m.1", "t", "m", 1)
    parts.webhooks.put(HOOK, record)
    yield parts.webhooks.find(HOOK, record.delivery_id) == record
    yield parts.webhooks.page(HOOK, "", 9) == [record]
    outbox = parts.outbox
    yield outbox.take_new(HOOK, 9, 1)
    outbox.enqueue([HOOK], "m", 0, 1)
    outbox.enqueue([HOOK], "m", 1, 2, "again")
    first, second = outbox.take_new(HOOK, 1, 1), outbox.take_new(HOOK, 9, 1)
    backlog, now = outbox.backlog([HOOK]), time.time() * 1000
    yield [one._replace(name="") for one in (*first, *second)], backlog.waiting, now - HOUR_MS < backlog.oldest <= now
    yield outbox.take_due(HOOK, 9, lambda _: 60_000)
    outbox.release(HOOK, first[0], 60_000)
    yield [one._replace(name="") for one in outbox.take_due(HOOK, 9, lambda _: 60_000)]
    outbox.put_back(HOOK, first[0])
    yield [one._replace(name="") for one in outbox.take_due(HOOK, 9, lambda _: 60_000)]
    for one in (first[0], first[0], second[0]):
        outbox.ack(HOOK, one)
    outbox.release(HOOK, first[0], 60_000)
    yield outbox.take_due(HOOK, 9, lambda _: 0), outbox.backlog([HOOK]), outbox.backlog([])
    parts.webhooks.delete(HOOK.webhook_id)
    outbox.enqueue([HOOK], "m", 2, 3)
    with pytest.raises(NoSuchQueue):
        outbox.take_new(HOOK, 9, 1)
    with pytest.raises(NoSuchQueue):
        outbox.take_due(HOOK, 9, lambda _: 0)
    with pytest.raises(NoSuchQueue):
        outbox.release(HOOK, first[0], 0)


WEBHOOKS = [
    HOOK,
    [HOOK],
    True,
    True,
    True,
    True,
    [],
    ([Delivery("", "m", 0, 1), Delivery("", "m", 1, 2, record="again")], 2, True),
    [],
    *[[Delivery("", "m", 0, 1, tries)] for tries in (2, 1)],
    ([], Backlog(), Backlog()),
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


@pytest.mark.needs_server
def test_backups_and_webhooks_answer_alike_on_every_server(open_store: OpenStore, tmp_path: Path) -> None:
    """One script calls every method of backups and webhooks; the answers are the same on every kind of server."""
    called: set[tuple[str, str]] = set()
    store = open_store()
    made = parts_of(store, tmp_path)
    assert BACKING_UP == list(backing_up(Recorded(BackupStore(store.connection), called)))
    assert WEBHOOKS == list(webhooks(Parts(*(Recorded(part, called) for part in made))))
    used = (BackupStore, Outbox, WebhookStore)
    assert set() == set().union(*(methods(one) for one in used)) - called
