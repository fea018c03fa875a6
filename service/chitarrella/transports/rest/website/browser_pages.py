"""The pages that call the service by scripts, and the scripts that define elements for pages of anybody.

``/client.js`` defines ``<chitarrella-table>``, ``/record.js`` defines ``<chitarrella-record>``.

What the scripts have in common is ``/shared.js``, which they import. They are built from ``clients/typescript/web`` and
committed, so that whoever runs the service builds nothing.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Final

from flask import Flask, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from chitarrella.api.caller import Caller
from chitarrella.api.dispatcher import Dispatcher
from chitarrella.i18n.translator import translator_for
from chitarrella.transports.rest.content_policy import WITH_SCRIPTS, restrict
from chitarrella.transports.rest.pages import (
    ASK_PATH,
    DUEL_PATH,
    HTML,
    MAX_AGE_SECONDS,
    PLAY_PATH,
    RECORDS_PATH,
    SCRIPT,
    cacheable,
)
from chitarrella.transports.rest.website.browser_files import FILES, SHARED_PATH, STATIC, File
from chitarrella.transports.rest.website.catalogue_queries import all_games
from chitarrella.transports.rest.website.layout import ACCEPT_LANGUAGE, render, requested_language

DIGEST_DIGITS: Final = 16
"""How many hexadecimal digits of the SHA-256 of `SHARED_PATH` are its digest."""
KEPT_SECONDS: Final = 31_536_000
"""Seconds for which a file may be kept whose address has its digest: a year."""
HEADERS: Final = {"Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff"}
"""Headers of the page. The key of a seat stands in the fragment of its address, which no browser sends."""


TEMPLATES: Final = {PLAY_PATH: "play.html", ASK_PATH: "ask.html", RECORDS_PATH: "records.html", DUEL_PATH: "duel.html"}
"""The template of each page, by path."""


TRICK: Final = "trick"
"""The zone that a game has if it is played in tricks."""


def add_browser_pages(app: Flask, dispatcher: Dispatcher) -> None:
    """Register the pages and their files in ``app``; ``dispatcher`` answers which games are played in tricks."""

    @cache
    def page(template: str, language: str) -> bytes:
        shared = f"{SHARED_PATH}?{digest()}"
        return render(template, translator_for(language), shared=shared, trick_games=trick_games)

    @cache
    def trick_games() -> list[str]:
        games = all_games(dispatcher, Caller())
        return [game.summary.game_id for game in games if any(zone.name == TRICK for zone in game.zones)]

    @cache
    def content(name: str) -> bytes:
        return (STATIC / name).read_bytes()

    @cache
    def digest() -> str:
        return sha256(content("shared.js")).hexdigest()[:DIGEST_DIGITS]

    def shared() -> Response:
        is_this_one = request.query_string.decode("ascii", "replace") == digest()
        max_age = KEPT_SECONDS if is_this_one else MAX_AGE_SECONDS
        return _with_headers(cacheable(content("shared.js"), SCRIPT, max_age=max_age))

    def show(path: str) -> Response:
        return _with_headers(cacheable(page(TEMPLATES[path], requested_language()), HTML, ACCEPT_LANGUAGE))

    def serve(file: File) -> Response:
        return _with_headers(cacheable(content(file.name), file.kind))

    for path in TEMPLATES:
        app.add_url_rule(path, f"page {path}", lambda path=path: show(path))
        app.add_url_rule(path.rstrip("/"), f"redirect to {path}", lambda path=path: _redirect_to(path))
    app.add_url_rule(SHARED_PATH, "shared script", shared)
    for path, file in FILES.items():
        app.add_url_rule(path, f"file {path}", lambda file=file: serve(file))


def _redirect_to(path: str) -> AnyResponse:
    query = request.query_string.decode("ascii", "replace")
    return redirect(f"{path}?{query}" if query else path)


def _with_headers(response: Response) -> Response:
    response.headers.update(HEADERS)
    return restrict(response, WITH_SCRIPTS)
