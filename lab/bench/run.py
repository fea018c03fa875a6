"""``python -m lab.bench.run``: measure the rules, the service, the store and the start beside others, and report.

The report and the goals for the page of proofs go to ``build/bench``; a whole run with ``--keep`` writes them where the
repository keeps them, and its figures into the history. A goal that is not reached does not fail the command, but a
void measurement does. Needs Linux and the packages of ``requirements.txt`` beside this file; for boardgame.io also npm.
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

from lab.bench import report
from lab.bench.boardgame import Beside, compared
from lab.bench.connections import LoadFailed, of_rounds, ratio_of_rounds
from lab.bench.plans import MATCHES, Pool
from lab.bench.play import BRIDGE, HEARTS, Player, early_and_late, interleaved, peers, tables
from lab.bench.report import IN_FLIGHT, Goal, Playing, Results, goals
from lab.bench.saturation import Saturated, saturated
from lab.bench.service import (
    MOVES,
    PIPELINED,
    PLAY,
    SCRIPT,
    Row,
    Running,
    Start,
    at_service,
    connect_play,
    echo_command,
    half_loaded,
    kinds,
    measured,
    rest_kinds,
    running,
    service_command,
    starts,
)
from lab.bench.store import MANY, SIZES, Cost, Grown, Size, beside_others, grown, running_store, shortage
from lab.bench.watching import LANES, TOGETHER, WATCHERS, HttpWatched, Watched, http_watched, watched


class Effort(NamedTuple):
    """How long and how often is measured; a slice of time has ``seconds``."""

    play_rounds: int
    play_seconds: float
    positions: int
    repetitions: int
    levels: tuple[int, ...]
    rounds: int
    seconds: float
    half_rounds: int
    peer_rounds: int
    long_matches: int
    many_matches: int
    deals: int
    starts: int
    news: int
    http_rounds: int
    http_seconds: float
    grown: int = MANY
    grown_deals: int = 60


FULL = Effort(
    play_rounds=5, play_seconds=30, positions=400, repetitions=22, levels=(1, 16, 64), rounds=5, seconds=0.6,
    half_rounds=15, peer_rounds=7, long_matches=15, many_matches=100_000, deals=80, starts=5, news=15,
    http_rounds=3, http_seconds=1.5,
)  # fmt: skip
QUICK = Effort(
    play_rounds=2, play_seconds=4, positions=60, repetitions=2, levels=(IN_FLIGHT,), rounds=3, seconds=0.25,
    half_rounds=4, peer_rounds=3, long_matches=2, many_matches=10_000, deals=8, starts=2, news=3,
    http_rounds=1, http_seconds=0.5,
    grown=100_000, grown_deals=10,
)  # fmt: skip

PARTS = ("rules", "service", "boardgame", "watching", "http", "store", "start")
"""The parts of an ordinary run, in the order in which they are measured."""


class Bench:
    """One run of the benchmark."""

    def __init__(self, effort: Effort, folder: Path, progress: Progress) -> None:
        """Write all files in ``folder``."""
        self._effort = effort
        self._folder = folder
        self._progress = progress

    def measure(self, parts: Sequence[str]) -> Results:
        """Measure these parts. Raises `LoadFailed`."""
        found = Results()
        if "rules" in parts:
            found = found._replace(playing=self.rules(), early_and_late=early_and_late(5, self._effort.repetitions))
        if "service" in parts or "boardgame" in parts:
            with running(service_command(self._folder / "service"), self._folder / "service") as served:
                if "service" in parts:
                    grpc, half, rest = self.service(served)
                    found = found._replace(grpc=grpc, half=half, rest=rest)
                if "boardgame" in parts:
                    found = found._replace(boardgame=self.boardgame(served))
        if "watching" in parts:
            found = found._replace(watching=self.watching())
        if "http" in parts:
            found = found._replace(http_watching=self.http_watching())
        if "store" in parts:
            sizes, stored = self.store()
            found = found._replace(sizes=sizes, stored=stored)
        if "start" in parts:
            found = found._replace(start=self.start())
        if "growth" in parts:
            found = found._replace(grown=self.grown(), saturated=self.saturated())
        return found

    def _part(self, title: str, steps: int | None) -> Callable[[str], None]:
        """Begin a part of so many steps, None if they are not known; return the function to call after each."""
        for former in self._progress.tasks:  # has ended, also where its rounds were cut down
            self._progress.update(former.id, total=former.completed)
        task = self._progress.add_task(title, total=steps, step="")
        self._progress.refresh()

        def done(step: str) -> None:
            # Refreshed here, not by a thread of its own, which would cost time during a measurement.
            self._progress.update(task, advance=1, step=step)
            self._progress.refresh()

        return done

    def rules(self) -> list[Playing]:
        """Random play, in comparison to other engines."""
        effort, ours, others = self._effort, tables(), peers()
        players: list[Player] = [*ours, *others]
        done = self._part("rules", effort.play_rounds * len(players) + len(ours))
        seconds = effort.play_seconds / effort.play_rounds / len(players)
        rounds = interleaved(players, effort.play_rounds, seconds, done)
        speeds = {player.name: seen for player, seen in zip(players, rounds, strict=True)}
        whole = {name: [one.whole for one in seen] for name, seen in speeds.items()}
        found = []
        for player in players:
            beside_others = [ratio_of_rounds(whole[player.name], whole[other]) for other in (HEARTS, BRIDGE)]
            bare = median(one.bare for one in speeds[player.name])
            found.append(Playing(player.name, None, median(whole[player.name]), bare, *beside_others))
        for place, table in enumerate(ours):
            notation = of_rounds([table.notation(effort.positions) for _ in range(effort.play_rounds)])
            found[place] = found[place]._replace(group=table.group, notation=notation)
            done(f"{table.name}, notation to notation")
        return found

    def service(self, served: Running) -> tuple[list[Row], list[Row], list[Row]]:
        """The service and its baseline under load."""
        effort, folder = self._effort, self._folder
        with running(echo_command(folder / "echo"), folder / "echo") as echo:
            grpc, rest = kinds(served, echo), rest_kinds(served, echo)
            once = effort.rounds * len(effort.levels)
            compared_names = (SCRIPT, PIPELINED, PLAY)
            half = [kind for kind in grpc if kind.name in compared_names]
            done = self._part("gRPC and Connect", once * len(grpc) + len(half) * effort.half_rounds)
            rows = measured(grpc, effort.levels, effort.rounds, effort.seconds, done)
            halves = half_loaded(half, effort.levels[-1], effort.half_rounds, effort.seconds, done)
            done = self._part("REST", once * len(rest))
            return rows, halves, measured(rest, effort.levels, effort.rounds, effort.seconds, done)

    def boardgame(self, served: Running) -> Beside:
        """The service and the server of boardgame.io in turns."""
        effort = self._effort
        moves = [connect_play(served), at_service(PLAY, served, Pool(f"{MATCHES}PlayMove"))]
        done = self._part("boardgame.io", effort.peer_rounds)
        return compared(moves, IN_FLIGHT, effort.peer_rounds, effort.seconds, done)

    def watching(self) -> list[Watched]:
        """Many watchers. Both servers have just started, so that the memory of a watcher can be measured."""
        news, folder = self._effort.news, self._folder
        done = self._part("watch", news * len(TOGETHER))
        with (
            running(service_command(folder / "watched"), folder / "watched") as served,
            running(echo_command(folder / "watched echo"), folder / "watched echo") as echo,
        ):
            return [watched(served, echo, matches, news, done) for matches in TOGETHER]

    def http_watching(self) -> list[HttpWatched]:
        """Players beside many watchers over HTTP."""
        effort = self._effort
        done = self._part("watch over HTTP", effort.http_rounds)
        return http_watched(self._folder / "http", WATCHERS, LANES, effort.http_rounds, effort.http_seconds, done)

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
                kept.fill(number, MOVES)
                done(f"{number:,} matches")
            beside = beside_others(one, other, effort.deals, done)
        return sizes, [
            ("at move 1,000 of a match beside move 10", *growth),
            (f"with {effort.many_matches:,} other matches in the store beside {few:,}", *beside),
        ]

    def start(self) -> Start:
        """The start of the service and of a bare server."""
        return starts(self._folder / "start", self._effort.starts, self._part("start", self._effort.starts))

    def grown(self) -> list[Grown]:
        """A store of a million matches."""
        effort = self._effort
        return grown(self._folder, effort.grown, effort.grown_deals, self._part("growth", None))

    def saturated(self) -> list[Saturated]:
        """Stores that are driven until they can do no more."""
        return saturated(self._folder / "saturated", self._part("saturation", None))


ROOT = Path(__file__).parents[2]
REPORT = Path(__file__).with_name("report.md")
BUILD = ROOT / "build" / "bench"
PACKAGES = ("pyspiel", "rlcard")
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
    runs, run = report.read(report.HISTORY), report.this_run(goals_)
    _print(goals_, runs, console)
    is_kept = given.keep and is_whole
    target, page = (REPORT, report.PAGE) if is_kept else (BUILD / "report.md", BUILD / "speed.json")
    target.parent.mkdir(parents=True, exist_ok=True)
    note = "" if is_whole else QUICK_NOTE if given.quick else PART_NOTE
    target.write_text(report.write(found, goals_, runs, run, (monotonic() - begun) / 60, note), encoding="utf-8")
    page.write_text(report.for_page(goals_, run), encoding="utf-8")
    if given.keep:
        report.append(run, report.HISTORY)
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
    parser.add_argument("--keep", action="store_true", help="write the report, the goals and the history into the tree")
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


def _print(goals_: Sequence[Goal], runs: Sequence[report.Past], console: Console) -> None:
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
