"""A pub/sub subscription to Redis, over which a worker receives every change of the matches it watches."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any

RECONNECT_SECONDS = 0.5
"""Seconds from one connection to the next, where it is lost at once."""
POLL_SECONDS = 0.05
"""How soon a match that is subscribed to or not any more is noticed."""
CLOSE_SECONDS = 1.0

LOG = logging.getLogger("chitarrella")


class RedisSubscription:
    """One connection for all watched matches. A single thread owns it: redis-py's pub/sub is not thread-safe.

    When it is lost it is opened again, and every watched match is reported: nobody knows what was missed.
    """

    def __init__(self, client: Any, prefix: str, on_change: Callable[[str], None]) -> None:
        """Use a connection of its own to the server of ``client``; it is opened for the first match."""
        self._client = client
        self._channel_prefix = f"{prefix}:{{"
        self._on_change = on_change
        self._lock = threading.Lock()
        self._matches: set[str] = set()
        self._changed = threading.Event()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="store-subscription", daemon=True)

    def subscribe(self, match: str) -> None:
        """Report changes of a match."""
        with self._lock:
            self._matches.add(match)
            self._changed.set()
            if not self._thread.is_alive() and not self._closed.is_set():
                self._thread.start()

    def unsubscribe(self, match: str) -> None:
        """Report no more changes of a match."""
        with self._lock:
            self._matches.discard(match)
            self._changed.set()

    def _run(self) -> None:
        while not self._closed.is_set():
            start = time.monotonic()
            try:
                self._receive()
            except Exception as error:  # whatever it is: the watchers need a new connection
                LOG.warning("subscribing again after %s", type(error).__name__)
                self._closed.wait(start + RECONNECT_SECONDS - time.monotonic())

    def _receive(self) -> None:
        """Serve one connection until it is lost."""
        # A cluster publishes every message at every node, so any node will do.
        node = {"node": self._client.get_random_node()} if hasattr(self._client, "get_random_node") else {}
        with closing(self._client.pubsub(**node)) as pubsub:
            subscribed: set[str] = set()
            self._changed.set()
            while not self._closed.is_set():
                if self._changed.is_set():
                    self._changed.clear()
                    subscribed = self._send_changes(pubsub, subscribed)
                if subscribed:
                    self._notify(pubsub.get_message(timeout=POLL_SECONDS))
                else:
                    self._changed.wait()

    def _send_changes(self, pubsub: Any, subscribed: set[str]) -> set[str]:
        """Subscribe to the watched matches, and to nothing else."""
        with self._lock:
            watched = set(self._matches)
        changes = ((pubsub.subscribe, watched - subscribed), (pubsub.unsubscribe, subscribed - watched))
        for change, matches in changes:
            if matches:
                change(*(f"{self._channel_prefix}{match}}}" for match in matches))
        return watched

    def _notify(self, message: Any) -> None:
        """Report a change; the begin of a subscription counts as one."""
        if message is None or message["type"] not in ("message", "subscribe"):
            return
        match = message["channel"][len(self._channel_prefix) : -1]
        with self._lock:
            is_watched = match in self._matches
        if is_watched:
            self._on_change(match)

    def close(self) -> None:
        """Close the connection."""
        self._closed.set()
        self._changed.set()
        if self._thread.is_alive():
            self._thread.join(CLOSE_SECONDS)
