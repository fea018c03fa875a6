"""The part of the store's contract that is about news: who follows a match hears of every change."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.house.pages import Ear, Make, added, listening, opened
from tests.servers import until


def test_every_change_of_a_followed_match_is_heard(make: Make) -> None:
    """Who follows a match hears of every move and of the end, whoever makes them; of other matches nothing."""
    store, ear = make(), Ear()
    page, other = opened(store), opened(store, "other")
    with listening(make(), ear, "match"):
        for number in range(20):
            other = added(store, other, f"{number}", match="other")
            page = added(store, page, f"{number}")
            ear.hears("match")
            ear.forget()
        store.end("match")
        ear.hears("match")
    assert 0 == ear.heard("other")


def test_a_move_right_after_following_is_heard(make: Make) -> None:
    """From the moment a match is followed, whatever happens in it is heard of, be it at once or a little later."""
    store = make()
    for number in range(5):
        ear = Ear()
        page = opened(store, f"match{number}")
        with listening(store, ear, f"match{number}"):
            added(store, page, "move", match=f"match{number}")
            ear.hears(f"match{number}")


def test_a_match_that_was_left_is_not_heard(make: Make) -> None:
    """Of a match that was left nothing more is heard, though others are still followed; following again helps."""
    store, ear = make(), Ear()
    left, kept = opened(store, "left"), opened(store, "kept")
    with listening(store, ear, "left", "kept") as line:
        left = added(store, left, "heard", match="left")
        ear.hears("left")
        line.leave("left")
        line.leave("never followed")
        ear.forget()
        left = added(store, left, "not heard", match="left")
        kept = added(store, kept, "heard", match="kept")
        ear.hears("kept")
        assert 0 == ear.heard("left")
        line.follow("left")
        added(store, left, "heard again", match="left")
        ear.hears("left")


def test_the_last_match_may_be_left(make: Make) -> None:
    """A line on which nothing is followed any more is there for the next match."""
    store, ear = make(), Ear()
    with listening(store, ear) as line:
        for name in ("a", "b", "c"):
            page = opened(store, name)
            line.follow(name)
            page = added(store, page, "move", match=name)
            ear.hears(name)
            line.leave(name)


def test_many_threads_follow_and_leave(make: Make) -> None:
    """Matches may be followed and left by many threads at once: in the end just the followed ones are heard."""
    store, ear = make(), Ear()
    pages = {f"{thread}-{number}": opened(store, f"{thread}-{number}") for thread in range(8) for number in range(20)}
    with listening(store, ear) as line, ThreadPoolExecutor(8) as threads:

        def work(thread: int) -> None:
            for number in range(20):
                line.follow(f"{thread}-{number}")
                if number % 2:
                    line.leave(f"{thread}-{number}")

        list(threads.map(work, range(8)))
        # What was followed and left may have been heard of in passing, so count only from now on.
        last = opened(store, "last")
        line.follow("last")
        added(store, last, "move", match="last")
        ear.hears("last")
        ear.forget()
        for name, page in pages.items():
            added(store, page, "move", match=name)
        for name in pages:
            if int(name.partition("-")[2]) % 2 == 0:
                ear.hears(name)
        assert [] == [name for name in pages if int(name.partition("-")[2]) % 2 and ear.heard(name)]


def test_a_lost_connection_is_made_anew(make: Make, raw: Any) -> None:
    """When the server cuts the line it is opened again by itself, and what was missed meanwhile is heard of."""
    store, ear = make(), Ear()
    pages = {name: opened(store, name) for name in ("a", "b", "c")}
    with listening(store, ear, *pages):
        for _ in range(3):
            pages = {name: added(store, page, "move", match=name) for name, page in pages.items()}
            for name in pages:
                ear.hears(name)
            ear.forget()
            raw.client_kill_filter(_type="pubsub", **_everywhere(raw))


def _everywhere(raw: Any) -> dict[str, Any]:
    return {"target_nodes": "all"} if hasattr(raw, "get_primaries") else {}


def test_who_hangs_up_hears_nothing(make: Make) -> None:
    """After hanging up nothing is heard, no thread is left, and following again has no effect."""
    store, ear = make(), Ear()
    before = threading.active_count()
    page = opened(store)
    with listening(store, ear, "match") as line:
        page = added(store, page, "move")
        ear.hears("match")
    ear.forget()
    line.follow("match")
    line.close()
    added(store, page, "unheard")
    time.sleep(0.1)
    assert 0 == ear.heard("match")
    until(lambda: before == threading.active_count(), "the listener's thread has ended", 5)
