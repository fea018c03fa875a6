"""A figure that was measured in several rounds."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median, quantiles
from typing import NamedTuple


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
