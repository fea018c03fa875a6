"""HTTP headers of requests: caller, content type, idempotency key, preconditions, entity tags."""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from werkzeug.http import parse_etags, parse_options_header

from chitarrella import errors
from chitarrella.api.caller import Caller, read_caller
from chitarrella.transports.rest.middleware import context_of

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

REVISION_HEADER: Final = "Match-Revision"
"""The header of a response that has the revision of the match."""
ENTITY_TAG: Final = re.compile(r'(?:W/)?"([!#-~]*)"')
"""An entity tag, weak or strong, with its text as the group."""
REVISION_TAG: Final = re.compile(r"([0-9]{1,10})(?:-[0-9a-f]+)?", re.ASCII)
"""The text of an entity tag: the revision, and perhaps a digest."""
MAX_REVISION: Final = 2**32 - 1
"""The greatest revision of the contract."""


class EntityTag(NamedTuple):
    """An entity tag, and the revision of the match it belongs to, None for a response without one."""

    text: str
    revision: int | None


def caller_of(environ: WSGIEnvironment) -> Caller:
    """Read the caller of a request; raises `errors.NotAuthenticated`."""
    get = environ.get
    context = context_of(environ)
    return read_caller(
        context.request_id,
        get("HTTP_AUTHORIZATION"),
        get("HTTP_X_API_KEY"),
        get("HTTP_ACCEPT_LANGUAGE"),
        context.address,
        context.trace,
        context.rate,
    )


def require_json(environ: WSGIEnvironment) -> None:
    """Raise `errors.WrongMediaType` unless the body is declared as JSON in UTF-8, uncompressed."""
    content_type = environ.get("CONTENT_TYPE", "")
    if content_type != "application/json":
        kind, options = parse_options_header(content_type)
        if kind != "application/json" or options.get("charset", "utf-8").lower() not in {"utf-8", "utf8"}:
            raise errors.WrongMediaType(
                "wrong_media_type", "The body must be 'Content-Type: application/json' in UTF-8."
            )
    if environ.get("HTTP_CONTENT_ENCODING", "identity") != "identity":
        raise errors.WrongMediaType("wrong_media_type", "Compressed bodies are not supported.")


def add_idempotency(environ: WSGIEnvironment, fields: dict[str, Any]) -> None:
    """Add the request id of the header Idempotency-Key, unless the body has one."""
    if (key := environ.get("HTTP_IDEMPOTENCY_KEY")) is not None and not fields.get("request_id"):
        fields["request_id"] = key[1:-1] if len(key) > 1 and key[0] == key[-1] == '"' else key


def add_precondition(environ: WSGIEnvironment, fields: dict[str, Any]) -> bool:
    """Add the expected revision of the header If-Match; return whether there was one.

    The value is the revision alone or an entity tag of this service, which begins with it. Only the revision is
    compared, so a tag that a proxy has weakened is accepted.

    Raises `errors.BadRequest` for several tags, `errors.PreconditionFailed` for a tag that is not of this service.
    """
    if (header := environ.get("HTTP_IF_MATCH", "*").strip()) == "*":
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


def is_not_modified(environ: WSGIEnvironment, tag: EntityTag) -> bool:
    """Whether If-None-Match names this tag, so that 304 is the response."""
    header = environ.get("HTTP_IF_NONE_MATCH")
    return header is not None and parse_etags(header).contains_weak(tag.text)
