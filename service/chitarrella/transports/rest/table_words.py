"""The words of a table as JSON: names of facts and sentences for events. ``/client.js`` reads them."""

from __future__ import annotations

from functools import cache
from typing import Final

import orjson
from flask import Flask, Response
from werkzeug.exceptions import NotFound

from chitarrella.api.caller import Caller
from chitarrella.api.dispatcher import Dispatcher
from chitarrella.i18n.table_words import words_of
from chitarrella.i18n.translator import LANGUAGES, translator_for
from chitarrella.transports.rest.catalogue_queries import find_game
from chitarrella.transports.rest.pages import cacheable
from chitarrella.transports.rest.problems import JSON

WORDS_PATH: Final = "/words"
"""The folder of the words, by game and language."""


def add_table_words(app: Flask, dispatcher: Dispatcher) -> None:
    """Register the words in ``app``."""

    @cache
    def words(game: str, language: str) -> bytes:
        pack = find_game(dispatcher, game, Caller()).summary.pack
        return orjson.dumps(words_of(translator_for(language), pack.partition(" ")[0]))

    def serve(game: str, language: str) -> Response:
        if language not in LANGUAGES:
            raise NotFound
        return cacheable(words(game, language), JSON)

    app.add_url_rule(f"{WORDS_PATH}/<game>/<language>.json", "table_words", serve)
