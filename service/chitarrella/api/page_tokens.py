"""Page tokens: opaque to callers. A token holds the method that gave it and where its next page begins."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable

from chitarrella import errors


def write_page_token(method: str, place: str) -> str:
    """Return the token of the page after ``place``; empty if ``place`` is empty, because the list ends there."""
    return urlsafe_b64encode(f"{method}:{place}".encode()).decode().rstrip("=") if place else ""


def read_page_token(method: str, token: str, is_place: Callable[[str], object]) -> str:
    """Return the place in a token, empty for an empty one.

    Raises `errors.BadRequest` if ``method`` did not give the token, or ``is_place`` does not hold for what it says.
    """
    if not token:
        return ""
    try:
        text = urlsafe_b64decode(token + "=" * (-len(token) % 4)).decode()
    except ValueError:
        text = ""
    given_by, _, place = text.partition(":")
    if given_by != method or write_page_token(method, place) != token or not is_place(place):
        raise errors.BadRequest("bad_request", "This is no page_token of this call.", "page_token")
    return place
