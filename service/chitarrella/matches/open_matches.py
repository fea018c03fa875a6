"""The caps on open matches: how many of a platform, or of an address without one, are open, and how many have bots.

A match is open until it is finished, aborted or deleted, or has expired. The store counts it under a digest of its
owner, with the time at which it will have expired if nobody moves. Moves do not change that time: when it has passed,
the next match of the owner finds out whether the old one is still there.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from chitarrella import errors
from chitarrella.matches.clock import now_ms
from chitarrella.matches.metadata import MatchMetadata
from chitarrella.matches.model import MatchLimits
from chitarrella.storage.counters import OpenMatchSet, OpenMatchStore
from chitarrella.storage.redis_store import MatchStore
from chitarrella.storage.rows import StoreError

DIGEST_LENGTH: Final = 32  # hexadecimal digits of the digest under which the store knows an owner
MAX_ROUNDS: Final = 10  # how often one call looks for expired matches before it is refused
TOO_MANY_OPEN: Final = "There are as many open matches as the service allows; finish, abort or delete some."
TOO_MANY_WITH_BOTS: Final = (
    "There are as many open matches with bots as the service allows; finish, abort or delete some."
)
LOG = logging.getLogger("chitarrella")

Derive = Callable[[str, str], str]  # hexadecimal digits that follow from a name, a purpose and the secret of the store


class OpenMatches:
    """Counts open matches, and among them those with bots. Thread-safe; all state is in the store."""

    def __init__(self, store: OpenMatchStore | None, matches: MatchStore, derive: Derive, limits: MatchLimits) -> None:
        self._matches = matches
        kinds = (("open_matches", TOO_MANY_OPEN), ("bot_matches", TOO_MANY_WITH_BOTS))
        self._all, self._with_bots = (CappedMatches(*kind, store, matches, derive, limits) for kind in kinds)

    def add(self, match: str, metadata: MatchMetadata, expires_at: int, *, has_bots: bool) -> None:
        """Count a new match. Raises `errors.QuotaExceeded`, `chitarrella.storage.rows.StoreError`."""
        try:
            self._all.add(match, metadata, expires_at)
            if has_bots:
                self._with_bots.add(match, metadata, expires_at)
        except errors.QuotaExceeded:
            if self._matches.load_many([match]) == [None]:  # else a repeated call, which gets its match
                self._all.remove(match, metadata)
                raise

    def add_bots(self, match: str, metadata: MatchMetadata, expires_at: int) -> None:
        self._with_bots.add(match, metadata, expires_at)

    def remove_bots(self, match: str, metadata: MatchMetadata) -> None:
        self._with_bots.remove(match, metadata)

    def remove(self, match: str, metadata: MatchMetadata) -> None:
        self._all.remove(match, metadata)
        self._with_bots.remove(match, metadata)


class CappedMatches:
    """Counts the open matches of one kind: of each platform, and of each address without one."""

    def __init__(
        self,
        kind: str,
        message: str,
        store: OpenMatchStore | None,
        matches: MatchStore,
        derive: Derive,
        limits: MatchLimits,
    ) -> None:
        self._kind, self._message = kind, message
        self._store, self._matches, self._derive, self._limits = store, matches, derive, limits

    def _cap(self, metadata: MatchMetadata) -> tuple[str, int]:
        """The name of the quota of a match, and its limit, 0 for none: both have the name of a field of the limits."""
        name = f"{self._kind}_per_{'platform' if metadata.platform else 'address'}"
        return name, getattr(self._limits, name)

    def add(self, match: str, metadata: MatchMetadata, expires_at: int) -> None:
        quota, limit = self._cap(metadata)
        if self._store is None or not limit:
            return
        owner = self._owner(metadata)
        for _ in range(MAX_ROUNDS):
            admission = self._store.add(owner, match, expires_at, limit, now_ms())
            has_room = self._forget_expired(owner, admission.due, metadata.ttl_seconds)
            if admission.is_counted:
                return
            if not has_room:
                break
        raise errors.QuotaExceeded("quota_exceeded", self._message, quota=quota, limit=str(limit))

    def remove(self, match: str, metadata: MatchMetadata) -> None:
        """Count a match no longer; where the store does not answer it counts until it would have expired."""
        if self._store is None or not self._cap(metadata)[1]:
            return
        try:
            self._store.remove(self._owner(metadata), (match,))
        except (StoreError, errors.StoreUnavailable):
            LOG.warning("a match that is not open any more still counts")

    def _forget_expired(self, owner: str, due: tuple[str, ...], ttl_seconds: int) -> bool:
        """Forget those of ``due`` that have expired, and look at the others later; returns whether any has."""
        if self._store is None or not due:
            return False
        rows = self._matches.load_many(due)
        gone = [match for match, row in zip(due, rows, strict=True) if row is None]
        if kept := [match for match in due if match not in gone]:
            self._store.postpone(owner, kept, now_ms() + ttl_seconds * 1000)
        if gone:
            self._store.remove(owner, gone)
        return bool(gone)

    def _owner(self, metadata: MatchMetadata) -> str:
        return self._derive(metadata.owner, self._kind.replace("_", " "))[:DIGEST_LENGTH]


MAX_NOTED: Final = 100_000  # how many matches that are not open any more are noted between two readings


class OpenMatchCount:
    """Counts open matches. Thread-safe."""

    def __init__(self) -> None:
        self.store: OpenMatchSet | None = None  # where matches are counted
        self._noted: deque[str] = deque(maxlen=MAX_NOTED)

    def include(self, match: str) -> None:
        """Count a match; where the store does not answer, it is left out."""
        if self.store is not None:
            with suppress(StoreError, errors.StoreUnavailable):
                self.store.include(match)

    def exclude(self, match: str) -> None:
        if self.store is not None:
            self._noted.append(match)

    def flush(self) -> None:
        if self._noted:
            with suppress(StoreError, errors.StoreUnavailable):
                self.read()

    def read(self) -> int:
        if self.store is None:
            return 0
        matches: list[str] = []
        with suppress(IndexError):
            while True:
                matches.append(self._noted.popleft())
        try:
            return self.store.exclude(matches)
        except BaseException:
            self._noted.extend(matches)
            raise
