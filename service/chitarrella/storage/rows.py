"""Matches as the store keeps them, and its errors.

A match in the store is a row and a log. The row holds the metadata, which never changes, and the position after the
last log entry. Entries are appended only behind the row that their writer has read (compare-and-set on the digest of
the log): of several concurrent writers exactly one succeeds, and the others get the row as it is now. Events are not
stored; replaying the log yields them again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

ABORTED = -1  # in place of the number of a log entry: the match was aborted
EXPIRED = -3  # in place of the number of a log entry: the match has expired
EARLIER_LENGTH = 8 * 17  # maximum length of `earlier`: eight digests of 16 characters, each preceded by a space
INDEX_ENTRY = re.compile(r"[0-9]{10}\.[0-9a-f]{20}")  # the time of creation in seconds, and the match

ANONYMOUS = "@anonymous"  # lists matches without a platform; it is no name of a platform


class MatchRow(NamedTuple):
    """The stored state of a match after the last entry of its log.

    ``metadata`` and ``control`` are JSON, ``position`` a line of position notation. ``length`` counts the entries of
    the log, ``revision`` those among them that everybody may know of. ``log_digest`` is a hash chain over the metadata
    and all entries: two matches that differ in any entry differ in it. ``aborted`` is set where the match was ended
    before it was decided. ``earlier`` holds the digests before the last appends, the latest at its end: by them a
    reader that has seen one of those rows knows that this one follows it. ``updated_at`` is when it last changed for
    everybody, in milliseconds since 1970, or 0 where an older release has written it. ``details`` is JSON that replaces
    parts of the metadata, empty while nothing was changed, and ``reason`` is why the match was aborted. ``turn_since``
    is when the last decision, shuffle or takeback was, in milliseconds since 1970. ``seen`` is when persons were last
    at the table, for `seen_times`; no log entry belongs to it, and a cached row may lack the last.
    """

    metadata: str
    length: int
    log_digest: str
    position: str
    revision: int
    aborted: bool = False
    control: str = ""
    earlier: str = ""
    updated_at: int = 0
    details: str = ""
    reason: str = ""
    turn_since: int = 0
    seen: str = ""

    def extended(self, new: NewEntries) -> MatchRow:
        length, digest = self.length + len(new.entries), chain_digest(self.log_digest, new.entries)
        earlier = f"{self.earlier} {self.log_digest}"[-EARLIER_LENGTH:]
        fixed = self.metadata, length, digest, new.position, new.revision
        return MatchRow(
            *fixed,
            control=new.control,
            earlier=earlier,
            updated_at=new.at if new.revision > self.revision else self.updated_at,
            details=self.details,
            turn_since=new.at if new.is_turn else self.turn_since,
            seen=self.seen,
        )

    def seen_times(self) -> dict[int, int]:
        """When each person was last at the table, by seat, in milliseconds since 1970."""
        return {int(seat): int(at) for seat, _, at in (one.partition(":") for one in self.seen.split())}


class NewEntries(NamedTuple):
    """What one append adds: log entries, and the position, revision and control state after the last of them.

    ``at`` is when it was made, in milliseconds since 1970, and ``is_turn`` says that a turn begins behind it.
    """

    entries: tuple[str, ...]
    position: str
    revision: int
    control: str = ""
    at: int = 0
    is_turn: bool = False


@dataclass(frozen=True)
class Appended:
    """The entries were appended; ``row`` is the row now."""

    row: MatchRow


@dataclass(frozen=True)
class Conflict:
    """Another writer was faster: nothing was appended. ``row`` is the row now."""

    row: MatchRow


@dataclass(frozen=True)
class Duplicate:
    """An earlier call with the same token was carried out, at ``position`` in the log; nothing was appended now. A call
    that is sent again by the store itself is `Appended`.
    """

    position: int


class Announcement(NamedTuple):
    """Log entries of a match from ``start`` on, or `ABORTED`; without a match, the subscription is in force."""

    platform: str
    match: str = ""
    start: int = 0


class NoSuchMatch(LookupError):
    """The match does not exist, or has expired."""


class StoreError(Exception):
    """The store did not answer, or answered with an error; its text says how."""


class SearchClaim(NamedTuple):
    """A search that was claimed, with what waits behind it.

    ``match`` is empty if none was claimed. ``owners`` are those that wait, or some of very many. ``waiting`` counts the
    searches that wait now, and ``oldest`` is when the first of them was queued, in milliseconds since 1970, or 0.
    """

    match: str = ""
    owners: tuple[str, ...] = ()
    waiting: int = 0
    oldest: int = 0


TIME_MARK = " ;"  # between a log entry and its time


def timed(entries: Iterable[str], at: int) -> tuple[str, ...]:
    """The entries with their time, in milliseconds since 1970."""
    return tuple([f"{entry}{TIME_MARK}{at}" for entry in entries])


def untimed(entry: str) -> tuple[str, int]:
    """The entry without its time, and the time; 0 where an older release has written none."""
    text, mark, at = entry.rpartition(TIME_MARK)
    return (text, int(at)) if mark else (entry, 0)


def index_entry(match: str, created_at: int) -> str:
    return f"{created_at:010d}.{match}"


def is_index_entry(text: str) -> bool:
    return INDEX_ENTRY.fullmatch(text) is not None


def chain_digest(digest: str, entries: tuple[str, ...]) -> str:
    """The digest of a log with the digest ``digest`` after ``entries`` are appended: 16 hexadecimal digits."""
    for entry in entries:
        digest = sha256(f"{digest} {entry}".encode()).hexdigest()[:16]
    return digest


class Backlog(NamedTuple):
    """How many entries of a queue wait, and since when the oldest does, in milliseconds since 1970; 0 for none."""

    waiting: int = 0
    oldest: int = 0

    def seconds(self, now: int) -> float:
        return max(0.0, (now - self.oldest) / 1000) if self.oldest else 0.0


class MatchCopy(NamedTuple):
    """Everything that a store keeps of one match.

    ``row`` has every field of the row, also those that this release does not know. ``tokens`` are the request tokens
    beside the log entries. ``ttl_ms`` is the remaining time to live, -1 for ever. ``due`` is when the match is due next
    by the schedule, in milliseconds since 1970, ``archive_due`` when its record is to be archived. ``terms`` are those
    of the match in the index of its platform.
    """

    match: str
    row: Mapping[str, str]
    log: Sequence[str]
    tokens: Sequence[str]
    ttl_ms: int
    due: int | None = None
    archive_due: int | None = None
    terms: Sequence[str] = ()
