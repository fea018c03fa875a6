"""``python -m tests.bench.run``: measure the rules, the service, the store and the start, and write ``report.md``.

A goal that is not reached does not fail the command, but a void measurement does. Needs Linux and the
packages of ``requirements.txt`` beside this file.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import monotonic
from typing import NamedTuple

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from tests.bench import service as calls
from tests.bench.lines import LoadFailed
from tests.bench.peers import BRIDGE, HEARTS, peers
from tests.bench.play import Player, Speed, early_and_late, interleaved, notation_to_notation, tables
from tests.bench.report import Findings, Goal, Playing, write
from tests.bench.servers import echo_command, running, service_command
from tests.bench.service import Row, half_loaded, kinds, measured, rest_kinds
from tests.bench.start import seconds_to_answer
from tests.bench.store import SIZES, Cost, Size, beside_others, running_store
from tests.bench.watching import TOGETHER, WATCHERS, Watched, watched

REPORT = Path(__file__).with_name("report.md")
IN_FLIGHT = 16
"""The calls in flight of the goals: enough to keep one worker busy."""


class Effort(NamedTuple):
    """How long and how often is measured."""

    play_rounds: int
    play_seconds: float
    positions: int
    levels: tuple[int, ...]
    rounds: int
    seconds: float
    long_matches: int
    many_matches: int
    deals: int
    starts: int
    news: int


FULL = Effort(5, 30.0, 400, (1, 16, 64), 5, 0.8, 20, 100_000, 100, 5, 15)
QUICK = Effort(2, 2.0, 100, (1, 16), 2, 0.3, 3, 10_000, 10, 1, 3)


class Bench:
    """One run of the benchmark."""

    def __init__(self, effort: Effort, folder: Path, progress: Progress) -> None:
        """Write all files in ``folder``."""
        self._effort = effort
        self._folder = folder
        self._progress = progress

    def _part(self, title: str, steps: int) -> Callable[[str], None]:
        """Begin a part of so many steps; return the function to call after each."""
        task = self._progress.add_task(title, total=steps, step="")
        self._progress.refresh()

        def done(step: str) -> None:
            # Refreshed here, not by a thread of its own, which would cost time during a measurement.
            self._progress.update(task, advance=1, step=step)
            self._progress.refresh()

        return done

    def rules(self) -> list[Playing]:
        """Random play, in comparison to other engines."""
        effort, ours = self._effort, tables()
        players: list[Player] = [*ours, *peers()]
        done = self._part("rules", effort.play_rounds * len(players) + len(ours))
        seconds = effort.play_seconds / effort.play_rounds / len(players)
        rounds = interleaved(players, effort.play_rounds, seconds, done)
        seen = {player.name: speeds for player, speeds in zip(players, rounds, strict=True)}
        notation = {}
        for one in ours:
            notation[one.name] = notation_to_notation(one, effort.play_rounds, effort.positions)
            done(f"{one.name}, notation to notation")
        return [
            Playing(
                name,
                median(speed.whole for speed in speeds),
                median(speed.bare for speed in speeds),
                _beside(speeds, seen[HEARTS]),
                _beside(speeds, seen[BRIDGE]),
                notation.get(name),
            )
            for name, speeds in seen.items()
        ]

    def service(self) -> tuple[list[Row], list[Row], list[Row]]:
        """The service and its baseline under load."""
        effort, folder = self._effort, self._folder
        with (
            running(service_command(folder / "service"), folder / "service") as served,
            running(echo_command(folder / "echo"), folder / "echo") as echo,
        ):
            grpc, rest = kinds(served, echo), rest_kinds(served, echo)
            once = effort.rounds * len(effort.levels)
            done = self._part("gRPC", once * len(grpc) + 4 * effort.rounds)
            rows = measured(grpc, effort.levels, effort.rounds, effort.seconds, done)
            pair = [kind for kind in grpc if kind.name in (calls.SCRIPT, calls.PLAY)]
            half = half_loaded(pair, effort.levels[-1], 2 * effort.rounds, effort.seconds, done)
            done = self._part("REST", once * len(rest))
            return rows, half, measured(rest, effort.levels, effort.rounds, effort.seconds, done)

    def watching(self) -> list[Watched]:
        """Many watchers. Both servers have just started, so that the memory of a watcher can be measured."""
        news, folder = self._effort.news, self._folder
        done = self._part("watch", news * len(TOGETHER))
        with (
            running(service_command(folder / "watched"), folder / "watched") as served,
            running(echo_command(folder / "watched echo"), folder / "watched echo") as echo,
        ):
            return [watched(served, echo, matches, news, done) for matches in TOGETHER]

    def store(self) -> tuple[list[Size], list[tuple[str, Cost, Cost]]]:
        """The size of matches in the store, and the cost of moves as they grow."""
        effort, few = self._effort, 1000
        done = self._part("store", len(SIZES) + effort.long_matches + 2 + effort.deals)
        with running_store(self._folder / "few") as one, running_store(self._folder / "many") as other:
            sizes = []
            for rule_set, moves in SIZES:
                sizes.append(one.size(rule_set, moves))
                done(f"bytes, {rule_set.game}")
            growth = one.as_a_match_grows(effort.long_matches, done)
            for kept, number in ((one, few), (other, effort.many_matches)):
                kept.fill(number)
                done(f"{number:,} matches")
            beside = beside_others(one, other, effort.deals, done)
        return sizes, [
            ("at move 1,000 of a match beside move 10", *growth),
            (f"with {effort.many_matches:,} other matches in the store beside {few:,}", *beside),
        ]

    def all(self, *, quick: bool) -> Findings:
        """Measure everything."""
        begun = monotonic()
        playing = self.rules()
        early, late = early_and_late(5, 2 + 20 * (not quick))
        grpc, half, rest = self.service()
        watching = self.watching()
        sizes, stored = self.store()
        start = seconds_to_answer(self._folder / "start", self._effort.starts, self._part("start", self._effort.starts))
        goals = aims(playing, late / early, grpc, half, rest, watching, sizes, stored, start)
        minutes = (monotonic() - begun) / 60
        return Findings(goals, playing, grpc, half, rest, watching, sizes, (early, late), stored, start, quick, minutes)


def aims(
    playing: Sequence[Playing],
    growth: float,
    grpc: Sequence[Row],
    half: Sequence[Row],
    rest: Sequence[Row],
    watching: Sequence[Watched],
    sizes: Sequence[Size],
    stored: Sequence[tuple[str, Cost, Cost]],
    start: float,
) -> list[Goal]:
    """Compare the results with the goals; of several games the slowest counts."""
    of_tricks = {table.name for table in tables() if table.is_of_tricks}
    ours = [one for one in playing if one.name in of_tricks]
    slowest = min(ours, key=lambda one: one.whole)
    notation = max(one.notation or 0 for one in ours)
    play, validated, batch = (_row(grpc, name) for name in (calls.PLAY, calls.VALIDATE, calls.BATCHED))
    at_rest = _row(rest, calls.REST_PLAY)
    size = max(one.whole for one in sizes if one.moves == 40)
    hearts, bridge = min(one.beside_hearts for one in ours), min(one.beside_bridge for one in ours)
    busy = f"{IN_FLIGHT} in flight"
    return [
        Goal(f"random play, moves a second, slowest table ({slowest.name})", 100_000, 200_000, slowest.whole, "", True),
        Goal("the same beside OpenSpiel's Python API, hearts", 0.4, 1, hearts, "x", at_least=True),
        Goal("the same beside RLCard's Bridge", 4, 10, bridge, "x", at_least=True),
        Goal("a move from notation to notation, slowest table", 40, 5, notation, " us"),
        Goal(f"PlayMove, CPU beside echo + script, {busy}", 1.4, 1.15, _ratio(play).cpu, "x"),
        Goal("PlayMove at half its highest load, p99 beside echo + script", 2, 1.3, _ratio(half[-1]).p99, "x"),
        Goal(f"stateless ValidateMove, CPU beside echo, {busy}", 1.3, 1.1, _ratio(validated).cpu, "x"),
        Goal("moves validated in batches of 100, a second", 50_000, 100_000, batch.items_a_second, at_least=True),
        Goal(f"REST PlayMove, CPU beside Flask + script, {busy}", 1.5, 1.2, _ratio(at_rest).cpu, "x"),
        *_crowded(watching[0]),
        Goal("bytes of a live match of 40 moves", 6_000, 2_000, size),
        Goal("`serve`, start to first answer", 1.5, 0.7, start, " s"),
        Goal("a move of the rules, at move 1,000 beside move 10", 1.2, 1.05, growth, "x"),
        *[Goal(f"a kept move, {what}", 1.2, 1.05, then.whole / first.whole, "x") for what, first, then in stored],
    ]


def _crowded(seen: Watched) -> list[Goal]:
    who = f"{WATCHERS:,} watchers of a match at one worker"
    return [
        Goal(f"{who}, a move to the last of them, beside a bare fan-out", 1.5, 1.15, seen.ratio.last, "x"),
        Goal("the same, CPU a message", 1.5, 1.15, seen.ratio.cpu, "x"),
        Goal("the same, memory a watcher", 1.3, 1.05, seen.size / seen.baseline_size, "x"),
        Goal("the same, connections on which the store tells news", 1, 1, seen.lines),
    ]


def _beside(speeds: Sequence[Speed], others: Sequence[Speed]) -> float:
    return median(one.whole / other.whole for one, other in zip(speeds, others, strict=True))


def _row(rows: Sequence[Row], name: str) -> Row:
    return next(row for row in rows if row.name == name and row.lanes == IN_FLIGHT)


def _ratio(row: Row) -> calls.Seen:
    assert row.ratio is not None
    return row.ratio


def main(args: Sequence[str]) -> None:
    """Measure, print the goals, write the report."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.run", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="less than a minute, and less exact")
    quick = parser.parse_args(args).quick
    missing = [name for name in ("pyspiel", "rlcard") if find_spec(name) is None]
    if missing or sys.platform != "linux":
        sys.exit(f"needs Linux and tests/bench/requirements.txt; missing: {', '.join(missing) or 'Linux'}")
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description:6}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[step]}"),
    )
    try:
        with (
            tempfile.TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True) as folder,
            Progress(*columns, console=console, auto_refresh=False) as progress,
        ):
            found = Bench(QUICK if quick else FULL, Path(folder), progress).all(quick=quick)
    except LoadFailed as failed:
        sys.exit(f"broken measurement: {failed}")
    REPORT.write_text(write(found))
    for goal in found.goals:
        what, aim, beyond, seen, mark = goal.cells
        console.print(f"{mark.strip('*'):7} {what}: {seen} (goal {aim}, beyond {beyond})", highlight=False)
    console.print(f"\nthe figures: {REPORT.relative_to(Path.cwd()) if REPORT.is_relative_to(Path.cwd()) else REPORT}")


if __name__ == "__main__":
    main(sys.argv[1:])
