"""The mutation score, its confidence interval for a sample, and the list of equivalent mutants."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from typing import NamedTuple

from lab.mutants.paths import SURVIVORS
from lab.mutants.run_one import LIVES, MISSED

NORMAL = 1.959964
"""Standard deviations to either side that hold 95 % of a normal distribution."""


class Score(NamedTuple):
    """The number of mutants tried, and the survivors: listed as equivalent, or not."""

    tried: int
    equivalent: tuple[str, ...]
    survivors: tuple[str, ...]

    @classmethod
    def of(cls, found: list[tuple[str, str]], known: dict[str, str]) -> Score:
        """Compute the score of results."""
        living = [name for name, became in found if became in (LIVES, MISSED)]
        return cls(
            len(found),
            tuple(name for name in living if name in known),
            tuple(name for name in living if name not in known),
        )

    @property
    def counted(self) -> int:
        """Number of mutants that are not equivalent."""
        return self.tried - len(self.equivalent)

    @property
    def percent(self) -> float:
        """The share of them that was killed."""
        return 100 * (1 - len(self.survivors) / max(self.counted, 1))

    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the score if these mutants are a sample (Wilson)."""
        number = max(self.counted, 1)
        share, square = self.percent / 100, NORMAL**2
        middle = share + square / (2 * number)
        side = NORMAL * sqrt(share * (1 - share) / number + square / (4 * number**2))
        return 100 * (middle - side) / (1 + square / number), 100 * (middle + side) / (1 + square / number)

    def good(self, least: float) -> bool:
        """Whether mutants were tried, and enough of them killed."""
        return self.counted > 0 and self.percent >= least


def equivalents() -> dict[str, str]:
    """The equivalent mutants by name, each with the reason."""
    found, reason = {}, ""
    for line in SURVIVORS.read_text(encoding="utf-8").splitlines():
        if line.startswith("    "):
            found[line.strip()] = reason
        elif line and not line.startswith("#"):
            reason = line
    return found


def format_score(score: Score, *, whole: bool) -> str:
    """The report."""
    lines = [f"lives: {name}" for name in sorted(score.survivors)]
    by_module = Counter(name.partition(":")[0] for name in score.survivors)
    lines += [f"{number:4} live in {module}" for module, number in by_module.most_common()]
    figure = (
        f"{score.tried} mutants, {len(score.equivalent)} of them the same as the rules: {score.percent:.1f} % killed"
    )
    if not whole:
        low, high = score.interval()
        figure += f" (95 % interval {low:.1f} to {high:.1f})"
    return "\n".join([*lines, figure])
