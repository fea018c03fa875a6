"""Perft for card games: exact counts of all ways in which a deal can go, as chess engines count positions.

A decision is an accepted move in turn, at a penalty or not; moves out of turn, such as signals, are left out. Copies of
a card are one decision. A case (`chitarrella.perft.case`) says what is counted; text files
(`chitarrella.perft.files`) hold cases with their counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from typing import NamedTuple

from chitarrella.core.cards import Card
from chitarrella.core.game import AnyGame, Position, is_accepted, validate_move
from chitarrella.core.model import CHANCE, Event, Move, Seat, Shares
from chitarrella.core.notation import format_move

ENDLESS = 10_000
"""A depth greater than the length of any deal."""


class Level(NamedTuple):
    """The counts at one depth.

    ``nodes`` counts the positions, ``leaves`` those in which the deal is over. Of the others, if they were expanded,
    ``forced`` counts those with a single decision, and ``refused`` the candidate moves that are refused, by the first
    clause that they break and the reason code, with a slash between them.
    """

    nodes: int
    leaves: int
    forced: int
    refused: tuple[tuple[str, int], ...]


class Reach(NamedTuple):
    """The limits of a count: the depth in decisions, and the verbs whose moves are not made."""

    depth: int = ENDLESS
    without: tuple[str, ...] = ()


class Report(NamedTuple):
    """The counts level by level; and of all leaves how many seat 0 won, drew and lost, and how often each result came.

    A result is the points of every seat, in the main count of the game.
    """

    levels: tuple[Level, ...]
    won: int
    drawn: int
    lost: int
    results: tuple[tuple[tuple[int, ...], int], ...]

    @property
    def leaves(self) -> int:
        """The number of ways in which the deal ends within the depth."""
        return sum(level.leaves for level in self.levels)

    @property
    def forced(self) -> int:
        """The number of positions with a single decision."""
        return sum(level.forced for level in self.levels)

    @property
    def refused(self) -> int:
        """The number of refusals."""
        return sum(count for level in self.levels for _, count in level.refused)

    @property
    def digest(self) -> str:
        """The first 16 hexadecimal digits of a SHA-256 of all results with their numbers."""
        lines = [f"{','.join(map(str, points))}={count}\n" for points, count in self.results]
        return sha256("".join(lines).encode()).hexdigest()[:16]


class _Counts:
    """Mutable counts."""

    def __init__(self) -> None:
        self.nodes: Counter[int] = Counter()
        self.leaves: Counter[int] = Counter()
        self.forced: Counter[int] = Counter()
        self.refused: dict[int, Counter[str]] = {}
        self.results: Counter[tuple[int, ...]] = Counter()
        self.ends: Counter[str] = Counter()

    def add(self, part: _Counts) -> None:
        """Add the counts of a subtree."""
        self.nodes.update(part.nodes)
        self.leaves.update(part.leaves)
        self.forced.update(part.forced)
        self.results.update(part.results)
        self.ends.update(part.ends)
        for depth, broken in part.refused.items():
            self.refused.setdefault(depth, Counter()).update(broken)

    def report(self) -> Report:
        """Return the counts as a report."""
        levels = tuple(
            Level(
                self.nodes[depth],
                self.leaves[depth],
                self.forced[depth],
                tuple(sorted(self.refused.get(depth, Counter()).items())),
            )
            for depth in range(max(self.nodes) + 1)
        )
        ends = self.ends
        return Report(levels, ends["won"], ends["drawn"], ends["lost"], tuple(sorted(self.results.items())))


def perft(game: AnyGame, position: Position, depth: int | None = None, without: tuple[str, ...] = ()) -> Report:
    """Count the tree below ``position``, to the end of the deal or to ``depth`` decisions.

    Moves of the verbs ``without`` are not made.
    """
    return divide(game, position, depth, without)[0]


def divide(
    game: AnyGame, position: Position, depth: int | None = None, without: tuple[str, ...] = ()
) -> tuple[Report, tuple[tuple[str, Report], ...]]:
    """Count like `perft`; also return the report of each first decision, in canonical order."""
    reach = Reach(ENDLESS if depth is None else depth, without)
    whole = _Counts()
    parts: list[tuple[Move, Report]] = []
    for move, after, events in _expand(game, position, 0, reach, whole, []):
        part = _Counts()
        _count(game, after, 1, reach, part, events)
        whole.add(part)
        parts.append((move, part.report()))
    parts.sort(key=lambda pair: _sort_key(pair[0], game.pack.places))
    return whole.report(), tuple((format_move(move), report) for move, report in parts)


def is_deal_running(game: AnyGame, p: Position) -> bool:
    """Return whether a seat is on turn: not between deals, nor after the match."""
    return game.turn(p) not in (CHANCE, None)


def decisions(game: AnyGame, p: Position, without: tuple[str, ...] = ()) -> tuple[list[tuple[Seat, Move]], list[str]]:
    """Return the decisions of the seat on turn, and for each refused candidate the clause that it breaks first."""
    actor = game.controller(game.turn(p) or 0)
    moves, broken = [], []
    for move in game.candidates(p, actor):
        if game.move_specs[move.verb].out_of_turn or move.verb in without:
            continue
        refusals = validate_move(game, p, actor, move)
        if is_accepted(refusals):
            moves.append((actor, move))
        else:
            broken.append(f"{refusals[0].clause.key}/{refusals[0].code}")
    return moves, broken


def fixed_decision(game: AnyGame, p: Position, number: int) -> tuple[Seat, Move]:
    """Return decision ``number`` of a deal by the fixed rule: in canonical order the one at 7 x number + 3.

    The index is taken modulo the number of decisions.
    """
    moves, _ = decisions(game, p)
    moves.sort(key=lambda decision: _sort_key(decision[1], game.pack.places))
    return moves[(7 * number + 3) % len(moves)]


def _sort_key(move: Move, places: dict[Card, int]) -> tuple[str, list[int], str, int, Shares]:
    """Return the key of the canonical order: verb, cards in the order of the pack, choice, amount, shares."""
    amount = -1 if move.amount is None else move.amount
    return move.verb, [places[card] for card in move.cards], move.choice, amount, move.shares


def _count(game: AnyGame, p: Position, at: int, reach: Reach, counts: _Counts, events: list[Event]) -> None:
    """Count ``p`` and the tree below it."""
    for _, after, happened in _expand(game, p, at, reach, counts, events):
        _count(game, after, at + 1, reach, counts, happened)


def _expand(
    game: AnyGame, p: Position, at: int, reach: Reach, counts: _Counts, events: list[Event]
) -> Iterator[tuple[Move, Position, list[Event]]]:
    """Count ``p``, and yield each decision with the position and the events after it."""
    counts.nodes[at] += 1
    if not is_deal_running(game, p):
        counts.leaves[at] += 1
        counts.results[game.points(p)] += 1
        counts.ends[end_of(events)] += 1
    elif at < reach.depth:
        moves, broken = decisions(game, p, reach.without)
        counts.forced[at] += len(moves) == 1
        counts.refused.setdefault(at, Counter()).update(broken)
        for actor, move in moves:
            happened: list[Event] = []
            yield move, game.apply(p, actor if move.seat is None else move.seat, move, happened), happened


def end_of(events: list[Event]) -> str:
    """Return how the deal ended for seat 0: won, drawn, lost, or empty if the game has no winner of a deal."""
    winners = {event.seat for event in events if event.kind == "deal_won"}
    drawn = any(event.kind == "deal_drawn" for event in events)
    return "won" if 0 in winners else "lost" if winners else "drawn" if drawn else ""
