"""The page of the error codes and of the reasons for refusals, in the language of the reader."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

from flask import Flask

from chitarrella.api.caller import Caller
from chitarrella.api.dispatcher import Dispatcher
from chitarrella.i18n.translator import LANGUAGES, translator_for
from chitarrella.transports.rest.problems import ERRORS_PAGE, error_codes
from chitarrella.transports.rest.website.catalogue_queries import all_games
from chitarrella.transports.rest.website.layout import ACCEPT_LANGUAGE, page_response, render, requested_language


def add_error_pages(app: Flask, dispatcher: Dispatcher) -> None:
    """Register the page in ``app``; ``dispatcher`` answers which refusals there are."""

    @lru_cache(maxsize=len(LANGUAGES))
    def page(language: str) -> bytes:
        translator = translator_for(language)
        reasons = _refusal_reasons(dispatcher, Caller(translator=translator))
        return render("errors.html", translator, errors=error_codes(translator), reasons=reasons)

    app.add_url_rule(ERRORS_PAGE, "errors", lambda: page_response(page(requested_language()), ACCEPT_LANGUAGE))


def _refusal_reasons(dispatcher: Dispatcher, caller: Caller) -> list[dict[str, str]]:
    """Return every reason for a refusal, with the games that use it."""
    texts: dict[str, str] = {}
    games: defaultdict[str, list[str]] = defaultdict(list)
    for game in all_games(dispatcher, caller):
        for reason in game.reasons:
            texts.setdefault(reason.code, reason.text)
            games[reason.code].append(game.summary.title)
    return [{"code": code, "text": texts[code], "games": ", ".join(games[code])} for code in sorted(texts)]
