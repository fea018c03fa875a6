"""The table of a run, and its figures for the page of proofs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from chitarrella.transports.rest.website.proofs_page import FIGURES
from lab.chaos.attacks.victim import Attacked
from lab.chaos.deployments import FaultKind
from lab.chaos.kills import Killed
from lab.chaos.lost_moves import Noticed
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
