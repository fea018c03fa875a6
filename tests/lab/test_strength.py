"""Bots that play each other, and what is said of their strength."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cli.run_command import CATALOGUE, invoke, process


def measured(*args: str) -> Any:
    """Run ``chitarrella strength ARGS`` and read what it found."""
    return json.loads(invoke("strength", *args, "--json").output)


def test_all_games_are_measured() -> None:
    """Where no game is named every one of the catalogue is played, with the number of players it is best for."""
    found = measured("--bots", "greedy,random", "-n", "2", "--seed", "1")["pairs"]
    assert [game.key for game in CATALOGUE] == [row["game"] for row in found]
    assert {("greedy", "random")} == {tuple(row["bots"]) for row in found}


def test_every_pair_is_measured() -> None:
    """Three bots make three pairs, each of which plays the deals that were asked for."""
    found = measured("elfern", "-n", "3", "--seed", "1", "--playouts", "6")
    assert [["search", "greedy"], ["search", "random"], ["greedy", "random"]] == [row["bots"] for row in found["pairs"]]
    assert all((row["deals"], row["players"], row["options"]) == (3, 2, {}) for row in found["pairs"])
    assert (1, None, 6) == (found["seed"], found["think"], found["playouts"])
    assert found == measured("elfern", "-n", "3", "--seed", "1", "--playouts", "6")


def test_greedy_is_ahead_of_random() -> None:
    """At Briscola a greedy player is ahead of a random one, by more than the interval, in deals and points."""
    (row,) = measured("briscola", "--bots", "greedy,random", "-n", "100", "--seed", "2")["pairs"]
    assert row["ahead"]["mean"] - row["ahead"]["within"] > 0.5
    assert row["score"]["mean"] > row["score"]["within"]
    assert row["points"]["mean"] > row["points"]["within"] > 0


def test_the_other_way_round() -> None:
    """Named the other way round the same bots have the same margin with the sign reversed."""
    (here,) = measured("coech", "--bots", "greedy,random", "-n", "10", "--seed", "3", "-p", "2")["pairs"]
    (there,) = measured("coech", "--bots", "random,greedy", "-n", "10", "--seed", "3", "-p", "2")["pairs"]
    assert here["points"]["mean"] == -there["points"]["mean"]
    assert here["ahead"]["mean"] == pytest.approx(1 - there["ahead"]["mean"])


def test_one_deal_has_no_interval() -> None:
    """Of a single deal no interval is known, and none is said."""
    (row,) = measured("briscola", "--bots", "greedy,random", "-n", "1", "--seed", "2")["pairs"]
    assert row["points"]["within"] is None


def test_for_people() -> None:
    """For people what was found is a table: a row for each pair."""
    done = process("strength", "briscola", "--bots", "greedy,random", "-n", "5", "--seed", "1")
    assert (0, "") == (done.returncode, done.stderr)
    first, heading, row = done.stdout.splitlines()
    assert first == "5 deals, each played twice; 100 ms a move for the search bot, seed 1"
    assert ["game", "players", "bots", "deals", "ahead", "score", "points"] == heading.split()
    assert row.startswith("briscola  2        greedy - random")
    assert row.count(" ± ") == 3


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("briscolla",), "there is no game 'briscolla'. Did you mean briscola "),
        (("--bots", "greedy"), "two different bots are wanted to play each other."),
        (("--bots", "greedy,greedy"), "two different bots are wanted to play each other."),
        (("--bots", "greedy,clever"), "there is no bot 'clever'. Bots: random, greedy, search."),
        (("briscola", "-n", "0"), "0 is not in the range x>=1."),
        (("briscola", "--think", "0"), "0 is not in the range 1<=x<=60000."),
        (("briscola", "-p", "9"), "players: 9 cannot play briscola; players: 2, 3, 4"),
    ],
)
def test_what_cannot_be_measured(args: tuple[str, ...], says: str) -> None:
    """A game, a bot or a number that there is not ends with status 2 and says what there is."""
    result = invoke("strength", *args)
    assert result.exit_code == 2
    assert says in " ".join(result.output.split())
