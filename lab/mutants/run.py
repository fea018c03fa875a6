"""Mutation testing of the rules: ``make mutants``.

Results are kept in build/mutants.jsonl, so that a run can be stopped and resumed; a mutant is tried again if its module
has changed, or with ``--again`` if it survived. The score is the share of killed mutants, without the equivalent ones
that survivors.txt names, which are tried with ``--again`` only: no test can kill them, so that all would be run.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from heapq import nsmallest
from typing import NamedTuple

import hypothesis  # noqa: F401  # read once, before the processes that need it are forked
import yaml  # noqa: F401  # read once, as hypothesis is

from chitarrella_testing.mutants import ModuleMutants, Mutant
from chitarrella_testing.trial import LIVES, MISSED, Trial, outcome
from lab.mutants.measured import RESULTS, ROOT, choose, times
from lab.mutants.trial import begin, equivalents, score
from tests.test_architecture import RULES, SOURCES, full_name, is_within, module

TIMEOUT_FACTOR = 8  # the timeout of a mutant: so many times the measured duration of its tests, and a minute


CONTROL_MODULES = 1  # number of unchanged modules tried first: if their tests fail, no result means anything


@lru_cache(maxsize=4)
def module_mutants(name: str) -> ModuleMutants:
    """Read a module, such as ``tricks.play``, once for several mutants."""
    return ModuleMutants(name, next(path for path in SOURCES if module(path) == name))


class Work(NamedTuple):
    """A mutant being tried, and the tests to try next if it survives."""

    key: str
    mutant: Mutant
    trial: Trial
    later: list[list[str]]


def main() -> int:
    """Read the arguments and run; return the exit status, 0 if the score is high enough."""
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("modules", nargs="*", help="only these modules: tricks.following exchange.*")
    parser.add_argument("--sample", type=int, help="so many mutants, chosen at random")
    parser.add_argument("--seed", type=int, default=0, help="another seed is another sample")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at once; all processors")
    parser.add_argument("--again", action="store_true", help="try those anew that lived")
    parser.add_argument("--all-listed", action="store_true", help="fail for any survivor that is not listed")
    parser.add_argument("--least", type=float, default=95, help="the score in percent that is good enough")
    asked = parser.parse_args()
    rules = [name for name in map(module, SOURCES) if is_within(name, RULES)]
    names = [name for name in rules if not asked.modules or is_within(name, tuple(asked.modules))]
    if asked.sample:
        sample_keys = (
            (lot, name, number)
            for name in names
            for number, lot in enumerate(module_mutants(name).sample_keys(asked.seed))
        )
        places = sorted((name, number) for _, name, number in nsmallest(asked.sample, sample_keys))
    else:
        places = [(name, number) for name in names for number in range(len(module_mutants(name)))]
    breeder = MutantRunner(asked.jobs, asked.again)
    breeder.control([name for name, _ in places[:: len(places) // CONTROL_MODULES or 1]][:CONTROL_MODULES])
    found = breeder.run(places)
    seen = score(found)
    print(seen.report(of_sample=bool(asked.sample)))
    is_good = seen.counted > 0 and seen.percent >= asked.least
    return 0 if is_good and not (asked.all_listed and seen.survivors) else 1


class MutantRunner:
    """Tries mutants, several at once, and writes their results."""

    def __init__(self, jobs: int, again: bool) -> None:
        self.jobs = jobs
        self.known, self.listed = dict(kept()), frozenset[str]() if again else equivalents().keys()
        if again:
            self.known = {key: became for key, became in self.known.items() if became[1] != LIVES}
        self.found: list[tuple[str, str]] = []
        self.working: list[Work] = []

    def control(self, names: list[str]) -> None:
        """Try unchanged modules; ends the program if the tests fail."""
        for name in names:
            same = Mutant(name, "", 1, "", "", module_mutants(name).code)
            now, *_ = choose(str(module_mutants(name).path.relative_to(ROOT)), same)
            trial = self._begin(same, now)
            while (became := outcome(trial)) is None:
                time.sleep(0.01)
            if became != LIVES:
                sys.exit(f"{name} is {became} though nothing in it was changed: run make test, then make coverage")

    def run(self, places: list[tuple[str, int]]) -> list[tuple[str, str]]:
        """Try all mutants; return the name and result of each."""
        begun = shown = time.monotonic()
        RESULTS.parent.mkdir(exist_ok=True)
        with RESULTS.open("a", encoding="utf-8") as file:
            for number, (name, place) in enumerate(places, 1):
                self._take(module_mutants(name).mutant(place))
                while len(self.working) >= self.jobs or (number == len(places) and self.working):
                    time.sleep(0.01)
                    for line in self._poll():
                        print(line, file=file, flush=True)
                if time.monotonic() - shown > 30:
                    shown = time.monotonic()
                    rest = (shown - begun) / number * (len(places) - number) / 60
                    living = sum(became == LIVES for _, became in self.found)
                    print(f"{number} of {len(places)}, {living} live; {rest:.0f} minutes more", file=sys.stderr)
        return self.found

    def _take(self, mutant: Mutant) -> None:
        key = sha256(f"{mutant.module}\n{mutant.source}".encode()).hexdigest()[:20]
        if key in self.known or mutant.name in self.listed:
            self.found.append(self.known.get(key, (mutant.name, LIVES)))
            return
        now, *later = choose(str(module_mutants(mutant.module).path.relative_to(ROOT)), mutant)
        self.working.append(Work(key, mutant, self._begin(mutant, now), later))

    def _begin(self, mutant: Mutant, tests: list[str]) -> Trial:
        seconds = 60 + TIMEOUT_FACTOR * sum(times().get(test, 0) for test in tests)
        path = module_mutants(mutant.module).path
        return begin(full_name(mutant.module), path, mutant.source, tests, seconds)

    def _poll(self) -> Iterator[str]:
        """Collect finished processes; yield a line for each mutant with a result."""
        for work in list(self.working):
            became = outcome(work.trial)
            if became is None:
                continue
            self.working.remove(work)
            if became in (LIVES, MISSED) and work.later:
                now, *later = work.later
                self.working.append(work._replace(trial=self._begin(work.mutant, now), later=later))
                continue
            self.found.append((work.mutant.name, became))
            yield json.dumps({"key": work.key, "mutant": work.mutant.name, "line": work.mutant.line, "became": became})


def kept() -> Iterator[tuple[str, tuple[str, str]]]:
    """The results of former runs, by the hash of the mutant."""
    if RESULTS.exists():
        for line in RESULTS.read_text(encoding="utf-8").splitlines():
            each = json.loads(line)
            yield each["key"], (each["mutant"], each["became"])


if __name__ == "__main__":
    sys.exit(main())
