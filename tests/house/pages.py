"""Pages to put into a store, and somebody who listens to it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from chitarrella.redis_store import SECONDS_TO_ANSWER, RedisStore
from chitarrella.store import Added, Lines, Listener, Page, StoreAway, chained
from tests.servers import until

Make = Callable[..., RedisStore]
"""Opens one more store on the same server."""

LONG = 3600
"""Seconds that outlast every test."""

SOON = SECONDS_TO_ANSWER + 2
"""Seconds within which a caller learns that the store is away: it waits for one answer, not for several."""

DEAL = ("table start_deal",)


def first_page(moves: tuple[str, ...] = DEAL, header: str = "header") -> Page:
    """The page of a match that has just been opened."""
    return Page(header, len(moves), chained("", moves), "beginning", len(moves))


def opened(store: RedisStore, match: str = "match", moves: tuple[str, ...] = DEAL, expires: int = LONG) -> Page:
    """Open a match, and give its first page."""
    page = first_page(moves)
    assert store.create(match, page, moves, expires)
    return page


def lines(after: Page, *moves: str) -> Lines:
    """Moves behind a page, each of them public."""
    return Lines(moves, f"position {after.number + len(moves)}", after.revision + len(moves))


def added(store: RedisStore, after: Page, move: str, request: str = "", match: str = "match") -> Page:
    """Add a move that nobody contends for, and give the page it leads to."""
    answer = store.append(match, after, lines(after, move), request, LONG)
    assert isinstance(answer, Added)
    return answer.page


class Ear:
    """Somebody who listens: remembers of which matches there was news, and how often."""

    def __init__(self) -> None:
        self._news: list[str] = []
        self._lock = threading.Lock()

    def __call__(self, match: str) -> None:
        with self._lock:
            self._news.append(match)

    def forget(self) -> None:
        """Begin anew."""
        with self._lock:
            self._news.clear()

    def heard(self, match: str) -> int:
        """Count the news of a match."""
        with self._lock:
            return self._news.count(match)

    def hears(self, match: str, seconds: float = 10) -> None:
        """Wait for news of a match."""
        until(lambda: self.heard(match), f"news of {match}", seconds)


@contextmanager
def listening(store: RedisStore, ear: Ear, *matches: str) -> Iterator[Listener]:
    """Listen to matches, and hang up in the end."""
    line = store.listen(ear)
    try:
        for match in matches:
            line.follow(match)
        yield line
    finally:
        line.close()


def away(ask: Callable[[], Any]) -> float:
    """Ask a store that is away; gives the seconds until that was known."""
    begun = time.monotonic()
    with pytest.raises(StoreAway):
        ask()
    return time.monotonic() - begun
