"""Subscriptions of the store: a subscriber to a match is notified of every change."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.servers import until
from tests.storage.rows import Listener, append, create_row, listening
from tests.stores import OpenStore


def test_subscriber_gets_every_change_of_its_match(open_store: OpenStore) -> None:
    """A subscriber gets every append and the abort of its match, whoever makes them, and nothing of others."""
    store, listener = open_store(), Listener()
    row, other = create_row(store), create_row(store, "other")
    with listening(open_store(), listener, "match"):
        for number in range(20):
            other = append(store, other, f"{number}", match="other")
            row = append(store, row, f"{number}")
            listener.wait_for("match")
            listener.clear()
        store.matches.abort("match")
        listener.wait_for("match")
    assert 0 == listener.count("other")


def test_append_right_after_subscribing_is_delivered(open_store: OpenStore) -> None:
    """From the moment of subscribing every append is delivered."""
    store = open_store()
    for number in range(5):
        listener = Listener()
        row = create_row(store, f"match{number}")
        with listening(store, listener, f"match{number}"):
            append(store, row, "move", match=f"match{number}")
            listener.wait_for(f"match{number}")


def test_unsubscribed_match_is_silent(open_store: OpenStore) -> None:
    """After unsubscribing nothing more is delivered, though other matches are; subscribing again works."""
    store, listener = open_store(), Listener()
    left, kept = create_row(store, "left"), create_row(store, "kept")
    with listening(store, listener, "left", "kept") as line:
        left = append(store, left, "heard", match="left")
        listener.wait_for("left")
        line.unsubscribe("left")
        line.unsubscribe("never followed")
        listener.clear()
        left = append(store, left, "not heard", match="left")
        kept = append(store, kept, "heard", match="kept")
        listener.wait_for("kept")
        assert 0 == listener.count("left")
        line.subscribe("left")
        append(store, left, "heard again", match="left")
        listener.wait_for("left")


def test_subscription_survives_its_last_match(open_store: OpenStore) -> None:
    """A subscription without matches accepts the next one."""
    store, listener = open_store(), Listener()
    with listening(store, listener) as line:
        for name in ("a", "b", "c"):
            row = create_row(store, name)
            line.subscribe(name)
            row = append(store, row, "move", match=name)
            listener.wait_for(name)
            line.unsubscribe(name)


def test_threads_may_subscribe_and_unsubscribe_concurrently(open_store: OpenStore) -> None:
    """Many threads may subscribe and unsubscribe at once: in the end just the subscribed matches are delivered."""
    store, listener = open_store(), Listener()
    rows = {
        f"{thread}-{number}": create_row(store, f"{thread}-{number}") for thread in range(8) for number in range(20)
    }
    with listening(store, listener) as line, ThreadPoolExecutor(8) as threads:

        def work(thread: int) -> None:
            for number in range(20):
                line.subscribe(f"{thread}-{number}")
                if number % 2:
                    line.unsubscribe(f"{thread}-{number}")

        list(threads.map(work, range(8)))
        # A notification from before the end of the subscription may still arrive, so count only from now on.
        last = create_row(store, "last")
        line.subscribe("last")
        append(store, last, "move", match="last")
        listener.wait_for("last")
        listener.clear()
        for name, row in rows.items():
            append(store, row, "move", match=name)
        for name in rows:
            if int(name.partition("-")[2]) % 2 == 0:
                listener.wait_for(name)
        assert [] == [name for name in rows if int(name.partition("-")[2]) % 2 and listener.count(name)]


def test_lost_connection_is_reopened(open_store: OpenStore, raw_client: Any) -> None:
    """When the server cuts the connection it is reopened, and what was missed is delivered."""
    store, listener = open_store(), Listener()
    rows = {name: create_row(store, name) for name in ("a", "b", "c")}
    with listening(store, listener, *rows):
        for _ in range(3):
            rows = {name: append(store, row, "move", match=name) for name, row in rows.items()}
            for name in rows:
                listener.wait_for(name)
            listener.clear()
            raw_client.client_kill_filter(_type="pubsub", **_everywhere(raw_client))


def _everywhere(raw_client: Any) -> dict[str, Any]:
    return {"target_nodes": "all"} if hasattr(raw_client, "get_primaries") else {}


def test_closed_subscription_is_silent(open_store: OpenStore) -> None:
    """After closing nothing is delivered, no thread is left, and subscribing has no effect."""
    store, listener = open_store(), Listener()
    before = threading.active_count()
    row = create_row(store)
    with listening(store, listener, "match") as line:
        row = append(store, row, "move")
        listener.wait_for("match")
    listener.clear()
    line.subscribe("match")
    line.close()
    append(store, row, "unheard")
    time.sleep(0.1)
    assert 0 == listener.count("match")
    until(lambda: before == threading.active_count(), "the listener's thread has ended", 5)
