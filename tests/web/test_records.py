"""The page ``/records/``, the element ``<chitarrella-record>`` and the page ``/duel/`` in a real browser."""

import re

import pytest

from chitarrella.catalogue.record import parse_record
from chitarrella.catalogue.registry import Catalogue
from chitarrella.core.game import replay
from chitarrella.core.model import CHANCE
from chitarrella.transports.rest.website.rulebook import example_record
from tests.web.conftest import BUSY_SECONDS, Play

pytestmark = pytest.mark.timeout(BUSY_SECONDS)


def test_there_is_an_example_of_every_game() -> None:
    """Each example is a whole deal, and can be replayed."""
    catalogue = Catalogue()
    for game in catalogue:
        record = parse_record(catalogue, example_record(game.key))
        configured = catalogue.game_for(record.rule_set)
        assert len(record.moves) > 2
        assert configured.turn(replay(configured, record.moves)) in (CHANCE, None)


def test_record_is_stepped_through_by_keys(play: Play) -> None:
    """The arrow keys, Home and End show the steps, whose events are sentences in the language of the page."""
    found = play("record")
    first, second, third, last, _, beginning = found["texts"]
    assert "he 7 of coins is turned up: coins are trumps." in first
    assert "Player 2 plays the 6 of cups." == second
    assert "Player 2 takes the trick (6 of cups, 4 of cups)." in third
    assert re.search(r"Player \d wins deal 1\.", last)
    assert "Nothing has been played yet." == beginning
    assert 6 == found["cards"]
    assert "Münzen-7 wird aufgeschlagen: Trumpf ist Münzen." in found["german"]


def test_example_of_every_game_is_shown(play: Play) -> None:
    """On a phone each example goes to its end, in Italian sentences and without scrolling to the side."""
    found = play("examples")
    assert sorted(game.key for game in Catalogue()) == sorted(found)
    assert {("", True)} == {(one["alerts"], one["wide"] <= 0) for one in found.values()}
    assert all(one["last"] > 2 and re.search(r"Giocatore \d", one["text"]) for one in found.values())


def test_bad_record_is_explained(play: Play) -> None:
    """What is wrong is shown with its code and line; the moves before a refused one can be read."""
    played = play("badRecords", "404|400")
    found = played["found"]
    expected = {
        "heading": ("bad_record", "begins neither a heading nor a move"), "game": ("unknown_game", "Line 1"),
        "players": ("bad_players", "Line 2"), "option": ("bad_option", "Line 2"), "verb": ("malformed_move", "Line 5"),
        "card": ("unknown_card", "Line 5"), "position": ("bad_position", "Line 4"), "refused": ("Clause ", "Line 7"),
    }  # fmt: skip
    assert sorted(expected) == sorted(found)
    assert {} == {name: text for name, text in found.items() if not all(part in text for part in expected[name])}
    assert "/docs/rules/madrasso" in played["clause"]


def test_example_does_not_replace_what_a_reader_has_given(play: Play) -> None:
    """A record that is shown before the games are listed stays, and so does a text that is written meanwhile."""
    assert {"shownAfter": "Step 0 of 0", "kept": True} == play("hastyRecords")


def test_record_is_shown_on_a_page_of_somebody_else(play: Play) -> None:
    """Under a strict policy the element reads its own text, and a custom property of the page sets its colour."""
    found = play("embedded", is_elsewhere=True)
    assert "rgb(1, 2, 3)" == found["felt"]
    assert re.search(r"Giocatore \d scopre", found["text"])


def test_bots_play_each_other(play: Play) -> None:
    """Deals are played one by one; a pause stops the table, and the chart has the scores of every seat."""
    found = play("duel")
    # The bots may still play the deal, which makes it longer.
    assert found["paused"].partition(" of")[0] == found["later"].partition(" of")[0]
    assert 0 == found["isPlaying"]
    assert (3, True) == (found["lines"], found["wide"] <= 0)
    assert len(found["rows"]) >= 4  # the names of the seats, and a row for each deal
