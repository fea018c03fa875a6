"""The pages that call the service by scripts, and the scripts that define elements for pages of anybody.

``/client.js`` defines ``<chitarrella-table>``, ``/record.js`` defines ``<chitarrella-record>``.

What the scripts have in common is ``/shared.js``, which they import. They are built from ``clients/typescript/web`` and
committed, so that whoever runs the service builds nothing.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from flask import Flask, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from chitarrella.i18n.translator import translator_for
from chitarrella.transports.rest.content_policy import WITH_SCRIPTS, restrict
from chitarrella.transports.rest.layout import ACCEPT_LANGUAGE, render, requested_language
from chitarrella.transports.rest.pages import (
    ASK_PATH,
    DUEL_PATH,
    HTML,
    MAX_AGE_SECONDS,
    PLAY_PATH,
    RECORDS_PATH,
    SCRIPT,
    STYLE,
    cacheable,
)

CLIENT_PATH: Final = "/client.js"
"""The path of the script with which a page of anybody shows a table."""
RECORD_PATH: Final = "/record.js"
"""The path of the script with which a page of anybody shows a record."""
SHARED_PATH: Final = "/shared.js"
"""The path of the script that the others import, with its digest as the query."""
DIGEST_DIGITS: Final = 16
"""How many hexadecimal digits of the SHA-256 of `SHARED_PATH` are its digest."""
KEPT_SECONDS: Final = 31_536_000
"""Seconds for which a file may be kept whose address has its digest: a year."""
STATIC: Final = Path(__file__).parent / "static"
"""The folder of the built scripts, of their styles and of the examples."""
TEXT: Final = "text/plain; charset=utf-8"
"""The content type of a record."""
HEADERS: Final = {"Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff"}
"""Headers of the page. The key of a seat stands in the fragment of its address, which no browser sends."""


class File(NamedTuple):
    """A file of `STATIC`, and its content type."""

    name: str
    kind: str


FILES: Final = {
    CLIENT_PATH: File("client.js", SCRIPT),
    RECORD_PATH: File("record.js", SCRIPT),
    f"{PLAY_PATH}page.js": File("play.js", SCRIPT),
    f"{PLAY_PATH}page.css": File("play.css", STYLE),
    f"{ASK_PATH}page.js": File("ask.js", SCRIPT),
    f"{ASK_PATH}page.css": File("ask.css", STYLE),
    f"{RECORDS_PATH}page.js": File("records.js", SCRIPT),
    f"{RECORDS_PATH}page.css": File("records.css", STYLE),
    f"{DUEL_PATH}page.js": File("duel.js", SCRIPT),
    f"{DUEL_PATH}page.css": File("duel.css", STYLE),
    **{f"{RECORDS_PATH}{path.name}": File(f"records/{path.name}", TEXT) for path in STATIC.glob("records/*.txt")},
}
"""The files that are served, by path; among them a record of every game as an example."""


TEMPLATES: Final = {PLAY_PATH: "play.html", ASK_PATH: "ask.html", RECORDS_PATH: "records.html", DUEL_PATH: "duel.html"}
"""The template of each page, by path."""


def add_browser_pages(app: Flask) -> None:
    """Register the pages and their files in ``app``."""

    @cache
    def page(template: str, language: str) -> bytes:
        return render(template, translator_for(language), shared=f"{SHARED_PATH}?{digest()}")

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
