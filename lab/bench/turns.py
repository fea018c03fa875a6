"""A measurement: contenders that are measured in turns, and the ratios of their figures.

What is measured in turns, in one run, can be compared: the microseconds of a call depend on the machine and its other
load, their ratio much less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import median, quantiles
from time import monotonic
from typing import NamedTuple

from lab.bench.servers import Servers

LEAST_ROUNDS = 3  # on a machine that is too busy for more
PATIENCE = 75.0  # seconds after which a measurement has no more rounds than these
Figures = Mapping[str, float]


class Contender(NamedTuple):
    """What is measured for about so many seconds a round; contenders of a ``group`` are compared together."""

    name: str
    measure: Callable[..., Figures]
    group: str = ""


class Ratio(NamedTuple):
    """A ratio that is reported: a figure of a contender, or of the worst one of a group, beside another contender's.

    It should be at most ``goal``, or at least; it may have no goal.
    """

    of: str
    figure: str
    beside: str
    goal: float | None = None
    at_least: bool = False


class Measurement(NamedTuple):
    """A row of the table of measurements: what is measured, and its plan: so many rounds of so many seconds.

    The docstring of ``contenders`` is the text of the report; ``columns`` are the headings of the figures.
    """

    key: str
    title: str
    contenders: Callable[[Servers], Sequence[Contender]]
    columns: Mapping[str, str]
    ratios: Sequence[Ratio] = ()
    rounds: int = 5
    seconds: float = 0.4
    warm_up: float = 0.3
    is_ordinary: bool = True


class Measured(NamedTuple):
    """The median of the rounds, and their spread: half of the range between the quartiles, as a share of the median."""

    median: float
    spread: float = 0.0


def of_rounds(seen: Sequence[float]) -> Measured:
    middle = median(seen)
    if len(seen) < 2 or not middle:
        return Measured(middle)
    first, _, third = quantiles(seen, n=4, method="inclusive")
    return Measured(middle, (third - first) / 2 / abs(middle))


class Result(NamedTuple):
    name: str
    group: str
    rounds: list[Figures]

    def beside(self, other: Result, key: str) -> Measured:
        """The ratio of a figure to that of another contender, round by round."""
        pairs = zip(self.rounds, other.rounds, strict=True)
        return of_rounds([one[key] / max(base[key], 1e-9) for one, base in pairs])


def in_turns(measurement: Measurement, contenders: Sequence[Contender], done: Callable[[str], None]) -> list[Result]:
    """Measure all contenders in turns, each once a round."""
    for one in contenders if measurement.warm_up else ():
        one.measure(measurement.warm_up)
    results = [Result(one.name, one.group, []) for one in contenders]
    end = monotonic() + PATIENCE
    for number in range(measurement.rounds):
        if number >= LEAST_ROUNDS and monotonic() > end:
            break
        for result, one in zip(results, contenders, strict=True):
            result.rounds.append(one.measure(measurement.seconds))
            done(one.name)
    return results


class Shown(NamedTuple):
    what: str
    seen: Measured
    goal: float | None = None
    at_least: bool = False

    @property
    def mark(self) -> str:
        """Whether the goal was reached, or by how much it was missed."""
        if self.goal is None:
            return ""
        seen = round(self.seen.median, 2)
        is_reached = seen >= self.goal if self.at_least else seen <= self.goal
        return "reached" if is_reached else f"short by {abs(self.seen.median / self.goal - 1):.0%}"


def ratios(measurement: Measurement, results: Sequence[Result]) -> Iterator[Shown]:
    """The ratios of a measurement whose contenders were both measured; of a group the worst one."""
    known = {one.name: one for one in results}
    for of, figure, beside, goal, at_least in measurement.ratios:
        names = [one.name for one in results if of in (one.name, one.group) and beside in known]
        seen = [(known[name].beside(known[beside], figure), name) for name in names]
        if seen:
            worst, name = min(seen) if at_least else max(seen)
            who = of if of == name else f"{of}, at worst {name}"
            heading = measurement.columns[figure].partition(",")[0]
            yield Shown(f"{measurement.title}: {who}, {heading}, beside {beside}", worst, goal, at_least)
