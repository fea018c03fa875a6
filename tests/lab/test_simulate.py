"""Thousands of deals, counted."""

import json
import signal
import subprocess
import sys
import time
from typing import Any

import pytest

from tests.cli.run_command import SEATINGS, invoke, process, surroundings
from tests.games.support.examples import stated


def counted(*args: str) -> Any:
    return json.loads(invoke("simulate", *args, "--json").output)


UNWON = stated("deals").keys()
"""Games whose deals have no winner: lives or tokens are lost, or points added up."""


@pytest.mark.sampled
@pytest.mark.parametrize(("key", "players"), SEATINGS)
@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_every_deal_is_won_or_drawn(key: str, players: int, bot: str) -> None:
    """A deal that can be won has one winning side, never all seats, or none, and each seat has its mean of points."""
    data = counted(key, "-n", "8", "-p", str(players), "--bot", bot, "--seed", "1")
    assert (key, players, bot, 8) == (data["game"], data["players"], data["bot"], data["deals"])
    ended = sum(data["wins"]) + data["drawn"]
    if key in UNWON:
        assert sum(data["wins"]) == 0
        assert data["drawn"] < 8
    else:
        assert 8 <= ended <= 8 * (len(data["wins"]) - 1)
    assert data["moves"] == round(8 * data["moves_per_deal"])
    assert len(data["mean_points"]) == len(data["wins"])


def test_points_of_briscola() -> None:
    """At Briscola for two a deal has forty moves, a hundred and twenty points, one winner or none."""
    data = counted("briscola", "-n", "50", "--seed", "2")
    assert data["moves_per_deal"] == 40
    assert sum(data["mean_points"]) == pytest.approx(120)
    assert 50 == sum(data["wins"]) + data["drawn"]


def test_whole_matches() -> None:
    """Counting matches, each is won by one side or drawn, after as many deals won as were agreed."""
    data = counted("briscola", "--matches", "-n", "10", "--option", "rubber_games=2", "--seed", "3")
    assert data["options"] == {"rubber_games": "2"}
    assert (10, 10, 0) == (data["matches"], sum(data["match_wins"]), data["matches_drawn"])
    assert 20 <= sum(data["wins"]) <= 30


def test_the_seed_is_printed() -> None:
    """A seed that was made up is printed, so that the play can be repeated."""
    data = counted("briscola", "-n", "5")
    again = counted("briscola", "-n", "5", "--seed", str(data["seed"]))
    assert data["wins"] == again["wins"]


def test_for_people() -> None:
    """For people the counts are a table: a row a seat, and one for the deals that nobody wins."""
    done = process("simulate", "coech", "-n", "30", "-p", "4", "-o", "matto_rank=above_nulla", "--seed", "1")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "Cöch, 4 players, matto_rank=above_nulla; random bots, seed 1"
    assert lines[1].startswith("30 deals, 1,200 moves in ")
    assert lines[1].endswith(" moves a second; 40.0 moves a deal")
    assert lines[2].split() == ["seat", "deals", "won", "mean", "points", "matches", "won"]
    assert ["0", "1", "2", "3", "nobody"] == [line.split()[0] for line in lines[3:]]


def heed_breaks() -> None:
    """Make Ctrl-C work, also where the tests run in the background of a shell, which has it ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_a_break_prints_what_there_is() -> None:
    """Interrupted by Ctrl-C the play ends with status 1 and prints the counts so far."""
    arguments = [sys.executable, "-m", "chitarrella", "simulate", "coech", "-n", "100000000"]
    with subprocess.Popen(
        arguments,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=surroundings(),
        preexec_fn=heed_breaks,  # noqa: PLW1509 - nothing but a signal is set, and no thread runs here
    ) as running:
        assert running.stdout is not None
        try:
            assert running.stdout.readline().startswith("Cöch, 4 players; random bots, seed ")
            time.sleep(0.5)
            running.send_signal(signal.SIGINT)
            output, errors = running.communicate(timeout=30)
        finally:
            running.kill()  # it would play for an hour
    assert (1, "Interrupted.\n") == (running.returncode, errors)
    assert " moves a second; " in output
