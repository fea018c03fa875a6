"""API keys of platforms, and the scope that each call needs.

A platform sends its API key in the header ``x-api-key``, in addition to the key of a seat. The configuration holds only
SHA-256 digests, one key a line: ``NAME SCOPES DIGEST``, the scopes joined by commas. A platform may have several lines,
so that a key can be replaced while the old one is still valid. Without any line the service is open to everybody.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from hmac import compare_digest
from typing import NamedTuple

from chitarrella import errors

SCOPES = {
    "catalogue": "list and describe games",
    "rules": "stateless questions",
    "create": "create, import, list and watch the matches of the platform",
    "play": "every other call about a match",
    "webhooks": "the webhooks of the platform",
}
"""Every scope with its meaning."""

ALL_SCOPES = "all"
CREATE_SCOPE = frozenset({"CreateMatch", "BatchCreateMatches", "ImportMatch", "ListMatches", "WatchMatches"})
DIGEST_LENGTH = 64


class ApiKey(NamedTuple):
    """One configured key: the name of its platform, its scopes, and the hexadecimal SHA-256 of the key."""

    name: str
    scopes: frozenset[str]
    digest: str


class InvalidApiKeys(ValueError):
    """Invalid configuration line. Reports the line number, never its content (it may hold a secret)."""


def digest_of(key: str) -> str:
    """Return the hexadecimal SHA-256 of a key, as the configuration holds it."""
    return sha256(key.encode()).hexdigest()


def platform_only() -> errors.NotAllowed:
    """Return the error for a caller that is no platform, in a call that only a platform may make."""
    message = "This needs a platform: a service that is configured with API keys, and one of them in x-api-key."
    return errors.NotAllowed("platform_only", message)


def scope_of(service: str, method: str) -> str:
    """Return the scope that a call needs, by the short names of its service and method."""
    if service == "MatchService":
        return "create" if method in CREATE_SCOPE else "play"
    return {"CatalogueService": "catalogue", "RulesService": "rules", "WebhookService": "webhooks"}[service]


def parse_api_keys(text: str) -> tuple[ApiKey, ...]:
    """Parse the configuration, lines separated by line breaks or semicolons.

    Blank lines and everything behind a ``#`` are ignored. Raises `InvalidApiKeys`.
    """
    found = []
    for number, raw in enumerate(text.replace(";", "\n").splitlines(), 1):
        parts = raw.partition("#")[0].split()
        if not parts:
            continue
        if len(parts) != 3 or len(parts[2]) != DIGEST_LENGTH or not set(parts[2]) <= set("0123456789abcdef"):
            raise InvalidApiKeys(f"line {number} of the API keys is not NAME SCOPES SHA256")
        name, scopes = parts[0], frozenset(SCOPES if parts[1] == ALL_SCOPES else parts[1].split(","))
        if unknown := scopes - SCOPES.keys():
            raise InvalidApiKeys(
                f"line {number} of the API keys: no scope {sorted(unknown)[0]!r}; scopes: {', '.join(SCOPES)}"
            )
        found.append(ApiKey(name, scopes, parts[2]))
    return tuple(found)


class ApiKeys:
    """The configured keys."""

    def __init__(self, keys: Iterable[ApiKey] = ()) -> None:
        """Accept these ``keys``; without any, every caller is accepted."""
        self._keys = tuple(keys)

    def authenticate(self, key: str, scope: str) -> str:
        """Return the name of the platform that ``key`` belongs to, empty where the service is open to everybody.

        Raises `errors.NotAuthenticated` for a missing or unknown key, `errors.NotAllowed` for a key without ``scope``.
        """
        if not self._keys:
            return ""
        if not key:
            raise errors.NotAuthenticated("api_key_needed", "Show the API key of your platform.", "x-api-key")
        digest = digest_of(key)
        # Every key is compared, so that the time does not depend on which one matches.
        matching = [one for one in self._keys if compare_digest(digest, one.digest)]
        if not matching:
            raise errors.NotAuthenticated("bad_api_key", "This API key is not known.", "x-api-key")
        if not any(scope in one.scopes for one in matching):
            raise errors.NotAllowed(
                "out_of_scope", f"This API key lacks the scope {scope}: {SCOPES[scope]}.", "x-api-key"
            )
        return matching[0].name
