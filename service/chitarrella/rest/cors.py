"""What browsers ask before they let a page of another origin call: everything may, for keys are never cookies.

The same answer for every path and every origin, so it is a few constants.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

ALLOWED: Final = (
    "Accept-Language",
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Last-Event-ID",
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
EXPOSED: Final = (
    "Allow",
    "Connect-Content-Encoding",
    "ETag",
    "Grpc-Message",
    "Grpc-Status",
    "Grpc-Status-Details-Bin",
    "Match-Revision",
    "Retry-After",
    "WWW-Authenticate",
    "X-Request-Id",
)
ON_ALL: Final = (
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Expose-Headers", ", ".join(EXPOSED)),
)
ON_PREFLIGHT: Final = (
    ("Access-Control-Allow-Methods", "GET, HEAD, POST, OPTIONS"),
    ("Access-Control-Allow-Headers", ", ".join(ALLOWED)),
    ("Access-Control-Max-Age", "7200"),
)


def is_preflight(environ: WSGIEnvironment) -> bool:
    """Tell whether a browser asks for leave; any other OPTIONS asks for the methods of a path."""
    return environ["REQUEST_METHOD"] == "OPTIONS" and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in environ
