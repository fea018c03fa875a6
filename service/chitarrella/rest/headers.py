"""What the headers of a request say: who calls, under which id a call may be repeated, and which revision is meant."""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from werkzeug.http import parse_etags, parse_options_header

from chitarrella import errors
from chitarrella.api.caller import Caller, read_caller
from chitarrella.rest.access import call_of
from chitarrella.rest.problems import PreconditionFailed, WrongMediaType

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

REVISION_HEADER: Final = "Match-Revision"
ONE_TAG: Final = re.compile(r'(?:W/)?"([!#-~]*)"')
OUR_TAG: Final = re.compile(r"([0-9]{1,10})(?:-[0-9a-f]+)?", re.ASCII)
GREATEST_REVISION: Final = 2**32 - 1


class Tag(NamedTuple):
    """An entity tag, and the revision it stands for where there is one."""

    text: str
    revision: int | None


def caller_of(environ: WSGIEnvironment) -> Caller:
    """Say who calls; raises `errors.NotAuthenticated`."""
    told = environ.get
    return read_caller(
        call_of(environ).request_id, told("HTTP_AUTHORIZATION"), told("HTTP_X_API_KEY"), told("HTTP_ACCEPT_LANGUAGE")
    )


def must_be_json(environ: WSGIEnvironment) -> None:
    """Refuse a body that does not say that it is JSON."""
    told = environ.get("CONTENT_TYPE", "")
    if told != "application/json":
        kind, options = parse_options_header(told)
        if kind != "application/json" or options.get("charset", "utf-8").lower() not in {"utf-8", "utf8"}:
            raise WrongMediaType("wrong_media_type", "The body must be 'Content-Type: application/json' in UTF-8.")
    if environ.get("HTTP_CONTENT_ENCODING", "identity") != "identity":
        raise WrongMediaType("wrong_media_type", "A compressed body is not read.")


def add_idempotency(environ: WSGIEnvironment, fields: dict[str, Any]) -> None:
    """Take the request id from the header where the body has none."""
    if (key := environ.get("HTTP_IDEMPOTENCY_KEY")) is not None and not fields.get("request_id"):
        fields["request_id"] = key[1:-1] if len(key) > 1 and key[0] == key[-1] == '"' else key


def add_precondition(environ: WSGIEnvironment, fields: dict[str, Any]) -> bool:
    """Take the expected revision from If-Match; tells whether there was one to take.

    It is the number alone or a tag of this service, which begins with it. Only the number is held against the table,
    so a tag that a proxy has made weak will do as well.
    """
    if (header := environ.get("HTTP_IF_MATCH", "*").strip()) == "*":
        return False
    if (tag := ONE_TAG.fullmatch(header)) is None:
        raise errors.BadRequest("bad_request", 'If-Match must be one entity tag, such as "12".', "If-Match")
    ours = OUR_TAG.fullmatch(tag[1])
    if ours is None or int(ours[1]) > GREATEST_REVISION:
        raise PreconditionFailed("stale_revision", "If-Match names no revision of a match.", "If-Match")
    revision = int(ours[1])
    if fields.setdefault("expected_revision", revision) != revision:
        raise errors.BadRequest("bad_request", "If-Match and expected_revision name two revisions.", "If-Match")
    return True


def tag_of(body: bytes, revision: int | None) -> Tag:
    """Make the entity tag of an answer: a digest of what this reader sees, behind the revision where there is one."""
    digest = blake2b(body, digest_size=8).hexdigest()
    return Tag(digest if revision is None else f"{revision}-{digest}", revision)


def is_known(environ: WSGIEnvironment, tag: Tag) -> bool:
    """Tell whether the reader has this answer already."""
    header = environ.get("HTTP_IF_NONE_MATCH")
    return header is not None and parse_etags(header).contains_weak(tag.text)
