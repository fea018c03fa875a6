"""A watcher of a match, and workers that serve it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Generic

from chitarrella import errors
from chitarrella.core.model import Viewer
from chitarrella.matches.history import Cursor, Update, ViewerFeed
from chitarrella.matches.service import MatchService
from chitarrella.matches.watching import PUBLIC, Item, WatchAccess, Watcher, WatcherQueue, WatchHub
from tests.matches.playing import connect_service
from tests.servers import until

START = Cursor()
SELDOM = 3600.0  # a hub that polls so seldom receives everything by its subscription


class QueueReader(Generic[Item]):
    watch: WatcherQueue[Item]

    def __init__(self) -> None:
        self.updates: list[Item] = []

    def read(self) -> list[Item]:
        self.updates += self.watch.take()
        return self.updates

    def wait_for(self, number: int) -> list[Item]:
        until(lambda: len(self.read()) >= number, f"{number} updates are received", 10)
        assert number == len(self.updates)
        return self.updates

    def ends(self) -> errors.ChitarrellaError | None:
        """Read until nothing more will come; gives the fault, if there is one."""
        until(lambda: self.watch.is_finished, "the watch is over", 15)
        self.read()
        return self.watch.error


class Reader(QueueReader[Update]):
    def __init__(
        self, hub: WatchHub, match: str, viewer: Viewer = None, after: Cursor = START, access: WatchAccess = PUBLIC
    ) -> None:
        super().__init__()
        self.calls = 0
        self.watch: Watcher = hub.watch(match, viewer, after, self._called, access)

    def _called(self) -> None:
        self.calls += 1


class Worker:
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
    return [update for step in history.replay(lines) if (update := feed.next_update(step))]
