"""Card perft: exact counts of all the ways a deal can go, from positions that anybody can lay out on a table.

A decision is a move that waits for its turn and is accepted, be it at a penalty; acts out of turn, such as signals, are
left out. Copies of a card are one decision. What is counted a case says (`chitarrella.perft_case`); its counts are kept
in a text file (`chitarrella.perft_file`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from typing import NamedTuple

from chitarrella.cards import Card
from chitarrella.game import AnyGame, Position, accepted, judge
from chitarrella.notation import write_move
from chitarrella.words import CHANCE, Event, Move, Seat, Shares

ENDLESS = 10_000
"""Deeper than any deal."""


class Level(NamedTuple):
    """What there is after so many decisions.

    ``nodes`` are the positions, ``leaves`` those of them in which the deal is over. Of the others, where they were
    gone on from: ``forced`` have a single decision; ``refused`` counts what could be tried in them and is refused, by
    the first clause that it breaks and the reason code, as ``CO-17/must_follow_suit``.
    """

    nodes: int
    leaves: int
    forced: int
    refused: tuple[tuple[str, int], ...]


class Reach(NamedTuple):
    """How far a count goes: so many decisions deep, and the verbs that are left out as if nobody had them."""

    depth: int = ENDLESS
    without: tuple[str, ...] = ()


class Report(NamedTuple):
    """The counts level by level, and of all leaves: won, drawn and lost by seat 0, and how often each result came.

    A result is what every seat has taken, in the first count of the game.
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
        """Sixteen hexadecimal digits that stand for all results and how often each came."""
        lines = [f"{','.join(map(str, points))}={count}\n" for points, count in self.results]
        return sha256("".join(lines).encode()).hexdigest()[:16]


class _Tally:
    """The counts while they grow."""

    def __init__(self) -> None:
        self.nodes: Counter[int] = Counter()
        self.leaves: Counter[int] = Counter()
        self.forced: Counter[int] = Counter()
        self.refused: dict[int, Counter[str]] = {}
        self.results: Counter[tuple[int, ...]] = Counter()
        self.ends: Counter[str] = Counter()

    def add(self, part: _Tally) -> None:
        """Add what a part of the tree counted."""
        self.nodes.update(part.nodes)
        self.leaves.update(part.leaves)
        self.forced.update(part.forced)
        self.results.update(part.results)
        self.ends.update(part.ends)
        for depth, broken in part.refused.items():
            self.refused.setdefault(depth, Counter()).update(broken)

    def report(self) -> Report:
        """Put the counts into order."""
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
    """Count all that can follow ``position``, to the end of the deal or to so many decisions.

    Moves of the verbs ``without`` are not made, as if the game did not have them.
    """
    return divide(game, position, depth, without)[0]


def divide(
    game: AnyGame, position: Position, depth: int | None = None, without: tuple[str, ...] = ()
) -> tuple[Report, tuple[tuple[str, Report], ...]]:
    """Count the same, and beside it what follows each first decision alone, in canonical order."""
    reach = Reach(ENDLESS if depth is None else depth, without)
    whole = _Tally()
    parts: list[tuple[Move, Report]] = []
    for move, after, told in _grow(game, position, 0, reach, whole, []):
        part = _Tally()
        _count(game, after, 1, reach, part, told)
        whole.add(part)
        parts.append((move, part.report()))
    parts.sort(key=lambda pair: _place(pair[0], game.pack.places))
    return whole.report(), tuple((write_move(move), report) for move, report in parts)


def running(game: AnyGame, p: Position) -> bool:
    """Tell whether some seat is to decide; between deals and after the match none is."""
    return game.turn(p) not in (CHANCE, None)


def decisions(game: AnyGame, p: Position, without: tuple[str, ...] = ()) -> tuple[list[tuple[Seat, Move]], list[str]]:
    """Give the decisions of the seat on turn, and for each that is refused it the clause that it breaks first."""
    actor = game.controller(game.turn(p) or 0)
    moves, broken = [], []
    for move in game.candidates(p, actor):
        if game.forms[move.verb].free or move.verb in without:
            continue
        refusals = judge(game, p, actor, move)
        if accepted(refusals):
            moves.append((actor, move))
        else:
            broken.append(f"{refusals[0].clause.key}/{refusals[0].code}")
    return moves, broken


def steady(game: AnyGame, p: Position, number: int) -> tuple[Seat, Move]:
    """Give decision ``number`` of a deal by a fixed rule: of those in canonical order the one at 7 x number + 3.

    They are counted round and round, from 0.
    """
    moves, _ = decisions(game, p)
    moves.sort(key=lambda made: _place(made[1], game.pack.places))
    return moves[(7 * number + 3) % len(moves)]


def _place(move: Move, places: dict[Card, int]) -> tuple[str, list[int], str, int, Shares]:
    """Put moves in order: by their verb, their cards in the order of the pack, their word, number and shares."""
    amount = -1 if move.amount is None else move.amount
    return move.verb, [places[card] for card in move.cards], move.word, amount, move.shares


def _count(game: AnyGame, p: Position, at: int, reach: Reach, tally: _Tally, told: list[Event]) -> None:
    """Count ``p`` and all that follows."""
    for _, after, tell in _grow(game, p, at, reach, tally, told):
        _count(game, after, at + 1, reach, tally, tell)


def _grow(
    game: AnyGame, p: Position, at: int, reach: Reach, tally: _Tally, told: list[Event]
) -> Iterator[tuple[Move, Position, list[Event]]]:
    """Count ``p`` alone, and give the positions one decision on, each with what was told on the way."""
    tally.nodes[at] += 1
    if not running(game, p):
        tally.leaves[at] += 1
        tally.results[game.points(p)] += 1
        tally.ends[end_of(told)] += 1
    elif at < reach.depth:
        moves, broken = decisions(game, p, reach.without)
        tally.forced[at] += len(moves) == 1
        tally.refused.setdefault(at, Counter()).update(broken)
        for actor, move in moves:
            tell: list[Event] = []
            yield move, game.apply(p, actor if move.seat is None else move.seat, move, tell), tell


def end_of(told: list[Event]) -> str:
    """Say how the deal ended for seat 0; nothing where the game names no winner of a deal."""
    winners = {event.seat for event in told if event.kind == "deal_won"}
    drawn = any(event.kind == "deal_drawn" for event in told)
    return "won" if 0 in winners else "lost" if winners else "drawn" if drawn else ""
