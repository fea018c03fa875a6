"""Hold a great many deals of every rule set against every law: ``python -m tests.properties.soak --deals 10000``.

All processors work on it at once. A broken law is said at once, with the rule set, the law and the seed that show it;
the same arguments find it again, whatever the number of jobs. What held is added to soak_progress.txt, so that a run
can be broken off and taken up again; ``--afresh`` neither reads nor writes it.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from random import Random
from typing import NamedTuple

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from chitarrella.catalogue.registry import RuleSet
from tests.properties.law_list import LAWS, MOMENTARY, THOUGHTFUL, hold
from tests.properties.soak_progress import Soaked
from tests.walks import Walk, defaults, name, variants, walk

PORTION = 200
"""Deals that a process takes at once: some seconds' work."""
ONE_POSITION = 5
"""So many moves of a walk, in a row, are held against a law of single positions, other ones for every law."""
THOUGHT = 10
"""One walk of so many is held against the laws for which somebody has to think."""


class Portion(NamedTuple):
    """Some deals of one rule set: the same number of the same seed are the same deals."""

    rule_set: RuleSet
    number: int
    deals: int
    seed: int


class Outcome(NamedTuple):
    """How many deals of a portion were held against the laws, and the first law that broke."""

    portion: Portion
    held: int
    broken: str


def main() -> int:
    """Read the arguments and run; the exit status says whether every law held."""
    parser = argparse.ArgumentParser(prog="python -m tests.properties.soak", description=__doc__)
    parser.add_argument("--deals", type=int, default=10_000, help="deals for each rule set")
    parser.add_argument("--only", default="", help="rule sets whose name begins so: briscola-4, coech-2-matto_rank")
    parser.add_argument("--seed", type=int, default=0, help="with --afresh: another seed plays other deals")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at once; all processors")
    parser.add_argument("--afresh", action="store_true", help="pass over what held before, and keep nothing")
    asked = parser.parse_args()
    if asked.seed and not asked.afresh:
        parser.error("--seed is for deals that are not kept: say --afresh too")
    chosen = [rule_set for rule_set in (*defaults(), *variants()) if name(rule_set).startswith(asked.only)]
    soaked = Soaked.nothing() if asked.afresh else Soaked.read()
    broken = soak(list(portions(chosen, asked.deals, asked.seed, soaked)), soaked, asked.jobs, keep=not asked.afresh)
    done = [min(soaked.deals(rule_set), asked.deals) for rule_set in chosen]
    whole = sum(deals == asked.deals for deals in done)
    print(f"{whole} of {len(chosen)} rule sets, {sum(done):,} deals, {len(LAWS)} laws: {broken} broken")
    return 1 if broken or whole < len(chosen) or not chosen else 0


def portions(chosen: list[RuleSet], deals: int, seed: int, soaked: Soaked) -> Iterator[Portion]:
    """Divide the deals still to be played: the rules as they are before house rules, and where few were before many."""
    left = [
        (first, rule_set)
        for rule_set in chosen
        for first in range(soaked.deals(rule_set) // PORTION * PORTION, deals, PORTION)
    ]
    for first, rule_set in sorted(left, key=lambda each: (bool(each[1].options), each[0])):
        yield Portion(rule_set, first // PORTION, min(PORTION, deals - first), seed)


def soak(work: list[Portion], soaked: Soaked, jobs: int, *, keep: bool) -> int:
    """Do the work and count what held; gives how many portions broke a law."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    broken = 0
    with Progress(*columns, console=Console(stderr=True)) as progress, ProcessPoolExecutor(jobs) as pool:
        task = progress.add_task("deals", total=sum(portion.deals for portion in work))
        for outcome in pool.map(hold_all, work):  # in their order: what is kept has no gaps
            progress.advance(task, outcome.held)
            if outcome.broken:
                broken += 1
                print(outcome.broken, file=sys.stderr)
            else:
                soaked.add(outcome.portion.rule_set, outcome.portion.number * PORTION, outcome.held)
                if keep:
                    soaked.write()
    return broken


def hold_all(portion: Portion) -> Outcome:
    """Play some deals of a rule set, and hold each walk against the laws until one breaks."""
    held = number = 0
    while held < portion.deals:
        number += 1
        seed = Random(f"{portion.seed} {portion.number} {number}").getrandbits(64)
        played = walk(portion.rule_set, str(seed), deals=1 + number % 7 // 6, effort=1)
        for law, part in sample_parts(played, number):
            try:
                hold(law, part)
            except Exception as error:  # whatever it is, it is said with the seed that shows it
                said = f"{name(portion.rule_set)}: {law} is broken by seed {seed}: {type(error).__name__} {error}"
                return Outcome(portion, held, said)
        held += played.deals
    return Outcome(portion, portion.deals, "")


def sample_parts(played: Walk, number: int) -> Iterator[tuple[str, Walk]]:
    """Give every law the part of walk ``number`` that it looks at."""
    for law in LAWS:
        if law in MOMENTARY:
            yield law, played.part(Random(f"{law} {played.seed}"), ONE_POSITION)
        elif law not in THOUGHTFUL or number % THOUGHT == 1:
            yield law, played


if __name__ == "__main__":
    sys.exit(main())
