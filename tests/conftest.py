"""Which tests run, and which are measured for coverage: a choice that comes through every line and branch of the rules.

The choice is made here and by three markers, and costs a third of measuring all tests of the rules. Before the others
`lab.mutants.measured` stops coverage, so that one run tests everything and measures the rules.
"""

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.games.support.examples import stated

FOLDERS = frozenset({"games", "i18n", "recorded_games", "vectors"})
"""The tests in these folders are measured, unless a marker says otherwise."""

SAMPLE = {f"{key}-{players}" for key, numbers in stated("measured").items() for players in numbers}
"""Of tests marked ``measured_sample`` only those of these rule sets are measured."""


PARTS = 3
"""Of the parameters of tests marked ``sampled`` one in so many runs, at each commit another one."""


SLOWEST_FILES = 12  # so many files are listed with their seconds behind a run of several minutes
LONG_RUN_SECONDS = 120


def pytest_configure(config: pytest.Config) -> None:
    """Refuse to run without the generated code, which git does not keep."""
    if not (config.rootpath / "service/chitarrella/v1/matches_pb2.py").exists():
        raise pytest.UsageError("The generated code of the contract is missing: run `make install`.")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out slow and sampled tests, unless FULL is set or paths are given; mark the measured ones."""
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS and not os.environ.get("FULL"):
        left_out = {*_unsampled(items), *(item for item in items if item.get_closest_marker("slow"))}
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=list(left_out))
    for item in items:
        if is_measured(item):
            item.add_marker("measured")
    items.sort(key=lambda item: "web" not in item.path.parts)  # else all would wait for the longest, in a browser


def _unsampled(items: list[pytest.Item]) -> Iterator[pytest.Item]:
    from tests.vectors.write import commits

    chosen, counts = commits() % PARTS, Counter[str]()
    for item in items:
        if item.get_closest_marker("sampled"):
            test = item.nodeid.partition("[")[0]
            if counts[test] % PARTS != chosen:
                yield item
            counts[test] += 1


@pytest.fixture
def walk(request: pytest.FixtureRequest) -> Any:
    """The walk of which `tests.walks.on_walks` says the rule set, the seed and the deals."""
    from tests.walks import known_walk

    return known_walk(*request.param, 6)


def is_measured(item: pytest.Item) -> bool:
    """Whether coverage is measured while this test runs."""
    if item.get_closest_marker("unmeasured"):
        return False
    sample = item.get_closest_marker("measured_sample")
    if sample:
        suffix = "".join(f"-{part}" for part in sample.args)
        callspec = getattr(item, "callspec", None)
        return callspec is None or callspec.id.removesuffix(suffix) in SAMPLE
    if item.get_closest_marker("measured"):
        return True
    return item.path.relative_to(Path(__file__).parent).parts[0] in FOLDERS


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List the files that took the most time."""
    seconds: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                seconds[report.location[0]] += report.duration  # type: ignore[assignment]  # a counter of parts
    if seconds.total() > LONG_RUN_SECONDS:
        terminalreporter.section(f"{seconds.total():.0f} s in all processes")
        for file, duration in seconds.most_common(SLOWEST_FILES):
            terminalreporter.write_line(f"{duration:5.0f} s  {file}")
