"""Hold a great many deals of every rule set against every law: ``python -m tests.laws.soak --deals 10000``.

All processors work on it at once. A broken law is said at once, with the rule set, the law and the seed that show it;
the same arguments find it again, whatever the number of jobs.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from random import Random
from typing import NamedTuple

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from chitarrella.catalogue import Agreement
from tests.kit import defaults, name, variants, walk
from tests.laws.book import LAWS, hold

PORTION = 100
"""Deals that a process takes at once: some seconds' work."""


class Portion(NamedTuple):
    """Some deals of one rule set."""

    agreement: Agreement
    deals: range
    seed: int


class Outcome(NamedTuple):
    """How many of them were held against the laws, and the first one that broke one."""

    held: int
    broken: str


def main() -> int:
    """Read the arguments and run; the exit status says whether every law held."""
    parser = argparse.ArgumentParser(prog="python -m tests.laws.soak", description=__doc__)
    parser.add_argument("--deals", type=int, default=10_000, help="deals for each rule set")
    parser.add_argument("--only", default="", help="rule sets whose name begins so: briscola-4, coech-2-matto_rank")
    parser.add_argument("--seed", type=int, default=0, help="another seed plays other deals")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at once; all processors")
    asked = parser.parse_args()
    chosen = [agreement for agreement in (*defaults(), *variants()) if name(agreement).startswith(asked.only)]
    held, broken = soak(list(portions(chosen, asked.deals, asked.seed)), len(chosen) * asked.deals, asked.jobs)
    print(f"{len(chosen)} rule sets, {held} deals, {len(LAWS)} laws: {broken} broken")
    return 1 if broken or not chosen else 0


def portions(chosen: list[Agreement], deals: int, seed: int) -> Iterator[Portion]:
    """Divide the deals of all rule sets, so that every rule set is under way early."""
    for first in range(1, deals + 1, PORTION):
        for agreement in chosen:
            yield Portion(agreement, range(first, min(first + PORTION, deals + 1)), seed)


def soak(work: list[Portion], deals: int, jobs: int) -> tuple[int, int]:
    """Do the work; gives how many deals were held against the laws, and how many portions broke one."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    done = broken = 0
    with Progress(*columns, console=Console(stderr=True)) as progress, ProcessPoolExecutor(jobs) as pool:
        task = progress.add_task("deals", total=deals)
        for future in as_completed([pool.submit(hold_all, portion) for portion in work]):
            outcome = future.result()
            done += outcome.held
            progress.advance(task, outcome.held)
            if outcome.broken:
                broken += 1
                print(outcome.broken, file=sys.stderr)
    return done, broken


def hold_all(portion: Portion) -> Outcome:
    """Play some deals of a rule set, and hold each against every law until one breaks."""
    for place, deal in enumerate(portion.deals):
        number = Random(f"{portion.seed} {deal}").getrandbits(64)
        played = walk(portion.agreement, str(number), deals=1 + deal % 7 // 6, effort=1)
        for law in LAWS:
            try:
                hold(law, played)
            except Exception as error:  # whatever it is, it is said with the seed that shows it
                said = f"{name(portion.agreement)}: {law} is broken by seed {number}: {type(error).__name__} {error}"
                return Outcome(place, said)
    return Outcome(len(portion.deals), "")


if __name__ == "__main__":
    sys.exit(main())
