"""A figure that was measured in several rounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median, quantiles
from time import monotonic
from typing import NamedTuple

LEAST_ROUNDS = 3
"""On a machine that is too busy for more."""
PATIENCE = 2.0
"""How many times as long as planned a measurement may take before its rounds are cut down."""


class Measured(NamedTuple):
    """The median of the rounds, and their spread: half of the range between the quartiles, as a share of the median."""

    median: float
    spread: float = 0.0


def of_rounds(seen: Sequence[float]) -> Measured:
    """Return the median and the spread of some rounds."""
    middle = median(seen)
    if len(seen) < 2 or not middle:
        return Measured(middle)
    first, _, third = quantiles(seen, n=4, method="inclusive")
    return Measured(middle, (third - first) / 2 / abs(middle))


def ratio_of_rounds(seen: Sequence[float], baseline: Sequence[float]) -> Measured:
    """Return the median and the spread of the ratios of two figures that were measured in turns, round by round."""
    return of_rounds([one / max(other, 1e-9) for one, other in zip(seen, baseline, strict=True)])


def rounds_within(most: int, planned_seconds: float) -> Iterator[int]:
    """Iterate over the numbers of ``most`` rounds; of fewer where they take much longer than planned."""
    end = monotonic() + PATIENCE * planned_seconds
    for number in range(most):
        if number >= LEAST_ROUNDS and monotonic() > end:
            return
        yield number
