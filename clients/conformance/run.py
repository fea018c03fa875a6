"""`make test-clients`: build every client, play every scenario with each, print one table.

`python -m clients.conformance.run [CLIENT ...]` runs only these clients; `--sample` runs of the templates one, at each
commit another; `--no-build` skips the builds, `--jobs N` sets how many run at once. A missing toolchain is reported by
name and fails the run.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from chitarrella_client import Chitarrella
from clients.conformance.environment import Environment, running, with_packages
from clients.conformance.write import DIGESTS, changed, made, without_times, write
from tests.vectors.write import commits

Results = dict[str, list[Any]]
"""The results of each scenario, by its name."""

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LOGS = ROOT / "build" / "clients"
CLIENTS = HERE / "clients.json"
TABLE_WIDTH = 220
"""Columns of the table if the output is no terminal."""
BUILD_TIMEOUT, RUN_TIMEOUT = 1800, 300
"""Seconds that one command of a build, and a runner, may take."""
BUILT: dict[str, Outcome] = {}
BUILDING: dict[str, threading.Lock] = {}
LOCK = threading.Lock()
LOG_LINES = 30
"""Lines of each log that are printed of a client that could not be built or run."""
PROGRAM = "program"
"""The row of the programs of templates, which play no scenarios."""
REFUSED = ["must_follow_suit [BB-5.2]", "not_your_turn [ALL-10]", "not_in_hand [BR-5.2]"]
"""What they print: of a card that does not follow suit, and of the other seat's card out of turn."""
JOBS = 2
"""Builds at once; each of them uses more than one processor for part of its time."""


class Outcome(NamedTuple):
    """Result of a client: the comparison of each scenario, or the problem that kept it from running."""

    comparisons: dict[str, str]
    problem: str = ""
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether every result was as expected."""
        return not self.problem and all(comparison == "same" for comparison in self.comparisons.values())


def clients() -> dict[str, dict[str, Any]]:
    """Read how every client is built and run."""
    table: dict[str, dict[str, Any]] = json.loads(CLIENTS.read_text())
    return {name: table.get(how.get("like", ""), {}) | how for name, how in table.items()}


def shared_builds(names: list[str], table: dict[str, dict[str, Any]]) -> dict[str, list[str]]:
    """Group clients that have the same build, under the name of the first of each group."""
    groups: dict[str, list[str]] = {}
    for name in names:
        same = (one for one in groups if table[name]["build"] and _build_of(table[one]) == _build_of(table[name]))
        groups.setdefault(next(same, name), []).append(name)
    return groups


def _build_of(how: dict[str, Any]) -> tuple[str, Any]:
    return how.get("folder", "."), how["build"]


def build(name: str, table: dict[str, dict[str, Any]]) -> Outcome:
    """Build a client, after the one that it depends on; the commands and their output are logged."""
    how = table[name]
    if missing := [tool for tool in how["needs"] if shutil.which(tool) is None]:
        return Outcome({}, f"not on the PATH: {', '.join(missing)}")
    if "after" in how and (first := build_once(how["after"], table)).problem:
        return Outcome({}, f"{how['after']}: {first.problem}")
    begun = time.monotonic()
    log = LOGS / f"{name}.build.log"
    if how["build"] and "npm" in how["needs"]:
        with LOCK:  # one install, whoever comes first
            if _call(["make", "clients/node_modules"], ROOT, log, BUILD_TIMEOUT):
                return Outcome({}, f"npm cannot install its packages, see {log.relative_to(ROOT)}")
    for command in how["build"]:
        if _call(command, ROOT / how.get("folder", "."), log, BUILD_TIMEOUT):
            return Outcome({}, f"cannot be built, see {log.relative_to(ROOT)}", time.monotonic() - begun)
    return Outcome({}, seconds=time.monotonic() - begun)


def build_once(name: str, table: dict[str, dict[str, Any]]) -> Outcome:
    """Build a client unless that was done or is under way; wait for the result."""
    with LOCK:
        lock = BUILDING.setdefault(name, threading.Lock())
    with lock:
        if name not in BUILT:
            BUILT[name] = build(name, table)
    return BUILT[name]


def play(name: str, how: dict[str, Any], environment: Environment, expected: Results) -> Outcome:
    """Play all scenarios with a client that is built, and compare its results with the expected ones."""
    if "program" in how:
        return play_program(name, how, environment)
    begun = time.monotonic()
    log, report = LOGS / f"{name}.log", LOGS / f"{name}.json"
    report.unlink(missing_ok=True)
    given = environment._asdict() | {"scenarios": LOGS / "scenarios", "report": report}
    flags = [word for flag, value in given.items() for word in (f"--{flag.replace('_', '-')}", str(value))]
    if _call([*how["run"], *flags], ROOT / how.get("folder", "."), log, RUN_TIMEOUT, with_packages()):
        return Outcome({}, f"fell over, see {log.relative_to(ROOT)}", time.monotonic() - begun)
    comparisons = compare(
        without_times(json.loads(report.read_text())["results"]), expected, set(how.get("without", ()))
    )
    return Outcome(comparisons, seconds=time.monotonic() - begun)


def play_program(name: str, how: dict[str, Any], environment: Environment) -> Outcome:
    """Run the program of a template: it prints refusals with their clauses, and the id of a match that it finished."""
    begun = time.monotonic()
    log = LOGS / f"{name}.log"
    if _call([*how["program"], environment.grpc], ROOT / how["folder"], log, RUN_TIMEOUT):
        return Outcome({}, f"fell over, see {log.relative_to(ROOT)}", time.monotonic() - begun)
    printed = log.read_text()
    played = re.search(r"^match: (\w+)$", printed, re.MULTILINE)
    with Chitarrella(environment.grpc) as client:
        finished = played is not None and client.match(played[1]).get().view.finished
    same = finished and re.findall(r"^refused: (.*)$", printed, re.MULTILINE) == REFUSED
    return Outcome({PROGRAM: "same" if same else "not the same"}, seconds=time.monotonic() - begun)


def _call(command: list[str], folder: Path, log: Path, timeout: int, environment: dict[str, str] | None = None) -> int:
    """Run a command, append its output and duration to a log, and return its exit status."""
    words = [word.format(python=sys.executable) for word in command]
    begun = time.monotonic()
    with log.open("a") as out:
        print("$", *words, file=out, flush=True)
        try:
            status = subprocess.run(
                words, cwd=folder, stdout=out, stderr=subprocess.STDOUT, timeout=timeout, check=False, env=environment
            ).returncode
        except subprocess.TimeoutExpired:
            status = 1
            print("timeout", file=out)
        print(f"# {time.monotonic() - begun:.1f} s", file=out)
    return status


def compare(results: Results, expected: Results, without: set[str]) -> dict[str, str]:
    """Compare results with the expected ones: "same", "missing", or the first step that differs, for each scenario.

    The scenarios ``without`` which a client goes are left out.
    """
    comparisons = {}
    for name, correct in expected.items():
        if name in without:
            continue
        got = results.get(name)
        if got == correct:
            comparisons[name] = "same"
        elif got is None:
            comparisons[name] = "missing"
        else:
            equal = [mine == theirs for mine, theirs in zip(got, correct, strict=False)]
            comparisons[name] = f"step {[*equal, False].index(False)}"
    return comparisons


def outcomes(
    names: list[str], environment: Environment, expected: Results, *, jobs: int, built: bool
) -> Iterator[tuple[str, Outcome]]:
    """Build and play clients, and yield their outcomes as they come.

    Builds run side by side; the runners one after the other, because each of them cuts the connections of all.
    """
    table = clients()
    if built:
        table = {name: {**how, "build": []} for name, how in table.items()}
    with ThreadPoolExecutor(jobs) as pool:
        groups = shared_builds(names, table)
        builds = {pool.submit(build_once, first, table): group for first, group in groups.items()}
        for future in as_completed(builds):
            made = future.result()
            for name in builds[future]:
                outcome = Outcome({}, made.problem) if made.problem else play(name, table[name], environment, expected)
                yield name, outcome._replace(seconds=outcome.seconds + made.seconds)
                made = made._replace(seconds=0.0)  # a shared build counts once


def print_table(console: Console, results: dict[str, Outcome], scenarios: Iterable[str]) -> None:
    """Print one table of all comparisons, then the problems."""
    table = Table(title="Conformance")
    table.add_column("scenario")
    for name in results:
        table.add_column(name)
    for scenario in (*scenarios, PROGRAM):
        table.add_row(scenario, *(_cell(one.comparisons.get(scenario, "-")) for one in results.values()))
    table.add_row("seconds", *(f"{one.seconds:.0f}" for one in results.values()))
    console.print(table)
    for name, one in results.items():
        if one.problem:
            console.print(f"[red]{name}: {one.problem}")
            console.print(_end_of_logs(name), markup=False, highlight=False)


def _end_of_logs(name: str) -> str:
    """Return the last lines of what a client's build and run printed, for a machine whose files nobody can open."""
    logs = (LOGS / f"{name}.build.log", LOGS / f"{name}.log")
    return "\n".join(line for log in logs if log.exists() for line in log.read_text().splitlines()[-LOG_LINES:])


