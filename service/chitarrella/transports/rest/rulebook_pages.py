"""The rule books as HTML pages in the language of the reader, an anchor for every clause; and the evidence page.

The evidence page shows the plots of the last run of the benchmark that was kept.
"""

from __future__ import annotations

from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Final

import orjson
from flask import Flask, Response, render_template, request
from werkzeug.exceptions import NotFound

from chitarrella import errors
from chitarrella.api.caller import Caller
from chitarrella.api.converters import RULES_PAGE
from chitarrella.api.dispatcher import Dispatcher
from chitarrella.i18n.negotiation import negotiate_language
from chitarrella.i18n.translator import LANGUAGES, Translator, translator_for
from chitarrella.transports.rest.pages import SVG, cacheable
from chitarrella.v1.catalogue_pb2 import GetGameRequest, ListGamesRequest, Option

ACCEPT_LANGUAGE: Final = "Accept-Language"
"""The header that chooses the language of a page."""
PROOFS_PAGE: Final = "/docs/proofs"
"""The path of the page that shows that the rules are right."""
PLOTS: Final = Path(__file__).parent / "plots"
"""The plots of the benchmark, which ``make bench`` writes, with their index ``plots.json``."""
CATALOGUE: Final = "/chitarrella.v1.CatalogueService"
"""The service that the pages ask."""


def add_rulebook_pages(app: Flask, dispatcher: Dispatcher) -> None:
    """Register the pages in ``app``. The parameter ``?language=`` takes precedence over the header Accept-Language."""

    @lru_cache(maxsize=100)
    def page(game: str, language: str) -> bytes:
        caller = Caller(translator=translator_for(language))
        found = dispatcher.answer(f"{CATALOGUE}/GetGame", GetGameRequest(game_id=game), caller)
        text = render_template(
            "rules.html", game=found, translator=caller.translator, allowed=partial(_allowed, caller.translator),
            home=RULES_PAGE, say=caller.translator.cli_text, code=language, languages=LANGUAGES,
        )  # fmt: skip
        return text.encode()

    @lru_cache(maxsize=10)
    def index(language: str) -> bytes:
        caller = Caller(translator=translator_for(language))
        games = dispatcher.answer(f"{CATALOGUE}/ListGames", ListGamesRequest(), caller).games
        return render_template(
            "books.html", games=games, say=caller.translator.cli_text, code=language, languages=LANGUAGES
        ).encode()

    @cache
    def proofs() -> bytes:
        figures = orjson.loads((Path(__file__).parent / "proofs.json").read_bytes())
        speed = orjson.loads((PLOTS / "plots.json").read_bytes())
        return render_template("proofs.html", proofs=figures, rules=RULES_PAGE, speed=speed, here=PROOFS_PAGE).encode()

    @cache
    def plots() -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in PLOTS.glob("*.svg")}

    def plot(name: str) -> Response:
        if name not in plots():
            raise NotFound
        return cacheable(plots()[name], SVG)

    app.add_url_rule(PROOFS_PAGE, "proofs", lambda: cacheable(proofs(), vary=ACCEPT_LANGUAGE))
    app.add_url_rule(f"{PROOFS_PAGE}/<name>", "plot", plot)
    app.add_url_rule(f"{RULES_PAGE}/", "books", lambda: cacheable(index(_requested_language()), vary=ACCEPT_LANGUAGE))
    app.add_url_rule(
        f"{RULES_PAGE}/<game>",
        "book",
        lambda game: cacheable(page(game, _requested_language()), vary=ACCEPT_LANGUAGE),
    )


def _allowed(translator: Translator, option: Option) -> str:
    """Return the allowed values of an option as text."""
    minimum = option.minimum if option.HasField("minimum") else None
    maximum = option.maximum if option.HasField("maximum") else None
    return translator.allowed(option.choices, minimum, maximum)


def _requested_language() -> str:
    """Return the code of the requested language; raises `errors.BadRequest` for one that is not supported."""
    name = request.args.get("language", "")
    if name and name not in LANGUAGES:
        raise errors.BadRequest("bad_request", f"The languages are {', '.join(LANGUAGES)}.", "language")
    return name or negotiate_language(request.headers.get(ACCEPT_LANGUAGE, ""))
