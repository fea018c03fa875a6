"""The story of a match, told from its moves: what happened, under which revision, and who may know.

A revision counts the moves that everybody may know of. A move that only some may know of (a signal to the partner)
leaves it as it is, and stands behind it under a number of its own: so nobody can count what is kept from him. A cursor
is such a place, ``revision.number``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from chitarrella.affairs import TAKE_BACK, Affairs, after_act, after_move, read_act, told_of
from chitarrella.game import AnyGame, Position, play, told
from chitarrella.notation import read_actor, read_move, write_actor, write_move
from chitarrella.words import CHANCE, Event, Eyes, Move, Seat


class Cursor(NamedTuple):
    """A place in the story as one pair of eyes reads it."""

    revision: int = 0
    number: int = 0

    def __str__(self) -> str:
        """Write it as ``revision.number``."""
        return f"{self.revision}.{self.number}"


class Told(NamedTuple):
    """What one pair of eyes learns of one move."""

    cursor: Cursor
    events: tuple[Event, ...]


def read_cursor(text: str) -> Cursor:
    """Read a cursor; raises `ValueError`."""
    revision, _, number = (text or "0.0").partition(".")
    if not (revision.isdecimal() and number.isdecimal() and len(text) <= 30 and text.isascii()):
        raise ValueError(f"{text[:40]!r} is no cursor")
    return Cursor(int(revision), int(number))


def write_entry(actor: Seat, move: Move) -> str:
    """Put a move and who made it into a line of the log."""
    return f"{write_actor(actor)} {write_move(move)}"


def read_entry(game: AnyGame, line: str) -> tuple[Seat, Move]:
    """Read a line of the log."""
    who, _, what = line.partition(" ")
    return read_actor(who), read_move(game, what)


def is_draw(game: AnyGame, actor: Seat, move: Move) -> bool:
    """Tell whether a move hands in a pack or a lot that was wanted."""
    return actor == CHANCE and not game.forms[move.verb].free


def is_public(events: Iterable[Event]) -> bool:
    """Tell whether everybody may know that something happened."""
    return any(event.known_to is None for event in events)


class Decision(NamedTuple):
    """What a person decided on turn: the positions it led from and to, and how the story stood before it."""

    actor: Seat
    before: Position
    after: Position
    revision: int
    place: int


class Chronicle:
    """A match being told: remembers the position and how far it has come.

    ``standing`` are the moves that were not taken back, ``decisions`` those of them since something was last drawn.
    """

    def __init__(self, game: AnyGame, position: str) -> None:
        """Begin at the beginning: of the game, or at ``position`` where one is given."""
        self.game = game
        self.position: Position = game.read(position) if position else game.start()
        self.affairs = Affairs()
        self.number = 0
        self.revision = 0
        self.standing: list[tuple[Seat, Move]] = []
        self.decisions: list[Decision] = []

    def go_on(self, lines: Iterable[str]) -> Iterator[tuple[int, tuple[Event, ...]]]:
        """Play the next lines of the log; gives the revision after each, and what happened."""
        for line in lines:
            if act := read_act(line):
                events, self.affairs = told_of(act), after_act(self.affairs, act)
                if act.what == TAKE_BACK:
                    self._take_back()
            else:
                events = self._play(*read_entry(self.game, line))
            self.number += 1
            self.revision += is_public(events)
            yield self.revision, events

    def pass_over(self, lines: Iterable[str]) -> None:
        """Play the next lines of the log, telling nobody."""
        for _ in self.go_on(lines):
            pass

    def _play(self, actor: Seat, move: Move) -> tuple[Event, ...]:
        before, draw = self.position, is_draw(self.game, actor, move)
        self.position, events = play(self.game, before, actor, move)
        self.affairs = after_move(self.affairs, heard=is_public(events), draw=draw)
        if draw:
            self.decisions.clear()
        elif not self.game.forms[move.verb].free:
            self.decisions.append(Decision(actor, before, self.position, self.revision, len(self.standing)))
        self.standing.append((actor, move))
        return events

    def _take_back(self) -> None:
        last = self.decisions.pop()
        self.position = last.before
        del self.standing[last.place :]


class Ears:
    """One reader of a chronicle: filters what it may know, and keeps its cursor."""

    def __init__(self, eyes: Eyes, after: Cursor) -> None:
        """Listen with ``eyes``; what lies up to ``after`` was heard before."""
        self._eyes = eyes
        self._after = after
        self.cursor = Cursor()

    def hear(self, revision: int, events: Iterable[Event]) -> Told | None:
        """Take in one move; None where there is nothing new in it for these eyes."""
        heard = tuple(event for one in events if (event := told(one, self._eyes)) is not None)
        if not heard:
            return None
        fresh = revision > self.cursor.revision
        self.cursor = Cursor(revision, 0 if fresh else self.cursor.number + 1)
        return Told(self.cursor, heard) if self.cursor > self._after else None
