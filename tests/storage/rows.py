"""Pages to put into a store, and somebody who listens to it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from chitarrella.matches.store import (
    Appended,
    MatchRow,
    NewEntries,
    Store,
    StoreError,
    Subscription,
    chain_digest,
)
from chitarrella.storage.redis_store import RedisStore
from chitarrella.storage.redis_url import TIMEOUT_SECONDS
from tests.servers import until

LONG = 3600
"""Seconds that outlast every test."""

SOON = TIMEOUT_SECONDS + 2
"""Seconds within which a caller learns that the store is away: it waits for one answer, not for several."""

DEAL = ("table start_deal",)


def first_page(moves: tuple[str, ...] = DEAL, header: str = "header") -> MatchRow:
    """The page of a match that has just been opened."""
    return MatchRow(header, len(moves), chain_digest("", moves), "beginning", len(moves))


def opened(
    store: Store,
    match: str = "match",
    moves: tuple[str, ...] = DEAL,
    expires: int = LONG,
    header: str = "header",
) -> MatchRow:
    """Open a match, and give its first page."""
    page = first_page(moves, header)
    assert store.matches.create(match, page, moves, expires)
    return page


def lines(after: MatchRow, *moves: str) -> NewEntries:
    """Moves behind a page, each of them public."""
    return NewEntries(moves, f"position {after.length + len(moves)}", after.revision + len(moves))


def added(store: Store, after: MatchRow, move: str, request: str = "", match: str = "match") -> MatchRow:
    """Add a move that nobody contends for, and give the page it leads to."""
    answer = store.matches.append(match, after, lines(after, move), request, LONG)
    assert isinstance(answer, Appended)
    return answer.row


class Listener:
    """Somebody who listens: remembers of which matches there was news, and how often."""

    def __init__(self) -> None:
        self._news: list[str] = []
        self._lock = threading.Lock()

    def __call__(self, match: str) -> None:
        """Remember the news."""
        with self._lock:
            self._news.append(match)

    def clear(self) -> None:
        """Begin anew."""
        with self._lock:
            self._news.clear()

    def count(self, match: str) -> int:
        """Count the news of a match."""
        with self._lock:
            return self._news.count(match)

    def wait_for(self, match: str, seconds: float = 10) -> None:
        """Wait for news of a match."""
        until(lambda: self.count(match), f"news of {match}", seconds)


@contextmanager
def listening(store: Store, listener: Listener, *matches: str) -> Iterator[Subscription]:
    """Listen to matches, and hang up in the end."""
    line = store.subscriptions.open(listener)
    try:
        for match in matches:
            line.subscribe(match)
        yield line
    finally:
        line.close()


def back(store: RedisStore) -> None:
    """Wait until a store that was away answers: one call tries it now and then, and the others fail at once."""

    def answers() -> bool:
        with suppress(StoreError):
            store.probe()
            return True
        return False

    until(answers, "the store answers again")


def away(ask: Callable[[], Any]) -> float:
    """Ask a store that is away; gives the seconds until that was known."""
    begun = time.monotonic()
    with pytest.raises(StoreError):
        ask()
    return time.monotonic() - begun
