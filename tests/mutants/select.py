"""Which tests a mutant is tried against: those that come through its line, the quick ones of every file first.

What stands outside of every function is run when the module is imported, by no test in particular: there, the tests
that come through any line of the module are asked, and those that are named after its game.
"""

from __future__ import annotations

import json
from collections import defaultdict
from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING

from coverage import CoverageData

from tests.mutants.paths import LINES, ROOT, TIMES

if TYPE_CHECKING:
    from tests.mutants.generate import Mutant

WORDS = "tests/vectors/test_vectors.py::test_the_rules"
"""Holds the words of all games against what is written down: quick, and asked about whatever is changed."""
TEXTS = "tests/i18n/test_translator.py::test_the_check_finds_the_files_fresh"
"""Holds every text against its translations: asked about changes of texts."""
SECONDS = (12.0, 60.0)
"""So much work is put into a mutant at first, and then, where it lives, once more."""
NEAREST = 6
"""From so many files are the first tests, because each file takes time to read."""


@lru_cache(maxsize=1)
def times() -> dict[str, float]:
    """Seconds of each test."""
    found: dict[str, float] = json.loads(TIMES.read_text(encoding="utf-8"))
    return found


@lru_cache(maxsize=4)
def passers(path: str) -> dict[int, set[str]]:
    """For each line of a module, the tests that come through it."""
    data = CoverageData(str(LINES))
    data.read()
    known = times()
    found = defaultdict(set)
    for line, contexts in data.contexts_by_lineno(str(ROOT / path)).items():
        found[line] = known.keys() & contexts
    return dict(found)


def candidates(path: str, line: int) -> set[str]:
    """The tests that could notice a change of that line."""
    through = passers(path)
    if found := through.get(line):
        return found
    stem = path.rpartition("/")[2].removesuffix(".py")
    named = {test for test in times() if stem in test or stem.replace("_", "-") in test}
    return set().union(named, *through.values()) or set(times())


def choose(path: str, mutant: Mutant) -> list[list[str]]:
    """The tests to try, in their order, in two portions: the second where the first notices nothing."""
    by_file = defaultdict(list)
    for test in sorted(candidates(path, mutant.line), key=lambda test: (times()[test], test)):
        by_file[test.partition("::")[0]].append(test)
    stem = path.rpartition("/")[2].removesuffix(".py")
    near = sorted(by_file, key=lambda file: (stem not in file, stem.split("_")[0] not in file, -len(by_file[file])))
    nearest = [by_file[file] for file in near[:NEAREST]]
    said = [WORDS, TEXTS] if '"' in mutant.before else [WORDS]
    first = _within(SECONDS[0], [*said, *_in_turn(nearest)])
    rest = [test for test in _in_turn([by_file[file] for file in near]) if test not in set(first)]
    return [first, _within(SECONDS[1], rest)] if rest else [first]


def _in_turn(files: list[list[str]]) -> list[str]:
    """One test of every file, then the next of every file."""
    return [test for each in zip_longest(*files) for test in each if test]


def _within(seconds: float, tests: list[str]) -> list[str]:
    """As many of the tests as can be run in that time, and one at least; what would take too long is passed over."""
    found: list[str] = []
    spent = 0.0
    for test in tests:
        takes = times().get(test, 0)
        if spent + takes <= seconds or not found:
            spent += takes
            found.append(test)
    return found
