"""CORS: pages of every origin may call, because keys are never cookies.

The headers are the same for every path and every origin, so they are constants.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

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
EXPOSED_HEADERS: Final = (
    "Allow",
    "Connect-Content-Encoding",
    "ETag",
    "Grpc-Message",
    "Grpc-Status",
    "Grpc-Status-Details-Bin",
    "Location",
    "Match-Revision",
    "Retry-After",
    "WWW-Authenticate",
    "X-Request-Id",
)
RESPONSE_HEADERS: Final = (
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Expose-Headers", ", ".join(EXPOSED_HEADERS)),
)
PREFLIGHT_HEADERS: Final = (
    ("Access-Control-Allow-Methods", "GET, HEAD, POST, DELETE, OPTIONS"),
    ("Access-Control-Allow-Headers", ", ".join(ALLOWED_HEADERS)),
    ("Access-Control-Max-Age", "7200"),
)


def is_preflight(environ: WSGIEnvironment) -> bool:
    """Whether a request is a CORS preflight; any other OPTIONS request asks for the methods of a path."""
    return environ["REQUEST_METHOD"] == "OPTIONS" and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in environ