def _cell(comparison: str) -> str:
    return f"[green]{comparison}" if comparison == "same" else f"[red]{comparison}"


def main() -> int:
    """Build, play, compare, print; the exit status is 0 if every result was as expected."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clients", nargs="*", help="only these; `typescript` for all whose name begins so")
    parser.add_argument("--sample", action="store_true", help="of the templates one, at each commit another")
    parser.add_argument("--no-build", action="store_true", help="they are built already")
    parser.add_argument("--jobs", type=int, default=JOBS, help=f"builds at once (default {JOBS})")
    arguments = parser.parse_args()
    known, templates = list(clients()), [name for name, how in clients().items() if "program" in how]
    chosen = {asked: [name for name in known if f"{name}-".startswith(f"{asked}-")] for asked in arguments.clients}
    if unknown := [asked for asked, found in chosen.items() if not found]:
        parser.error(f"there is no client {unknown[0]}; clients: {', '.join(known)}")
    names = list(dict.fromkeys(chain(*chosen.values()))) or known
    if arguments.sample:
        left_out = {*templates} - {templates[commits() % len(templates)]}
        names = [name for name in names if name not in left_out]
    console = Console() if sys.stdout.isatty() else Console(width=TABLE_WIDTH)
    results: dict[str, Outcome] = {}
    begun = time.monotonic()
    LOGS.mkdir(parents=True, exist_ok=True)
    for stale in LOGS.glob("*.log"):
        stale.unlink()
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as environment:
        documents = list(made(environment))
        write(documents, LOGS / "scenarios")
        expected = {one["name"]: one["expected"] for one in documents}
        for name, outcome in outcomes(names, environment, expected, jobs=arguments.jobs, built=arguments.no_build):
            results[name] = outcome
            console.print(
                f"{name}: {outcome.problem or ('same' if outcome.ok else 'not the same')}, {outcome.seconds:.0f} s"
            )
    print_table(console, {name: results[name] for name in names}, expected)
    for name in (wrong := changed(documents)):
        console.print(f"[red]{name} is not as {DIGESTS.name} has it; see python -m clients.conformance.write")
    console.print(f"{len(results)} clients, {time.monotonic() - begun:.0f} s")
    return 0 if all(one.ok for one in results.values()) and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
