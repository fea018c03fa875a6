"""Check every law on many deals of every rule set: ``python -m lab.soak.run --deals 10000``.

All processors work on it. A broken law is printed at once with its rule set and seed; the same arguments find it again,
whatever the number of jobs. What held is added to progress.txt, so that a run can be stopped and resumed;
``--afresh`` neither reads nor writes it.
"""

import argparse
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from random import Random
from typing import NamedTuple

from rich.console import Console
from rich.progress import track

from chitarrella.catalogue.registry import RuleSet
from chitarrella_testing.checks import LAWS, NEEDS_BOT, SINGLE_POSITION, check_law
from lab.soak.progress import SoakProgress
from tests.walks import Walk, defaults, name, variants, walk

BATCH_DEALS = 200  # deals of a batch: some seconds of work for one process
PART_MOVES = 5  # consecutive moves of a walk on which a law of single positions is checked; each law gets others
BOT_WALKS = 10  # one walk in so many is checked against the laws that need a bot


class Batch(NamedTuple):
    """Some deals of one rule set: the same number of the same seed are the same deals."""

    rule_set: RuleSet
    number: int
    deals: int
    seed: int


class Outcome(NamedTuple):
    """The number of checked deals of a batch, and the first broken law."""

    batch: Batch
    held: int
    broken: str


def main() -> int:
    """Read the arguments and run; return the exit status, 0 if every law held."""
    parser = argparse.ArgumentParser(prog="python -m lab.soak.run", description=__doc__)
    parser.add_argument("--deals", type=int, default=10_000, help="deals for each rule set")
    parser.add_argument("--only", default="", help="rule sets whose name begins so: briscola-4, coech-2-matto_rank")
    parser.add_argument("--seed", type=int, default=0, help="with --afresh: another seed plays other deals")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at once; all processors")
    parser.add_argument("--afresh", action="store_true", help="pass over what held before, and keep nothing")
    asked = parser.parse_args()
    if asked.seed and not asked.afresh:
        parser.error("--seed is for deals that are not kept: say --afresh too")
    chosen = [rule_set for rule_set in (*defaults(), *variants()) if name(rule_set).startswith(asked.only)]
    progress = SoakProgress() if asked.afresh else SoakProgress.read()
    broken = soak(list(batches(chosen, asked.deals, asked.seed, progress)), progress, asked.jobs, keep=not asked.afresh)
    done = [min(progress.deals(rule_set), asked.deals) for rule_set in chosen]
    whole = sum(deals == asked.deals for deals in done)
    print(f"{whole} of {len(chosen)} rule sets, {sum(done):,} deals, {len(LAWS)} laws: {broken} broken")
    return 1 if broken or whole < len(chosen) or not chosen else 0


def batches(chosen: list[RuleSet], deals: int, seed: int, progress: SoakProgress) -> Iterator[Batch]:
    """Divide the deals still to be played into batches: default options and the first deals come first."""
    left = [
        (first, rule_set)
        for rule_set in chosen
        for first in range(progress.deals(rule_set) // BATCH_DEALS * BATCH_DEALS, deals, BATCH_DEALS)
    ]
    for first, rule_set in sorted(left, key=lambda each: (bool(each[1].options), each[0])):
        yield Batch(rule_set, first // BATCH_DEALS, min(BATCH_DEALS, deals - first), seed)


def soak(work: list[Batch], progress: SoakProgress, jobs: int, *, keep: bool) -> int:
    """Check the batches and record those that held; return how many broke a law."""
    broken = 0
    with ProcessPoolExecutor(jobs) as pool:
        found = pool.map(check_batch, work)  # in order, so that the recorded deals have no gaps
        for outcome in track(found, "batches", len(work), console=Console(stderr=True)):
            if outcome.broken:
                broken += 1
                print(outcome.broken, file=sys.stderr)
            else:
                progress.add(outcome.batch.rule_set, outcome.batch.number * BATCH_DEALS, outcome.held)
                if keep:
                    progress.write()
    return broken


def check_batch(batch: Batch) -> Outcome:
    """Play the deals of a batch, and check each walk against the laws until one breaks."""
    held = number = 0
    while held < batch.deals:
        number += 1
        seed = Random(f"{batch.seed} {batch.number} {number}").getrandbits(64)
        played = walk(batch.rule_set, str(seed), deals=1 + number % 7 // 6, effort=1)
        for law, part in sample_parts(played, number):
            try:
                check_law(law, part)
            except Exception as error:  # any error is reported with its seed
                said = f"{name(batch.rule_set)}: {law} is broken by seed {seed}: {type(error).__name__} {error}"
                return Outcome(batch, held, said)
        held += played.deals
    return Outcome(batch, batch.deals, "")


def sample_parts(played: Walk, number: int) -> Iterator[tuple[str, Walk]]:
    """Yield every law with the part of walk ``number`` that it checks."""
    for law in LAWS:
        if law in SINGLE_POSITION:
            yield law, played.part(Random(f"{law} {played.seed}"), PART_MOVES)
        elif law not in NEEDS_BOT or number % BOT_WALKS == 1:
            yield law, played


if __name__ == "__main__":
    sys.exit(main())
