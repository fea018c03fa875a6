"""Webhooks and their deliveries are kept alike on every kind of store."""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from chitarrella.storage.redis_store import RedisStore
from chitarrella.storage.rows import ABORTED, Backlog
from chitarrella.storage.webhooks import (
    DELIVERY_MS,
    MAX_DELIVERIES,
    Attempt,
    Delivery,
    DeliveryRecord,
    NoSuchQueue,
    OldSecret,
    Outbox,
    Webhook,
    WebhookStore,
    configured_webhook,
    delivery_id_of,
)
from tests.stores import LOOPS, SERVERS, OpenStore

HOOK = Webhook("a" * 20, "acme", "https://x.example/", (b"s" * 32,), (OldSecret(b"o" * 32, 7),), 5, request_hash="hash")
CONFIGURED = configured_webhook("acme", "https://x.example/", (b"s" * 32,))


pytestmark = pytest.mark.stores(*SERVERS, *LOOPS)  # a service inside a process has no webhooks


@pytest.fixture
def store(open_store: OpenStore) -> RedisStore:
    store = open_store()
    WebhookStore(store.connection).create(HOOK, 10)
    return store


@pytest.fixture
def webhooks(store: RedisStore) -> WebhookStore:
    return WebhookStore(store.connection)


@pytest.fixture
def outbox(store: RedisStore) -> Outbox:
    return Outbox(store.connection)


def record(number: int, time_ms: int = 0) -> DeliveryRecord:
    """A record; those of greater numbers are later."""
    now = time_ms or int(time.time() * 1000)
    return DeliveryRecord(delivery_id_of(now, 0, number), f"m.{number}", "t", "m", number)


def test_webhook_is_kept_as_it_is(webhooks: WebhookStore) -> None:
    """A webhook is read as it was written, with its secrets, and every change gives another version."""
    versions = [webhooks.version()]
    assert [HOOK] == webhooks.all()
    changed = replace(HOOK, disabled=True, secrets=(b"n" * 32,))
    pairs = ((changed, replace(HOOK, url="x")), (HOOK, changed), (HOOK, changed), (HOOK, HOOK))
    assert [False, True, True, False] == [webhooks.replace(*pair) for pair in pairs]
    assert [changed] == webhooks.all()
    versions.append(webhooks.version())
    webhooks.delete(HOOK.webhook_id)
    versions.append(webhooks.version())
    webhooks.delete(HOOK.webhook_id)
    assert [] == webhooks.all()
    assert 3 == len(set(versions))
    assert not webhooks.replace(changed, HOOK)


def test_number_of_webhooks_of_a_platform_is_limited(webhooks: WebhookStore) -> None:
    """A platform has no more webhooks than its limit; what is kept under an id already is returned all the same."""
    made = [HOOK, *(replace(HOOK, webhook_id=f"{number:020x}") for number in range(3))]
    assert [*made[:3], None] == [webhooks.create(one, 3) for one in made]
    assert made[0] == webhooks.create(replace(made[0], url="https://other.example/"), 3)
    other = replace(HOOK, webhook_id="c" * 20, platform="club")
    assert other == webhooks.create(other, 3)
    webhooks.delete(made[0].webhook_id)
    assert made[3] == webhooks.create(made[3], 3)


def test_deliveries_are_listed_latest_first(webhooks: WebhookStore) -> None:
    """Records come latest first, in pages; one is replaced in its place and found by its id."""
    made = [record(number) for number in range(5)]
    for one in (made[2], made[0], made[4], made[1], made[3]):
        webhooks.put(HOOK, one)
    changed = made[2].attempted(Attempt("failed", 500), 99, is_last=True)
    assert ("failed", 1, 99, 500, "failed", 99) == changed[5:]
    webhooks.put(HOOK, changed)
    latest = [made[4], made[3], changed, made[1], made[0]]
    assert latest == webhooks.page(HOOK, "", 9)
    assert latest[2:4] == webhooks.page(HOOK, made[3].delivery_id, 2)
    assert [changed, None] == [webhooks.find(HOOK, one) for one in (made[2].delivery_id, "0" * 24)]


def test_deliveries_are_bounded(webhooks: WebhookStore) -> None:
    """The latest thousand records are kept, and none for more than seven days."""
    now = int(time.time() * 1000)
    old = record(1, now - DELIVERY_MS - 1)
    webhooks.put(HOOK, old)
    assert ([], None) == (webhooks.page(HOOK, "", 9), webhooks.find(HOOK, old.delivery_id))
    made = [record(number, now) for number in range(MAX_DELIVERIES + 3)]
    for one in made:
        webhooks.put(HOOK, one)
    assert made[:2:-1] == webhooks.page(HOOK, "", 2 * MAX_DELIVERIES)


