"""The plots of a run as SVG, which the page of proofs shows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from chitarrella.transports.rest.website.proofs_page import PLOTS
from lab.bench.boardgame import Beside
from lab.bench.goals import IN_FLIGHT, PLAY_GOALS, Goal
from lab.bench.history import Past
from lab.bench.play import Group
from lab.bench.results import Results

PAGE = PLOTS
INDEX = "plots.json"
BLUE, GREY, ORANGE, GREEN = "#3567a8", "#a9b1ba", "#c8641e", "#3a8a4d"
RUNS = 8
"""Earlier runs that the plot of the goals shows."""


class Plot(NamedTuple):
    """A plot: the name of its file, its title, a sentence on it, and the SVG."""

    name: str
    title: str
    says: str
    svg: str


def write(plots: Sequence[Plot], run: Past, folder: Path = PAGE) -> None:
    """Write the plots and their index into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    for former in folder.glob("*.svg"):
        former.unlink()
    for plot in plots:
        (folder / f"{plot.name}.svg").write_text(plot.svg, encoding="utf-8")
    index = {
        "date": run.date,
        "commit": run.commit,
        "plots": [{"file": f"{plot.name}.svg", "title": plot.title, "says": plot.says} for plot in plots],
    }
    (folder / INDEX).write_text(json.dumps(index, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def draw(found: Results, goals: Sequence[Goal], runs: Sequence[Past]) -> list[Plot]:
    """Draw what was measured."""
    plots = []
    if found.playing:
        plots.append(random_play(found))
    if found.grpc:
        plots.append(calls(found))
    if found.boardgame is not None and found.boardgame.servers:
        plots.append(boardgame(found.boardgame))
    if any(goal.goal is not None and goal.is_compared for goal in goals):
        plots.append(all_goals(goals, runs))
    return plots


def random_play(found: Results) -> Plot:
    """Whole deals of every table beside OpenSpiel, and the goal of its group."""
    shown = [one for one in found.playing if one.group is not None]
    bars = [(one.name, one.beside_hearts.median, BLUE) for one in shown]
    aims = [PLAY_GOALS[one.group] if isinstance(one.group, Group) else None for one in shown]
    return Plot(
        "random-play",
        "Random play beside OpenSpiel",
        "Whole deals a second of every game beside hearts through OpenSpiel's Python API, which is 1. "
        "A line marks the goal of a game.",
        _bars(bars, aims, "moves a second beside OpenSpiel hearts"),
    )


def calls(found: Results) -> Plot:
    """CPU of calls beside the echoes, with 16 in flight."""
    rows = {row.name: row for row in (*found.grpc, *found.rest) if row.lanes == IN_FLIGHT and row.items == 1}
    bars = [(name, row.seen.cpu, GREY if row.ratio is None else BLUE) for name, row in rows.items()]
    return Plot(
        "calls",
        "Processor time of a call",
        f"Microseconds of the server without its store, {IN_FLIGHT} calls in flight. Grey: servers of the same stack "
        "without rules, which answer at once or run the script that keeps a move.",
        _bars(bars, [None] * len(bars), "microseconds of a call"),
    )


def boardgame(beside: Beside) -> Plot:
    """Moves a second of the service and of boardgame.io."""
    bars = [(one.name, one.rate.median, BLUE if place else GREY) for place, one in enumerate(beside.servers)]
    return Plot(
        "boardgame",
        "Moves a second beside boardgame.io",
        "Sixteen matches at once, measured in turns; the service stores every move, boardgame.io keeps all in memory.",
        _bars(bars, [None] * len(bars), "moves a second"),
    )


def all_goals(goals: Sequence[Goal], runs: Sequence[Past]) -> Plot:
    """How much of each goal was used, in this run and in earlier ones."""
    shown = [goal for goal in goals if goal.goal is not None and goal.is_compared]
    figure, axes = _axes(len(shown), "share of the goal: 1 and less is reached")
    axes.axvline(1, color=GREY, linewidth=1)
    for place, goal in enumerate(shown):
        past = [run.seen[goal.key].median for run in runs[-RUNS:] if goal.key in run.seen]
        for age, seen in enumerate(reversed(past), 1):
            axes.plot([_share(goal, seen)], [place], "o", color=GREY, markersize=3.5, alpha=max(0.25, 1 - age / RUNS))
        share = _share(goal, goal.seen.median)
        axes.plot([share], [place], "o", color=GREEN if share <= 1 else ORANGE, markersize=6)
    axes.set_yticks(range(len(shown)), [goal.key for goal in shown])
    axes.set_xlim(left=0)
    return Plot(
        "goals",
        "Goals",
        "Each ratio as a share of its goal: green is reached, orange falls short; grey are earlier runs.",
        _svg(figure),
    )


def _share(goal: Goal, seen: float) -> float:
    assert goal.goal is not None
    return goal.goal / max(seen, 1e-9) if goal.at_least else seen / goal.goal


def _bars(bars: Sequence[tuple[str, float, str]], aims: Sequence[float | None], label: str) -> str:
    """Draw horizontal bars, each with its goal as a line."""
    figure, axes = _axes(len(bars), label)
    names, lengths, colours = zip(*bars, strict=True)
    axes.barh(range(len(bars)), lengths, color=colours, height=0.7)
    for place, (length, aim) in enumerate(zip(lengths, aims, strict=True)):
        axes.annotate(f" {length:,.0f}" if length >= 10 else f" {length:.2f}", (length, place), va="center", size=8)
        if aim is not None:
            axes.vlines(aim, place - 0.4, place + 0.4, color=ORANGE, linewidth=1.5)
    axes.set_yticks(range(len(bars)), names)
    return _svg(figure)


def _axes(rows: int, label: str) -> tuple[Any, Any]:
    """An empty plot with so many rows from the top downwards."""
    matplotlib: Any = import_module("matplotlib")  # an ordinary installation does not have it
    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "bench", "font.size": 9})
    figure, axes = import_module("matplotlib.pyplot").subplots(figsize=(8, 0.9 + 0.24 * rows), layout="constrained")
    axes.set_ylim(rows - 0.4, -0.6)
    axes.set_xlabel(label)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return figure, axes


def _svg(figure: Any) -> str:
    written = StringIO()
    figure.savefig(written, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Type", "Format")))
    import_module("matplotlib.pyplot").close(figure)
    return "\n".join(line.rstrip() for line in written.getvalue().splitlines()) + "\n"
