"""``python -m lab.chaos.run``: kill, cut and attack the service for some minutes, and print what it withstood.

A whole run that reaches its goals writes its figures for the page of proofs. The exit status is 1 if anything falls
short. Needs Linux, and Go for the check of the histories.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from lab.chaos.attacks.all_attacks import ATTACKS
from lab.chaos.checker import is_available
from lab.chaos.kills import RUNS, Run, run_kills
from lab.chaos.lost_moves import run_losses
from lab.chaos.report import GOAL_MOVES, Duration, Findings, show, write

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
