"""The store ports: what kept matches need of a database, split by concern.

A match in the store is a row and a log. The row holds the metadata, which never changes, and the position after the
last log entry. Entries are appended only behind the row that their writer has read (compare-and-set on the digest of
the log): of several concurrent writers exactly one succeeds, and the others get the row as it is now. Events are not
stored; replaying the log yields them again.

Every method may raise `StoreError`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple, Protocol

EARLIER_LENGTH = 8 * 17
"""Maximum length of `earlier`: eight digests of 16 characters, each preceded by a space."""
INDEX_ENTRY = re.compile(r"[0-9]{10}\.[0-9a-f]{20}")
"""An entry of a list: the time of creation in seconds, and the id of the match."""

ANONYMOUS = "@anonymous"
"""Under this name matches without a platform are listed. No API key has it: it is no name of a platform."""


class MatchRow(NamedTuple):
    """The stored state of a match after the last entry of its log.

    ``metadata`` and ``control`` are JSON, ``position`` a line of position notation. ``length`` counts the entries of
    the log, ``revision`` those among them that everybody may know of. ``log_digest`` is a hash chain over the metadata
    and all entries: two matches that differ in any entry differ in it. ``aborted`` is set where the match was ended
    before it was decided. ``earlier`` holds the digests before the last appends, the latest at its end: by them a
    reader that has seen one of those rows knows that this one follows it.
    """

    metadata: str
    length: int
    log_digest: str
    position: str
    revision: int
    aborted: bool = False
    control: str = ""
    earlier: str = ""

    def extended(self, new: NewEntries) -> MatchRow:
        """The row after ``new`` is appended behind this one, which was not aborted."""
        length, digest = self.length + len(new.entries), chain_digest(self.log_digest, new.entries)
        earlier = f"{self.earlier} {self.log_digest}"[-EARLIER_LENGTH:]
        return MatchRow(self.metadata, length, digest, new.position, new.revision, False, new.control, earlier)


class NewEntries(NamedTuple):
    """What one append adds: log entries, and the position, revision and control state after the last of them."""

    entries: tuple[str, ...]
    position: str
    revision: int
    control: str = ""


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
    """An earlier call with the same token was carried out; nothing was appended now.

    ``position`` is its place in the log, from 0. A store that sends a call again by itself, where the reply was lost,
    reports what the call did as `Appended`.
    """

    position: int


class Announcement(NamedTuple):
    """A change of a match of a platform: log entries from ``start`` on; `outbox.ABORTED` for an abort.

    Without a ``match``, the subscription to the platform is in force.
    """

    platform: str
    match: str = ""
    start: int = 0


class NoSuchMatch(LookupError):
    """The match does not exist, or has expired."""


class StoreError(Exception):
    """The store did not answer, or answered with an error; its text says how.

    Adapters know this port and not the answers to callers: `translate_store_errors` turns it into
    `chitarrella.errors.StoreUnavailable`, whose text is fixed.
    """


class MatchStore(Protocol):
    """Rows and logs of matches."""

    def create(self, match: str, row: MatchRow, entries: tuple[str, ...], ttl_seconds: int, platform: str = "") -> bool:
        """Store a new match with its first log entries. False, and no change, where the id is taken.

        This, `append` and `abort` announce the change to the ``platform`` of the match, if there is one.
        """

    def load(self, match: str, token: str = "") -> tuple[MatchRow, int | None]:
        """Read the row, and the place in the log of what the request ``token`` added, None where it added nothing.

        Raises `NoSuchMatch`.
        """

    def load_many(self, matches: Sequence[str]) -> list[MatchRow | None]:
        """Read the rows of several matches in one round trip, None for a match that does not exist."""

    def append(
        self, match: str, after: MatchRow, new: NewEntries, token: str, ttl_seconds: int, platform: str = ""
    ) -> Appended | Conflict | Duplicate:
        """Append entries right behind the row ``after`` and renew the time to live, in one atomic step.

        ``token`` names the request; a token that is in the log already appends nothing. Raises `NoSuchMatch`. After a
        `StoreError` the entries may have been appended or not.
        """

    def read_log(self, match: str, start: int = 0) -> list[str]:
        """Read the log from entry ``start`` on; empty where there is no such match."""

    def abort(self, match: str, platform: str = "") -> None:
        """Mark a match as ended before it was decided. Raises `NoSuchMatch`."""

    def delete(self, match: str) -> None:
        """Delete a match. Idempotent."""


class Schedule(Protocol):
    """When something is due at a match: a bot to move, or a clock that runs out. Times are milliseconds since 1970."""

    def set(self, match: str, when: int | None) -> None:
        """Set when the match is due next; None removes it."""

    def claim(self, now: int, lease: int, count: int) -> list[str]:
        """Claim at most ``count`` matches that are due; no other worker gets them for ``lease`` milliseconds."""


class SearchClaim(NamedTuple):
    """A search that was claimed, with what waits behind it.

    ``match`` is empty if none was claimed. ``owners`` are those that wait, or some of very many. ``waiting`` counts the
    searches that wait now, and ``oldest`` is when the first of them was queued, in milliseconds since 1970, or 0.
    """

    match: str = ""
    owners: tuple[str, ...] = ()
    waiting: int = 0
    oldest: int = 0


class SearchQueue(Protocol):
    """The searches of bots that wait for a thread of any worker, by owner."""

    def put(self, match: str, owner: str, now: int) -> None:
        """Queue the search for a match behind the others of its owner. Idempotent while it waits."""

    def claim(self, owner: str = "") -> SearchClaim:
        """Take the first search of an owner out of the queue; without an owner, only report who waits."""


class PlatformIndex(Protocol):
    """The matches of each platform, the latest first: a list of all, and one for each term that some of them have.

    A term stands in the index only as a digest, without spaces.
    """

    @property
    def expiries(self) -> Schedule:
        """When the matches in lists may have expired, under the name of their list and their entry in it."""

    def add(self, platform: str, match: str, created_at: int, terms: Sequence[str] = ()) -> None:
        """Add a match that was created at ``created_at``, seconds since 1970, also to the lists of ``terms``.

        Idempotent.
        """

    def page(self, platform: str, after: str, count: int, term: str = "") -> list[str]:
        """Read ``count`` entries behind the entry ``after``, or from the latest on where it is empty.

        They are those of the list of ``term``, or of all matches where it is empty.
        """

    def remove(self, platform: str, entries: Iterable[str]) -> None:
        """Remove entries from all lists of the platform. Idempotent."""


class Subscription(Protocol):
    """One connection over which a worker receives changes of the matches, or platforms, it is subscribed to."""

    def subscribe(self, name: str) -> None:
        """Report the changes of a match or platform from now on. The first report is that the subscription exists.

        Does not wait for the store.
        """

    def unsubscribe(self, name: str) -> None:
        """Report no more changes of the match or platform. Does not wait for the store."""

    def close(self) -> None:
        """Close the connection."""


class Subscriptions(Protocol):
    """Notification of changes."""

    def open(self, on_change: Callable[[str], None]) -> Subscription:
        """Open a connection; ``on_change`` is called with the match id, in a thread of the connection.

        It is also called when a subscription begins, or begins again after a loss: what was missed lies before that.
        """

    def open_platforms(self, on_change: Callable[[Announcement], None], on_loss: Callable[[], None]) -> Subscription:
        """Open a connection for platforms; ``on_change`` is called in its thread, also when a subscription begins.

        ``on_loss`` is called when the connection is lost: announcements may be missing from then until every
        subscription has begun again.
        """


class Store(Protocol):
    """Everything that a worker needs of one database."""

    @property
    def matches(self) -> MatchStore:
        """Rows and logs of matches."""

    @property
    def schedule(self) -> Schedule:
        """When something is due."""

    @property
    def searches(self) -> SearchQueue:
        """Searches of bots that wait."""

    @property
    def index(self) -> PlatformIndex:
        """The matches of each platform."""

    @property
    def subscriptions(self) -> Subscriptions:
        """Notification of changes."""

    def secret(self) -> bytes:
        """The secret that all workers on this store share, 32 bytes; made at the first call."""

    def probe(self) -> None:
        """Check that the store answers, and takes what a match writes."""

    def close(self) -> None:
        """Close every connection."""


def index_entry(match: str, created_at: int) -> str:
    """The entry of a match in its platform's index; entries sort by the time of creation, in seconds since 1970."""
    return f"{created_at:010d}.{match}"


def is_index_entry(text: str) -> bool:
    """Whether ``text`` has the form of an index entry."""
    return INDEX_ENTRY.fullmatch(text) is not None


def chain_digest(digest: str, entries: tuple[str, ...]) -> str:
    """The digest of a log with the digest ``digest`` after ``entries`` are appended: 16 hexadecimal digits."""
    for entry in entries:
        digest = sha256(f"{digest} {entry}".encode()).hexdigest()[:16]
    return digest
