"""Somebody who watches, and workers that let him."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from chitarrella import errors
from chitarrella.chronicle import Cursor, Ears, Told
from chitarrella.hub import Hub, Watch
from chitarrella.kept import Opened, Wish
from chitarrella.referee import Referee
from chitarrella.words import REFEREE, Eyes, Move
from tests.house.table import PARTNERS, go_on, worker
from tests.servers import until

EYES: tuple[Eyes, ...] = (None, 0, 1, 2, 3, REFEREE)
START = Cursor()
SELDOM = 3600.0
"""A hub that looks around so seldom hears everything by the line."""


class Reader:
    """Somebody who reads what a watch hears, in a thread of the test."""

    def __init__(self, follows: Hub, match: str, eyes: Eyes = None, after: Cursor = START) -> None:
        self.calls = 0
        self._news = threading.Event()
        self.heard: list[Told] = []
        self.watch: Watch = follows.watch(match, eyes, after, self._called)

    def _called(self) -> None:
        self.calls += 1
        self._news.set()

    def read(self) -> list[Told]:
        """Read what there is now."""
        self.heard += self.watch.fetch()
        return self.heard

    def hears(self, number: int, seconds: float = 10) -> list[Told]:
        """Read until so many moves were heard of."""
        until(lambda: len(self.read()) >= number, f"{number} moves are heard of", seconds)
        assert number == len(self.heard)
        return self.heard

    def ends(self, seconds: float = 10) -> errors.ChitarrellaError | None:
        """Read until nothing more will come; gives the fault, if there is one."""
        until(lambda: self.watch.over, "the watch is over", seconds)
        self.read()
        return self.watch.fault


class Worker:
    """A worker's referee and hub."""

    def __init__(self, url: str, looks: float = SELDOM) -> None:
        self.store, self.referee = worker(url)
        self.hub = Hub(self.referee, looks)

    def close(self) -> None:
        """Hang up."""
        self.hub.close()
        self.store.close()


@contextmanager
def at_work(url: str, looks: float = SELDOM) -> Iterator[Worker]:
    """A worker for as long as the block lasts."""
    made = Worker(url, looks)
    try:
        yield made
    finally:
        made.close()


def story(referee: Referee, match: str, eyes: Eyes, after: Cursor = START) -> list[Told]:
    """What those eyes should have heard, told anew from the log."""
    chronicle, lines = referee.chronicle(match)
    ears = Ears(eyes, after)
    return [heard for revision, events in chronicle.go_on(lines) if (heard := ears.hear(revision, events))]


def signalling(referee: Referee, moves: int = 12) -> Opened:
    """A match of four in which everybody has signalled, some cards played between."""
    opened = referee.open(PARTNERS)
    for number in range(moves):
        referee.play(opened.match, Wish(number % 4, Move("signal", word="A3RCF"[number // 4])))
        go_on(referee, opened.match)
    return opened
