"""Games of other packages on the command line: listed with their package, and refused by name."""

from __future__ import annotations

import json
import os
from pathlib import Path

from tests.cli.run_command import SERVICE, process
from tests.games.support.distributions import distribute, variant


def test_packages_are_listed_and_refused_by_name(tmp_path: Path) -> None:
    """A game is listed with its package, a broken one is named on the standard error; ``none`` loads neither."""
    distribute(tmp_path, "my-games", variant("eins"), "2.3")
    distribute(tmp_path, "broken", "raise RuntimeError('no such file')")
    where = {"PYTHONPATH": os.pathsep.join((str(SERVICE), str(tmp_path)))}
    table = process("games", COLUMNS="200", **where)
    assert ["eins", "eins", "Italy", "2", "Italian", "S004", "1", "my-games", "2.3"] in [
        line.split() for line in table.stdout.splitlines()
    ]
    (warning,) = table.stderr.splitlines()
    assert "no game of the package broken 1.0 is served" in warning
    assert "RuntimeError: no such file" in warning
    without = process("games", "--json", CHITARRELLA_GAME_PACKAGES="none", **where)
    assert "" == without.stderr
    assert {"chitarrella"} == {game["distribution"] for game in json.loads(without.stdout)}
