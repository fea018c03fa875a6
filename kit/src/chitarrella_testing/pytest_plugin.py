"""A plugin of pytest: markers of clauses, and every check of a game as a test.

In ``conftest.py`` of the tests: ``pytest_plugins = ["chitarrella_testing.pytest_plugin"]``. Then::

    @pytest.mark.game("my-game", deals=5)
    def test_my_game(check: Check) -> None:
        check()

runs the test once for each check of `chitarrella_testing.checks.checks_of`, which takes the arguments of the marker.
"""

from __future__ import annotations

import pytest

from chitarrella_testing.checks import checks_of, installed

MARKERS = (  # the markers and what they mean
    "clause(key): the clause of a rule book that this test proves",
    "game(key, deals, seconds, seeds, expected, languages): the game whose checks the argument ``check`` runs through",
)


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers."""
    for marker in MARKERS:
        config.addinivalue_line("markers", marker)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse markers of clauses that no rule book of an installed game has."""
    marked = [(key, item) for item in items for mark in item.iter_markers("clause") for key in mark.args]
    known = {clause.key for game in installed() for clause in game.clauses} if marked else set()
    for key, item in marked:
        if key not in known:
            raise pytest.UsageError(f"{item.nodeid}: there is no clause {key} in the rule book of any game")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Pass to a test marked ``game`` each check of the game as its argument ``check``."""
    marker = metafunc.definition.get_closest_marker("game")
    if marker is not None and "check" in metafunc.fixturenames:
        metafunc.parametrize("check", checks_of(*marker.args, **marker.kwargs), ids=str)
