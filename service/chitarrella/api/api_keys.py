"""API keys of platforms, and the scope that each call needs.

A platform sends its API key in the header ``x-api-key``, in addition to the key of a seat. The configuration holds only
SHA-256 digests, one key a line: ``NAME SCOPES DIGEST``, the scopes joined by commas. A platform may have several lines,
so that a key can be replaced while the old one is still valid. Without any line the service is open to everybody.
"""

from __future__ import annotations

import json
import logging
import re
import secrets
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from hashlib import sha256
from hmac import compare_digest
from typing import Any, Final, NamedTuple

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from jwt.algorithms import OKPAlgorithm

from chitarrella import errors
from chitarrella.core.model import CHANCE, Seat
from chitarrella.matches.clock import now_ms
from chitarrella.matches.repository import Cache, translate_store_errors
from chitarrella.storage.counters import ClosedApiKeyStore

SCOPES = {
    "catalogue": "list and describe games",
    "rules": "stateless questions",
    "create": "create, import, list and watch the matches of the platform",
    "play": "every other call about a match",
    "webhooks": "the webhooks of the platform",
    "admin": "end, delete and list the matches of every platform, and close API keys",
}

ADMIN_SCOPE = "admin"  # the scope of operators; `all` does not include it
PLATFORM_SCOPES = frozenset(SCOPES) - {ADMIN_SCOPE}
ALL_SCOPES = "all"  # stands for `PLATFORM_SCOPES`: the scope of an administrator is given by its name alone
# The methods of MatchService that the scope ``admin`` is enough for.
ADMIN_METHODS = frozenset({"AbortMatch", "DeleteMatch", "ListMatches"})
CREATE_SCOPE = frozenset({"CreateMatch", "BatchCreateMatches", "ImportMatch", "ListMatches", "WatchMatches"})
API_KEY_DIGEST = re.compile("[0-9a-f]{64}")  # a whole SHA-256


class ApiKey(NamedTuple):
    name: str
    scopes: frozenset[str]
    digest: str


class InvalidApiKeys(ValueError):
    """Invalid configuration line. Reports the line number, never its content (it may hold a secret)."""


def digest_of(key: str) -> str:
    return sha256(key.encode()).hexdigest()


def platform_only() -> errors.NotAllowed:
    message = "This needs a platform: a service that is configured with API keys, and one of them in x-api-key."
    return errors.NotAllowed("platform_only", message)


class Identity(NamedTuple):
    """Whom an API key belongs to: a platform, empty where the service is open to everybody.

    ``is_admin`` is set only in a call that accepts the scope `admin`.
    """

    platform: str = ""
    is_admin: bool = False


def bad_api_key() -> errors.NotAuthenticated:
    return errors.NotAuthenticated("bad_api_key", "This API key is not known.", "x-api-key")


def check_admin(is_admin: bool, field: str = "x-api-key") -> None:
    """Raise `errors.NotAllowed` with the ``field`` for a caller without the scope ``admin``."""
    if not is_admin:
        raise errors.NotAllowed("out_of_scope", "This needs an API key with the scope admin.", field)


def scope_of(service: str, method: str) -> str:
    if service == "MatchService":
        return "create" if method in CREATE_SCOPE else "play"
    services = {
        "CatalogueService": "catalogue",
        "RulesService": "rules",
        "WebhookService": "webhooks",
        "AdminService": ADMIN_SCOPE,
    }
    return services[service]


def _config_lines(text: str) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(text.replace(";", "\n").splitlines(), 1):
        if parts := line.partition("#")[0].split():
            yield number, parts


def parse_api_keys(text: str) -> tuple[ApiKey, ...]:
    """Parse lines, separated by line breaks or semicolons, with comments behind ``#``. Raises `InvalidApiKeys`."""
    found = []
    for number, parts in _config_lines(text):
        if len(parts) != 3 or parts[0].startswith("@") or not API_KEY_DIGEST.fullmatch(parts[2]):
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
    def __init__(self, keys: Iterable[ApiKey] = (), closed: Container[str] = ()) -> None:
        """Accept these ``keys`` unless their digest is among ``closed``; without any, every caller is accepted."""
        self._keys = tuple(keys)
        self._closed = closed

    def platform_of(self, digest: str) -> str:
        return next((one.name for one in self._keys if one.digest == digest), "")

    def identify(self, key: str, scope: str, *, or_admin: bool = False) -> Identity:
        """Return whom ``key`` belongs to; ``or_admin`` where the scope of an administrator is enough.

        Raises `errors.NotAuthenticated` for a missing or unknown key, `errors.NotAllowed` for a key without ``scope``.
        """
        if not self._keys:
            return Identity()
        if not key:
            raise errors.NotAuthenticated("api_key_needed", "Show the API key of your platform.", "x-api-key")
        digest = digest_of(key)
        # Every key is compared, so that the time does not depend on which one matches.
        matching = [one for one in self._keys if compare_digest(digest, one.digest)]
        if not matching or digest in self._closed:
            raise bad_api_key()
        wanted = {scope, ADMIN_SCOPE} if or_admin else {scope}
        found = {one for holder in matching for one in wanted & holder.scopes}
        if not found:
            text = f"This API key lacks the scope {scope}: {SCOPES[scope]}."
            raise errors.NotAllowed("out_of_scope", text, "x-api-key")
        return Identity(matching[0].name, ADMIN_SCOPE in found)


