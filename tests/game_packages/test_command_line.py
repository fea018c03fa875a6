"""The games of packages on the command line: played at a terminal, simulated, replayed, explained, measured."""

from __future__ import annotations

import json
import os
import shlex
import sys
from functools import partial
from pathlib import Path
from subprocess import CompletedProcess
from typing import Protocol

import pytest

from chitarrella.catalogue.registry import Catalogue
from tests.cli.run_command import ALWAYS_FIRST, SERVICE, process
from tests.example_packages import GAMES

FIRST_LEGAL = "import json, sys\nfor line in sys.stdin: print(json.loads(line)['legal_moves'][0], flush=True)"
"""An agent that makes the first legal move."""


class Run(Protocol):
    """Runs ``chitarrella ARGS`` where the packages are installed; it must succeed without a warning."""

    def __call__(self, *args: str, stdin: str = "") -> str:
        """Return the standard output."""


@pytest.fixture
def run(site: Path) -> Run:
    """Run a command as a user does."""
    command = partial(process, PYTHONPATH=os.pathsep.join((str(SERVICE), str(site))), COLUMNS="200")

    def checked(*args: str, stdin: str = "") -> str:
        done: CompletedProcess[str] = command(*args, stdin=stdin)
        assert (0, "") == (done.returncode, done.stderr), args
        return done.stdout

    return checked


@pytest.mark.parametrize(
    ("key", "players", "says"), [("scopa", 2, " sono sulla tavola."), ("tressette", 4, "La smazzata porta ")]
)
def test_a_match_is_played_at_a_terminal(run: Run, tmp_path: Path, key: str, players: int, says: str) -> None:
    """Who always types 1 plays a whole match against greedy bots in Italian; its record is replayed to the same end."""
    record = tmp_path / "match.txt"
    match = ("--players", str(players), "--seed", "2", "--record", str(record), "--option", "target=11")
    shown = run("play", key, *match, "--bot", "greedy", "--language", "it", stdin=ALWAYS_FIRST)
    assert says in shown
    assert " la partita." in shown
    assert " the match." in run("replay", str(record))


@pytest.mark.parametrize("key", GAMES)
def test_a_game_is_explained_and_counted(run: Run, catalogue: Catalogue, key: str) -> None:
    """The rule book has every clause; deals are simulated, and moves are counted."""
    book = run("explain", key, "--language", "de")
    assert all(clause.key in book for clause in catalogue.game(key).clauses)
    assert 5 == json.loads(run("simulate", key, "-n", "5", "--seed", "1", "--bot", "greedy", "--json"))["deals"]
    assert json.loads(run("perft", key, "--depth", "3", "--json"))


@pytest.mark.parametrize("key", GAMES)
def test_bots_and_agents_are_measured(run: Run, key: str) -> None:
    """The same deals are played with seats swapped by a bot that searches and by an agent from outside."""
    agent = shlex.join([sys.executable, "-c", FIRST_LEGAL])
    measured = ("--bots", "search", "--agent", f"first={agent}", "--playouts", "2", "--seed", "7", "-n", "2", "--json")
    (pair,) = json.loads(run("strength", key, *measured))["pairs"]
    assert (2, [0, 0], [0, 0]) == (pair["deals"], pair["refused"], pair["forfeits"])
    assert 0 <= pair["ahead"]["mean"] <= 1
