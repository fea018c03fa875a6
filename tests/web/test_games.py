"""Every game played at the table by tapping what is legal, in a window of a phone and of a desktop; one by keyboard."""

from __future__ import annotations

import re

import pytest

from chitarrella.catalogue.registry import Catalogue
from tests.example_packages import GAMES
from tests.web.conftest import BUSY_SECONDS, Play


@pytest.mark.timeout(BUSY_SECONDS)
@pytest.mark.parametrize("scenario", ["gamesOnPhone", pytest.param("gamesOnDesktop", marks=pytest.mark.slow)])
def test_every_game_can_be_played(play: Play, scenario: str) -> None:
    """The first deal of each game is played to its end, with every zone on the board; the page replays its record."""
    seen = play(scenario)
    found = seen["found"]
    assert [] == seen["errors"]
    assert sorted([*GAMES, *(game.key for game in Catalogue())]) == sorted(found)
    assert {} == {game: report["problems"] for game, report in found.items() if report["problems"]}
    assert all(report["lines"] >= report["moves"] > 0 for report in found.values())
    assert [] == [game for game, report in found.items() if not report["isReplayed"]]
    assert found["harjan"]["presses"] > found["harjan"]["moves"]  # several cards make one of its moves


@pytest.mark.timeout(BUSY_SECONDS)
def test_keyboard_alone_plays_a_deal(play: Play) -> None:
    """Tab, arrow keys and Enter choose and play a deal, which is announced; cards move at once with reduced motion."""
    seen = play("keyboard")
    found = seen["found"]
    # A bot may move in between: then the page says that the match has moved on.
    assert [] == [error for error in seen["errors"] if "409" not in error]
    assert "none" == found["style"]
    assert 20 <= found["presses"] <= found["lines"]
    assert found["tabs"] < 20 * found["presses"]


@pytest.mark.timeout(BUSY_SECONDS)
def test_games_of_packages_are_played_to_their_end(play: Play, service: str) -> None:
    """A stranger finds both games and plays each against a bot to its end; the log has the sentences of the package."""
    seen = play("packageGames")
    found = seen["found"]
    # A bot may move in between: then the page says that the match has moved on.
    assert [] == [error for error in seen["errors"] if "409" not in error]
    assert found["clauses"]
    for game, sentence in (("scopa", r"^Seat \d captures \S"), ("tressette", r"^Seat \d takes the trick")):
        played = found[game]
        assert 10 < played["moves"]
        assert any(re.search(sentence, line) for line in played["log"]), played["log"]
        assert not any(re.match(r"Seat \d: ", line) for line in played["log"]), played["log"]
        assert re.search("wins? the match", played["last"])
    assert [] == [url for url in seen["urls"] if not url.startswith((f"{service}/", "data:"))]
