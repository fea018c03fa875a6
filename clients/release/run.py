"""`make release-check`: build each client's package, install it into an empty application, play a match with it.

`python -m clients.release.run [CHECK ...]` runs only these checks; a name such as `python` stands for all that begin
with it. A missing tool is reported by name and fails the run.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from chitarrella_client import Chitarrella
from chitarrella_client.errors import ChitarrellaError
from clients.conformance.environment import Environment, running

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = ROOT / "build" / "release"
"""Logs; in `cache` other people's packages and compiled code that a later run need not fetch or compile again."""
TIMEOUT = 1800
"""Seconds that a check may take."""
STEP = "== "
"""The beginning of a line of the log that names the step that follows."""
SHELL = ("sh", "-euxc", f'step() {{ echo "{STEP}$1"; }}; step build; . "$APPLICATION/$1"', "sh")
"""The shell that runs a script, with the function by which a script names its steps."""


class Check(NamedTuple):
    """One way to publish a client: the folder of its application, the tools it needs, the script and its argument."""

    folder: str
    needs: tuple[str, ...] = ()
    script: tuple[str, ...] = ("check.sh",)


CHECKS = {
    "python": Check("python", script=("check.sh", "wheel")),
    "python-sdist": Check("python", script=("check.sh", "sdist")),
    "python-lowest": Check("python", script=("lowest.sh",)),
    "typescript": Check("typescript", ("node", "npm")),
    "typescript-rules": Check("typescript-rules", ("node", "npm")),
    "go": Check("go", ("git", "go")),
    "rust": Check("rust", ("cargo", "tar")),
    "java": Check("java", ("java", "mvn")),
    "kotlin": Check("kotlin", ("java", "mvn")),
    "cpp": Check("cpp", ("cmake", "ninja", "protoc", "grpc_cpp_plugin", "make", "npm")),
}


class Outcome(NamedTuple):
    """Result of a check: the problem, empty if there is none, and how long it took."""

    problem: str
    seconds: float


def run(name: str, environment: Environment) -> Outcome:
    """Run a check in a folder outside the tree, which is deleted afterwards."""
    check, begun = CHECKS[name], time.monotonic()
    if missing := [tool for tool in check.needs if shutil.which(tool) is None]:
        return Outcome(f"not on the PATH: {', '.join(missing)}", 0.0)
    with tempfile.TemporaryDirectory(prefix="chitarrella-release-") as outside:
        folder, packages = Path(outside, "application"), Path(outside, "packages")
        shutil.copytree(HERE / check.folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
        packages.mkdir()
        settings = {
            "ROOT": ROOT, "PYTHON": sys.executable, "APPLICATION": HERE / check.folder, "PACKAGES": packages,
            "CACHE": BUILD / "cache", "GRPC": environment.grpc, "REST": environment.rest,
        }  # fmt: skip
        log = BUILD / f"{name}.log"
        status = call(check.script, folder, {key: str(value) for key, value in settings.items()}, log)
        problem = f"{last_step(log)} failed, see {log.relative_to(ROOT)}" if status else unfinished(folder, environment)
    return Outcome(problem, time.monotonic() - begun)


def call(script: tuple[str, ...], folder: Path, settings: dict[str, str], log: Path) -> int:
    """Run the script of a check, log its output, and return its exit status; 1 if it takes too long."""
    # PYTHONPATH or an active virtual environment would bring packages into an application that is to be empty.
    hidden = {"PYTHONPATH", "VIRTUAL_ENV", "CARGO_TARGET_DIR", "MAKEFLAGS", "MFLAGS", "MAKELEVEL"}
    inherited = {key: value for key, value in os.environ.items() if key not in hidden}
    with log.open("w") as out:
        process = subprocess.Popen(
            [*SHELL, *script],
            cwd=folder,
            env=inherited | settings,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # a compiler that it started ends with it
        )
        try:
            return process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            print(f"\nmore than {TIMEOUT} s", file=out)
            return 1
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def last_step(log: Path) -> str:
    """The step that a script had begun when it ended: build, install, play or test."""
    steps = [line.removeprefix(STEP) for line in log.read_text().splitlines() if line.startswith(STEP)]
    return steps[-1]


def unfinished(folder: Path, environment: Environment) -> str:
    """What is wrong with the match whose id an application has written to `match_id`; empty if it was played out."""
    match_id = (folder / "match_id").read_text().strip()
    with Chitarrella(environment.grpc) as client:
        try:
            return "" if client.match(match_id).get().view.finished else f"the match {match_id} is not finished"
        except ChitarrellaError as error:
            return f"the application printed {match_id!r}, no match: {error.code}"


def print_table(console: Console, outcomes: dict[str, Outcome]) -> None:
    """Print one row for each check."""
    table = Table(title="Packages")
    for title in ("check", "result", "seconds"):
        table.add_column(title)
    for name, (problem, seconds) in outcomes.items():
        table.add_row(name, f"[red]{problem}" if problem else "[green]played", f"{seconds:.0f}")
    console.print(table)


def main() -> int:
    """Run the checks one after the other, and print a table; the exit status is 0 if all passed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checks", nargs="*", help=f"only these: {', '.join(CHECKS)}")
    chosen = parser.parse_args().checks
    if unknown := [one for one in chosen if not any(name.startswith(one) for name in CHECKS)]:
        parser.error(f"there is no check {unknown[0]}; checks: {', '.join(CHECKS)}")
    names = [name for name in CHECKS if not chosen or any(name.startswith(one) for one in chosen)]
    (BUILD / "cache").mkdir(parents=True, exist_ok=True)
    console, outcomes = Console(), {}
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as environment:
        for name in names:
            outcomes[name] = run(name, environment)
            console.print(f"{name}: {outcomes[name].problem or 'played'}, {outcomes[name].seconds:.0f} s")
    print_table(console, outcomes)
    return 1 if any(outcome.problem for outcome in outcomes.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
