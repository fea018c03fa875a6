"""``python -m lab.chaos.run``: kill, cut and attack the service for some minutes, and print what it withstood.

A whole run that reaches its goals writes its figures for the page of proofs. The exit status is 1 if anything falls
short. Needs Linux, and Go for the check of the histories.
"""

import argparse
import json
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console

from chitarrella.transports.rest.website.website import FIGURES
from lab.chaos.attacks import ATTACKS, Attacked, attack
from lab.chaos.faults import RUNS, Withstood, withstand
from lab.chaos.history import is_available
from lab.chaos.losses import Noticed, run_losses
from lab.evidence.figures import MEASURED, Figure, figures, written

COMMAND = "make chaos"
GOAL_MOVES = 130_000
MINUTES = 14.0  # with `END_MINUTES`, and four for the manifests and the image, ``make chaos`` takes less than twenty
END_MINUTES = 1.5  # what all parts together may take beyond their time: services start, and players end their matches
SHARE_OF_KILLS = 0.7  # of the time of a whole run
ATTACK_MINUTES = 4.0  # what all attacks take in full; with less time they are scaled down
LEAST_SCALE = 0.1
KEPT = Path(__file__).parents[2] / "build" / "chaos"
"""Where the folder of a part that failed is kept: histories and logs."""
KILLS, LOSSES, ALL_ATTACKS = "kills", "losses", "attacks"
EDGE = "--edge"


@dataclass
class Findings:
    killed: list[Withstood] = field(default_factory=list)
    noticed: Noticed | None = None
    attacked: dict[str, Attacked] = field(default_factory=dict)  # by the name of the attack
    errors: list[str] = field(default_factory=list)  # the parts that failed, and why
    minutes: float = 0.0
    most_minutes: float = MINUTES + END_MINUTES  # the time that the whole run took, and the longest that it may take

    @property
    def accepted(self) -> int:
        return sum(one.accepted for one in self.killed)

    def shortfalls(self, moves: int) -> Iterator[str]:
        """What does not reach its goal; ``moves`` is that of the acknowledged moves."""
        yield from self.errors
        yield from (f"{one.name}: {_judgement(one)}" for one in self.killed if not one.is_right)
        if self.killed and self.accepted < moves:
            yield f"{self.accepted:,} of {moves:,} moves were acknowledged in the time"
        if self.noticed is not None and not self.noticed.is_right:
            yield f"not every client was informed of lost moves: {', '.join(self.noticed.silent)}"
        for name, attacked in self.attacked.items():
            yield from (f"{name}: {fault}" for fault in attacked.faults())
        if self.minutes > self.most_minutes:
            yield self.duration

    @property
    def duration(self) -> str:
        return f"the run took {self.minutes:.1f} minutes of {self.most_minutes:g} at most"


def _judgement(one: Withstood) -> str:
    if one.checked is None:
        return "not checked: Go is not on the PATH"
    if one.is_right:
        return "0 lost, 0 doubled"
    bad = len(one.checked.illegal) + len(one.checked.undecided)
    checked = f"{bad} of {one.checked.matches} matches are not linearizable; {one.checked.accepted} moves were checked"
    return "; ".join([checked, *one.wrong[:3]])


def show(findings: Findings, moves: int, console: Console) -> None:
    """Print what was withstood, and what does not reach its goal."""
    for run in findings.killed:
        faults = ", ".join(f"{kind}: {number:,}" for kind, number in run.faults.items())
        said = f"{run.accepted:,} moves acknowledged, {run.unknown:,} without an answer, {run.repeated:,} sent again"
        console.print(f"{run.name} ({faults}): {said}, longest wait {run.longest_ms:,} ms; {_judgement(run)}")
    if one := findings.noticed:
        console.print(f"{one.informed} of {one.clients} clients were informed of {one.moves} lost moves")
    for name, made in findings.attacked.items():
        console.print(f"{name}: {made.summary}, and {made.later_mb:+,.1f} MB when it was made again; {made.note}")
    console.print(findings.duration)
    for shortfall in findings.shortfalls(moves):
        console.print(f"[red]short of the goal:[/] {shortfall}", highlight=False)


def figures_of(findings: Findings) -> Iterator[Figure]:
    """The figures of a whole run."""
    faults = sum((Counter(one.faults) for one in findings.killed), Counter[str]())
    checked = [one.checked for one in findings.killed if one.checked]
    bad, matches = sum(len(one.illegal) + len(one.undecided) for one in checked), sum(one.matches for one in checked)
    yield Figure(
        "kills",
        f"{findings.accepted:,} acknowledged moves in {matches:,} matches; {bad} matches lost or doubled one",
        COMMAND,
        f"{'; '.join(f'{kind}: {number:,}' for kind, number in faults.items())}. The histories of the clients, "
        "with the times of invocation and answer, are checked for linearizability by porcupine.",
    )
    if one := findings.noticed:
        yield Figure(
            "lost moves",
            f"{one.informed} of {one.clients} clients were informed of {one.moves} lost moves",
            f'{COMMAND} ARGS="--only losses"',
            "A store that writes through every second loses power. Players, watchers and readers are informed "
            "before they go on.",
        )
    longest = max((one.longest_ms for one in findings.attacked.values()), default=0)
    memory = max((one.memory_mb for one in findings.attacked.values()), default=0)
    each = "; ".join(f"{name}: {one.summary}" for name, one in findings.attacked.items())
    within = f"another caller waited {longest:,} ms at most, the memory rose by {memory:,.0f} MB at most"
    yield Figure("attacks", f"{len(findings.attacked)} attacks: {within}", f'{COMMAND} ARGS="--only attacks"', each)


