"""The Content-Security-Policy of HTML pages: nothing of another host is loaded, and nothing that stands in the page."""

from __future__ import annotations

from typing import Final

from flask import Response

WITHOUT_SCRIPTS: Final = "default-src 'none'; img-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'"
"""For pages of text: pictures and styles."""
WITH_SCRIPTS: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""For pages that call the service: scripts and connections too."""


def restrict(response: Response, policy: str = WITHOUT_SCRIPTS) -> Response:
    """Add a policy to the response with a page, and return it."""
    response.headers["Content-Security-Policy"] = policy
    return response
