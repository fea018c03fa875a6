"""The rule books as pages, every clause under its number, in the language of the reader; and what proves them."""

from __future__ import annotations

from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Final

import orjson
from flask import Flask, render_template, request

from chitarrella import errors
from chitarrella.api.api import Api
from chitarrella.api.caller import Caller
from chitarrella.rest.pages import kept
from chitarrella.tongues import LANGUAGES, Tongue, tongue, tongue_for
from chitarrella.v1.catalogue_pb2 import GetGameRequest, ListGamesRequest, Option
from chitarrella.wire import RULES_PAGE

LANGUAGE: Final = "Accept-Language"
PROOFS_PAGE: Final = "/docs/proofs"
CATALOGUE: Final = "/chitarrella.v1.CatalogueService"


def add_books(app: Flask, api: Api) -> None:
    """Put the pages into ``app``; what is asked for by ``?language=`` goes before what the browser prefers."""

    @lru_cache(maxsize=100)
    def page(game: str, language: str) -> bytes:
        caller = Caller(tongue=tongue(language))
        found = api.answer(f"{CATALOGUE}/GetGame", GetGameRequest(game=game), caller)
        text = render_template(
            "rules.html", game=found, tongue=caller.tongue, allowed=partial(_allowed, caller.tongue), home=RULES_PAGE,
            say=caller.tongue.phrase, code=language, languages=LANGUAGES,
        )  # fmt: skip
        return text.encode()

    @lru_cache(maxsize=10)
    def index(language: str) -> bytes:
        caller = Caller(tongue=tongue(language))
        games = api.answer(f"{CATALOGUE}/ListGames", ListGamesRequest(), caller).games
        return render_template(
            "books.html", games=games, say=caller.tongue.phrase, code=language, languages=LANGUAGES
        ).encode()

    @cache
    def proofs() -> bytes:
        figures = orjson.loads((Path(__file__).parent / "proofs.json").read_bytes())
        return render_template("proofs.html", proofs=figures, rules=RULES_PAGE).encode()

    app.add_url_rule(PROOFS_PAGE, "proofs", lambda: kept(proofs(), vary=LANGUAGE))
    app.add_url_rule(f"{RULES_PAGE}/", "books", lambda: kept(index(_wanted().code), vary=LANGUAGE))
    app.add_url_rule(f"{RULES_PAGE}/<game>", "book", lambda game: kept(page(game, _wanted().code), vary=LANGUAGE))


def _allowed(tongue: Tongue, option: Option) -> str:
    """Say which values an option may have."""
    least, most = (getattr(option, name) if option.HasField(name) else None for name in ("least", "most"))
    return tongue.allowed(option.words, least, most)


def _wanted() -> Tongue:
    """Say which language is asked for; raises `errors.BadRequest` for one that there is not."""
    named = request.args.get("language", "")
    if named and named not in LANGUAGES:
        raise errors.BadRequest("bad_request", f"The languages are {', '.join(LANGUAGES)}.", "language")
    return tongue(named) if named else tongue_for(request.headers.get(LANGUAGE, ""))
