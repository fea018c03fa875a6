"""Origins (RFC 6454) in settings: a scheme, a host, and a port unless it is the default one of the scheme."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

DEFAULT_PORTS: Final = {"http": 80, "https": 443}
"""The ports that an origin leaves out."""
ORIGIN: Final = re.compile(r"[a-z][a-z0-9+.-]*://(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?/?", re.ASCII)
"""An origin as an operator may write it."""


class InvalidOrigin(ValueError):
    """A text that is not an origin. The message does not repeat it, because a URL may hold a password."""


def parse_origin(text: str) -> str:
    """Return the origin as a browser writes it; a slash at its end is ignored. Raises `InvalidOrigin`."""
    lower = text.strip().lower()
    try:
        port = urlsplit(lower).port
    except ValueError:  # a port above 65535, or brackets around no IPv6 address
        lower, port = "", None
    if not ORIGIN.fullmatch(lower):
        raise InvalidOrigin("must be SCHEME://HOST or SCHEME://HOST:PORT, without a path")
    origin = lower.rstrip("/")
    return origin.removesuffix(f":{port}") if port == DEFAULT_PORTS.get(origin.partition(":")[0]) else origin


def parse_public_url(text: str) -> str:
    """Return the URL under which callers reach REST; empty if none is given. Raises `InvalidOrigin`.

    It has no path, because the paths in answers (``Location``, the page of a clause) begin at the root of the host.
    """
    if not text.strip():
        return ""
    origin = parse_origin(text)
    if not origin.startswith(("http://", "https://")):
        raise InvalidOrigin("must begin with http:// or https://")
    return origin
