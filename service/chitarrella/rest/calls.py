"""One call of an rpc over REST: the request becomes a message, the message an answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import orjson
from flask import Request, Response, request
from google.protobuf.descriptor_pb2 import MethodOptions
from google.protobuf.message import Message

from chitarrella import errors
from chitarrella.api.api import Api
from chitarrella.rest.access import call_of
from chitarrella.rest.headers import (
    REVISION_HEADER,
    Tag,
    add_idempotency,
    add_precondition,
    caller_of,
    is_known,
    must_be_json,
    tag_of,
)
from chitarrella.rest.problems import LONGEST_FIELD, PreconditionFailed
from chitarrella.rest.reading import Fields, Unreadable, object_reader, query_reader
from chitarrella.rest.routes import EXPECTED_REVISION, REQUEST_ID, Route
from chitarrella.rest.writing import Writer

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

JSON: Final = "application/json"
REFUSABLE: Final = "/chitarrella.v1.MatchService/PlayMove"
"""The rpc whose answer may be that nothing was done."""
CATALOGUE_SECONDS: Final = 300

View = Callable[..., Response]


class Reading:
    """Makes the message of a route out of a request."""

    def __init__(self, route: Route) -> None:
        """Look at the message once."""
        kind = route.rpc.method.input_type
        self._make = route.rpc.request
        self._has_body = route.has_body
        self._body = object_reader(kind)
        self._query = query_reader(kind, (f.name for f in kind.fields) if route.has_body else route.variables)
        self._repeatable = route.takes(REQUEST_ID)
        self._conditional = route.takes(EXPECTED_REVISION)
        level = route.rpc.method.GetOptions().idempotency_level
        self._changes = route.has_body and level != MethodOptions.NO_SIDE_EFFECTS
        self._once = route.has_body and level == MethodOptions.IDEMPOTENCY_UNKNOWN

    def message(self, asked: Request, variables: dict[str, str]) -> tuple[Message, bool]:
        """Give the message, and whether If-Match had a part in it; raises `errors.ChitarrellaError`."""
        try:
            fields: Fields = self._query(asked.args.lists()) if asked.query_string else {}
            if self._has_body:
                fields = self._body(_json(asked))
        except Unreadable as error:
            raise _bad_request(error) from None
        for name, value in variables.items():
            if fields.setdefault(name, value) != value:
                raise errors.BadRequest("bad_request", f"{name}: differs from the path", name)
        if self._repeatable:
            add_idempotency(asked.environ, fields)
        elif self._once and "HTTP_IDEMPOTENCY_KEY" in asked.environ:
            raise errors.BadRequest("bad_request", "This call cannot be repeated under a name.", "Idempotency-Key")
        if self._conditional:
            conditional = add_precondition(asked.environ, fields)
            return self._make(**fields), conditional
        if self._changes and "HTTP_IF_MATCH" in asked.environ:
            raise errors.BadRequest("bad_request", "This call cannot be bound to a revision.", "If-Match")
        return self._make(**fields), False


def _json(asked: Request) -> Any:
    """Read the body; an empty one is an empty object."""
    if not (body := asked.get_data(cache=False)):
        return {}
    must_be_json(asked.environ)
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise errors.BadRequest("bad_request", f"The body is no JSON: {error}") from None


def _bad_request(error: Unreadable) -> errors.BadRequest:
    field = error.field
    because = f"{field[:LONGEST_FIELD] or 'The body'}: {error.because}"
    return errors.BadRequest("bad_request", because, field, ((field, error.because),))


# ---------------------------------------------------------------------- views


def unary(route: Route, api: Api, writer: Writer) -> View:
    """Make the view of a unary rpc."""
    reading, path = Reading(route), route.rpc.path
    write = writer.of(route.rpc.method.output_type)
    safe = route.method == "GET"
    public = route.rpc.stateless
    has_revision = "revision" in route.rpc.method.output_type.fields_by_name

    def view(**variables: str) -> Response:
        # Once, because every look through the proxy costs.
        asked: Request = request._get_current_object()  # type: ignore[attr-defined]  # it is a proxy
        environ = asked.environ
        call = call_of(environ)
        call.rpc = path
        caller = caller_of(environ)
        message, conditional = reading.message(asked, variables)
        try:
            answer = api.call(path, message, caller)
        except errors.Stale as error:
            if conditional:
                raise PreconditionFailed(error.code, error.because, "If-Match", **error.details) from None
            raise
        body = orjson.dumps(write(answer))
        revision = answer.revision if has_revision else None
        if safe:
            return _get(environ, body, tag_of(body, revision), public=public)
        response = Response(body, content_type=JSON)
        response.headers["Cache-Control"] = "no-store"
        if revision is not None:
            response.headers[REVISION_HEADER] = str(revision)
        if path == REFUSABLE and not answer.accepted:
            call.code = "refused"
            response.status_code = 422
        return response

    return view


def _get(environ: WSGIEnvironment, body: bytes, tag: Tag, *, public: bool) -> Response:
    """Answer a GET with its entity tag, or say that the reader has it already."""
    known = is_known(environ, tag)
    response = Response(status=304) if known else Response(body, content_type=JSON)
    response.headers["ETag"] = f'"{tag.text}"'
    if tag.revision is not None:
        response.headers[REVISION_HEADER] = str(tag.revision)
    if public:
        response.headers["Cache-Control"] = f"public, max-age={CATALOGUE_SECONDS}"
        response.headers["Vary"] = "Accept-Language, X-API-Key"
    else:
        response.headers["Cache-Control"] = "private, no-cache"
        response.headers["Vary"] = "Authorization, Accept-Language, X-API-Key"
    return response
