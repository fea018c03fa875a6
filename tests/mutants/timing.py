"""A pytest plugin that keeps coverage by test and the duration of each test: ``--cov -p tests.mutants.timing``.

`select` chooses the tests of a mutant by both.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

import pytest
from coverage import Coverage

from tests.mutants.paths import TIMES

_took: Counter[str] = Counter()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Name a test as the context of what coverage measures from now on.

    ``--cov-context=test`` would write to the disk three times for each test instead of once: twice the time in all.
    """
    if measuring := Coverage.current():
        measuring.switch_context(item.nodeid)
    return (yield)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up setup and call; workers of xdist report to the main process."""
    _took[report.nodeid] += report.duration  # type: ignore[assignment]  # a counter may count seconds


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the file, once."""
    if not hasattr(session.config, "workerinput"):
        TIMES.parent.mkdir(parents=True, exist_ok=True)
        TIMES.write_text(json.dumps(_took), encoding="utf-8")
