"""Evaluation of positions: score, share of the pool if there is one, and points in the deal, for each seat."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from chitarrella.core.game import AnyGame, Position
from chitarrella.core.model import Seat

POINTS_WEIGHT: Final = 0.3
"""The weight of all points of a deal, where winning the deal has 1: enough to play for them if they decide nothing."""

Row: TypeAlias = tuple[float, ...]
"""A number for each seat."""


class Evaluation(NamedTuple):
    """For each seat its score or its money in stakes, and the points of its side in the deal (negative if avoided)."""

    score: Row
    points: Row


def evaluate(game: AnyGame, p: Position) -> Evaluation:
    """Return the evaluation of ``p``. Points that are to be avoided count against their side."""
    sign = -1 if game.avoids_points else 1
    points = tuple(sign * taken for taken in game.points(p))
    return Evaluation(
        scores_or_money(game, p),
        tuple(sum(points[mate] for mate in side_of(game, seat)) for seat in range(game.seats)),
    )


def scores_or_money(game: AnyGame, p: Position) -> Row:
    """Return the scores; if there is a pool, the money of each seat in stakes: what it has, and its share of the pool.

    The share of a seat is that of its score in all scores.
    """
    scores = game.scores(p)
    pool, net = None, dict[Seat, int]()
    for fact in game.facts(p):
        if fact.name == "pool" and isinstance(fact.value, int):
            pool = fact.value
        elif fact.name == "net" and isinstance(fact.value, tuple):
            net = {int(person): paid for person, paid in fact.value if person.isdecimal()}
    if pool is None or not any(scores):
        return scores
    stake = (pool - sum(min(paid, 0) for paid in net.values())) / 2 / game.seats or 1
    return tuple((net.get(seat, 0) + pool * score / sum(scores)) / stake for seat, score in enumerate(scores))


def side_of(game: AnyGame, seat: Seat) -> tuple[Seat, ...]:
    """Return the seats of the side of ``seat``, as known before the deal."""
    sides = game.sides
    return tuple(other for other, side in enumerate(sides) if side == sides[seat])


def progress(game: AnyGame, before: Evaluation, p: Position) -> Row:
    """Return how much each seat has gained in ``p`` since ``before``, relative to the others: about 1 for a deal."""
    after, winners = evaluate(game, p), game.outcome(p)
    total = sum(abs(taken) for taken in game.points(p)) or 1
    score = relative(game, tuple(b - a for a, b in zip(before.score, after.score, strict=True)))
    points = relative(game, after.points)
    result = [0] * game.seats if not winners else [1 if seat in winners else -1 for seat in range(game.seats)]
    return tuple(
        result[seat] + score[seat] / (1 + abs(score[seat])) + POINTS_WEIGHT * points[seat] / total
        for seat in range(game.seats)
    )


def relative(game: AnyGame, row: Row) -> Row:
    """Return each number less the mean of those of the other sides."""
    found = []
    for seat, number in enumerate(row):
        side = side_of(game, seat)
        others = [other for at, other in enumerate(row) if at not in side]
        found.append(number - sum(others) / len(others) if others else number)
    return tuple(found)
