"""The history of a match, replayed from its log: what happened, at which revision, and who may know.

A revision counts the log entries that everybody may know of. An entry that only some may know of (a signal to the
partner) leaves the revision as it is and is numbered behind it, so that nobody can count what is hidden from them. A
cursor is such a place: ``revision.number``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from chitarrella.core.game import AnyGame, Position, play, visible_to
from chitarrella.core.model import CHANCE, EVERYBODY, Event, Move, Seat, Viewer
from chitarrella.core.notation import format_actor, format_move, parse_actor, parse_move
from chitarrella.matches.control import (
    LOSS_EVENT,
    TAKE_BACK,
    ControlState,
    after_move,
    apply_action,
    events_of,
    parse_action,
)


class Cursor(NamedTuple):
    """A place in the history as one viewer reads it."""

    revision: int = 0
    number: int = 0

    def __str__(self) -> str:
        """Format it as ``revision.number``."""
        return f"{self.revision}.{self.number}"


class Update(NamedTuple):
    """The events of one log entry that one viewer may see."""

    cursor: Cursor
    events: tuple[Event, ...]


def parse_cursor(text: str) -> Cursor:
    """Parse a cursor; empty is the beginning. Raises `ValueError`."""
    revision, _, number = (text or "0.0").partition(".")
    if not (revision.isdecimal() and number.isdecimal() and len(text) <= 30 and text.isascii()):
        raise ValueError(f"{text[:40]!r} is no cursor")
    return Cursor(int(revision), int(number))


def format_entry(actor: Seat, move: Move) -> str:
    """Format a move and its actor as a log entry."""
    return f"{format_actor(actor)} {format_move(move)}"


def parse_entry(game: AnyGame, entry: str) -> tuple[Seat, Move]:
    """Parse a log entry that is a move."""
    actor, _, move = entry.partition(" ")
    return parse_actor(actor), parse_move(game, move)


def is_chance_move(game: AnyGame, actor: Seat, move: Move) -> bool:
    """Whether a move supplies a pack or a lot that the game waited for."""
    return actor == CHANCE and not game.move_specs[move.verb].out_of_turn


def is_public(events: Iterable[Event]) -> bool:
    """Whether everybody may know that something happened."""
    return any(event.known_to is EVERYBODY for event in events)


def revision_after(revision: int, events: Iterable[Event]) -> int:
    """The revision after a log entry with these events, which follows ``revision``."""
    for event in events:
        if event.kind == LOSS_EVENT:
            return event.amount or 0
    return revision + is_public(events)


class Decision(NamedTuple):
    """A decision of the seat on turn: the positions before and after, the revision and the number of moves before."""

    actor: Seat
    before: Position
    after: Position
    revision: int
    move_count: int


class MatchHistory:
    """A match being replayed from its log.

    ``length`` and ``revision`` say how far it has come. ``effective_moves`` are the moves that were not taken back,
    ``decisions`` those among them since the last shuffle.
    """

    def __init__(self, game: AnyGame, position: str) -> None:
        """Start at the line ``position``, or at the start of the game where it is empty."""
        self.game = game
        self.position: Position = game.decode(position) if position else game.start()
        self.control = ControlState()
        self.length = 0
        self.revision = 0
        self.effective_moves: list[tuple[Seat, Move]] = []
        self.decisions: list[Decision] = []

    def replay(self, entries: Iterable[str]) -> Iterator[tuple[int, tuple[Event, ...]]]:
        """Replay the next entries; yields, for each, the revision after it and its events."""
        for entry in entries:
            if action := parse_action(entry):
                events, self.control = events_of(action), apply_action(self.control, action)
                if action.kind == TAKE_BACK:
                    self._undo()
            else:
                events = self._play(*parse_entry(self.game, entry))
            self.length += 1
            self.revision = revision_after(self.revision, events)
            yield self.revision, events

    def skip(self, entries: Iterable[str]) -> None:
        """Replay the next entries without their events."""
        for _ in self.replay(entries):
            pass

    def _play(self, actor: Seat, move: Move) -> tuple[Event, ...]:
        before, is_chance = self.position, is_chance_move(self.game, actor, move)
        self.position, events = play(self.game, before, actor, move)
        self.control = after_move(self.control, is_public=is_public(events), is_chance=is_chance)
        if is_chance:
            self.decisions.clear()
        elif not self.game.move_specs[move.verb].out_of_turn:
            self.decisions.append(Decision(actor, before, self.position, self.revision, len(self.effective_moves)))
        self.effective_moves.append((actor, move))
        return events

    def _undo(self) -> None:
        last = self.decisions.pop()
        self.position = last.before
        del self.effective_moves[last.move_count :]


class ViewerFeed:
    """Filters a history for one viewer, and numbers what is left."""

    def __init__(self, viewer: Viewer, after: Cursor) -> None:
        """Filter for ``viewer``; what lies up to ``after`` is left out."""
        self._viewer = viewer
        self._after = after
        self.cursor = Cursor()

    def next_update(self, revision: int, events: Iterable[Event]) -> Update | None:
        """The update for the next log entry; None where it holds nothing new for this viewer."""
        visible = tuple(event for one in events if (event := visible_to(one, self._viewer)) is not None)
        if not visible:
            return None
        is_new_revision = revision > self.cursor.revision
        self.cursor = Cursor(revision, 0 if is_new_revision else self.cursor.number + 1)
        return Update(self.cursor, visible) if self.cursor > self._after else None
