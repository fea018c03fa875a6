"""The rule books as HTML pages in the language of the reader, an anchor for every clause."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Final

from flask import Flask

from chitarrella.api.caller import Caller
from chitarrella.api.converters import RULES_PAGE
from chitarrella.api.dispatcher import Dispatcher
from chitarrella.i18n.choice_names import choice_name
from chitarrella.i18n.translator import Translator, translator_for
from chitarrella.svg.paths import picture_path
from chitarrella.transports.rest.website.card_rows import card_rows, hands
from chitarrella.transports.rest.website.catalogue_queries import all_games, find_game
from chitarrella.transports.rest.website.layout import (
    ACCEPT_LANGUAGE,
    page_response,
    render,
    requested_language,
)
from chitarrella.transports.rest.website.worked_example import FindExample
from chitarrella.v1.catalogue_pb2 import GetGameResponse, Option

COMMON: Final = "ALL-"
"""What the keys of the clauses that all games have begin with."""


def add_rulebook_pages(app: Flask, dispatcher: Dispatcher, find_example: FindExample) -> None:
    """Register the pages in ``app``.

    The parameter ``?language=`` takes precedence over the header Accept-Language.
    """

    @lru_cache(maxsize=100)
    def page(game: str, language: str) -> bytes:
        caller = Caller(translator=translator_for(language))
        found = find_game(dispatcher, game, caller)
        return render(
            "rules.html", caller.translator, game=found, rows=card_rows(found),
            example=find_example(game), picture=picture_path,
            allowed=partial(allowed_values, caller.translator), home=RULES_PAGE, common_keys=common_keys(found),
        )  # fmt: skip

    @lru_cache(maxsize=10)
    def index(language: str) -> bytes:
        translator = translator_for(language)
        games = all_games(dispatcher, Caller(translator=translator))
        return render("books.html", translator, games=hands(games))

    app.add_url_rule(f"{RULES_PAGE}/", "books", lambda: page_response(index(requested_language()), ACCEPT_LANGUAGE))
    app.add_url_rule(
        f"{RULES_PAGE}/<game>", "book", lambda game: page_response(page(game, requested_language()), ACCEPT_LANGUAGE)
    )


def common_keys(game: GetGameResponse) -> list[str]:
    """Return the keys of the clauses of a game that all games have."""
    return [clause.key for clause in game.clauses if clause.key.startswith(COMMON)]


def allowed_values(translator: Translator, option: Option) -> str:
    """Return the allowed values of an option as text, with what they mean; of cards and packets the notation alone."""
    minimum = option.minimum if option.HasField("minimum") else None
    maximum = option.maximum if option.HasField("maximum") else None
    named = ((value, choice_name(translator, option.name, value, {})) for value in option.choices)
    words = [value if value[:1].isdigit() or value == name else f"{value} ({name})" for value, name in named]
    return translator.allowed(words, minimum, maximum)
