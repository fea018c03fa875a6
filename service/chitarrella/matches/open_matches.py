"""Open matches: the caps on those of a platform or an address, and on those with bots; and the number of all.

A match is open until it is finished, aborted or deleted, or has expired. Where there is a cap, the store counts it
under a digest of its owner, with the time at which it will have expired if nobody moves. Moves do not change that time:
when it has passed, the next match of the owner finds out whether the old one is still there.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from chitarrella import errors
from chitarrella.matches.clock import now_ms, ttl_seconds
from chitarrella.matches.metadata import MatchMetadata, Snapshot
from chitarrella.matches.model import MatchLimits
from chitarrella.storage.counters import OpenMatchStore
from chitarrella.storage.redis_store import MatchStore
from chitarrella.storage.rows import StoreError

DIGEST_LENGTH: Final = 32  # hexadecimal digits of the digest under which the store knows an owner
MAX_ROUNDS: Final = 10  # how often one call looks for expired matches before it is refused
MAX_NOTED: Final = 100_000  # how many matches that are not open any more are noted between two readings
# What is capped: the beginnings of the names of quotas, and why a match beyond one is refused
ALL, WITH_BOTS = "open_matches", "bot_matches"
TOO_MANY: Final = {
    ALL: "There are as many open matches as the service allows; finish, abort or delete some.",
    WITH_BOTS: "There are as many open matches with bots as the service allows; finish, abort or delete some.",
}
LOG = logging.getLogger("chitarrella")

Derive = Callable[[str, str], str]  # hexadecimal digits that follow from a name, a purpose and the secret of the store


class OpenMatches:
    """Counts open matches. Thread-safe; all state is in the store."""

    def __init__(self, store: OpenMatchStore | None, matches: MatchStore, derive: Derive, limits: MatchLimits) -> None:
        """Count in ``store``; without one nothing is counted, and there are no caps."""
        self._store, self._matches, self._derive, self._limits = store, matches, derive, limits
        self._noted: deque[str] = deque(maxlen=MAX_NOTED)

    def add(self, match: str, snapshot: Snapshot) -> None:
        """Count a new match where there is a cap. Raises `errors.QuotaExceeded`, `storage.rows.StoreError`."""
        try:
            self._add(ALL, match, snapshot)
            if snapshot.control.bots:
                self._add(WITH_BOTS, match, snapshot)
        except errors.QuotaExceeded:
            if self._matches.load_many([match]) == [None]:  # else a repeated call, which gets its match
                self._remove(ALL, match, snapshot.metadata)
                raise

    def add_bots(self, match: str, snapshot: Snapshot) -> None:
        self._add(WITH_BOTS, match, snapshot)

    def remove_bots(self, match: str, metadata: MatchMetadata) -> None:
        self._remove(WITH_BOTS, match, metadata)

    def close(self, match: str, metadata: MatchMetadata) -> None:
        self._remove(ALL, match, metadata)
        self._remove(WITH_BOTS, match, metadata)
        self.note_closed(match)

    def _quota(self, kind: str, metadata: MatchMetadata) -> tuple[str, int]:
        """The name of the quota of a match, and its limit, 0 for none: both have the name of a field of the limits."""
        name = f"{kind}_per_{'platform' if metadata.platform else 'address'}"
        return name, getattr(self._limits, name)

    def _owner(self, kind: str, metadata: MatchMetadata) -> str:
        return self._derive(metadata.owner, kind.replace("_", " "))[:DIGEST_LENGTH]

    def _add(self, kind: str, match: str, snapshot: Snapshot) -> None:
        quota, limit = self._quota(kind, snapshot.metadata)
        if self._store is None or not limit:
            return
        owner, expires_at = self._owner(kind, snapshot.metadata), now_ms() + ttl_seconds(snapshot) * 1000
        for _ in range(MAX_ROUNDS):
            admission = self._store.add(owner, match, expires_at, limit, now_ms())
            has_room = self._forget_expired(self._store, owner, admission.due, snapshot.metadata.ttl_seconds)
            if admission.is_counted:
                return
            if not has_room:
                break
        raise errors.QuotaExceeded("quota_exceeded", TOO_MANY[kind], quota=quota, limit=str(limit))

    def _remove(self, kind: str, match: str, metadata: MatchMetadata) -> None:
        """Where the store does not answer, the match counts until it would have expired."""
        if self._store is None or not self._quota(kind, metadata)[1]:
            return
        try:
            self._store.remove(self._owner(kind, metadata), (match,))
        except (StoreError, errors.StoreUnavailable):
            LOG.warning("a match that is not open any more still counts")

    def _forget_expired(self, store: OpenMatchStore, owner: str, due: tuple[str, ...], ttl_seconds: int) -> bool:
        """Forget those of ``due`` that have expired, and look at the others later; returns whether any has."""
        if not due:
            return False
        rows = self._matches.load_many(due)
        gone = [match for match, row in zip(due, rows, strict=True) if row is None]
        if kept := [match for match in due if match not in gone]:
            store.postpone(owner, kept, now_ms() + ttl_seconds * 1000)
        if gone:
            store.remove(owner, gone)
        return bool(gone)

    def include(self, pipeline: Any, match: str) -> None:
        if self._store is not None:
            self._store.include(pipeline, match)

    def note_closed(self, match: str) -> None:
        """Note that a match of any owner is not open any more, for the next reading of their number."""
        if self._store is not None:
            self._noted.append(match)

    def count(self) -> int:
        """The number of open matches. Raises `StoreError`."""
        if self._store is None:
            return 0
        matches: list[str] = []
        with suppress(IndexError):
            while True:
                matches.append(self._noted.popleft())
        try:
            return self._store.exclude(matches)
        except BaseException:
            self._noted.extend(matches)
            raise

    def flush(self) -> None:
        """Send what is noted, where the store answers."""
        if self._noted:
            with suppress(StoreError, errors.StoreUnavailable):
                self.count()
