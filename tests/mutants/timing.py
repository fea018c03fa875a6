"""A plugin of pytest that writes down how long each test took: ``-p tests.mutants.timing``.

The quickest tests are tried first on a mutant, see `choosing`.
"""

from __future__ import annotations

import json
from collections import Counter

import pytest

from tests.mutants.paths import TIMES

_took: Counter[str] = Counter()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up preparation and test; processes of xdist hand their reports to the one that started them."""
    _took[report.nodeid] += report.duration  # type: ignore[assignment]  # a counter may count seconds


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write it down, once."""
    if not hasattr(session.config, "workerinput"):
        TIMES.parent.mkdir(parents=True, exist_ok=True)
        TIMES.write_text(json.dumps(_took), encoding="utf-8")
