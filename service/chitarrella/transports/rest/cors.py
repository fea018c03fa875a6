"""CORS: pages of which origins may call, and with which headers.

By default pages of every origin may, because keys are never cookies: no page can call with the keys of another one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from chitarrella.transports.rest.origins import InvalidOrigin, parse_origin

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

from chitarrella.api.rate_headers import Headers

ALLOWED_HEADERS: Final = (
    "Accept-Language",
    "Authorization",
    "Baggage",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Last-Event-ID",
    "Sentry-Trace",
    "Traceparent",
    "Tracestate",
    "X-API-Key",
    "X-Request-Id",
    "Connect-Accept-Encoding",
    "Connect-Content-Encoding",
    "Connect-Protocol-Version",
    "Connect-Timeout-Ms",
    "Grpc-Timeout",
    "X-Grpc-Web",
    "X-User-Agent",
)
"""The headers that a page of another origin may send."""
EXPOSED_HEADERS: Final = (
    "Allow",
    "Connect-Content-Encoding",
    "ETag",
    "Grpc-Message",
    "Grpc-Status",
    "Grpc-Status-Details-Bin",
    "Location",
    "Match-Revision",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "WWW-Authenticate",
    "X-Request-Id",
)
"""The headers of a response that a page of another origin may read."""
MAX_AGE_SECONDS: Final = 7200
"""Seconds for which a browser may keep the answer to a preflight request."""
EVERY_ORIGIN: Final = "*"
"""The setting that allows every origin."""
HEADER_NAME: Final = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
"""The name of a header."""


class InvalidHeader(ValueError):
    """A text that is not the name of a header."""


class Cors:
    """The CORS headers of every response, for the configured origins and headers."""

    def __init__(self, allowed_origins: str = EVERY_ORIGIN, allowed_headers: str = "") -> None:
        """Allow the origins and, beside `ALLOWED_HEADERS`, the headers in two lists, separated by commas or spaces.

        ``*`` instead of a list is every origin. Raises `InvalidOrigin` and `InvalidHeader`.
        """
        self._origins = parse_origins(allowed_origins)
        self._exposed = ("Access-Control-Expose-Headers", ", ".join(EXPOSED_HEADERS))
        headers = {name.lower(): name for name in (*parse_header_names(allowed_headers), *ALLOWED_HEADERS)}
        self._preflight = [
            ("Access-Control-Allow-Methods", "GET, HEAD, POST, PATCH, DELETE, OPTIONS"),
            ("Access-Control-Allow-Headers", ", ".join(sorted(headers.values()))),
            ("Access-Control-Max-Age", str(MAX_AGE_SECONDS)),
        ]
        self._every = [("Access-Control-Allow-Origin", EVERY_ORIGIN), self._exposed]

    def response_headers(self, environ: WSGIEnvironment) -> Headers:
        """Return the headers of the response to a request.

        With a list of origins the response depends on the header Origin, and ``Vary`` says so to caches.
        """
        if self._origins is None:
            return self._every
        vary = ("Vary", "Origin")
        if (origin := environ.get("HTTP_ORIGIN")) not in self._origins:
            return [vary]
        return [("Access-Control-Allow-Origin", origin), self._exposed, vary]

    def preflight_headers(self) -> Headers:
        """Return the further headers of the response to a preflight."""
        return list(self._preflight)


def is_preflight(environ: WSGIEnvironment) -> bool:
    """Whether a request is a CORS preflight; any other OPTIONS request asks for the methods of a path."""
    return environ["REQUEST_METHOD"] == "OPTIONS" and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in environ


def parse_origins(text: str) -> frozenset[str] | None:
    """Return the origins in a list, None for ``*``; raises `InvalidOrigin` for an invalid one and for none."""
    if text.strip() == EVERY_ORIGIN:
        return None
    if not (origins := frozenset(parse_origin(one) for one in _split(text))):
        raise InvalidOrigin("must name an origin; * is every origin")
    return origins


def parse_header_names(text: str) -> list[str]:
    """Return the names of headers in a list; raises `InvalidHeader`."""
    names = _split(text)
    if not all(HEADER_NAME.fullmatch(name) for name in names):
        raise InvalidHeader("must be names of headers: letters, digits, - and _")
    return names


def _split(text: str) -> list[str]:
    return text.replace(",", " ").split()