def test_deleted_webhook_leaves_no_key(webhooks: WebhookStore, outbox: Outbox, raw_client: Any) -> None:
    """The queue and the deliveries of a webhook are deleted with it, and nothing creates them again; others stay."""
    for hook in (HOOK, CONFIGURED):
        webhooks.put(hook, record(1))
    outbox.enqueue([HOOK, CONFIGURED], "m", 0, 1)
    (delivery,) = outbox.take_new(HOOK, 10, 1)
    assert ("m", 0, 1, 1, "") == delivery[1:]
    webhooks.delete(HOOK.webhook_id)
    webhooks.put(HOOK, record(2))
    outbox.enqueue([HOOK], "m", 1, 2)
    for use in (
        lambda: outbox.take_new(HOOK, 10, 1),
        lambda: outbox.take_due(HOOK, 10, lambda _: 0),
        lambda: outbox.release(HOOK, delivery, 0),
        lambda: outbox.put_back(HOOK, delivery),
    ):
        with pytest.raises(NoSuchQueue):
            use()
    outbox.ack(HOOK, delivery)
    assert not [key for key in raw_client.scan_iter("*") if HOOK.webhook_id in key]
    assert [1] == [one.number for one in webhooks.page(CONFIGURED, "", 9)]
    assert [("m", 0, 1, 1, "")] == [one[1:] for one in outbox.take_new(CONFIGURED, 10, 1)]


def leased(deliveries: Sequence[Delivery]) -> list[tuple[str, int, int]]:
    """The match, the first entry and the number of tries of each delivery."""
    return [(one.match, one.start, one.tries) for one in deliveries]


def test_deliveries_of_a_match_are_leased_in_order(store: RedisStore) -> None:
    """A delivery is leased when the earlier ones of its match are settled, whichever worker has them or fails."""
    here, there = Outbox(store.connection), Outbox(store.connection)
    for match, start in (("a", 0), ("b", 0), ("a", 1), ("a", ABORTED), ("a", 2)):
        here.enqueue([HOOK], match, start, start + 1 if start >= 0 else ABORTED)
    here.enqueue([HOOK], "a", 5, 6, "again")
    first, other, again = here.take_new(HOOK, 10, 1)
    assert [("a", 0, 1), ("b", 0, 1), ("a", 5, 1)] == leased([first, other, again])
    assert [] == there.take_new(HOOK, 10, 1) == there.take_due(HOOK, 10, lambda _: 60_000)
    here.release(HOOK, first, 60_000)
    (failed,) = there.take_due(HOOK, 10, lambda _: 60_000)
    assert [("a", 0, 2)] == leased([failed])
    assert None is here.ack(HOOK, again)
    second = there.ack(HOOK, failed)
    assert second
    assert None is here.ack(HOOK, other)
    there.put_back(HOOK, second)
    (second,) = here.take_due(HOOK, 10, lambda _: 60_000)
    third = here.ack(HOOK, second)
    assert third
    last = here.ack(HOOK, third)
    assert last
    assert [("a", 1, 1), ("a", 2, 1), ("a", ABORTED, 1)] == leased([second, third, last])
    assert None is here.ack(HOOK, last)
    assert Backlog() == here.backlog([HOOK])


def test_delivery_of_entries_never_appended_holds_up_no_other(outbox: Outbox) -> None:
    """Deliveries of the same entries do not wait for each other, and later ones only for those that end before them."""
    outbox.enqueue([CONFIGURED], "a", 5, 8)
    for start in (5, 6, 8):
        outbox.enqueue([CONFIGURED], "a", start, start + 1)
    never, made = outbox.take_new(CONFIGURED, 10, 1)
    after = outbox.ack(CONFIGURED, made)
    assert after
    assert [("a", 5, 1), ("a", 5, 1), ("a", 6, 1)] == leased([never, made, after])
    assert None is outbox.ack(CONFIGURED, after)
    last = outbox.ack(CONFIGURED, never)
    assert last
    assert [("a", 8, 1)] == leased([last])


@pytest.mark.parametrize("lost", ["", "lines"])
def test_queue_is_shared_with_workers_of_an_older_release(outbox: Outbox, raw_client: Any, lost: str) -> None:
    """What a worker that does not know the lines has settled is not waited for; lines that were lost are made again."""
    queue = f"chitarrella:{{webhooks}}:{CONFIGURED.webhook_id}:outbox"
    for start in range(4):
        outbox.enqueue([CONFIGURED], "a", start, start + 1)
    (first,) = outbox.take_new(CONFIGURED, 3, 1)
    raw_client.xack(queue, "workers", first.name)
    raw_client.xdel(queue, first.name)
    if lost:
        raw_client.delete(queue.replace("outbox", lost))
    second = outbox.take_due(CONFIGURED, 9, lambda _: 60_000)
    assert [("a", 1, 1)] == leased(second)
    assert [] == outbox.take_new(CONFIGURED, 9, 1)
    for one in outbox.take_due(CONFIGURED, 9, lambda _: 0):
        raw_client.xdel(queue, one.name)
        raw_client.xack(queue, "workers", one.name)
    assert [("a", 2, 1)] == leased(outbox.take_due(CONFIGURED, 9, lambda _: 60_000))


def test_secrets_are_not_shown() -> None:
    """The text of a webhook for people, as it may come into a log, holds none of its secrets."""
    assert "ssss" not in repr(HOOK)
    assert "oooo" not in repr(HOOK)
    assert "x.example" in repr(HOOK)
