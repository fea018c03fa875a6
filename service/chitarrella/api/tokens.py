"""Tokens of platforms: JSON Web Tokens (RFC 7519) that say which seat of which match a user of a platform has.

A platform signs a token with a key of its own (Ed25519), and its user sends it in place of the key of a seat. The
configuration has the public keys, one a line: ``PLATFORM KID PUBLIC_KEY``, the last one being the member ``x`` of the
JSON Web Key. A platform may have several lines, so that a key can be replaced while the old one is still valid.
"""

from __future__ import annotations

import json
import re
import secrets
import time
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, Final, NamedTuple

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from jwt.algorithms import OKPAlgorithm

from chitarrella import errors
from chitarrella.core.model import CHANCE, Seat
from chitarrella.matches.cache import Cache

MAX_TOKEN_LENGTH: Final = 2048
"""The greatest number of characters of a token."""
MAX_LIFETIME_SECONDS: Final = 24 * 3600
"""The longest time from now until a token expires, in seconds."""
LEEWAY_SECONDS: Final = 30
"""How far the clock of a platform may be ahead of ours."""
MAX_SEAT: Final = 19
"""The last seat of the largest game."""
ALGORITHM: Final = "EdDSA"
"""The only algorithm of signatures: Ed25519."""
DEFAULT_AUDIENCE: Final = "chitarrella"
"""What a token names as its audience, unless the operator sets another name."""
CACHE_SIZE: Final = 5_000
"""How many verified tokens a worker remembers."""
KID_BYTES: Final = 8
"""Random bytes in the id of a key, which is their hexadecimal text."""
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
"""What the library checks of the claims."""
PUBLIC_KEY: Final = re.compile(r"[A-Za-z0-9_-]{43}", re.ASCII)
"""The 32 bytes of an Ed25519 key in base64url."""


class Token(NamedTuple):
    """What a verified token says.

    ``platform`` signed it, ``role`` is a seat of ``match_id``, or `CHANCE` for its referee. ``expires_at`` is in
    seconds since 1970.
    """

    platform: str
    match_id: str
    role: Seat
    expires_at: float


class TokenKey(NamedTuple):
    """One configured key: the name of its platform, its id in the header of tokens, and the public key."""

    platform: str
    kid: str
    public_key: jwt.PyJWK


class InvalidTokenKeys(ValueError):
    """Invalid configuration line. Reports the line number, never its content (somebody may take the private key)."""


def parse_token_keys(text: str) -> tuple[TokenKey, ...]:
    """Parse the configuration, lines separated by line breaks or semicolons.

    Blank lines and everything behind a ``#`` are ignored. Raises `InvalidTokenKeys`.
    """
    found: dict[str, TokenKey] = {}
    for number, raw in enumerate(text.replace(";", "\n").splitlines(), 1):
        parts = raw.partition("#")[0].split()
        if not parts:
            continue
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

    def verify(self, text: str, match_id: str) -> Token:
        """Return what a token says. Raises `errors.NotAuthenticated` unless it is one for this match, valid now.

        The error names the claim or the part of the header at fault, and nothing that the token holds.
        """
        digest = sha256(text.encode()).hexdigest()  # so that the cache holds no token
        token = self._verified.get(digest)
        if token is None:
            token = _read_claims(self._verified_claims(text))
            self._verified.put(digest, token)
        if token.expires_at <= time.time():
            raise errors.NotAuthenticated("token_expired", "The token has expired.", "exp")
        if token.match_id != match_id:
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
    """The error for a token that is not valid here; ``field`` is the claim or the part of the header at fault."""
    return errors.NotAuthenticated("bad_token", message, field)


def _read_claims(claims: Mapping[str, Any]) -> Token:
    """Read verified claims. Raises `errors.NotAuthenticated` for times and values that are not as they have to be."""
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
    """Read a time in seconds since 1970."""
    value = claims[name]
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 2**53:
        raise bad_token("The claim must be a time in seconds since 1970.", name)
    return float(value)


def _read_role(claims: Mapping[str, Any]) -> Seat:
    """Read the seat, or `CHANCE` for the referee; a token has one of the two."""
    if "role" in claims:
        if claims["role"] != "referee" or "seat" in claims:
            raise bad_token("The claim must be 'referee', without the claim seat.", "role")
        return CHANCE
    seat = claims.get("seat")
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat <= MAX_SEAT:
        raise bad_token("The claim must be the number of a seat.", "seat")
    return seat