# Seconds between two reads of the closed keys: how long one is still accepted whose announcement was lost.
REFRESH_SECONDS: Final = 1.0
LOG = logging.getLogger("chitarrella")


class ClosedApiKeys:
    """A copy of the closed keys. Thread-safe."""

    def __init__(self, store: ClosedApiKeyStore) -> None:
        """Copy from ``store``; nothing is read yet, and no key is closed until `refresh`."""
        self._store = store
        self._by_digest: Mapping[str, int] = {}
        self._refreshing = threading.Lock()
        self._lock = threading.Lock()
        self._ends: defaultdict[str, dict[object, Callable[[], None]]] = defaultdict(dict)
        self._unsubscribe: Callable[[], None] = lambda: None
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="closed-api-keys", daemon=True)

    def __contains__(self, digest: object) -> bool:
        return digest in self._by_digest

    def end_when_closed(self, digest: str, end: Callable[[], None]) -> Callable[[], None]:
        """Call ``end``, which must not wait, at least once when a key is closed; returns what forgets ``end``."""
        mark = object()
        with self._lock:
            self._ends[digest][mark] = end
        if digest in self._by_digest:
            end()

        def forget() -> None:
            with self._lock:
                ends = self._ends.get(digest, {})
                if ends.pop(mark, None) and not ends:
                    del self._ends[digest]

        return forget

    def refresh(self) -> None:
        """Read the closed keys, and end what was opened with them. Raises `errors.StoreUnavailable`."""
        with self._refreshing, translate_store_errors():  # an older answer of the store must not come last
            self._by_digest = self._store.all()
        with self._lock:
            closed = [
                end for digest in self._ends.keys() & self._by_digest.keys() for end in self._ends[digest].values()
            ]
        for end in closed:
            end()

    def add(self, digest: str) -> int:
        """Close a key; returns when it was closed, in milliseconds. Raises `errors.StoreUnavailable`."""
        with translate_store_errors():
            self._store.add(digest, now_ms())
        self.refresh()
        return self._by_digest.get(digest, now_ms())

    def remove(self, digest: str) -> bool:
        """Open a key; returns whether it was closed. Raises `errors.StoreUnavailable`."""
        with translate_store_errors():
            was_closed = self._store.remove(digest)
        self.refresh()
        return was_closed

    def latest_first(self) -> list[tuple[str, int]]:
        self.refresh()
        return sorted(self._by_digest.items(), key=lambda one: (-one[1], one[0]))

    def start(self) -> None:
        """Read the closed keys, and again after each change; a store that does not answer changes nothing."""
        self._try_to_refresh()
        self._unsubscribe = self._store.subscribe(self._try_to_refresh)
        self._thread.start()

    def close(self) -> None:
        self._closed.set()
        self._unsubscribe()

    def _run(self) -> None:
        while not self._closed.wait(REFRESH_SECONDS):
            self._try_to_refresh()

    def _try_to_refresh(self) -> None:
        try:
            self.refresh()
        except errors.StoreUnavailable:
            LOG.debug("the closed API keys could not be read")


MAX_TOKEN_LENGTH: Final = 2048
MAX_LIFETIME_SECONDS: Final = 24 * 3600
LEEWAY_SECONDS: Final = 30  # how far the clock of a platform may be ahead of ours
MAX_SEAT: Final = 19
ALGORITHM: Final = "EdDSA"
DEFAULT_AUDIENCE: Final = "chitarrella"  # what a token names as its audience, unless the operator sets another name
CACHE_SIZE: Final = 5_000
KID_BYTES: Final = 8  # random bytes in the id of a key, which is their hexadecimal text
OPTIONS: Final[jwt.types.Options] = {
    "require": ["iss", "aud", "exp", "match_id"],
    # Read by _read_claims: the library would give exp the leeway too, and does not say which time is at fault.
    "verify_exp": False,
    "verify_nbf": False,
    "verify_iat": False,
    # Names that a platform gives for itself.
    "verify_sub": False,
    "verify_jti": False,
}
PUBLIC_KEY: Final = re.compile(r"[A-Za-z0-9_-]{43}", re.ASCII)  # the 32 bytes of an Ed25519 key in base64url


class Token(NamedTuple):
    """What a verified token says: ``role`` is a seat, or `CHANCE` for the referee; the time is in seconds."""

    platform: str
    match_id: str
    role: Seat
    expires_at: float


class TokenKey(NamedTuple):
    platform: str
    kid: str
    public_key: jwt.PyJWK


class InvalidTokenKeys(ValueError):
    """Invalid configuration line. Reports the line number, never its content (somebody may take the private key)."""


