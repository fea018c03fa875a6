"""What the referee hands around: a match as it was read, a wish to move, and the answers."""

from __future__ import annotations

from typing import NamedTuple

from chitarrella.affairs import Affairs
from chitarrella.chronicle import Told, is_public
from chitarrella.game import AnyGame, Position
from chitarrella.header import Header
from chitarrella.store import Added, Again, Moved, Page
from chitarrella.words import Event, Move, Refusal, Seat


class Seen(NamedTuple):
    """A match as it was last read."""

    page: Page
    header: Header
    game: AnyGame
    position: Position
    affairs: Affairs


class Opened(NamedTuple):
    """A new match with its keys, shown this once: those of the seats, then the referee's."""

    match: str
    keys: tuple[tuple[Seat, str], ...]
    referee_key: str
    seen: Seen


class Played(NamedTuple):
    """The answer to a move: what it broke or what came of it, for the eyes of the mover."""

    accepted: bool
    refusals: tuple[Refusal, ...]
    revision: int
    told: tuple[Told, ...]
    seen: Seen
    repeated: bool = False


class Dealt(NamedTuple):
    """What chance has supplied: lines of the log, what happened at each, and what stands after them."""

    lines: tuple[str, ...]
    told: tuple[tuple[Event, ...], ...]
    position: Position
    affairs: Affairs

    @property
    def public(self) -> int:
        """How many of the lines everybody may know of."""
        return sum(is_public(events) for events in self.told)


class Made(NamedTuple):
    """What is added to a match: lines of the log, what happened at each, and whether it is the decision waited for."""

    lines: tuple[str, ...]
    told: tuple[tuple[Event, ...], ...]
    decided: bool = False


class Done(NamedTuple):
    """What came of an attempt to add a move."""

    answer: Added | Moved | Again
    seen: Seen
    told: tuple[tuple[Event, ...], ...]


class Wish(NamedTuple):
    """A move that somebody wants to make."""

    actor: Seat
    move: Move
    expected: int | None = None
    request: str = ""
