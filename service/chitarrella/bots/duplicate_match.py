"""A duplicate match of two bots: every deal is played twice with seats swapped, so that luck favours neither."""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt
from random import Random
from typing import Final, NamedTuple

from chitarrella.bots.chance import chance_move
from chitarrella.bots.evaluation import evaluate, side_of
from chitarrella.bots.information_state import Bot, InformationState
from chitarrella.core.game import AnyGame, Position
from chitarrella.core.model import CHANCE, Seat
from chitarrella.core.play import play

QUANTILE: Final = 1.96
"""The 97.5 % quantile of the normal distribution: half the width of a 95 % interval in standard errors."""


class Margin(NamedTuple):
    """By how much the first bot beats the second in a deal, in score and in points; ``ahead`` is 1, 0.5 or 0."""

    ahead: float
    score: float
    points: float


class Estimate(NamedTuple):
    """A mean, and half the width of its 95 % interval: None for a single sample."""

    mean: float
    within: float | None


def play_duplicate(game: AnyGame, bots: tuple[Bot, Bot], seed: str) -> Margin:
    """Play a deal twice with seats swapped; return the mean margin of the first bot."""
    there = deal_margin(game, bots, seed)
    back = deal_margin(game, (bots[1], bots[0]), seed)
    return Margin((there.ahead + 1 - back.ahead) / 2, (there.score - back.score) / 2, (there.points - back.points) / 2)


def deal_margin(game: AnyGame, bots: tuple[Bot, Bot], seed: str) -> Margin:
    """Play the first deal of a match with the bots on alternate sides; return the margin of the first bot."""
    bot_of = [min(side_of(game, seat)) % 2 for seat in range(game.seats)]
    before = evaluate(game, game.start())
    after = evaluate(game, play_deal(game, [bots[bot_of[game.controller(seat)]] for seat in range(game.seats)], seed))
    score = mean_difference([b - a for a, b in zip(before.score, after.score, strict=True)], bot_of)
    points = mean_difference(after.points, bot_of)
    lead = score or points
    return Margin(0.5 if not lead else float(lead > 0), score, points)


def mean_difference(row: Iterable[float], bot_of: list[int]) -> float:
    """Return the mean of the seats of bot 0 less the mean of those of bot 1; ``bot_of`` has the bot of each seat."""
    both: tuple[list[float], list[float]] = [], []
    for number, bot in zip(row, bot_of, strict=True):
        both[bot].append(number)
    return sum(both[0]) / len(both[0]) - sum(both[1]) / len(both[1])


def play_deal(game: AnyGame, bots: list[Bot], seed: str) -> Position:
    """Play the first deal of a match to its end, with a bot for each seat; the same ``seed`` gives the same deal.

    Chance and every seat have a random generator of their own.
    """
    chance = Random(f"{seed}/table")
    rngs: dict[Seat, Random] = {seat: Random(f"{seed}/seat {seat}") for seat in range(game.seats)}
    p, begun = game.start(), False
    while (turn := game.turn(p)) is not None:
        if turn == CHANCE:
            if begun and game.chance_request(p).cards:
                break
            p, _ = play(game, p, CHANCE, chance_move(game, p, chance))
        else:
            actor, begun = game.controller(turn), True
            p, _ = play(game, p, actor, bots[actor](InformationState(game, p, actor), rngs[actor]))
    return p


def estimate(samples: list[float]) -> Estimate:
    """Return the mean of ``samples`` (at least one) and its 95 % interval."""
    number = len(samples)
    mean = sum(samples) / number
    if number < 2:
        return Estimate(mean, None)
    variance = sum((sample - mean) ** 2 for sample in samples) / (number - 1)
    return Estimate(mean, QUANTILE * sqrt(variance / number))
