"""The figures of earlier runs, a line of JSON each in ``history.jsonl``, so that a slower change is seen."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

from lab.bench.goals import Goal
from lab.bench.round_statistics import Measured

HISTORY = Path(__file__).with_name("history.jsonl")
LEAST_NOISE = 0.05
"""A smaller change is not called one: the machine has other users."""


class Past(NamedTuple):
    """A run that was kept: its date, its commit, and its figures by the key of their goal."""

    date: str
    commit: str
    seen: Mapping[str, Measured]


def read(path: Path = HISTORY) -> list[Past]:
    """The kept runs, the oldest first."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [
        Past(run["date"], run["commit"], {key: Measured(*figure) for key, figure in run["seen"].items()})
        for run in map(json.loads, lines)
    ]


def this_run(goals: Sequence[Goal]) -> Past:
    """The figures of this run that can be compared with another's."""
    seen = {goal.key: goal.seen for goal in goals if goal.is_compared}
    return Past(date.today().isoformat(), commit(), seen)


def append(run: Past, path: Path = HISTORY) -> None:
    """Keep a run."""
    seen = {key: [float(f"{number:.4g}") for number in figure] for key, figure in run.seen.items()}
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"date": run.date, "commit": run.commit, "seen": seen}) + "\n")


def commit() -> str:
    """The short name of the commit, with a plus sign if files have changed since; empty without git."""
    try:
        found = subprocess.run(
            ["git", "describe", "--always", "--exclude=*", "--dirty=+"], capture_output=True, text=True, check=True,
            cwd=Path(__file__).parent,
        )  # fmt: skip
    except (OSError, subprocess.CalledProcessError):
        return ""
    return found.stdout.strip()


def former(goal: Goal, runs: Sequence[Past]) -> Measured | None:
    """The figure of the latest of ``runs`` that has one for this goal."""
    return next((run.seen[goal.key] for run in reversed(runs) if goal.key in run.seen), None)


def change(goal: Goal, runs: Sequence[Past]) -> str:
    """By how much the figure differs from the former; marked if it became worse by more than the noise of both."""
    past = former(goal, runs)
    if past is None or not past.median or not goal.is_compared:
        return ""
    difference = goal.seen.median / past.median - 1
    is_worse = difference < 0 if goal.at_least else difference > 0
    is_marked = is_worse and abs(difference) > max(LEAST_NOISE, past.spread + goal.seen.spread)
    return f"**{difference:+.0%} worse**" if is_marked else f"{difference:+.0%}"
