"""Who is at the table: whoever has a stream open, or has called, with the key of a seat not long ago."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final

from chitarrella import errors
from chitarrella.core.model import Seat
from chitarrella.matches.clock import now_ms
from chitarrella.matches.metadata import Snapshot, role_of_key
from chitarrella.storage.redis_store import MatchStore
from chitarrella.storage.rows import StoreError

PRESENT_MS: Final = 30_000  # for so long after it was seen a person counts as present
WRITE_SECONDS: Final = 10.0  # a worker writes of a seat once in this time

Key = str | Seat  # the key of a seat, or what a token of its platform says


class Presence:
    """Notes calls, and writes them later in the thread of the scheduler, so that no call waits for it."""

    def __init__(self, store: MatchStore, cached: Callable[[str], Snapshot]) -> None:
        """``cached`` returns a match, which may be out of date."""
        self._store, self._cached = store, cached
        # by match, what was called with since the last write, and before it
        self._calls, self._before = defaultdict[str, set[Key]](set), defaultdict[str, set[Key]](set)
        self._written: set[tuple[str, Key]] = set()
        self._next_round = 0.0

    def note(self, match: str, key: Key) -> None:
        """Note a call that was answered, or an open stream."""
        if (match, key) not in self._written:
            self._calls[match].add(key)

    def added(self, match: str, snapshot: Snapshot, key: Key) -> Snapshot:
        """The snapshot with what is not written yet, and with the caller, whose key is ``key``."""
        keys = {*self._calls.get(match, ()), *self._before.get(match, ())}
        if key != "" and (match, key) not in self._written:
            keys.add(key)
        seen = "".join(f" {seat}:{now_ms()}" for seat in _seats(snapshot, keys))
        return snapshot._replace(row=snapshot.row._replace(seen=snapshot.row.seen + seen)) if seen else snapshot

    def write(self) -> None:
        """Write who was noted since the last time; for some seconds nothing more is noted of a key that was written."""
        self._before, self._calls = self._calls, defaultdict(set)
        if (now := time.monotonic()) >= self._next_round:
            self._next_round, self._written = now + WRITE_SECONDS, set()
        noted = {match: tuple(keys) for match, keys in list(self._before.items())}
        due = dict[str, list[Seat]]()
        for match, keys in noted.items():
            with suppress(errors.ChitarrellaError):  # it is gone, or the store is
                if seats := _seats(self._cached(match), keys):
                    due[match] = seats
        with suppress(StoreError):  # tried again at the next call
            if due:
                self._store.note_seen(due, now_ms())
            self._written.update((match, key) for match, keys in noted.items() for key in keys)


def _seats(snapshot: Snapshot, keys: Iterable[Key]) -> list[Seat]:
    roles = (one if isinstance(one, int) else role_of_key(snapshot.metadata, snapshot.control, one) for one in keys)
    return [role for role in roles if role is not None and role >= 0]
