"""A contest of two bots: the same deals twice, with seats swapped, so that neither is helped by luck."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import sqrt
from random import Random
from typing import Final, NamedTuple

from chitarrella.bots.chance import supply
from chitarrella.bots.outlook import Outlook
from chitarrella.bots.standing import mates, standing
from chitarrella.game import AnyGame, Position, play
from chitarrella.words import CHANCE, Move, Seat

Chooser = Callable[[Outlook, Random], Move]

SURE: Final = 1.96
"""The mean of many samples lies within so many standard errors of the truth, 95 times of 100."""


class Margin(NamedTuple):
    """What the first bot had more than the second in a deal: of the score, of the points; and whether it was ahead."""

    ahead: float
    score: float
    points: float


class Estimate(NamedTuple):
    """A mean, and how far from it the truth may be; unknown after a single deal."""

    mean: float
    within: float | None


def duplicate(game: AnyGame, bots: tuple[Chooser, Chooser], seed: str) -> Margin:
    """Play a deal twice, each bot having every seat once; gives the mean of both margins."""
    there = margin(game, bots, seed)
    back = margin(game, (bots[1], bots[0]), seed)
    return Margin((there.ahead + 1 - back.ahead) / 2, (there.score - back.score) / 2, (there.points - back.points) / 2)


def margin(game: AnyGame, bots: tuple[Chooser, Chooser], seed: str) -> Margin:
    """Play one deal of a new match, the bots taking turns along the sides; gives the margin of the first."""
    team = [min(mates(game, seat)) % 2 for seat in range(game.seats)]
    before = standing(game, game.start())
    after = standing(game, played(game, [bots[team[game.controller(seat)]] for seat in range(game.seats)], seed))
    score = apart([b - a for a, b in zip(before.score, after.score, strict=True)], team)
    points = apart(after.points, team)
    lead = score or points
    return Margin(0.5 if not lead else float(lead > 0), score, points)


def apart(row: Iterable[float], team: list[int]) -> float:
    """Say how much more the seats of the first have, on average, than those of the second."""
    both: tuple[list[float], list[float]] = [], []
    for number, side in zip(row, team, strict=True):
        both[side].append(number)
    return sum(both[0]) / len(both[0]) - sum(both[1]) / len(both[1])


def played(game: AnyGame, bots: list[Chooser], seed: str) -> Position:
    """Play the first deal of a match to its end; the pack, and the luck of every seat, hang on the seed alone."""
    table = Random(f"{seed}/table")
    luck: dict[Seat, Random] = {seat: Random(f"{seed}/seat {seat}") for seat in range(game.seats)}
    p, begun = game.start(), False
    while (turn := game.turn(p)) is not None:
        if turn == CHANCE:
            if begun and game.chance(p).cards:
                break
            p, _ = play(game, p, CHANCE, supply(game, p, table))
        else:
            actor, begun = game.controller(turn), True
            p, _ = play(game, p, actor, bots[actor](Outlook(game, p, actor), luck[actor]))
    return p


def estimate(samples: list[float]) -> Estimate:
    """Give the mean of samples, and the 95 % interval around it."""
    number = len(samples)
    mean = sum(samples) / number
    if number < 2:
        return Estimate(mean, None)
    spread = sum((sample - mean) ** 2 for sample in samples) / (number - 1)
    return Estimate(mean, SURE * sqrt(spread / number))
