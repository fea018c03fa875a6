"""Mutants of the rules, tried with chosen tests; the score of many, and the list of equivalent mutants."""

import os
from collections import Counter
from functools import partial
from math import sqrt
from pathlib import Path
from typing import NamedTuple

import pytest

from chitarrella_testing import trial
from chitarrella_testing.trial import LIVES, MISSED, MutatedModule, Trial
from lab.mutants.measured import SURVIVORS
from tests.test_architecture import OTHERS


class SelectedTests:
    """A pytest plugin that runs the tests with these names, in their order."""

    def __init__(self, names: list[str]) -> None:
        self.places = {name: place for place, name in enumerate(names)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted((item for item in items if item.nodeid in self.places), key=self._place)

    def _place(self, item: pytest.Item) -> int:
        return self.places[item.nodeid]


def begin(name: str, path: Path, source: str, tests: list[str], seconds: float) -> Trial:
    """Start to run ``tests`` with another source for the module ``name``."""
    return trial.begin(
        MutatedModule(name, path, source), ("chitarrella", *OTHERS, "tests"), partial(_run, tests), seconds
    )


def _run(tests: list[str]) -> int:
    os.environ.pop("PYTEST_ADDOPTS", None)  # an option of a plugin that is off here would fail every run
    files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
    options = [
        "-x", "-q", "--no-header", "--tb=no", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:xdist", "-p",
        "no:cov",
    ]  # fmt: skip
    return int(pytest.main([*options, *files], plugins=[SelectedTests(tests)]))


def equivalents() -> dict[str, str]:
    """The equivalent mutants by name, each with the reason."""
    found, reason = {}, ""
    for line in SURVIVORS.read_text(encoding="utf-8").splitlines():
        if line.startswith("    "):
            found[line.strip()] = reason
        elif line and not line.startswith("#"):
            reason = line
    return found


NORMAL = 1.959964  # Standard deviations to either side that hold 95 % of a normal distribution


class Score(NamedTuple):
    """The number of mutants tried, and the survivors: listed as equivalent, or not."""

    tried: int
    equivalent: list[str]
    survivors: list[str]

    @property
    def counted(self) -> int:
        """Number of mutants that are not equivalent."""
        return self.tried - len(self.equivalent)

    @property
    def percent(self) -> float:
        return 100 * (1 - len(self.survivors) / max(self.counted, 1))

    def report(self, *, of_sample: bool) -> str:
        """The survivors and the score, of a sample with its 95 % confidence interval (Wilson)."""
        by_module = Counter(name.partition(":")[0] for name in self.survivors)
        lines = [f"lives: {name}" for name in sorted(self.survivors)]
        lines += [f"{number:4} live in {module}" for module, number in by_module.most_common()]
        same = f"{len(self.equivalent)} of them the same as the rules"
        lines.append(f"{self.tried} mutants, {same}: {self.percent:.1f} % killed")
        if of_sample:
            number, share, square = max(self.counted, 1), self.percent / 100, NORMAL**2
            middle = share + square / (2 * number)
            side = NORMAL * sqrt(share * (1 - share) / number + square / (4 * number**2))
            low, high = (100 * edge / (1 + square / number) for edge in (middle - side, middle + side))
            lines[-1] += f" (95 % interval {low:.1f} to {high:.1f})"
        return "\n".join(lines)


def score(found: list[tuple[str, str]]) -> Score:
    living, known = [name for name, became in found if became in (LIVES, MISSED)], equivalents()
    return Score(len(found), [one for one in living if one in known], [one for one in living if one not in known])
