"""Run the command in the tests: as a process, or inside the test process where many runs are needed."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

import chitarrella
from chitarrella.__main__ import main
from chitarrella.catalogue.record import Record, parse_record
from chitarrella.catalogue.registry import Catalogue
from chitarrella.core.game import replay
from tests.walks import tables

CATALOGUE = Catalogue()
SERVICE = Path(chitarrella.__file__).parents[1]

SEATINGS = [(game.key, players) for game in CATALOGUE for players in tables(game)]
"""Every game with every number of players, or with the fewest, a middle number and the most."""

COECH = ("play", "coech", "--players", "3", "--seed", "3")
"""Seat 3 has led SEC, a picture; seat 0 holds III III V VI VII VII VIII MAS SEC NUL and plays a dummy at seat 2."""

BRISCOLA = ("play", "briscola", "--seed", "3")  # seat 1 has led 4c, the turn-up is 5b, and seat 0 holds 6d 7s Ad

ALWAYS_FIRST = "1\n" * 4000
"""Input of a player who always makes the first move offered, longer than any match with an end in these tests."""

FIRST_THEN_QUIT = "1\n" * 40 + "quit\n"  # input of a player who makes the first move offered for some deals, and quits


TERMINAL = ("FORCE_COLOR", "NO_COLOR", "COLUMNS")
LANGUAGE = ("CHITARRELLA_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
OUTSIDE = (*TERMINAL, *LANGUAGE)  # variables that would change the output; they are removed from the environment


def surroundings() -> dict[str, str]:
    """The environment of a command without a terminal and without a language of the system."""
    kept = {name: value for name, value in os.environ.items() if name not in OUTSIDE}
    return {**kept, "PYTHONPATH": str(SERVICE), "PYTHONIOENCODING": "utf-8"}


def process(*args: str, stdin: str = "", **environ: str) -> subprocess.CompletedProcess[str]:
    """Run ``chitarrella ARGS`` as a user does, without a terminal."""
    how: dict[str, Any] = {"encoding": "utf-8", "timeout": 60, "env": {**surroundings(), **environ}}
    command = [sys.executable, "-m", "chitarrella", *args]
    return subprocess.run(command, input=stdin, capture_output=True, check=False, **how)


def invoke(*args: str, stdin: str = "", **environ: str) -> Result:
    away = dict.fromkeys(OUTSIDE)
    result = CliRunner(env={**away, **environ}).invoke(main, args, input=stdin, prog_name="chitarrella")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


def recorded(file: Path) -> Record:
    return parse_record(CATALOGUE, file.read_text(encoding="utf-8"))


def trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def over(record: Record) -> bool:
    """Whether a record keeps the rules and its match is finished."""
    game = CATALOGUE.game_for(record.rule_set)
    return game.is_finished(replay(game, record.moves))
