"""Pages that everybody can use: WCAG 2.2, levels A and AA, in light and dark, on a small phone and on a desktop."""

import re

import pytest

from chitarrella.catalogue.registry import Catalogue
from chitarrella.i18n.translator import translator_for
from tests.web.conftest import BUSY_SECONDS, Play

pytestmark = pytest.mark.timeout(BUSY_SECONDS)


@pytest.mark.slow
def test_no_page_has_a_barrier(play: Play) -> None:
    """Axe-core finds nothing on any page to which a link leads, and none is wider than a window of 360 pixels."""
    found = play("pages", "404")
    assert ({}, 1) == (found["findings"], len(play.errors))  # the error is the path that there is not
    paths = {"/", "/play/", "/ask/", "/docs/rules/", "/docs/api/", "/docs/proofs", "/docs/errors"}
    books = {f"/docs/rules/{game.key}" for game in Catalogue()}
    assert paths | books <= set(found["seen"])


def test_no_part_of_a_page_has_a_barrier(play: Play) -> None:
    """Axe-core finds nothing in the form, at a table with a refusal, in all views, and in an answered question."""
    assert {} == play("parts")["findings"]


# ---------------------------------------------------------------------- forms


def test_options_are_shown_in_words(play: Play) -> None:
    """The options that the usual number of players has are there by their labels, and no value is an identifier."""
    found = play("options")
    italian = translator_for("it")
    for game in Catalogue():
        shown = found[game.key]
        counts = {option.name: option.players or game.entry.players for option in game.entry.options}
        labels = {
            italian.option_label(option)
            for option in game.entry.options
            if game.entry.players[0] in counts[option.name]
        }
        assert labels <= set(shown)
        assert not any(text.startswith("Se ") for text in shown)
        assert [] == [text for text in shown if "_" in text or re.match(r"(true|false|off|none|by_\w+)\b", text)]


def test_chosen_options_are_those_of_the_match(play: Play) -> None:
    """A word, a seat and a number that are chosen by their labels are options of the match; only its seats can deal."""
    found = play("chosenOptions")
    assert ["drawn by lot (default)", "Player 1", "Player 2", "Player 3"] == found["seats"]
    assert "Carla" == found["name"]
    assert [None, "0.700s", "0.700s"] == [bot and bot["delay"] for bot in found["bots"]]
    options = {"doctor_limit": "unlimited", "first_dealer": "2", "life_cap": "7"}
    assert ("coteccio", 3) == (found["ruleSet"]["gameId"], found["ruleSet"]["players"])
    assert options.items() <= found["ruleSet"]["options"].items()


def test_answer_can_be_cited(play: Play, service: str) -> None:
    """The answer is a text that names its source, the position and the linked clause, in three languages."""
    found = play("citations")
    english, italian, german = (found["texts"][code] for code in ("en", "it", "de"))
    assert english == (
        "According to Chitarrella, in Madrasso with 4 players (Who cannot follow must trump: yes;"
        " trumps: coins; trick: 3 of cups; hand: ace of cups, 2 of swords, and 4 of swords): Ace of cups can be played."
        " 2 of swords and 4 of swords cannot be played: The suit led is cups, and must be followed while the hand holds"
        " it: ace of cups (Clause MA-5.3). 3 of cups leads so far; card points: 10. Ace of coins: card points: 11."
    )
    assert italian.startswith("Secondo Chitarrella, a Madrasso in 4 giocatori (")
    assert "2 di spade e 4 di spade non si possono giocare: " in italian
    assert german.startswith("Laut Chitarrella gilt bei Madrasso mit 4 Spielern (")
    assert "Schwerter-2 und Schwerter-4 dürfen nicht gespielt werden: " in german
    pages = [f"{service}/docs/rules/madrasso?language={code}#MA-5.3" for code in ("it", "de", "en")]
    assert pages == found["links"]
    assert f"{english}\n{found['address']}" == found["copied"]
    assert "Cucù is not played in tricks" in found["note"]
    assert not {"Cucù", "Lu Stù"} & set(found["games"])
    assert "Madrasso" in found["games"]


# ---------------------------------------------------------------------- loading


MOST_BYTES = 120_000  # what the first table may weigh, compressed, with its pictures


def test_first_table_is_light_and_stands_elsewhere(play: Play) -> None:
    """A table with forty cards weighs less than 120 kB, and is shown to pages of another site by one script."""
    found = play("weight", is_elsewhere=True)
    loaded = dict(found["loaded"])
    assert 4 == found["elsewhere"]
    assert {"/play/", "/client.js", "/shared.js", "/play/page.js", "/style.css"} <= set(loaded)
    assert 30 < sum(path.endswith(".svg") for path in loaded)
    assert all(size > 0 for size in loaded.values())
    assert sum(loaded.values()) < MOST_BYTES
