"""`make test-clients`: build every client, play every scenario with each, print one table.

`python -m clients.conformance.run [CLIENT ...]` plays with these clients only; `--no-build` leaves out the building. A
toolchain that is missing is named, and makes the run fail.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from clients.conformance.stage import Stage, staged

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SCENARIOS = HERE / "scenarios"
LOGS = ROOT / "build" / "clients"
SECONDS_TO_BUILD, SECONDS_TO_RUN = 1800, 300


class Outcome(NamedTuple):
    """What came of a client: a word for each scenario, or what has stopped it before."""

    words: dict[str, str]
    trouble: str = ""
    seconds: float = 0.0
    note: str = ""

    @property
    def well(self) -> bool:
        """Tell whether everything was as expected."""
        return not self.trouble and all(word == "same" for word in self.words.values())


def clients() -> dict[str, dict[str, Any]]:
    """Read how every client is built and run."""
    found: dict[str, dict[str, Any]] = json.loads((HERE / "clients.json").read_text())
    return found


def expected() -> dict[str, list[Any]]:
    """Read what every scenario must give."""
    said = [json.loads(path.read_text()) for path in sorted(SCENARIOS.glob("*.json"))]
    return {one["name"]: one["expected"] for one in said}


def play(name: str, how: dict[str, Any], stage: Stage, *, build: bool) -> Outcome:
    """Build a client, let it play, and compare."""
    begun = time.monotonic()
    if missing := [tool for tool in how["needs"] if shutil.which(tool) is None]:
        return Outcome({}, f"not on the PATH: {', '.join(missing)}")
    played = "run" in how
    folder = ROOT / how.get("folder", ".")
    LOGS.mkdir(parents=True, exist_ok=True)
    log = LOGS / f"{name}.log"
    report = LOGS / f"{name}.json"
    report.unlink(missing_ok=True)
    with log.open("w") as out:
        for command in how["build"] if build else ():
            if _call(command, folder, out, SECONDS_TO_BUILD):
                return Outcome({}, f"cannot be built, see {log.relative_to(ROOT)}")
        if not played:
            return Outcome({}, seconds=time.monotonic() - begun, note="generated, not played")
        flags = [
            "--grpc", stage.grpc, "--rest", stage.rest, "--cut", stage.cut, "--tls", stage.tls, "--ca", str(stage.ca),
            "--scenarios", str(SCENARIOS), "--report", str(report),
        ]  # fmt: skip
        if _call([*how["run"], *flags], folder, out, SECONDS_TO_RUN):
            return Outcome({}, f"fell over, see {log.relative_to(ROOT)}")
    return Outcome(compared(json.loads(report.read_text())["results"]), seconds=time.monotonic() - begun)


def _call(command: list[str], folder: Path, out: Any, seconds: int) -> int:
    words = [word.format(python=sys.executable) for word in command]
    print("$", *words, file=out, flush=True)
    try:
        return subprocess.run(
            words, cwd=folder, stdout=out, stderr=subprocess.STDOUT, timeout=seconds, check=False, env=os.environ
        ).returncode
    except subprocess.TimeoutExpired:
        print(f"took longer than {seconds} s", file=out)
        return 1


def compared(results: dict[str, list[Any]]) -> dict[str, str]:
    """Hold results against what is expected; says at which step a scenario goes another way."""
    words = {}
    for name, wanted in expected().items():
        got = results.get(name)
        if got == wanted:
            words[name] = "same"
        elif got is None:
            words[name] = "missing"
        else:
            same = [mine == theirs for mine, theirs in zip(got, wanted, strict=False)]
            words[name] = f"step {[*same, False].index(False)}"
    return words


def print_table(console: Console, outcomes: dict[str, Outcome]) -> None:
    """Print one table of everything."""
    table = Table(title="One story")
    table.add_column("scenario")
    for name in outcomes:
        table.add_column(name)
    for scenario in expected():
        table.add_row(scenario, *(_cell(one.words.get(scenario, "-")) for one in outcomes.values()))
    table.add_row("seconds", *(f"{one.seconds:.0f}" for one in outcomes.values()))
    console.print(table)
    for name, one in outcomes.items():
        if one.trouble:
            console.print(f"[red]{name}: {one.trouble}")


def _cell(word: str) -> str:
    return f"[green]{word}" if word == "same" else f"[red]{word}"


def main() -> int:
    """Build, play, compare, print; the exit status says whether all was as expected."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clients", nargs="*", help="only these")
    parser.add_argument("--no-build", action="store_true", help="they are built already")
    told = parser.parse_args()
    known = clients()
    if unknown := set(told.clients) - known.keys():
        parser.error(f"there is no client {sorted(unknown)[0]}; clients: {', '.join(known)}")
    console = Console()
    outcomes: dict[str, Outcome] = {}
    with tempfile.TemporaryDirectory() as folder, staged(Path(folder)) as stage:
        for name in told.clients or known:
            with console.status(f"{name} ..."):
                outcomes[name] = play(name, known[name], stage, build=not told.no_build)
            one = outcomes[name]
            said = one.trouble or one.note or ("same" if one.well else "not the same")
            console.print(f"{name}: {said}, {one.seconds:.0f} s")
    print_table(console, outcomes)
    return 0 if all(one.well for one in outcomes.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
