"""``python -m lab.bench.run``: measure the rules, the service, the store and the start beside others, and report.

The report and the plots go to ``build/bench``; a whole run with ``--keep`` writes them where the repository keeps them,
and its figures into the history. A goal that is not reached does not fail the command, but a void measurement does.
Needs Linux and the packages of ``requirements.txt`` beside this file; for boardgame.io also npm.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from time import monotonic

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from lab.bench import history, plots, report
from lab.bench.connections import LoadFailed
from lab.bench.goals import Goal, goals
from lab.bench.growth import shortage
from lab.bench.measurements import FULL, PARTS, QUICK, Bench
from lab.bench.results import Results

ROOT = Path(__file__).parents[2]
REPORT = Path(__file__).with_name("report.md")
BUILD = ROOT / "build" / "bench"
PACKAGES = ("pyspiel", "rlcard", "matplotlib")
QUICK_NOTE = (
    "\nThis was a quick run: short slices, few rounds; it shows that everything can be measured, not how fast it is.\n"
)
PART_NOTE = "\nOnly a part was measured.\n"


def main(args: Sequence[str]) -> None:
    """Measure, print the goals, write the report."""
    given = _parser().parse_args(args)
    is_whole = not (given.only or given.growth or given.quick)
    if given.keep and not (is_whole or (given.growth and not given.quick)):
        sys.exit("--keep needs a whole run, or a whole run of --growth")
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing or sys.platform != "linux":
        sys.exit(f"needs Linux and lab/bench/requirements.txt; missing: {', '.join(missing) or 'Linux'}")
    console = Console(stderr=True)
    begun = monotonic()
    found = _measure(given, console)
    goals_ = goals(found)
    runs, run = history.read(history.HISTORY), history.this_run(goals_)
    _print(goals_, runs, console)
    is_kept = given.keep and is_whole
    target, folder = (REPORT, plots.PAGE) if is_kept else (BUILD / "report.md", BUILD)
    target.parent.mkdir(parents=True, exist_ok=True)
    note = "" if is_whole else QUICK_NOTE if given.quick else PART_NOTE
    target.write_text(report.write(found, goals_, runs, run, (monotonic() - begun) / 60, note), encoding="utf-8")
    plots.write(plots.draw(found, goals_, runs), run, folder)
    if given.keep:
        history.append(run, history.HISTORY)
    console.print(
        f"\nthe figures: {target.relative_to(ROOT)}; {(monotonic() - begun) / 60:.1f} minutes", highlight=False
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m lab.bench.run", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="two minutes instead of under ten, and less exact")
    parser.add_argument("--only", choices=PARTS, action="append", help="measure only this part; can be repeated")
    parser.add_argument(
        "--growth", action="store_true", help="measure only a store of 1,000,000 matches: minutes, 2 GB of memory"
    )
    parser.add_argument("--keep", action="store_true", help="write the report, the plots and the history into the tree")
    return parser


def _measure(given: argparse.Namespace, console: Console) -> Results:
    columns = (
        TextColumn("{task.description:16}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[step]}"),
    )
    parts = ("growth",) if given.growth else given.only or PARTS
    try:
        with tempfile.TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True) as name:
            folder = Path(name)
            if given.growth and not given.quick and (lack := shortage(folder)):
                sys.exit(lack)
            with Progress(*columns, console=console, auto_refresh=False) as progress:
                return Bench(QUICK if given.quick else FULL, folder, progress).measure(parts)
    except LoadFailed as failed:
        sys.exit(f"broken measurement: {failed}")


def _print(goals_: Sequence[Goal], runs: Sequence[history.Past], console: Console) -> None:
    """Print each goal as reached or by how much it falls short."""
    for goal in goals_:
        what, aim, beyond, seen, spread, mark, before, change = report.goal_cells(goal, runs)
        aims = f" (goal {aim}{f', beyond {beyond}' if beyond else ''})" if aim else ""
        noise = f" ±{spread}" if spread else ""
        past = f"; before {before}, {change}" if before else ""
        line = f"{mark or '-':14} {what}: {seen or 'not measured'}{noise}{aims}{past}"
        console.print(line.replace("**", ""), highlight=False, markup=False, soft_wrap=True)


if __name__ == "__main__":
    main(sys.argv[1:])
