"""The API keys that were closed by a call, as a worker knows them: a copy of those in the store, read every second."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from typing import Final, Protocol

from chitarrella import errors
from chitarrella.matches.match_time import now_ms
from chitarrella.matches.repository import translate_store_errors
from chitarrella.matches.store import StoreError

REFRESH_SECONDS: Final = 1.0
"""Seconds between two reads of the closed keys: how long a closed key may still be accepted."""
LOG = logging.getLogger("chitarrella")


class ClosedApiKeyStore(Protocol):
    """The closed keys of all workers: digests, each with the time at which it was closed (milliseconds since 1970)."""

    def all(self) -> Mapping[str, int]:
        """Read every closed key. This and the others raise `chitarrella.matches.store.StoreError`."""

    def add(self, digest: str, closed_at: int) -> None:
        """Close a key; one that is closed already keeps its time."""

    def remove(self, digest: str) -> bool:
        """Open a key; returns whether it was closed."""


class ClosedApiKeys:
    """A copy of the closed keys that is about a second old at most. Thread-safe."""

    def __init__(self, store: ClosedApiKeyStore) -> None:
        """Copy from ``store``; nothing is read yet, and no key is closed until `refresh`."""
        self._store = store
        self._by_digest: Mapping[str, int] = {}
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="closed-api-keys", daemon=True)

    def __contains__(self, digest: object) -> bool:
        """Whether the key of a digest is closed."""
        return digest in self._by_digest

    def refresh(self) -> None:
        """Read the closed keys. Raises `errors.StoreUnavailable`."""
        with translate_store_errors():
            self._by_digest = self._store.all()

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
        """Read the closed keys, and again every second in a thread; a store that does not answer changes nothing."""
        self._try_to_refresh()
        self._thread.start()

    def close(self) -> None:
        """Stop the thread."""
        self._closed.set()

    def _run(self) -> None:
        while not self._closed.wait(REFRESH_SECONDS):
            self._try_to_refresh()

    def _try_to_refresh(self) -> None:
        try:
            self.refresh()
        except (StoreError, errors.StoreUnavailable):
            LOG.debug("the closed API keys could not be read")
