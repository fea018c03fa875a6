"""A pytest plugin that keeps coverage by test and the duration of each test: ``--cov -p lab.mutants.timing``.

`select` chooses the tests of a mutant by both. Only tests that are marked ``measured`` are measured, with their
fixtures; before the others coverage stops.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

import pytest
from coverage import Coverage

from lab.mutants.paths import TIMES

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
