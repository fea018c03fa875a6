"""Compression of responses with gzip, if the caller accepts it (RFC 9110, section 12.5.3).

Streams are never compressed, because gzip would hold back their events; Connect and gRPC-Web compress their messages
themselves. That lengths depend on content helps no attacker (BREACH): without cookies, a page of another origin cannot
make a browser repeat a call whose answer holds a secret.
"""

from __future__ import annotations

import gzip
from functools import lru_cache
from typing import Final

from flask import Request, Response
from werkzeug.datastructures import Accept

from chitarrella.transports.rest.middleware import context_of
from chitarrella.transports.rest.pages import SVG
from chitarrella.transports.rest.problems import HTML, JSON, PROBLEM_JSON

GZIP: Final = "gzip"
"""The name of the only encoding."""
MIN_BYTES: Final = 1024
"""A shorter body fits into one packet as it is."""
LEVEL: Final = 6
"""The level of gzip, from 1 for fast to 9 for small."""
COMPRESSIBLE: Final = frozenset({JSON, PROBLEM_JSON, HTML, "text/css", "text/javascript", "text/plain", SVG})
"""Types of whole bodies; those of streams are not among them."""
NO_WHOLE_BODY: Final = frozenset({204, 206, 304})
"""Statuses without a body, or with a part of one."""


def compress(response: Response, http_request: Request) -> Response:
    """Compress the response to a request where the caller accepts it.

    Every entity tag in the answer to such a caller is weak, also that of a short body and of 304: it stands for the
    content, whether compressed or not, and a body and its 304 have the same one.
    """
    headers = response.headers
    if response.mimetype not in COMPRESSIBLE or context_of(http_request.environ).trace.transport != "rest":
        return response
    vary = headers.get("Vary")
    headers["Vary"] = f"{vary}, Accept-Encoding" if vary else "Accept-Encoding"
    if not accepts_gzip(http_request.accept_encodings):
        return response
    if (tag := headers.get("ETag", "")).startswith('"'):
        headers["ETag"] = f"W/{tag}"
    if response.status_code in NO_WHOLE_BODY or "Content-Encoding" in headers:
        return response
    is_shared = response.direct_passthrough or headers.get("Cache-Control", "").startswith("public")
    response.direct_passthrough = False  # otherwise Flask does not read a file
    body = response.get_data()
    if len(body) >= MIN_BYTES:
        response.set_data(_compressed_page(body) if is_shared else gzip.compress(body, LEVEL, mtime=0))
        headers["Content-Encoding"] = GZIP
    return response


def accepts_gzip(encodings: Accept) -> bool:
    """Whether a caller accepts gzip, and does not prefer the body as it is."""
    return encodings.best_match([GZIP, "identity"]) == GZIP


@lru_cache(maxsize=64)
def _compressed_page(body: bytes) -> bytes:
    """Return a body compressed; only for pages, which are the same for everybody: nothing secret stays in memory."""
    return gzip.compress(body, LEVEL, mtime=0)
