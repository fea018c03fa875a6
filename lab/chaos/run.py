"""``python -m lab.chaos.run``: kill, cut and attack the service for some minutes, and print what it withstood.

A whole run that reaches its goals writes its figures for the page of proofs. The exit status is 1 if anything falls
short. Needs Linux, and Go for the check of the histories.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from chitarrella.transports.rest.website.website import FIGURES
from lab.chaos.attacks.all_attacks import ATTACKS
from lab.chaos.attacks.victim import Attacked
from lab.chaos.deployments import FaultKind
from lab.chaos.history import is_available
from lab.chaos.kills import RUNS, Killed, Run, run_kills
from lab.chaos.watchers import Noticed, run_losses
from lab.evidence.figures import MEASURED, Figure, figures, written

COMMAND = "make chaos"
GOAL_MOVES = 130_000
GOAL_MS, GOAL_MB = 1000, 100
WORD = {True: "ok", False: "NOT OK"}


class Duration(NamedTuple):
    """How long a run has taken, and the longest that it may take."""

    minutes: float
    most: float

    @property
    def is_right(self) -> bool:
        """Whether it has not taken longer."""
        return self.minutes <= self.most

    def __str__(self) -> str:
        """For the report."""
        return f"the run took {self.minutes:.1f} minutes of {self.most:g} at most"


@dataclass
class Findings:
    """What a run has shown."""

    killed: list[Killed] = field(default_factory=list)
    noticed: Noticed | None = None
    attacked: dict[str, Attacked] = field(default_factory=dict)
    """By the name of the attack."""
    errors: list[str] = field(default_factory=list)
    """The parts that failed, and why."""
    took: Duration = Duration(0.0, 0.0)
    """The time of the whole run."""

    @property
    def accepted(self) -> int:
        """Acknowledged moves."""
        return sum(one.accepted for one in self.killed)

    def shortfalls(self, moves: int) -> list[str]:
        """What does not reach its goal; ``moves`` is that of the acknowledged moves."""
        found = list(self.errors)
        found += [f"{one.name}: {_linearizability(one)}" for one in self.killed if not one.is_right]
        if self.killed and self.accepted < moves:
            found.append(f"{self.accepted:,} of {moves:,} moves were acknowledged in the time")
        if self.noticed is not None and not self.noticed.is_right:
            found.append(f"not every client was informed of lost moves: {', '.join(self.noticed.silent)}")
        for name, attacked in self.attacked.items():
            found += [f"{name}: {fault}" for fault in _faults(attacked)]
        if not self.took.is_right:
            found.append(str(self.took))
        return found


def _linearizability(one: Killed) -> str:
    if one.checked is None:
        return "not checked: Go is not on the PATH"
    if one.is_right:
        return "0 lost, 0 doubled"
    bad = len(one.checked.illegal) + len(one.checked.undecided)
    return f"{bad} of {one.checked.matches} matches are not linearizable; {one.checked.accepted} moves were checked"


def _faults(one: Attacked) -> Iterator[str]:
    if one.longest_ms >= GOAL_MS:
        yield f"another caller waited {one.longest_ms:,} ms"
    if one.failures:
        yield f"{one.failures:,} of {one.calls:,} calls of others failed"
    if one.memory_mb >= GOAL_MB:
        yield f"the memory rose by {one.memory_mb:,.0f} MB"
    if not one.is_right:
        yield one.note


def show(findings: Findings, moves: int, console: Console) -> None:
    """Print the tables and what does not reach its goal."""
    if findings.killed:
        console.print(_table_of_kills(findings.killed))
        console.print(f"acknowledged moves: {findings.accepted:,}\n")
    if findings.noticed:
        one = findings.noticed
        console.print(
            f"lost under a weaker setting: {one.moves} moves; {one.informed} of {one.clients} clients were informed\n"
        )
    if findings.attacked:
        console.print(_table_of_attacks(findings.attacked))
    console.print(f"{findings.took}\n")
    for shortfall in findings.shortfalls(moves):
        console.print(f"[red]short of the goal:[/] {shortfall}", highlight=False)


def _table_of_kills(killed: Sequence[Killed]) -> Table:
    heads = ("run", "faults", "acknowledged", "no answer", "sent again", "longest wait", "seconds", "checked")
    table = Table(*heads, title="Moves under kills, cuts and failovers")
    for one in killed:
        faults = "\n".join(f"{kind}: {number:,}" for kind, number in one.faults.items())
        longest = f"{one.longest_ms / 1e3:.1f} s"
        counts = (f"{one.accepted:,}", f"{one.unknown:,}", f"{one.repeated:,}", longest, f"{one.seconds:.0f}")
        table.add_row(one.name, faults, *counts, _linearizability(one))
    return table


def _table_of_attacks(attacked: Mapping[str, Attacked]) -> Table:
    heads = ("attack", "sent", "calls of others", "failed", "longest wait", "memory", "", "seen")
    table = Table(*heads, title="Attacks, and who called meanwhile")
    for name, one in attacked.items():
        counts = (f"{one.sent:,}", f"{one.calls:,}", f"{one.failures:,}")
        costs = (f"{one.longest_ms:,} ms", f"{one.memory_mb:,.1f} MB")
        table.add_row(name, *counts, *costs, WORD[not list(_faults(one))], one.note)
    return table


def figures_of(findings: Findings) -> list[Figure]:
    """The figures of a whole run."""
    faults = sum((Counter(one.faults) for one in findings.killed), Counter[FaultKind]())
    bad = sum(len(one.checked.illegal) + len(one.checked.undecided) for one in findings.killed if one.checked)
    matches = sum(one.checked.matches for one in findings.killed if one.checked)
    found = [
        Figure(
            "kills",
            f"{findings.accepted:,} acknowledged moves in {matches:,} matches; {bad} matches lost or doubled one",
            COMMAND,
            f"{'; '.join(f'{kind}: {number:,}' for kind, number in faults.items())}. The histories of the clients, "
            "with the times of invocation and answer, are checked for linearizability by porcupine.",
        )
    ]
    if one := findings.noticed:
        found.append(
            Figure(
                "lost moves",
                f"{one.informed} of {one.clients} clients were informed of {one.moves} lost moves",
                f'{COMMAND} ARGS="--only losses"',
                "A store that writes through every second loses power. Players, watchers and readers are informed "
                "before they go on.",
            )
        )
    longest = max((one.longest_ms for one in findings.attacked.values()), default=0)
    memory = max((one.memory_mb for one in findings.attacked.values()), default=0)
    informed = "; ".join(
        f"{name}: {one.sent:,} sent, {one.failures} of {one.calls:,} calls of others failed, longest wait "
        f"{one.longest_ms:,} ms, {one.memory_mb:,.0f} MB"
        for name, one in findings.attacked.items()
    )
    within = f"another caller waited {longest:,} ms at most, the memory rose by {memory:,.0f} MB at most"
    found.append(
        Figure("attacks", f"{len(findings.attacked)} attacks: {within}", f'{COMMAND} ARGS="--only attacks"', informed)
    )
    return found


def write(findings: Findings) -> None:
    """Put the figures of a whole run among the measured ones, and write the page of proofs anew."""
    found = {figure.what: figure._asdict() for figure in figures_of(findings)}
    kept = [one for one in json.loads(MEASURED.read_text(encoding="utf-8")) if one["what"] not in found]
    MEASURED.write_text(json.dumps([*kept, *found.values()], ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    figures.cache_clear()
    FIGURES.write_text(written(), encoding="utf-8")


KEPT = Path(__file__).parents[2] / "build" / "chaos"
"""Where the folder of a part that failed is kept: histories and logs."""
MINUTES = 14.0
"""With `END_MINUTES`, and four for the manifests and the image, ``make chaos`` takes less than twenty."""
END_MINUTES = 1.5
"""What all parts together may take beyond their time: services start, and players end their matches."""
WIDTH = 160
"""Columns of the tables in a file."""
KILLS, LOSSES, ALL_ATTACKS = "kills", "losses", "attacks"
SHARE_OF_KILLS = 0.7
"""Of the time of a whole run."""
ATTACK_MINUTES = 4.0
"""What all attacks take in full; with less time they are scaled down."""
LEAST_SCALE = 0.1


class Chaos:
    """One run."""

    def __init__(self, options: argparse.Namespace, progress: Progress) -> None:
        """Run what the options choose."""
        self._options = options
        self._progress = progress
        self._begun = time.monotonic()
        self.findings = Findings(took=Duration(0.0, options.minutes + END_MINUTES))

    def _chosen(self, *names: str) -> bool:
        return not self._options.only or bool(set(names) & set(self._options.only))

    def run(self) -> Findings:
        """Run every chosen part; one that fails does not end the others, and none begins when the time is over."""
        self._run_kills()
        if self._chosen(LOSSES) and self._may_begin("losses"):
            with self._part("losses", 1) as (folder, _):
                self.findings.noticed = run_losses(folder)
        self._run_attacks()
        self._measure()
        return self.findings

    def _measure(self) -> Duration:
        """Note how long it has taken so far."""
        took = self.findings.took._replace(minutes=(time.monotonic() - self._begun) / 60)
        self.findings.took = took
        return took

    def _may_begin(self, name: str) -> bool:
        """Whether there is time for a part; it is noted where there is none."""
        if self._measure().is_right:
            return True
        self.findings.errors.append(f"{name}: not begun, because the time was over")
        return False

    def _run_kills(self) -> None:
        chosen = [run for run in RUNS if self._chosen(KILLS, run.name.split()[0].lower())]
        whole = len(chosen) == len(RUNS)
        minutes = self._options.minutes * (SHARE_OF_KILLS if not self._options.only else 1)
        end = time.monotonic() + minutes * 60
        for place, run in enumerate(chosen):
            left = sum(one.time for one in chosen[place:])
            seconds = max(10.0, (end - time.monotonic()) * run.time / left)
            moves = int(self._options.moves * (run.share if whole else run.share / sum(one.share for one in chosen)))
            self._run_one(run, moves, seconds)

    def _run_one(self, run: Run, moves: int, seconds: float) -> None:
        if not self._may_begin(run.name):
            return
        with self._part(run.name, moves) as (folder, task):
            report = partial(self._show_moves, task)
            killed = run_kills(run, folder, moves, seconds, self._options.seed, report=report)
            self.findings.killed.append(killed)
            if not killed.is_right:
                self._keep(folder, run.name)

    def _show_moves(self, task: int, moves: int) -> None:
        self._progress.update(task, completed=moves)  # type: ignore[arg-type]  # the number of a task is an int
        self._progress.refresh()

    def _run_attacks(self) -> None:
        scale = min(1.0, max(LEAST_SCALE, self._options.minutes * (1 - SHARE_OF_KILLS) / ATTACK_MINUTES))
        for name, attack in ATTACKS.items():
            if self._chosen(ALL_ATTACKS, name) and self._may_begin(name):
                with self._part(name, 1) as (folder, _):
                    self.findings.attacked[attack.name] = attack.make(folder, 1.0 if self._options.only else scale)

    @contextmanager
    def _part(self, name: str, steps: int) -> Iterator[tuple[Path, int]]:
        """Show a part, with a folder of its own; its failure is noted, and the folder then kept."""
        task = self._progress.add_task(name, total=steps)
        self._progress.refresh()
        if not self._progress.console.is_terminal:
            self._progress.console.print(f"{name} ...")
        folder = Path(tempfile.mkdtemp(prefix="chaos"))  # short, for the sockets in it
        try:
            yield folder, task
        except (RuntimeError, AssertionError, OSError) as error:
            self.findings.errors.append(f"{name}: {error}")
            self._keep(folder, name)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        self._progress.update(task, completed=steps)
        self._progress.refresh()

    @staticmethod
    def _keep(folder: Path, name: str) -> None:
        kept = KEPT / name.replace(" ", "-")
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(folder, kept, ignore=lambda _, names: [one for one in names if one in ("s", "valkey.sock")])


def options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    runs = [run.name.split()[0].lower() for run in RUNS]
    parser = argparse.ArgumentParser(prog="make chaos", description=__doc__)
    parser.add_argument("--only", nargs="+", metavar="PART", default=[],
                        choices=[KILLS, *runs, LOSSES, ALL_ATTACKS, *ATTACKS],
                        help=f"only these: {KILLS} (all of {', '.join(runs)}), {LOSSES}, "
                             f"{ALL_ATTACKS} (all of {', '.join(ATTACKS)})")  # fmt: skip
    parser.add_argument("--minutes", type=float, default=MINUTES,
                        help="the time for all parts; the run fails if it takes more than "
                             f"{END_MINUTES:g} longer (default: %(default)s)")  # fmt: skip
    parser.add_argument("--moves", type=int, default=GOAL_MOVES,
                        help="acknowledged moves of all kills together (default: %(default)s)")  # fmt: skip
    parser.add_argument("--seed", type=int, default=1, help="of the plans and the faults (default: %(default)s)")
    return parser.parse_args(arguments)


def main() -> int:
    """Run, print, and write the figures of a whole run."""
    chosen, console = options(), Console()
    if not console.is_terminal:
        console = Console(width=WIDTH)
    if not is_available():
        console.print("Go is not on the PATH: the histories cannot be checked.")
    columns = (TextColumn("{task.description:<30}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, auto_refresh=False) as progress:
        findings = Chaos(chosen, progress).run()
    show(findings, chosen.moves, console)
    is_whole = not chosen.only and chosen.minutes >= MINUTES and chosen.moves >= GOAL_MOVES
    is_short = bool(findings.shortfalls(chosen.moves))
    if is_whole and not is_short:
        write(findings)
    return 1 if is_short else 0


if __name__ == "__main__":
    sys.exit(main())
