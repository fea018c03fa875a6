"""Platforms: who may use the service at all, where that is not everybody.

A platform shows an API key in the header ``x-api-key``, beside the key of a seat. Keys are known by their SHA-256
only, one a line: ``NAME SCOPES DIGEST``, where scopes are joined by commas. A platform may have several lines, so that
a key can be replaced while the old one still works. Where no line is given no key is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from hmac import compare_digest
from typing import NamedTuple

from chitarrella import errors

SCOPES = {
    "catalogue": "which games there are",
    "rules": "stateless questions",
    "create": "opening matches, and listing those that were opened",
    "play": "everything about a match that somebody has a key to, or that is public",
}
"""What a key may be good for."""

EVERYTHING = "all"
OPENING = frozenset({"CreateMatch", "CreateMatches", "ImportMatch", "ListMatches"})
DIGITS = 64


class Line(NamedTuple):
    """A key that is known: whose it is, what it is good for, and its SHA-256."""

    name: str
    scopes: frozenset[str]
    digest: str


class BadKeys(ValueError):
    """A line that says nothing; names it by its number, not by what stands there."""


def digest_of(key: str) -> str:
    """Give what is kept of a key."""
    return sha256(key.encode()).hexdigest()


def scope_of(service: str, method: str) -> str:
    """Name the scope that a call belongs to."""
    if service == "MatchService":
        return "create" if method in OPENING else "play"
    return {"CatalogueService": "catalogue", "RulesService": "rules"}[service]


def read_lines(text: str) -> tuple[Line, ...]:
    """Read lines; blank ones and what follows a # are passed over; raises `BadKeys`."""
    found = []
    for number, raw in enumerate(text.replace(";", "\n").splitlines(), 1):
        parts = raw.partition("#")[0].split()
        if not parts:
            continue
        if len(parts) != 3 or len(parts[2]) != DIGITS or not set(parts[2]) <= set("0123456789abcdef"):
            raise BadKeys(f"line {number} of the API keys is not NAME SCOPES SHA256")
        name, scopes = parts[0], frozenset(SCOPES if parts[1] == EVERYTHING else parts[1].split(","))
        if unknown := scopes - SCOPES.keys():
            raise BadKeys(
                f"line {number} of the API keys: no scope {sorted(unknown)[0]!r}; scopes: {', '.join(SCOPES)}"
            )
        found.append(Line(name, scopes, parts[2]))
    return tuple(found)


class Platforms:
    """The keys that are known."""

    def __init__(self, lines: Iterable[Line] = ()) -> None:
        """Know these; with none everybody is let in."""
        self._lines = tuple(lines)

    def admit(self, key: str, scope: str) -> str:
        """Let a caller in and name the platform, empty where none is asked for.

        Raises `errors.NotAuthenticated` without a key that is known, `errors.NotAllowed` for one of other scopes.
        """
        if not self._lines:
            return ""
        if not key:
            raise errors.NotAuthenticated("api_key_needed", "Show the API key of your platform.", "x-api-key")
        given = digest_of(key)
        known = [line for line in self._lines if compare_digest(given, line.digest)]  # all are looked at
        if not known:
            raise errors.NotAuthenticated("bad_api_key", "This API key is not known.", "x-api-key")
        if not any(scope in line.scopes for line in known):
            raise errors.NotAllowed(
                "out_of_scope", f"This API key lacks the scope {scope}: {SCOPES[scope]}.", "x-api-key"
            )
        return known[0].name
