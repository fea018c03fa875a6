"""The Content-Security-Policy of HTML pages without scripts."""

from __future__ import annotations

from typing import Final

from flask import Response

POLICY: Final = "default-src 'none'; img-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'"
"""Pictures and styles of this host are loaded, nothing else; no script runs, and no style stands in the page."""


def restrict(response: Response) -> Response:
    """Add the policy to the response with a page, and return it."""
    response.headers["Content-Security-Policy"] = POLICY
    return response
