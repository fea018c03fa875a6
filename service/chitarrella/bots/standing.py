"""How well each seat stands: its score, its share of the pool where there is one, and its points in the deal."""

from __future__ import annotations

from typing import Final, NamedTuple

from chitarrella.game import AnyGame, Position
from chitarrella.tricks.game import TrickGame
from chitarrella.words import Seat

POINTS_WEIGH: Final = 0.3
"""What all points of a deal weigh beside winning it: enough to go for them where the deal alone decides nothing."""

Row = tuple[float, ...]
"""A number for each seat."""


class Standing(NamedTuple):
    """The score of each seat, or its share of the pool less what it has paid; and what it has of the deal's points."""

    score: Row
    points: Row


def standing(game: AnyGame, p: Position) -> Standing:
    """Say how the seats stand in ``p``; points that are to be avoided count against who has them."""
    good = -1 if isinstance(game, TrickGame) and game.reckoning.avoided else 1
    points = tuple(good * taken for taken in game.points(p))
    return Standing(
        shares(game, p), tuple(sum(points[mate] for mate in mates(game, seat)) for seat in range(game.seats))
    )


def shares(game: AnyGame, p: Position) -> Row:
    """Give the scores; where they are shares in a pool, what those are worth beside what was paid, in stakes."""
    scores = game.scores(p)
    pool, net = None, dict[Seat, int]()
    for fact in game.facts(p):
        if fact.name == "pool" and isinstance(fact.value, int):
            pool = fact.value
        elif fact.name == "net" and isinstance(fact.value, int) and fact.seat is not None:
            net[fact.seat] = fact.value
        elif fact.name == "net" and isinstance(fact.value, tuple):
            net = {int(person): paid for person, paid in fact.value if person.isdecimal()}
    if pool is None or not any(scores):
        return scores
    stake = (pool - sum(min(paid, 0) for paid in net.values())) / 2 / game.seats or 1
    return tuple((net.get(seat, 0) + pool * score / sum(scores)) / stake for seat, score in enumerate(scores))


def mates(game: AnyGame, seat: Seat) -> tuple[Seat, ...]:
    """Name the seats of a side, as they are known before the cards are dealt."""
    return game.seats_of(game.sides[seat]) if isinstance(game, TrickGame) else (seat,)


def progress(game: AnyGame, before: Standing, p: Position) -> Row:
    """Say how much better each seat stands in ``p`` than ``before``, beside the others: about 1 for a deal won."""
    after, won = standing(game, p), game.outcome(p)
    total = sum(abs(taken) for taken in game.points(p)) or 1
    score = beside(game, tuple(b - a for a, b in zip(before.score, after.score, strict=True)))
    points = beside(game, after.points)
    result = [0] * game.seats if not won else [1 if seat in won else -1 for seat in range(game.seats)]
    return tuple(
        result[seat] + score[seat] / (1 + abs(score[seat])) + POINTS_WEIGH * points[seat] / total
        for seat in range(game.seats)
    )


def beside(game: AnyGame, row: Row) -> Row:
    """Take from each number the mean of those of the other sides."""
    found = []
    for seat, number in enumerate(row):
        side = mates(game, seat)
        others = [other for at, other in enumerate(row) if at not in side]
        found.append(number - sum(others) / len(others) if others else number)
    return tuple(found)
