"""Pages beside the rpcs: what they have in common, health checks and metrics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from flask import Flask, Response, request
from prometheus_client import CONTENT_TYPE_LATEST

from chitarrella import errors
from chitarrella.transports.rest.middleware import context_of, is_not_modified, tag_of
from chitarrella.transports.rest.problems import JSON

DOCS_PATH: Final = "/docs"
LIVENESS_PATH: Final = "/healthz"  # answered on the event loop, so it waits for nothing
MAX_AGE_SECONDS: Final = 300  # seconds for which a page may be kept
METRICS_PATH: Final = "/metrics"
HTML_UTF8: Final = "text/html; charset=utf-8"
SVG: Final = "image/svg+xml"
SCRIPT: Final = "text/javascript; charset=utf-8"
MARKDOWN: Final = "text/markdown; charset=utf-8"
STYLE: Final = "text/css; charset=utf-8"
# Pages that the port for operators does not have.
ASK_PATH: Final = "/ask/"  # cards are laid out, and the rules are asked
DUEL_PATH: Final = "/duel/"  # bots play each other
PLAY_PATH: Final = "/play/"  # a match is created and played
RECORDS_PATH: Final = "/records/"  # a record is shown step by step


def add_health(app: Flask, ready: Callable[[], None], metrics: Callable[[], bytes]) -> None:
    """Register health checks and metrics in ``app``; ``ready`` raises if the service cannot answer calls."""

    def healthz() -> Response:
        return Response(b'{"status":"alive"}', content_type=JSON, headers={"Cache-Control": "no-store"})

    def readyz() -> Response:
        try:
            ready()
        except errors.ChitarrellaError:
            raise
        except Exception:
            raise errors.StoreUnavailable() from None
        return Response(b'{"status":"ready"}', content_type=JSON, headers={"Cache-Control": "no-store"})

    app.add_url_rule(LIVENESS_PATH, "healthz", healthz)
    app.add_url_rule("/readyz", "readyz", readyz)
    app.add_url_rule(METRICS_PATH, "metrics", lambda: Response(metrics(), content_type=CONTENT_TYPE_LATEST))


def cacheable(body: bytes, kind: str = HTML_UTF8, vary: str = "", max_age: int = MAX_AGE_SECONDS) -> Response:
    """Return a response with an entity tag; ``vary`` is the header that it depends on, ``max_age`` is in seconds."""
    tag = tag_of(body, None)
    response = (
        Response(status=304)
        if is_not_modified(context_of(request.environ).request_headers, tag)
        else Response(body, content_type=kind)
    )
    response.headers["ETag"] = f'"{tag.text}"'
    response.headers["Cache-Control"] = f"public, max-age={max_age}"
    if vary:
        response.headers["Vary"] = vary
    return response
