"""The words of a table over HTTP."""

from __future__ import annotations

import pytest

from chitarrella.catalogue.registry import Catalogue
from chitarrella.i18n.choice_names import choice_names
from chitarrella.i18n.table_words import words_of
from chitarrella.i18n.translator import LANGUAGES, translator_for
from tests.transports.rest_client import Rest, failed

BRISCOLA = Catalogue().game("briscola")


@pytest.fixture
def curl(rest: str) -> Rest:
    """A caller without a key."""
    return Rest(rest)


@pytest.mark.parametrize("code", LANGUAGES)
def test_words_are_those_of_the_catalogue_of_texts(curl: Rest, code: str) -> None:
    """The words are served in each language, to pages of every origin, with a tag; suits are those of the pack."""
    answer = curl.get(f"/words/briscola/{code}.json")
    assert (200, "*") == (answer.status_code, answer.headers["Access-Control-Allow-Origin"])
    translator = translator_for(code)
    options = [(option.name, option.choices) for option in BRISCOLA.options]
    names = choice_names(
        translator, options, {card: translator.card(card, BRISCOLA.pack) for card in BRISCOLA.pack.cards}
    )
    assert words_of(translator, "Italian", names) == answer.json()
    again = curl.get(f"/words/briscola/{code}.json", headers={"If-None-Match": answer.headers["ETag"]})
    assert 304 == again.status_code


def test_no_words_of_unknown_games_and_languages(curl: Rest) -> None:
    """A game that there is not, and a language that the service does not speak, are not found."""
    failed(curl.get("/words/poker/it.json"), 404, "unknown_game", "game_id")
    failed(curl.get("/words/briscola/fr.json"), 404, "no_such_route")
