"""Rows to put into a store, and a listener that counts what it publishes."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import pytest

from chitarrella.storage.redis_pubsub import Subscription
from chitarrella.storage.redis_store import RedisStore, connect
from chitarrella.storage.redis_url import TIMEOUT_SECONDS
from chitarrella.storage.rows import Appended, MatchRow, NewEntries, StoreError, chain_digest
from tests.loop_stores import Wrap
from tests.servers import Cluster, Sentinels, Server, until

Killable = TypeVar("Killable", Server, Cluster, Sentinels)

LONG = 3600  # seconds that outlast every test

SOON = TIMEOUT_SECONDS + 2
"""Seconds within which a caller learns that the store is down: it waits for one answer, not for several."""

DEAL = ("table start_deal",)


@contextmanager
def killing(server: Killable) -> Iterator[Killable]:
    try:
        yield server
    finally:
        server.kill()


@contextmanager
def connected(url: str, wrap: Wrap = lambda store: store, **how: Any) -> Iterator[RedisStore]:
    made = RedisStore(connect(url), **how)
    try:
        yield wrap(made)
    finally:
        made.close()


def first_row(moves: tuple[str, ...] = DEAL, header: str = "header") -> MatchRow:
    return MatchRow(header, len(moves), chain_digest("", moves), "beginning", len(moves))


def create_row(
    store: RedisStore, match: str = "match", moves: tuple[str, ...] = DEAL, expires: int = LONG, header: str = "header"
) -> MatchRow:
    row = first_row(moves, header)
    assert store.matches.create(match, row, moves, expires)
    return row


def entries(after: MatchRow, *moves: str) -> NewEntries:
    return NewEntries(moves, f"position {after.length + len(moves)}", after.revision + len(moves))


def append(store: RedisStore, after: MatchRow, move: str, request: str = "", match: str = "match") -> MatchRow:
    answer = store.matches.append(match, after, entries(after, move), request, LONG)
    assert isinstance(answer, Appended)
    return answer.row


class Listener:
    def __init__(self) -> None:
        self._changed: list[str] = []
        self._lock = threading.Lock()

    def __call__(self, match: str) -> None:
        with self._lock:
            self._changed.append(match)

    def clear(self) -> None:
        with self._lock:
            self._changed.clear()

    def count(self, match: str) -> int:
        with self._lock:
            return self._changed.count(match)

    def wait_for(self, match: str, seconds: float = 10) -> None:
        until(lambda: self.count(match), f"a change of {match}", seconds)


@contextmanager
def listening(store: RedisStore, listener: Callable[[str], None], *matches: str) -> Iterator[Subscription]:
    subscription = store.subscriptions.open(listener)
    try:
        for match in matches:
            subscription.subscribe(match)
        yield subscription
    finally:
        subscription.close()


def back(store: RedisStore) -> None:
    """Wait until a store that was down answers: one call tries it now and then, and the others fail at once."""

    def answers() -> bool:
        with suppress(StoreError):
            store.probe()
            return True
        return False

    until(answers, "the store answers again")


def away(ask: Callable[[], Any]) -> float:
    """Call a store that is down; return the seconds until the call failed."""
    begun = time.monotonic()
    with pytest.raises(StoreError):
        ask()
    return time.monotonic() - begun
