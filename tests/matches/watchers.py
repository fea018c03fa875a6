"""A watcher of a match, and workers that serve it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from chitarrella import errors
from chitarrella.core.model import REFEREE, Move, Viewer
from chitarrella.matches.history import Cursor, Update, ViewerFeed
from chitarrella.matches.model import CreatedMatch, CreateMatch, MoveRequest
from chitarrella.matches.service import MatchService
from chitarrella.matches.watching import PUBLIC, WatchAccess, Watcher, WatchHub
from tests.matches.playing import PARTNERS, connect_service, go_on
from tests.servers import until

VIEWERS: tuple[Viewer, ...] = (None, 0, 1, 2, 3, REFEREE)
START = Cursor()
SELDOM = 3600.0
"""A hub that polls so seldom receives everything by its subscription."""


class Reader:
    """A reader of a watch, in a thread of the test."""

    def __init__(
        self,
        follows: WatchHub,
        match: str,
        viewer: Viewer = None,
        after: Cursor = START,
        access: WatchAccess = PUBLIC,
    ) -> None:
        self.calls = 0
        self._news = threading.Event()
        self.updates: list[Update] = []
        self.watch: Watcher = follows.watch(match, viewer, after, self._called, access)

    def _called(self) -> None:
        self.calls += 1
        self._news.set()

    def read(self) -> list[Update]:
        self.updates += self.watch.take()
        return self.updates

    def wait_for(self, number: int, seconds: float = 10) -> list[Update]:
        until(lambda: len(self.read()) >= number, f"{number} moves are heard of", seconds)
        assert number == len(self.updates)
        return self.updates

    def ends(self, seconds: float = 10) -> errors.ChitarrellaError | None:
        """Read until nothing more will come; gives the fault, if there is one."""
        until(lambda: self.watch.is_finished, "the watch is over", seconds)
        self.read()
        return self.watch.error


class Worker:
    """A worker's referee and hub."""

    def __init__(self, url: str, poll_seconds: float = SELDOM) -> None:
        self.store, self.service = connect_service(url)
        self.hub = WatchHub(self.service.repository, self.service.store.subscriptions, poll_seconds)

    def close(self) -> None:
        self.hub.close()
        self.store.close()


@contextmanager
def running_worker(url: str, poll_seconds: float = SELDOM) -> Iterator[Worker]:
    made = Worker(url, poll_seconds)
    try:
        yield made
    finally:
        made.close()


def expected_updates(service: MatchService, match: str, viewer: Viewer, after: Cursor = START) -> list[Update]:
    """The updates that the viewer should have received, replayed from the log."""
    history, lines = service.repository.history(match)
    feed = ViewerFeed(viewer, after)
    return [update for revision, events in history.replay(lines) if (update := feed.next_update(revision, events))]


def signalling(service: MatchService, moves: int = 12) -> CreatedMatch:
    """A match of four in which everybody has signalled, some cards played between."""
    opened = service.create(CreateMatch(PARTNERS))
    for number in range(moves):
        service.play(opened.match, MoveRequest(number % 4, Move("signal", choice="A3RCF"[number // 4])))
        go_on(service, opened.match)
    return opened
