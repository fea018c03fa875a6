"""The API keys that were closed by a call, as a worker knows them: a copy of those in the store.

The copy is read anew when the store announces a change, and every second in case an announcement was lost. What was
opened with a key, such as a watch, is ended when the key is found closed.
"""

from __future__ import annotations

import logging
import threading
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Final

from chitarrella import errors
from chitarrella.matches.match_time import now_ms
from chitarrella.matches.repository import translate_store_errors
from chitarrella.storage.counters import ClosedApiKeyStore
from chitarrella.storage.redis_pubsub import Subscription
from chitarrella.storage.rows import StoreError

REFRESH_SECONDS: Final = 1.0
"""Seconds between two reads of the closed keys: how long one is still accepted whose announcement was lost."""
LOG = logging.getLogger("chitarrella")


class ClosedApiKeys:
    """A copy of the closed keys. Thread-safe."""

    def __init__(self, store: ClosedApiKeyStore) -> None:
        """Copy from ``store``; nothing is read yet, and no key is closed until `refresh`."""
        self._store = store
        self._by_digest: Mapping[str, int] = {}
        self._refreshing = threading.Lock()
        self._lock = threading.Lock()
        self._ends: defaultdict[str, dict[object, Callable[[], None]]] = defaultdict(dict)
        self._subscription: Subscription | None = None
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="closed-api-keys", daemon=True)

    def __contains__(self, digest: object) -> bool:
        """Whether the key of a digest is closed."""
        return digest in self._by_digest

    def end_when_closed(self, digest: str, end: Callable[[], None]) -> Callable[[], None]:
        """Call ``end`` once a key is closed, now if it is; returns what forgets ``end``.

        ``end`` must not wait, and may be called more than once.
        """
        mark = object()
        with self._lock:
            self._ends[digest][mark] = end
        if digest in self._by_digest:
            end()

        def forget() -> None:
            with self._lock:
                ends = self._ends.get(digest, {})
                if ends.pop(mark, None) and not ends:
                    del self._ends[digest]

        return forget

    def refresh(self) -> None:
        """Read the closed keys, and end what was opened with them. Raises `errors.StoreUnavailable`."""
        with self._refreshing, translate_store_errors():  # an older answer of the store must not come last
            self._by_digest = self._store.all()
        with self._lock:
            closed = [
                end for digest in self._ends.keys() & self._by_digest.keys() for end in self._ends[digest].values()
            ]
        for end in closed:
            end()

    def add(self, digest: str) -> int:
        """Close a key; returns when it was closed, in milliseconds. Raises `errors.StoreUnavailable`."""
        with translate_store_errors():
            self._store.add(digest, now_ms())
        self.refresh()
        return self._by_digest.get(digest, now_ms())

    def remove(self, digest: str) -> bool:
        """Open a key; returns whether it was closed. Raises `errors.StoreUnavailable`."""
        with translate_store_errors():
            was_closed = self._store.remove(digest)
        self.refresh()
        return was_closed

    def latest_first(self) -> list[tuple[str, int]]:
        """Read the closed keys, each with the time at which it was closed. Raises `errors.StoreUnavailable`."""
        self.refresh()
        return sorted(self._by_digest.items(), key=lambda one: (-one[1], one[0]))

    def start(self) -> None:
        """Read the closed keys, and again after each change; a store that does not answer changes nothing."""
        self._try_to_refresh()
        self._subscription = self._store.subscribe(self._try_to_refresh)
        self._thread.start()

    def close(self) -> None:
        """Stop reading."""
        self._closed.set()
        if self._subscription is not None:
            self._subscription.close()

    def _run(self) -> None:
        while not self._closed.wait(REFRESH_SECONDS):
            self._try_to_refresh()

    def _try_to_refresh(self) -> None:
        try:
            self.refresh()
        except (StoreError, errors.StoreUnavailable):
            LOG.debug("the closed API keys could not be read")
