"""Evaluation of positions: score, share of the pool if there is one, and points in the deal, for each seat."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Final, NamedTuple, TypeAlias

from chitarrella.core.game import AnyGame, MoveValue, Position
from chitarrella.core.model import Move, Seat

POINTS_WEIGHT: Final = 0.3
"""The weight of all points of a deal, where winning the match has 1 and one more score a half.

It is enough to play for points that decide nothing.
"""

Row: TypeAlias = tuple[float, ...]  # a number for each seat


class Evaluation(NamedTuple):
    """For each seat its score or its money in stakes, and the points of its side in the deal (negative if avoided).

    ``total`` is what all seats have taken together, without sign; ``has_pool`` says that the score is in money.
    """

    score: Row
    points: Row
    total: float
    has_pool: bool


def evaluate(game: AnyGame, p: Position, *, may_have_pool: bool = True) -> Evaluation:
    """Return the evaluation of ``p``. Points that are to be avoided count against their side.

    Where it is known that there is no pool, ``may_have_pool`` is False, which saves time.
    """
    taken, sign = game.points(p), -1 if game.avoids_points else 1
    money = money_in_stakes(game, p) if may_have_pool else None
    return Evaluation(
        game.scores(p) if money is None else money,
        tuple([sign * sum([taken[mate] for mate in mates]) for mates, _ in _sides(game.sides)]),
        sum(map(abs, taken)),
        money is not None,
    )


def money_in_stakes(game: AnyGame, p: Position) -> Row | None:
    """Return the money of each seat in stakes, what it has and its share of the pool; None if there is no pool.

    The share of a seat is that of its score in all scores; where nobody has a score, the scores stand for the money.
    """
    pool, net = None, dict[Seat, int]()
    for fact in game.facts(p):
        if fact.name == "pool" and isinstance(fact.value, int):
            pool = fact.value
        elif fact.name == "net" and isinstance(fact.value, tuple):
            net = {int(person): paid for person, paid in fact.value if person.isdecimal()}
    if pool is None:
        return None
    scores = game.scores(p)
    if not any(scores):
        return scores
    stake = (pool - sum(min(paid, 0) for paid in net.values())) / 2 / game.seats or 1
    return tuple((net.get(seat, 0) + pool * score / sum(scores)) / stake for seat, score in enumerate(scores))


def side_of(game: AnyGame, seat: Seat) -> tuple[Seat, ...]:
    """Return the seats of the side of ``seat``, as known before the deal."""
    return _sides(game.sides)[seat][0]


def progress(game: AnyGame, before: Evaluation, p: Position) -> Row:
    """Return for each seat, relative to the others, what it has gained.

    It is the sum of the outcome of the match (1, 0 or -1), the score gained since ``before`` (less than 1), and the
    points in ``p`` by their weight.
    """
    after, winners = evaluate(game, p, may_have_pool=before.has_pool), game.outcome(p)
    total = after.total or 1
    score = relative(game, [b - a for a, b in zip(before.score, after.score, strict=True)])
    points = relative(game, after.points)
    result = [0] * game.seats if not winners else [1 if seat in winners else -1 for seat in range(game.seats)]
    return tuple(
        [
            won + gained / (1 + abs(gained)) + POINTS_WEIGHT * taken / total
            for won, gained, taken in zip(result, score, points, strict=True)
        ]
    )


def relative(game: AnyGame, row: Sequence[float]) -> list[float]:
    """Return each number less the mean of those of the other sides."""
    return [
        number - sum([row[other] for other in others]) / len(others) if others else number
        for number, (_, others) in zip(row, _sides(game.sides), strict=True)
    ]


@lru_cache(maxsize=64)
def _sides(sides: tuple[int, ...]) -> tuple[tuple[tuple[Seat, ...], tuple[Seat, ...]], ...]:
    """Return for each seat the seats of its side, and all others."""
    seats = range(len(sides))
    return tuple(
        (
            tuple(other for other in seats if sides[other] == side),
            tuple(other for other in seats if sides[other] != side),
        )
        for side in sides
    )


def best_move(moves: Sequence[Move], values: Sequence[MoveValue], rng: Random) -> Move:
    """Return one of the ``moves`` (at least one) whose value is greatest; ``rng`` breaks ties."""
    greatest = max(values)
    best = [move for move, value in zip(moves, values, strict=True) if value == greatest]
    return best[0] if len(best) == 1 else rng.choice(best)
