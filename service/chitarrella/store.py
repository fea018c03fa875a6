"""The store, as the referee sees it: matches made of pages, kept where every worker can reach them.

A match has a header that never changes, a log of moves, and its last page: the position after the last move. A page is
added only behind the very page that its writer had read; so of several writers exactly one wins, and the others are
told what the table looks like now. The events of a match are not kept: its moves say them all again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple, Protocol

ENTRY = re.compile(r"[0-9]{10}\.[0-9a-f]{20}")


class Page(NamedTuple):
    """The last page of a match.

    ``number`` counts the moves in the log, ``revision`` those of them that everybody may know of. ``tag`` stands for
    the whole log up to here: two matches that differ in any move differ in it. ``affairs`` is what the service itself
    has to remember.
    """

    header: str
    number: int
    tag: str
    position: str
    revision: int
    ended: bool = False
    affairs: str = ""


class Lines(NamedTuple):
    """What is to be added: moves as lines of the log, and the position, revision and affairs they lead to."""

    moves: tuple[str, ...]
    position: str
    revision: int
    affairs: str = ""


@dataclass(frozen=True)
class Added:
    """The lines were added; this is the last page now."""

    page: Page


@dataclass(frozen=True)
class Moved:
    """Somebody else was faster; nothing was added, and this is the last page now."""

    page: Page


@dataclass(frozen=True)
class Again:
    """The request was carried out before, as move ``number`` of the log (counted from 0); nothing was added."""

    number: int


class NoSuchMatch(LookupError):
    """There is no such match, or not any more."""


class StoreAway(Exception):
    """The store did not answer."""


class Store(Protocol):
    """Where matches are kept. Every method may raise `StoreAway`."""

    def secret(self) -> bytes:
        """Give the secret that all workers on this store share; made at the first call, 32 bytes."""

    def create(self, match: str, page: Page, moves: tuple[str, ...], expires: int) -> bool:
        """Put down a new match with its first moves; False, and nothing changed, where there is one of that name."""

    def last(self, match: str, request: str = "") -> tuple[Page, int | None]:
        """Read the last page, and the number of the move that ``request`` made, if it made one.

        Raises `NoSuchMatch`.
        """

    def append(self, match: str, after: Page, lines: Lines, request: str, expires: int) -> Added | Moved | Again:
        """Add ``lines`` right behind ``after`` and renew the expiry; raises `NoSuchMatch`."""

    def moves(self, match: str, start: int = 0) -> list[str]:
        """Read the log from move ``start`` on; empty where there is no such match."""

    def enlist(self, platform: str, match: str, opened_at: int) -> None:
        """Put a match, opened so many seconds after 1970, on the list of a platform; again it changes nothing."""

    def listed(self, platform: str, after: str, count: int) -> list[str]:
        """Read so many entries of the list of a platform, the latest first, behind the entry ``after``."""

    def strike(self, platform: str, entries: Iterable[str]) -> None:
        """Take entries off the list of a platform."""

    def remind(self, match: str, when: int | None) -> None:
        """Note down when a ruling on time falls due, in milliseconds since 1970; None for never."""

    def due(self, now: int, lease: int, count: int) -> list[str]:
        """Claim so many matches whose ruling is due; nobody else is given them for ``lease`` milliseconds."""

    def delete(self, match: str) -> None:
        """Forget a match at once; where there is none any more nothing happens, for it may have been said before."""

    def end(self, match: str) -> None:
        """Mark the match as ended before its time; raises `NoSuchMatch`."""

    def listen(self, on_news: Callable[[str], None]) -> Listener:
        """Open the line over which every change of a followed match is told, in a thread of its own.

        ``on_news`` is also called when a match begins to be heard of, first or after the line was down: whatever was
        missed lies before that.
        """

    def ping(self) -> None:
        """Ask for a sign of life."""

    def close(self) -> None:
        """Let go of every connection."""


class Listener(Protocol):
    """One line to the store for all the matches that a worker follows."""

    def follow(self, match: str) -> None:
        """Hear of ``match`` from now on; does not wait for the store."""

    def leave(self, match: str) -> None:
        """Hear of it no more; does not wait for the store."""

    def close(self) -> None:
        """Hang up."""


def entry_of(match: str, opened_at: int) -> str:
    """Write the entry of a match in the list of its platform; entries stand in the order of their time."""
    return f"{opened_at:010d}.{match}"


def is_entry(text: str) -> bool:
    """Tell whether something is such an entry."""
    return ENTRY.fullmatch(text) is not None


def chained(tag: str, moves: tuple[str, ...]) -> str:
    """Give the tag of a log that goes on with ``moves``."""
    for move in moves:
        tag = sha256(f"{tag} {move}".encode()).hexdigest()[:16]
    return tag
