"""The line to Redis over which a worker hears of every change of the matches it follows."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any

PAUSE = 0.5
"""Seconds from one opening of the line to the next, where it is lost at once."""
SECONDS_TO_FOLLOW = 0.05
"""How soon the line turns to a match that is followed or left."""
SECONDS_TO_HANG_UP = 1.0

LOG = logging.getLogger("chitarrella")


class RedisLine:
    """One subscription for all followed matches, in the hands of a single thread: it is not made for several.

    When it is lost it is opened anew, and there is news of every followed match: nobody knows what was missed.
    """

    def __init__(self, client: Any, prefix: str, on_news: Callable[[str], None]) -> None:
        """Use a line of its own to the server of ``client``; it is opened for the first match that is followed."""
        self._client = client
        self._before = f"{prefix}:{{"
        self._on_news = on_news
        self._lock = threading.Lock()
        self._followed: set[str] = set()
        self._changed = threading.Event()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="store-listener", daemon=True)

    def follow(self, match: str) -> None:
        """Hear of a match."""
        with self._lock:
            self._followed.add(match)
            self._changed.set()
            if not self._thread.is_alive() and not self._closed.is_set():
                self._thread.start()

    def leave(self, match: str) -> None:
        """Hear of it no more."""
        with self._lock:
            self._followed.discard(match)
            self._changed.set()

    def _run(self) -> None:
        while not self._closed.is_set():
            begun = time.monotonic()
            try:
                self._listen()
            except Exception as error:  # whatever it is: who follows must hear again
                LOG.warning("listening anew after %s", type(error).__name__)
                self._closed.wait(begun + PAUSE - time.monotonic())

    def _listen(self) -> None:
        """Keep one subscription until it is lost."""
        # A cluster tells everything at every node; one node is as good as another, if it is there.
        node = {"node": self._client.get_random_node()} if hasattr(self._client, "get_random_node") else {}
        with closing(self._client.pubsub(**node)) as line:
            heard: set[str] = set()
            self._changed.set()
            while not self._closed.is_set():
                if self._changed.is_set():
                    self._changed.clear()
                    heard = self._adjust(line, heard)
                if heard:
                    self._tell(line.get_message(timeout=SECONDS_TO_FOLLOW))
                else:
                    self._changed.wait()

    def _adjust(self, line: Any, heard: set[str]) -> set[str]:
        """Subscribe to what is followed, and to nothing else."""
        with self._lock:
            followed = set(self._followed)
        for change, matches in ((line.subscribe, followed - heard), (line.unsubscribe, heard - followed)):
            if matches:
                change(*(f"{self._before}{match}}}" for match in matches))
        return followed

    def _tell(self, news: Any) -> None:
        """Pass on what is news: a change, or that the server begins to tell changes."""
        if news is None or news["type"] not in ("message", "subscribe"):
            return
        match = news["channel"][len(self._before) : -1]
        with self._lock:
            followed = match in self._followed
        if followed:
            self._on_news(match)

    def close(self) -> None:
        """Hang up."""
        self._closed.set()
        self._changed.set()
        if self._thread.is_alive():
            self._thread.join(SECONDS_TO_HANG_UP)
