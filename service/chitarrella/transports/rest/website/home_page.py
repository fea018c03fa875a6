"""The home page: every game with a hand of its cards, and the ways on. Programs are sent to the page of the API."""

from __future__ import annotations

from functools import lru_cache

from flask import Flask, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from chitarrella.api.caller import Caller
from chitarrella.api.converters import RULES_PAGE
from chitarrella.api.dispatcher import Dispatcher
from chitarrella.i18n.translator import LANGUAGES, translator_for
from chitarrella.transports.rest.pages import DOCS_PATH
from chitarrella.transports.rest.problems import HTML, JSON
from chitarrella.transports.rest.website.card_rows import hands
from chitarrella.transports.rest.website.catalogue_queries import all_games
from chitarrella.transports.rest.website.layout import ACCEPT_LANGUAGE, page_response, render, requested_language


def add_home_page(app: Flask, dispatcher: Dispatcher) -> None:
    """Register the home page in ``app``; ``dispatcher`` answers which games there are."""

    @lru_cache(maxsize=len(LANGUAGES))
    def page(language: str) -> bytes:
        translator = translator_for(language)
        games = hands(all_games(dispatcher, Caller(translator=translator)))
        return render("home.html", translator, games=games, rules=RULES_PAGE)

    def home() -> AnyResponse:
        # Of types that the caller accepts equally, the first one is taken: a redirect for `*/*`, as ever.
        if request.accept_mimetypes.best_match([JSON, HTML], JSON) == HTML:
            return page_response(page(requested_language()), f"Accept, {ACCEPT_LANGUAGE}")
        response = redirect(f"{DOCS_PATH}/")
        response.headers["Vary"] = "Accept"
        return response

    app.add_url_rule("/", "home", home)