def parse_token_keys(text: str) -> tuple[TokenKey, ...]:
    """Parse lines as `parse_api_keys` does. Raises `InvalidTokenKeys`."""
    found: dict[str, TokenKey] = {}
    for number, parts in _config_lines(text):
        if len(parts) != 3 or not PUBLIC_KEY.fullmatch(parts[2]):
            raise InvalidTokenKeys(f"line {number} of the token keys is not PLATFORM KID PUBLIC_KEY")
        platform, kid, x = parts
        if kid in found:
            raise InvalidTokenKeys(f"line {number} of the token keys has the KID of another line")
        try:
            public_key = jwt.PyJWK({"kty": "OKP", "crv": "Ed25519", "x": x}, ALGORITHM)
        except (jwt.PyJWTError, ValueError) as error:
            raise InvalidTokenKeys(f"line {number} of the token keys has no Ed25519 key") from error
        found[kid] = TokenKey(platform, kid, public_key)
    return tuple(found.values())


def make_token_key(platform: str) -> tuple[str, str]:
    """Make a key pair: the private key as a JSON Web Key, for the platform, and the line for the configuration."""
    kid = secrets.token_hex(KID_BYTES)
    jwk = OKPAlgorithm.to_jwk(Ed25519PrivateKey.generate(), as_dict=True)
    private_key = json.dumps({**jwk, "kid": kid, "alg": ALGORITHM, "use": "sig"})
    return private_key, f"{platform} {kid} {jwk['x']}"


class TokenVerifier:
    """Verifies tokens. Thread-safe. A token that was verified is not verified again, but for its expiry."""

    def __init__(self, keys: Iterable[TokenKey] = (), audience: str = DEFAULT_AUDIENCE) -> None:
        """Accept tokens that are signed with one of ``keys`` for this ``audience``; none without a key."""
        self._keys = {key.kid: key for key in keys}
        self._audience = audience
        self._verified: Cache[Token] = Cache(CACHE_SIZE)

    def verify(self, text: str, *match_ids: str) -> Token:
        """Return what a token for one of these matches says; the error names the claim at fault, and nothing else."""
        digest = sha256(text.encode()).hexdigest()  # so that the cache holds no token
        token = self._verified.get(digest)
        if token is None:
            token = _read_claims(self._verified_claims(text))
            self._verified.put(digest, token)
        if token.expires_at <= time.time():
            raise errors.NotAuthenticated("token_expired", "The token has expired.", "exp")
        if token.match_id not in match_ids:
            raise bad_token("The token is for another match.", "match_id")
        return token

    def _verified_claims(self, text: str) -> Mapping[str, Any]:
        """Verify the signature, the issuer and the audience; the library leaves the times to `_read_claims`."""
        try:
            key = self._keys.get(jwt.get_unverified_header(text).get("kid", ""))
            if key is None:
                raise bad_token("The service has no key of that id for this token.", "kid")
            claims: Mapping[str, Any] = jwt.decode(
                text,
                key.public_key,
                algorithms=[ALGORITHM],
                audience=self._audience,
                issuer=key.platform,
                options=OPTIONS,
            )
        except jwt.MissingRequiredClaimError as error:
            raise bad_token("The token lacks a claim.", error.claim) from None
        except jwt.InvalidAudienceError:
            message = f"The token is for another service; its audience must be {self._audience!r}."
            raise errors.NotAuthenticated("bad_audience", message, "aud") from None
        except jwt.InvalidIssuerError:
            raise bad_token("The token is signed with the key of another platform.", "iss") from None
        except jwt.InvalidAlgorithmError:
            raise bad_token(f"A token must be signed by {ALGORITHM}, with Ed25519.", "alg") from None
        except jwt.PyJWTError:
            raise bad_token("The token is malformed, or its signature is wrong.") from None
        return claims


def bad_token(message: str, field: str = errors.AUTHORIZATION) -> errors.NotAuthenticated:
    return errors.NotAuthenticated("bad_token", message, field)


def _read_claims(claims: Mapping[str, Any]) -> Token:
    now, expires_at = time.time(), _read_time(claims, "exp")
    if expires_at > now + MAX_LIFETIME_SECONDS + LEEWAY_SECONDS:
        raise bad_token("A token may be valid for 24 hours.", "exp")
    for name in ("nbf", "iat"):
        if name in claims and _read_time(claims, name) > now + LEEWAY_SECONDS:
            raise errors.NotAuthenticated("token_not_yet_valid", "The token is not valid yet.", name)
    match_id = claims["match_id"]
    if not isinstance(match_id, str):
        raise bad_token("The claim must be the id of a match.", "match_id")
    return Token(claims["iss"], match_id, _read_role(claims), expires_at)


def _read_time(claims: Mapping[str, Any], name: str) -> float:
    value = claims[name]
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 2**53:
        raise bad_token("The claim must be a time in seconds since 1970.", name)
    return float(value)


def _read_role(claims: Mapping[str, Any]) -> Seat:
    if "role" in claims:
        if claims["role"] != "referee" or "seat" in claims:
            raise bad_token("The claim must be 'referee', without the claim seat.", "role")
        return CHANCE
    seat = claims.get("seat")
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat <= MAX_SEAT:
        raise bad_token("The claim must be the number of a seat.", "seat")
    return seat
