"""One script of calls is answered alike by every kind of store.

The script is that of matches; `test_other_parts` has one for the other parts.
`tests.stores` runs every test with `open_store` in process, on Valkey, on two releases of Redis and on a cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any

import pytest

from chitarrella.storage import rows
from chitarrella.storage.counters import RedisSearchQueue
from chitarrella.storage.redis_pubsub import RedisSubscription, Subscriptions
from chitarrella.storage.redis_store import MatchStore, PlatformIndex, RedisStore, Schedule
from chitarrella.storage.rows import ABORTED, Announcement, Appended, Conflict, Duplicate, SearchClaim, index_entry
from tests.servers import until
from tests.storage.parts import Recorded, methods
from tests.storage.rows import LONG, entries, first_row
from tests.stores import OpenStore

PARTS = (RedisStore, MatchStore, Schedule, RedisSearchQueue, PlatformIndex, Subscriptions)
"""The classes whose methods the script calls."""


def script(store: Any, called: set[tuple[str, str]]) -> Iterator[object]:
    """Call every method of the parts about matches, and give the answers."""
    joined = Recorded(store, called)
    matches, schedule = Recorded(store.matches, called), Recorded(store.schedule, called)
    searches, index = Recorded(store.searches, called), Recorded(store.index, called)
    feeds = Recorded(store.subscriptions, called)
    joined.probe()
    yield len(joined.secret())
    row = first_row()
    yield [matches.create("m", row, ("table start_deal",), LONG) for _ in range(2)]
    changed: list[str] = []
    feed = Recorded(feeds.open(changed.append), called)
    feed.subscribe("m")
    until(lambda: bool(changed), "the subscription has begun")
    changed.clear()
    yield matches.append("m", row, entries(row, "one"), "request", LONG)
    until(lambda: bool(changed), "the change is reported")
    yield matches.append("m", row, entries(row, "two"), "other", LONG)
    yield matches.append("m", row, entries(row, "one"), "request", LONG)
    yield matches.load("m", "request")
    yield matches.read_log("m", 1)
    feed.unsubscribe("m")
    feed.close()
    announced: list[Announcement] = []
    platform_feed = feeds.open_platforms(announced.append, lambda: None)
    platform_feed.subscribe("p")
    until(lambda: bool(announced), "the subscription has begun")
    matches.create("n", row, ("table start_deal",), LONG, "p")
    matches.append("n", row, entries(row, "one"), "", LONG, "p")
    twice(lambda: matches.abort("n", "p"))
    matches.create("o", row, ("table start_deal",), LONG, "p")
    until(lambda: len(announced) >= 5, "every change is announced")
    platform_feed.close()
    yield sorted(announced, key=attrgetter("match"))  # a cluster keeps the order of each match alone
    matches.abort("m")
    yield matches.load("m")
    twice(lambda: matches.delete("m"))
    for refused in (matches.load, matches.abort, lambda match: matches.append(match, row, entries(row, "x"), "", LONG)):
        yield answer_of(refused, "m")
    yield matches.read_log("m")
    yield matches.load_many(["m", "gone"])
    schedule.set("m", 5)
    index.expiries.set("m", 7)
    yield [schedule.claim(now, 10, 9) for now in (4, 5, 6)]
    searches.put("m", "platform:p", 7)
    yield [searches.claim(owner) for owner in ("", "platform:p")]
    index.add("platform", "a" * 20, 7, ("term",))
    yield [index.page("platform", "", 9, term) for term in ("", "term", "other")]
    index.remove("platform", [index_entry("a" * 20, 7)])
    yield [index.page("platform", "", 9, term) for term in ("", "term")]
    joined.close()


def twice(command: Callable[[], object]) -> None:
    """Call a command again after it has been carried out."""
    for _ in range(2):
        command()


def answer_of(command: Callable[[str], object], match: str) -> object:
    """What a command answers: the name of its error where it raises `NoSuchMatch`."""
    with pytest.raises(rows.NoSuchMatch) as error:
        command(match)
    return error.typename


def test_every_method_answers_alike_on_every_store(open_store: OpenStore) -> None:
    """One script calls every method of the parts about matches; the answers are the same on every kind of store."""
    called: set[tuple[str, str]] = set()
    store, row = open_store(), first_row()
    added = entries(row, "one")
    after = row._replace(length=2, revision=2, position="position 2")
    after = after._replace(log_digest=rows.chain_digest(row.log_digest, added.entries), earlier=f" {row.log_digest}")
    gone = "NoSuchMatch"
    expected = [
        *(32, [True, False], Appended(after), Conflict(after), Duplicate(1), (after, 1), ["one"]),
        [Announcement("p", match, start) for match, start in (("", 0), ("n", 0), ("n", 1), ("n", ABORTED), ("o", 0))],
        *((after._replace(aborted=True), None), gone, gone, gone, [], [None, None]),
        *([[], ["m"], []], [SearchClaim("", ("platform:p",), 1, 7), SearchClaim("m")]),
        *([[index_entry("a" * 20, 7)], [index_entry("a" * 20, 7)], []], [[], []]),
    ]
    assert expected == list(script(store, called))
    assert set() == set().union(*map(methods, PARTS)) - called
    assert {name for _, name in methods(RedisSubscription)} <= {name for _, name in called}
