"""The score of the mutants, with what a sample leaves open, and the list of those that nobody could tell apart."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from typing import NamedTuple

from tests.mutants.paths import SURVIVORS
from tests.mutants.run_one import LIVES, MISSED

NORMAL = 1.959964
"""So many standard deviations to either side hold 95 % of a normal distribution."""


class Score(NamedTuple):
    """How many were tried, and which of them live: with an excuse on the list, or without."""

    tried: int
    excused: tuple[str, ...]
    unexcused: tuple[str, ...]

    @classmethod
    def of(cls, found: list[tuple[str, str]], excuses: dict[str, str]) -> Score:
        """Judge what became of the mutants."""
        living = [name for name, became in found if became in (LIVES, MISSED)]
        return cls(
            len(found),
            tuple(name for name in living if name in excuses),
            tuple(name for name in living if name not in excuses),
        )

    @property
    def counted(self) -> int:
        """Those that could be told from the rules."""
        return self.tried - len(self.excused)

    @property
    def percent(self) -> float:
        """The share of them that was killed."""
        return 100 * (1 - len(self.unexcused) / max(self.counted, 1))

    def interval(self) -> tuple[float, float]:
        """Where the score of all mutants lies with 95 % confidence, when these are a sample (Wilson)."""
        number = max(self.counted, 1)
        share, square = self.percent / 100, NORMAL**2
        middle = share + square / (2 * number)
        side = NORMAL * sqrt(share * (1 - share) / number + square / (4 * number**2))
        return 100 * (middle - side) / (1 + square / number), 100 * (middle + side) / (1 + square / number)

    def good(self, least: float) -> bool:
        """Whether something was tried, and enough of it was killed."""
        return self.counted > 0 and self.percent >= least


def excused() -> dict[str, str]:
    """The list: each mutant by its name, and why it is as good as the rules."""
    found, reason = {}, ""
    for line in SURVIVORS.read_text(encoding="utf-8").splitlines():
        if line.startswith("    "):
            found[line.strip()] = reason
        elif line and not line.startswith("#"):
            reason = line
    return found


def format_score(score: Score, *, whole: bool) -> str:
    """The report."""
    lines = [f"lives: {name}" for name in sorted(score.unexcused)]
    by_module = Counter(name.partition(":")[0] for name in score.unexcused)
    lines += [f"{number:4} live in {module}" for module, number in by_module.most_common()]
    figure = f"{score.tried} mutants, {len(score.excused)} of them the same as the rules: {score.percent:.1f} % killed"
    if not whole:
        low, high = score.interval()
        figure += f" (95 % interval {low:.1f} to {high:.1f})"
    return "\n".join([*lines, figure])
