"""What every request of HTTP has: its id, what is recorded about it, the headers of CORS, and those that it sends.

Recorded are the rpc and its outcome, never the content of the request or response, nor the caller.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urlsplit

from werkzeug.datastructures import EnvironHeaders
from werkzeug.http import parse_etags, parse_options_header

from chitarrella import errors
from chitarrella.api.caller import Caller, TraceContext, caller_from_headers, request_id_of
from chitarrella.api.retry_headers import Headers, RateReport
from chitarrella.runtime.telemetry import OK

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment


# Origins (RFC 6454) in settings


DEFAULT_PORTS: Final = {"http": 80, "https": 443}  # the ports that an origin leaves out
# An origin as an operator may write it.
ORIGIN: Final = re.compile(r"[a-z][a-z0-9+.-]*://(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?/?", re.ASCII)


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
    """Return the URL of REST, empty if none is given. The paths in answers begin at the root of its host."""
    if not text.strip():
        return ""
    origin = parse_origin(text)
    if not origin.startswith(("http://", "https://")):
        raise InvalidOrigin("must begin with http:// or https://")
    return origin


ALLOWED_HEADERS: Final = (
    "Accept-Language",
    "Authorization",
    "Baggage",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Last-Event-ID",
    "Sentry-Trace",
    "Traceparent",
    "Tracestate",
    "X-API-Key",
    "X-Request-Id",
    "Connect-Accept-Encoding",
    "Connect-Content-Encoding",
    "Connect-Protocol-Version",
    "Connect-Timeout-Ms",
    "Grpc-Timeout",
    "X-Grpc-Web",
    "X-User-Agent",
)
EXPOSED_HEADERS: Final = (
    "Allow",
    "Connect-Content-Encoding",
    "ETag",
    "Grpc-Message",
    "Grpc-Status",
    "Grpc-Status-Details-Bin",
    "Location",
    "Match-Revision",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "WWW-Authenticate",
    "X-Request-Id",
)
MAX_AGE_SECONDS: Final = 7200  # seconds for which a browser may keep the answer to a preflight request
EVERY_ORIGIN: Final = "*"
HEADER_NAME: Final = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)


class InvalidHeader(ValueError):
    """A text that is not the name of a header."""


class Cors:
    """The CORS headers of every response, for the configured origins and headers."""

    def __init__(self, allowed_origins: str = EVERY_ORIGIN, allowed_headers: str = "") -> None:
        """Read lists with commas or spaces; ``*`` is every origin. Raises `InvalidOrigin` and `InvalidHeader`."""
        self._origins = parse_origins(allowed_origins)
        self._exposed = ("Access-Control-Expose-Headers", ", ".join(EXPOSED_HEADERS))
        headers = {name.lower(): name for name in (*parse_header_names(allowed_headers), *ALLOWED_HEADERS)}
        self.preflight_headers = [
            ("Access-Control-Allow-Methods", "GET, HEAD, POST, PATCH, DELETE, OPTIONS"),
            ("Access-Control-Allow-Headers", ", ".join(sorted(headers.values()))),
            ("Access-Control-Max-Age", str(MAX_AGE_SECONDS)),
        ]
        self._every = [("Access-Control-Allow-Origin", EVERY_ORIGIN), self._exposed]

    def response_headers(self, method: str, request_headers: Mapping[str, str]) -> Headers:
        """With a list of origins the response depends on the header Origin, and ``Vary`` says so to caches.

        Browsers name the origin of each POST, and caches keep no answer to one: a program gets none of these headers.
        """
        if method == "POST" and "origin" not in request_headers:
            return []
        if self._origins is None:
            return self._every
        vary = ("Vary", "Origin")
        if (origin := request_headers.get("origin")) not in self._origins:
            return [vary]
        return [("Access-Control-Allow-Origin", origin), self._exposed, vary]


def parse_origins(text: str) -> frozenset[str] | None:
    """Return the origins in a list, None for ``*``; raises `InvalidOrigin` for an invalid one and for none."""
    if text.strip() == EVERY_ORIGIN:
        return None
    if not (origins := frozenset(parse_origin(one) for one in _split(text))):
        raise InvalidOrigin("must name an origin; * is every origin")
    return origins


def parse_header_names(text: str) -> list[str]:
    names = _split(text)
    if not all(HEADER_NAME.fullmatch(name) for name in names):
        raise InvalidHeader("must be names of headers: letters, digits, - and _")
    return names


def _split(text: str) -> list[str]:
    return text.replace(",", " ").split()


REQUEST_ID: Final = "X-Request-Id"
CONTEXT_KEY: Final = "chitarrella.request"


class RequestContext:
    """What is recorded about a request while it is answered; a request without an rpc is recorded only if it fails."""

    __slots__ = (
        *("address", "code", "path", "raised", "rate", "refused", "request_headers", "request_id"),
        *("retry", "rpc", "trace"),
    )

    def __init__(self, request_headers: Mapping[str, str], address: str) -> None:
        """The names of ``request_headers`` are in lower case. ``refused`` is an error found before the call; the
        library of Connect does not know ``retry``.
        """
        self.request_headers = request_headers
        self.request_id = request_id_of(request_headers.get("x-request-id"))
        self.trace = TraceContext("rest", request_headers.get)
        self.address = address
        self.rpc = self.path = ""
        self.code = OK
        self.raised: Exception | None = None
        self.refused: Exception | None = None
        self.rate = RateReport()
        self.retry: Headers = []

    def headers(self) -> Headers:
        """Return the headers that every response has: the id of the request, and what is left of a rate."""
        return [*self.retry, *self.rate.headers(), (REQUEST_ID, self.request_id)]


def context_of(environ: WSGIEnvironment) -> RequestContext:
    """Return the context of a request that `HttpApp` has given to Flask, or a new one of a request to Flask alone."""
    if (context := environ.get(CONTEXT_KEY)) is None:
        headers = {name.lower(): value for name, value in EnvironHeaders(environ).items()}
        context = environ[CONTEXT_KEY] = RequestContext(headers, environ.get("REMOTE_ADDR", ""))
    known: RequestContext = context
    return known


# HTTP headers of requests


REVISION_HEADER: Final = "Match-Revision"
# An entity tag, weak or strong, with its text as the group.
ENTITY_TAG: Final = re.compile(r'(?:W/)?"([!#-~]*)"')
# The text of an entity tag: the revision, and perhaps a digest.
REVISION_TAG: Final = re.compile(r"([0-9]{1,10})(?:-[0-9a-f]+)?", re.ASCII)
MAX_REVISION: Final = 2**32 - 1


class EntityTag(NamedTuple):
    """An entity tag, and the revision of the match it belongs to, None for a response without one."""

    text: str
    revision: int | None


def caller_of(context: RequestContext) -> Caller:
    headers, request_id = context.request_headers, context.request_id
    return caller_from_headers(headers, request_id, context.address, context.trace, context.rate)


def require_json(headers: Mapping[str, str]) -> None:
    content_type = headers.get("content-type", "")
    if content_type != "application/json":
        kind, options = parse_options_header(content_type)
        if kind.lower() != "application/json" or options.get("charset", "utf-8").lower() not in {"utf-8", "utf8"}:
            raise errors.WrongMediaType(
                "wrong_media_type", "The body must be 'Content-Type: application/json' in UTF-8."
            )
    if headers.get("content-encoding", "identity") != "identity":
        raise errors.WrongMediaType("wrong_media_type", "Compressed bodies are not supported.")


def add_idempotency(headers: Mapping[str, str], fields: dict[str, Any]) -> None:
    """Add the request id of the header Idempotency-Key. Raises `errors.BadRequest` if the body has another one."""
    if (key := headers.get("idempotency-key")) is not None:
        key = key[1:-1] if len(key) > 1 and key[0] == key[-1] == '"' else key
        if (fields.get("request_id") or key) != key:
            text = "Idempotency-Key and request_id name two requests."
            raise errors.BadRequest("bad_request", text, "idempotency-key")
        fields["request_id"] = key


def add_precondition(headers: Mapping[str, str], fields: dict[str, Any]) -> bool:
    """Add the expected revision of the header If-Match; return whether there was one.

    The value is the revision alone or an entity tag of this service, which begins with it. Only the revision is
    compared, so a tag that a proxy has weakened is accepted.

    Raises `errors.BadRequest` for several tags, `errors.PreconditionFailed` for a tag that is not of this service.
    """
    if (header := headers.get("if-match", "*").strip()) == "*":
        return False
    if (tag := ENTITY_TAG.fullmatch(header)) is None:
        raise errors.BadRequest("bad_request", 'If-Match must be one entity tag, such as "12".', "if-match")
    parsed = REVISION_TAG.fullmatch(tag[1])
    if parsed is None or int(parsed[1]) > MAX_REVISION:
        raise errors.PreconditionFailed("stale_revision", "If-Match names no revision of a match.", "if-match")
    revision = int(parsed[1])
    if fields.setdefault("expected_revision", revision) != revision:
        raise errors.BadRequest("bad_request", "If-Match and expected_revision name two revisions.", "if-match")
    return True


def tag_of(body: bytes, revision: int | None) -> EntityTag:
    """Return the entity tag of a response: the digest of its body, with the revision before it if there is one."""
    digest = blake2b(body, digest_size=8).hexdigest()
    return EntityTag(digest if revision is None else f"{revision}-{digest}", revision)


def is_not_modified(headers: Mapping[str, str], tag: EntityTag) -> bool:
    header = headers.get("if-none-match")
    return header is not None and parse_etags(header).contains_weak(tag.text)
