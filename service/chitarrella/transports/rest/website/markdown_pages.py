"""Pages for programs that read text: each rule book as Markdown, and ``/llms.txt``, a list of what is where."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Final

from flask import Flask, Response, render_template

from chitarrella.api.caller import Caller
from chitarrella.api.converters import RULES_PAGE
from chitarrella.api.dispatcher import Dispatcher
from chitarrella.i18n.translator import translator_for
from chitarrella.transports.rest.pages import ASK_PATH, MARKDOWN, PLAY_PATH, cacheable
from chitarrella.transports.rest.website.card_rows import card_rows
from chitarrella.transports.rest.website.catalogue_queries import all_games, find_game
from chitarrella.transports.rest.website.layout import ACCEPT_LANGUAGE, layout_values, path_of_page, requested_language
from chitarrella.transports.rest.website.rulebook_pages import allowed_values, common_keys

LLMS_PAGE: Final = "/llms.txt"
"""The path of the list of what is where."""
TEXT: Final = "text/plain; charset=utf-8"
"""The content type of the list."""


def add_markdown_pages(app: Flask, dispatcher: Dispatcher) -> None:
    """Register the pages in ``app``. The languages are chosen as for the HTML pages; the list is in English."""

    @lru_cache(maxsize=100)
    def book(game: str, language: str) -> bytes:
        translator = translator_for(language)
        found = find_game(dispatcher, game, Caller(translator=translator))
        return render_template(
            "rules.md", **layout_values(translator), game=found, rows=card_rows(found),
            allowed=partial(allowed_values, translator), common_keys=common_keys(found),
        ).encode()  # fmt: skip

    @lru_cache(maxsize=1)
    def llms() -> bytes:
        games = [game.summary for game in all_games(dispatcher, Caller())]
        paths = {"rules": RULES_PAGE, "play": path_of_page(PLAY_PATH), "ask": path_of_page(ASK_PATH)}
        return render_template("llms.txt", games=games, **paths).encode()

    def markdown(game: str) -> Response:
        return cacheable(book(game, requested_language()), MARKDOWN, ACCEPT_LANGUAGE)

    app.add_url_rule(f"{RULES_PAGE}/<game>.md", "book as Markdown", markdown)
    app.add_url_rule(LLMS_PAGE, "llms", lambda: cacheable(llms(), TEXT))
