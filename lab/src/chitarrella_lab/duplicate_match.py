"""A duplicate match of two entrants: every deal is played twice with seats swapped, so that luck favours neither."""

from collections.abc import Iterable
from math import sqrt
from random import Random
from typing import Final, NamedTuple, TypeAlias

from chitarrella.bots.evaluation import evaluate, side_of
from chitarrella.bots.information_state import Bot, InformationState
from chitarrella.bots.search import chance_move
from chitarrella.core.game import AnyGame, Position, play
from chitarrella.core.model import CHANCE, Seat
from chitarrella.core.visibility import visible_to
from chitarrella_lab.agents import Conduct, Referee

QUANTILE: Final = 1.96
"""The 97.5 % quantile of the normal distribution: half the width of a 95 % interval in standard errors."""

Entrant: TypeAlias = Bot | Referee  # who can play a deal


class Margin(NamedTuple):
    """By how much the first entrant beats the second in a deal, in score and in points; ``ahead`` is 1, 0.5 or 0.

    ``refused`` and ``forfeits`` are those of the first and of the second.
    """

    ahead: float
    score: float
    points: float
    refused: tuple[int, int] = (0, 0)
    forfeits: tuple[int, int] = (0, 0)


class Estimate(NamedTuple):
    """A mean, and half the width of its 95 % interval: None for a single sample."""

    mean: float
    within: float | None


def play_duplicate(game: AnyGame, entrants: tuple[Entrant, Entrant], seed: str) -> Margin:
    """Play a deal twice with seats swapped; return the mean margin of the first entrant."""
    there = deal_margin(game, entrants, seed)
    back = deal_margin(game, (entrants[1], entrants[0]), seed)
    return Margin(
        (there.ahead + 1 - back.ahead) / 2,
        (there.score - back.score) / 2,
        (there.points - back.points) / 2,
        (there.refused[0] + back.refused[1], there.refused[1] + back.refused[0]),
        (there.forfeits[0] + back.forfeits[1], there.forfeits[1] + back.forfeits[0]),
    )


def deal_margin(game: AnyGame, entrants: tuple[Entrant, Entrant], seed: str) -> Margin:
    """Play the first deal of a match with the entrants on alternate sides; return the margin of the first.

    Whoever alone forfeits the deal is behind, and has no positive margin from it.
    """
    entrant_of = [min(side_of(game, seat)) % 2 for seat in range(game.seats)]
    before = evaluate(game, game.start())
    end = play_deal(game, [entrants[entrant_of[game.controller(seat)]] for seat in range(game.seats)], seed)
    after = evaluate(game, end)
    score = mean_difference([b - a for a, b in zip(before.score, after.score, strict=True)], entrant_of)
    points = mean_difference(after.points, entrant_of)
    lead = score or points
    first, second = (one.end_deal() if isinstance(one, Referee) else Conduct() for one in entrants)
    conduct = (first.refused, second.refused), (first.forfeits, second.forfeits)
    if first.forfeits > second.forfeits:
        return Margin(0.0, min(score, 0.0), min(points, 0.0), *conduct)
    if first.forfeits < second.forfeits:
        return Margin(1.0, max(score, 0.0), max(points, 0.0), *conduct)
    return Margin(0.5 if not lead else float(lead > 0), score, points, *conduct)


def mean_difference(row: Iterable[float], entrant_of: list[int]) -> float:
    """Return the mean of the seats of entrant 0 less that of entrant 1; ``entrant_of`` has the entrant of each seat."""
    both: tuple[list[float], list[float]] = [], []
    for number, entrant in zip(row, entrant_of, strict=True):
        both[entrant].append(number)
    return sum(both[0]) / len(both[0]) - sum(both[1]) / len(both[1])


def play_deal(game: AnyGame, entrants: list[Entrant], seed: str) -> Position:
    """Play the first deal of a match to its end, with an entrant for each seat; the same ``seed`` gives the same deal.

    Chance and every seat have a random generator of their own.
    """
    chance = Random(f"{seed}/table")
    rngs: dict[Seat, Random] = {seat: Random(f"{seed}/seat {seat}") for seat in range(game.seats)}
    p, begun = game.start(), False
    while (turn := game.turn(p)) is not None:
        if turn == CHANCE:
            if begun and game.chance_request(p).cards:
                break
            p, events = play(game, p, CHANCE, chance_move(game, p, chance))
        else:
            actor, begun = game.controller(turn), True
            p, events = play(game, p, actor, entrants[actor](InformationState(game, p, actor), rngs[actor]))
        for seat, entrant in enumerate(entrants):
            if isinstance(entrant, Referee):
                entrant.observe(seat, tuple(seen for one in events if (seen := visible_to(one, seat)) is not None))
    return p


def estimate(samples: list[float]) -> Estimate:
    """Return the mean of ``samples`` (at least one) and its 95 % interval."""
    number = len(samples)
    mean = sum(samples) / number
    if number < 2:
        return Estimate(mean, None)
    variance = sum((sample - mean) ** 2 for sample in samples) / (number - 1)
    return Estimate(mean, QUANTILE * sqrt(variance / number))
