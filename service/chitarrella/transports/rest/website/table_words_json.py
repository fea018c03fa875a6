"""The words of a table as JSON: names of facts and of the values of options, sentences for events.

``/client.js`` and the page ``/play/`` read them.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import orjson
from flask import Flask, Response
from werkzeug.exceptions import NotFound

from chitarrella.api.caller import Caller
from chitarrella.api.dispatcher import Dispatcher
from chitarrella.i18n.choice_names import choice_names
from chitarrella.i18n.table_words import words_of
from chitarrella.i18n.translator import LANGUAGES, Translator, translator_for
from chitarrella.transports.rest.pages import cacheable
from chitarrella.transports.rest.problems import JSON
from chitarrella.transports.rest.website.catalogue_queries import find_game
from chitarrella.v1.catalogue_pb2 import GetGameResponse

WORDS_PATH: Final = "/words"
"""The folder of the words, by game and language."""


def add_table_words(app: Flask, dispatcher: Dispatcher) -> None:
    """Register the words in ``app``."""

    @cache
    def words(game: str, language: str) -> bytes:
        translator = translator_for(language)
        pack = find_game(dispatcher, game, Caller()).summary.pack
        found = find_game(dispatcher, game, Caller(translator=translator))
        return orjson.dumps(words_of(translator, pack.partition(" ")[0], names_of_choices(translator, found)))

    def serve(game: str, language: str) -> Response:
        if language not in LANGUAGES:
            raise NotFound
        return cacheable(words(game, language), JSON)

    app.add_url_rule(f"{WORDS_PATH}/<game>/<language>.json", "table_words", serve)


def names_of_choices(translator: Translator, game: GetGameResponse) -> dict[str, dict[str, str]]:
    """Return the names of the values of the options of a game, by both."""
    cards = {card.code: card.name for card in game.cards}
    return choice_names(translator, [(option.name, option.choices) for option in game.options], cards)
