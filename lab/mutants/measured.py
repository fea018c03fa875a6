"""What was measured of each test, and the tests to run against a mutant: those that execute its line.

``--cov -p lab.mutants.measured`` keeps coverage by test and the duration of each test. Only tests that are marked
``measured`` are measured, with their fixtures; before the others coverage stops. Of the tests of a line the fastest of
every file come first. Code at module level runs on import, in no particular test: for it the tests are chosen that
execute any line of the module, or have its name. A value that is computed once and kept is seen to be computed by the
first test alone: the second batch has tests of the whole module for a line that few tests execute.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from coverage import Coverage, CoverageData

if TYPE_CHECKING:
    from chitarrella_testing.mutants import Mutant


ROOT = Path(__file__).parent.parent.parent
TIMES = ROOT / "build" / "coverage" / "times.json"  # the duration of each test when coverage was measured
LINES = ROOT / "build" / "coverage" / "lines.sqlite"
"""The tests that execute each line; pyproject.toml names the file to coverage."""
RESULTS = ROOT / "build" / "mutants.jsonl"  # the result of each mutant so far
SURVIVORS = Path(__file__).parent / "survivors.txt"
"""The equivalent mutants, which no test can kill, each with the reason."""


_took: Counter[str] = Counter()


_stopped: list[Coverage] = []


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Name a measured test as the context of what coverage measures from now on; stop coverage before any other test.

    ``--cov-context=test`` would write to the disk three times for each test instead of once: twice the time in all.
    The marker ``no_cover`` of pytest-cov would stop and start coverage for each test, and measure its fixtures.
    """
    if item.get_closest_marker("measured"):
        while _stopped:
            _stopped.pop().start()
        if measuring := Coverage.current():
            measuring.switch_context(item.nodeid)
    elif measuring := Coverage.current():
        measuring.stop()
        _stopped.append(measuring)
    return (yield)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up setup and call; workers of xdist report to the main process."""
    _took[report.nodeid] += report.duration  # type: ignore[assignment]  # a counter may count seconds


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the file, once."""
    if not hasattr(session.config, "workerinput"):
        TIMES.parent.mkdir(parents=True, exist_ok=True)
        TIMES.write_text(json.dumps(_took), encoding="utf-8")


WORDS = "tests/vectors/test_vectors.py::test_the_rules"
"""The test of all texts of the rules against a file: fast, and run against every mutant."""
TEXTS = "tests/i18n/test_translator.py::test_the_check_finds_the_files_fresh"
"""The test of all texts against their translations: run against changes of texts."""
SECONDS = (12.0, 60.0)  # the test time for a mutant at first, and then once more if it survives
NEAREST = 6  # the first tests are from so many files, because importing each takes time

FEW = 10  # a line that fewer tests execute may compute a value that others only use


@lru_cache(maxsize=1)
def times() -> dict[str, float]:
    found: dict[str, float] = json.loads(TIMES.read_text(encoding="utf-8"))
    return found


@lru_cache(maxsize=4)
def tests_by_line(path: str) -> dict[int, set[str]]:
    """For each line of a module, the tests that execute it."""
    data = CoverageData(str(LINES))
    data.read()
    known = times()
    found = defaultdict(set)
    for line, contexts in data.contexts_by_lineno(str(ROOT / path)).items():
        found[line] = known.keys() & contexts
    return dict(found)


def candidates(path: str, line: int) -> set[str]:
    """The tests that could notice a change of that line."""
    through = tests_by_line(path)
    return through.get(line) or _module_candidates(path) or set(times())


def _module_candidates(path: str) -> set[str]:
    """The tests that execute any line of the module, or have its name."""
    stem = path.rpartition("/")[2].removesuffix(".py")
    named = {test for test in times() if stem in test or stem.replace("_", "-") in test}
    return set().union(named, *tests_by_line(path).values())


def choose(path: str, mutant: Mutant) -> list[list[str]]:
    """The tests to run in order, in two batches: the second if the first notices nothing."""
    line_tests = candidates(path, mutant.line)
    said = [WORDS, TEXTS] if '"' in mutant.before else [WORDS]
    first = _within(SECONDS[0], [*said, *_in_turn(_nearest_files(path, line_tests)[:NEAREST])])
    wider = line_tests if len(line_tests) >= FEW else line_tests | _module_candidates(path)
    rest = [test for test in _in_turn(_nearest_files(path, wider)) if test not in set(first)]
    return [first, _within(SECONDS[1], rest)] if rest else [first]


def _nearest_files(path: str, tests: set[str]) -> list[list[str]]:
    """The tests of each file, the fastest first; files named like the module first, then those with most tests."""
    by_file = defaultdict(list)
    for test in sorted(tests, key=lambda test: (times()[test], test)):
        by_file[test.partition("::")[0]].append(test)
    stem = path.rpartition("/")[2].removesuffix(".py")
    near = sorted(by_file, key=lambda file: (stem not in file, stem.split("_")[0] not in file, -len(by_file[file])))
    return [by_file[file] for file in near]


def _in_turn(files: list[list[str]]) -> list[str]:
    """One test of every file, then the next of every file."""
    return [test for each in zip_longest(*files) for test in each if test]


def _within(seconds: float, tests: list[str]) -> list[str]:
    """As many of the tests as fit into that time, at least one; tests that take too long are skipped."""
    found: list[str] = []
    spent = 0.0
    for test in tests:
        takes = times().get(test, 0)
        if spent + takes <= seconds or not found:
            spent += takes
            found.append(test)
    return found