def write(findings: Findings) -> None:
    """Put the figures of a whole run among the measured ones, and write the page of proofs anew."""
    found = {figure.what: figure._asdict() for figure in figures_of(findings)}
    kept = [one for one in json.loads(MEASURED.read_text(encoding="utf-8")) if one["what"] not in found]
    MEASURED.write_text(json.dumps([*kept, *found.values()], ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    figures.cache_clear()
    FIGURES.write_text(written(), encoding="utf-8")


class Chaos:
    def __init__(self, options: argparse.Namespace, console: Console) -> None:
        self._options, self._console = options, console
        self._begun = time.monotonic()
        self.findings = Findings(most_minutes=options.minutes + END_MINUTES)

    def run(self) -> Findings:
        """Run every chosen part; one that fails does not end the others, and none begins when the time is over."""
        self._run_kills()
        if self._is_chosen(LOSSES):
            with self._part(LOSSES) as folder:
                self.findings.noticed = run_losses(folder, *self._options.serve)
        scale = min(1.0, max(LEAST_SCALE, self._options.minutes * (1 - SHARE_OF_KILLS) / ATTACK_MINUTES))
        for name, row in ATTACKS.items():
            by_all = not row.at_edge or EDGE in self._options.serve
            if name in self._options.only or (by_all and self._is_chosen(ALL_ATTACKS)):
                with self._part(name) as folder:
                    made = attack(row, folder, *self._options.serve, scale=1.0 if self._options.only else scale)
                    self.findings.attacked[row.name] = made
        self._measure()
        return self.findings

    def _is_chosen(self, *names: str) -> bool:
        return not self._options.only or bool(set(names) & set(self._options.only))

    def _measure(self) -> None:
        self.findings.minutes = (time.monotonic() - self._begun) / 60

    def _run_kills(self) -> None:
        chosen = [run for run in RUNS if self._is_chosen(KILLS, run.name.split()[0].lower())]
        whole = sum(run.share for run in chosen)
        minutes = self._options.minutes * (1 if self._options.only else SHARE_OF_KILLS)
        end = time.monotonic() + minutes * 60
        for place, run in enumerate(chosen):
            seconds = max(10.0, (end - time.monotonic()) * run.time / sum(one.time for one in chosen[place:]))
            moves = int(self._options.moves * run.share / whole)
            with self._part(run.name) as folder, self._console.status("") as status:

                def report(played: int, of: int = moves, show: Callable[[str], None] = status.update) -> None:
                    show(f"{played:,} of {of:,} moves")

                given = self._options.serve
                found = withstand(run, folder, moves, seconds, *given, seed=self._options.seed, report=report)
                self.findings.killed.append(found)
                if not found.is_right:
                    self._keep(folder, run.name)

    @contextmanager
    def _part(self, name: str) -> Iterator[Path]:
        """A folder for a part; a failure of the part is noted, and the folder then kept."""
        self._measure()
        folder = Path(tempfile.mkdtemp(prefix="chaos"))  # short, for the sockets in it
        self._console.print(f"{name} ...")
        try:
            if self.findings.minutes > self.findings.most_minutes:
                raise TimeoutError("not begun, because the time was over")
            yield folder
        except Exception as error:
            (folder / "failure.txt").write_text(traceback.format_exc())
            self.findings.errors.append(f"{name}: {error}")
            self._keep(folder, name)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    @staticmethod
    def _keep(folder: Path, name: str) -> None:
        kept = KEPT / name.replace(" ", "-")
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(folder, kept, ignore=lambda _, names: [one for one in names if one in ("s", "valkey.sock")])


def options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    runs = [run.name.split()[0].lower() for run in RUNS]
    parser = argparse.ArgumentParser(prog="make chaos", description=__doc__)
    parser.add_argument("--only", nargs="+", metavar="PART", default=[],
                        choices=[KILLS, *runs, LOSSES, ALL_ATTACKS, *ATTACKS],
                        help=f"only these: {KILLS} (all of {', '.join(runs)}), {LOSSES}, "
                             f"{ALL_ATTACKS} (all of {', '.join(ATTACKS)})")  # fmt: skip
    parser.add_argument("--serve", action="append", metavar="FLAG", default=[],
                        help=f"a flag of chitarrella serve; --serve={EDGE} adds attacks")  # fmt: skip
    parser.add_argument("--minutes", type=float, default=MINUTES,
                        help="the time for all parts; the run fails if it takes more than "
                             f"{END_MINUTES:g} longer (default: %(default)s)")  # fmt: skip
    parser.add_argument("--moves", type=int, default=GOAL_MOVES,
                        help="acknowledged moves of all kills together (default: %(default)s)")  # fmt: skip
    parser.add_argument("--seed", type=int, default=1, help="of the plans and the faults (default: %(default)s)")
    return parser.parse_args(arguments)


def main() -> int:
    chosen, console = options(), Console(soft_wrap=True)
    if not is_available():
        console.print("Go is not on the PATH: the histories cannot be checked.")
    findings = Chaos(chosen, console).run()
    show(findings, chosen.moves, console)
    is_whole = not chosen.only and chosen.minutes >= MINUTES and chosen.moves >= GOAL_MOVES
    is_short = any(findings.shortfalls(chosen.moves))
    if is_whole and not is_short:
        write(findings)
    return 1 if is_short else 0


if __name__ == "__main__":
    sys.exit(main())
