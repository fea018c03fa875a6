"""The page ``/play/`` and the script ``/client.js``, which defines the element ``<chitarrella-table>``.

The scripts are built from ``clients/typescript/web`` and committed, so that whoever runs the service builds nothing.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from flask import Flask, Response, redirect, render_template
from werkzeug.wrappers import Response as AnyResponse

from chitarrella.transports.rest.content_policy import WITH_SCRIPTS, restrict
from chitarrella.transports.rest.pages import HTML, PLAY_PATH, SCRIPT, STYLE, cacheable

CLIENT_PATH: Final = "/client.js"
"""The path of the script that a page of anybody loads."""
STATIC: Final = Path(__file__).parent / "static"
"""The folder of the built scripts and of the style sheet."""
HEADERS: Final = {"Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff"}
"""Headers of the page. The key of a seat stands in the fragment of its address, which no browser sends."""


class File(NamedTuple):
    """A file of `STATIC`, and its content type."""

    name: str
    kind: str


FILES: Final = {
    CLIENT_PATH: File("client.js", SCRIPT),
    f"{PLAY_PATH}page.js": File("play.js", SCRIPT),
    f"{PLAY_PATH}page.css": File("play.css", STYLE),
}
"""The files that are served, by path."""


def add_play_pages(app: Flask) -> None:
    """Register the page and its files in ``app``."""

    @cache
    def page() -> bytes:
        return render_template("play.html").encode()

    @cache
    def content(name: str) -> bytes:
        return (STATIC / name).read_bytes()

    def play() -> Response:
        return _with_headers(cacheable(page(), HTML))

    def without_slash() -> AnyResponse:
        return redirect(PLAY_PATH)

    def serve(file: File) -> Response:
        return _with_headers(cacheable(content(file.name), file.kind))

    app.add_url_rule(PLAY_PATH, "play", play)
    app.add_url_rule(PLAY_PATH.rstrip("/"), "play without slash", without_slash)
    for path, file in FILES.items():
        app.add_url_rule(path, f"file {path}", lambda file=file: serve(file))


def _with_headers(response: Response) -> Response:
    response.headers.update(HEADERS)
    return restrict(response, WITH_SCRIPTS)
