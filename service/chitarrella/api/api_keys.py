"""API keys of platforms, and the scope that each call needs.

A platform sends its API key in the header ``x-api-key``, in addition to the key of a seat. The configuration holds only
SHA-256 digests, one key a line: ``NAME SCOPES DIGEST``, the scopes joined by commas. A platform may have several lines,
so that a key can be replaced while the old one is still valid. Without any line the service is open to everybody.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
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
    "admin": "end, delete and list the matches of every platform, and close API keys",
}
"""Every scope with its meaning."""

ADMIN_SCOPE = "admin"
"""The scope of operators; `all` does not include it."""
PLATFORM_SCOPES = frozenset(SCOPES) - {ADMIN_SCOPE}
"""The scopes that a key of a platform may have."""
ALL_SCOPES = "all"
"""Stands for `PLATFORM_SCOPES`: the scope of an administrator is given by its name alone."""
ADMIN_METHODS = frozenset({"AbortMatch", "DeleteMatch", "ListMatches"})
"""The methods of MatchService that the scope ``admin`` is enough for."""
CREATE_SCOPE = frozenset({"CreateMatch", "BatchCreateMatches", "ImportMatch", "ListMatches", "WatchMatches"})
"""The rpcs that need the scope `create`."""
DIGEST_LENGTH = 64
"""Hexadecimal digits in the digest of a key: a whole SHA-256."""


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


class Identity(NamedTuple):
    """Whom an API key belongs to: a platform, empty where the service is open to everybody."""

    platform: str = ""
    is_admin: bool = False


def bad_api_key() -> errors.NotAuthenticated:
    """Return the error for an API key that is unknown or closed."""
    return errors.NotAuthenticated("bad_api_key", "This API key is not known.", "x-api-key")


def check_admin(is_admin: bool, field: str = "x-api-key") -> None:
    """Raise `errors.NotAllowed` with the ``field`` for a caller without the scope ``admin``."""
    if not is_admin:
        raise errors.NotAllowed("out_of_scope", "This needs an API key with the scope admin.", field)


def scope_of(service: str, method: str) -> str:
    """Return the scope that a call needs, by the short names of its service and method."""
    if service == "MatchService":
        return "create" if method in CREATE_SCOPE else "play"
    services = {
        "CatalogueService": "catalogue",
        "RulesService": "rules",
        "WebhookService": "webhooks",
        "AdminService": ADMIN_SCOPE,
    }
    return services[service]


def parse_api_keys(text: str) -> tuple[ApiKey, ...]:
    """Parse the configuration, lines separated by line breaks or semicolons.

    Blank lines and everything behind a ``#`` are ignored. Raises `InvalidApiKeys`.
    """
    found = []
    for number, raw in enumerate(text.replace(";", "\n").splitlines(), 1):
        parts = raw.partition("#")[0].split()
        if not parts:
            continue
        if (
            len(parts) != 3
            or parts[0].startswith("@")
            or len(parts[2]) != DIGEST_LENGTH
            or not set(parts[2]) <= set("0123456789abcdef")
        ):
            raise InvalidApiKeys(f"line {number} of the API keys is not NAME SCOPES SHA256")
        name, scopes = parts[0], frozenset(parts[1].split(","))
        if ALL_SCOPES in scopes:
            scopes = (scopes - {ALL_SCOPES}) | PLATFORM_SCOPES
        if unknown := scopes - SCOPES.keys():
            raise InvalidApiKeys(
                f"line {number} of the API keys: no scope {sorted(unknown)[0]!r}; scopes: {', '.join(SCOPES)}"
            )
        found.append(ApiKey(name, scopes, parts[2]))
    return tuple(found)


class ApiKeys:
    """The configured keys."""

    def __init__(self, keys: Iterable[ApiKey] = (), closed: Container[str] = ()) -> None:
        """Accept these ``keys`` unless their digest is among ``closed``; without any, every caller is accepted."""
        self._keys = tuple(keys)
        self._closed = closed

    def platform_of(self, digest: str) -> str:
        """Return the platform of a configured key, closed or not; empty where there is no such key."""
        return next((one.name for one in self._keys if one.digest == digest), "")

    def identify(self, key: str, scope: str, *, or_admin: bool = False) -> Identity:
        """Return whom ``key`` belongs to; ``or_admin`` where the scope of an administrator is enough.

        Raises what `authenticate` raises. `is_admin` is set only if the call accepts the scope `admin`.
        """
        platform = self.authenticate(key, scope, or_admin=or_admin)
        if not platform or not (or_admin or scope == ADMIN_SCOPE):
            return Identity(platform)
        digest = digest_of(key)
        return Identity(platform, any(ADMIN_SCOPE in one.scopes for one in self._keys if one.digest == digest))

    def authenticate(self, key: str, scope: str, *, or_admin: bool = False) -> str:
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
        if not matching or digest in self._closed:
            raise bad_api_key()
        scopes = {scope, ADMIN_SCOPE} if or_admin else {scope}
        if not any(scopes & one.scopes for one in matching):
            raise errors.NotAllowed(
                "out_of_scope", f"This API key lacks the scope {scope}: {SCOPES[scope]}.", "x-api-key"
            )
        return matching[0].name
