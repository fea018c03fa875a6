"""The matches in the memory of one process, each until it expires: what the stores of matches and of copies share."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import NamedTuple

from chitarrella.matches.store import Appended, Conflict, Duplicate, MatchRow, NewEntries, NoSuchMatch

AppendResult = Appended | Conflict | Duplicate
"""What comes of new entries of a match."""


class StoredMatch(NamedTuple):
    """A match with the token of the request that added each entry, empty for those that followed from it."""

    row: MatchRow
    log: tuple[str, ...]
    tokens: tuple[str, ...]
    expires_at: float

    def position_of(self, token: str) -> int | None:
        """The place in the log of what a request added."""
        return self.tokens.index(token) if token and token in self.tokens else None

    def extended(self, after: MatchRow, new: NewEntries, token: str, expires_at: float) -> StoredMatch:
        """The match with new entries behind the row ``after``."""
        tokens = (token, *[""] * len(new.entries))[: len(new.entries)]
        return StoredMatch(after.extended(new), self.log + new.entries, self.tokens + tokens, expires_at)


class UnexpiredMatches(dict[str, StoredMatch]):
    """Matches by their ids. A caller that changes a match holds ``lock`` from its read to its write."""

    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.RLock()

    def find(self, match: str) -> StoredMatch | None:
        """A match, None where there is none; one that has expired is deleted now."""
        with self.lock:
            if match in self and time.monotonic() >= self[match].expires_at:
                del self[match]
            return self.get(match)

    def existing(self, match: str) -> StoredMatch:
        """A match; raises `NoSuchMatch`."""
        if (stored := self.find(match)) is None:
            raise NoSuchMatch(match)
        return stored

    def add(self, match: str, stored: StoredMatch) -> bool:
        """Add a match; False, and no change, where the id is taken."""
        with self.lock:
            return self.find(match) is None and self.setdefault(match, stored) is stored

    def append(self, match: str, after: MatchRow, new: NewEntries, token: str, expires_at: float) -> AppendResult:
        """Append entries behind a row. Raises `NoSuchMatch`."""
        with self.lock:
            stored = self.existing(match)
            if (position := stored.position_of(token)) is not None:
                return Duplicate(position)
            if stored.row.log_digest != after.log_digest or stored.row.aborted:
                return Conflict(stored.row)
            self[match] = stored = stored.extended(after, new, token, expires_at)
            return Appended(stored.row)

    def abort(self, match: str) -> bool:
        """Mark a match as aborted; False where it was. Raises `NoSuchMatch`."""
        with self.lock:
            stored = self.existing(match)
            self[match] = stored._replace(row=stored.row._replace(aborted=True))
            return not stored.row.aborted

    def set_expiry(self, match: str, choose: Callable[[float, float], float], expires_at: float) -> bool:
        """Set when a match expires: ``choose`` takes one of the two times. False where there is no such match."""
        with self.lock:
            if stored := self.find(match):
                self[match] = stored._replace(expires_at=choose(stored.expires_at, expires_at))
            return stored is not None
