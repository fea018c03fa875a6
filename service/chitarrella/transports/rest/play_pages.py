"""The page ``/play/`` and the script ``/client.js``, which defines the element ``<chitarrella-table>``.

The scripts are built from ``clients/typescript/web`` and committed, so that whoever runs the service builds nothing.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from flask import Flask, Response, redirect, render_template
from werkzeug.wrappers import Response as AnyResponse

from chitarrella.transports.rest.pages import HTML, cacheable

CLIENT_PATH: Final = "/client.js"
"""The path of the script that a page of anybody loads."""
PLAY_PATH: Final = "/play/"
"""The path of the page on which a match is created and played."""
STATIC: Final = Path(__file__).parent / "static"
"""The folder of the built scripts and of the style sheet."""
SCRIPT: Final = "text/javascript; charset=utf-8"
"""The content type of a script."""
STYLE: Final = "text/css; charset=utf-8"
"""The content type of a style sheet."""
POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        *("script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'"),
        *("base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"),
    )
)
"""What the page may load: from the service itself alone, and nothing that stands in the page as text."""
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
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
    return response
