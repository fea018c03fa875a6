"""Flask views of the unary rpcs: HTTP request to message, message to HTTP response."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import orjson
from flask import Request, Response, request
from google.protobuf.descriptor_pb2 import MethodOptions
from google.protobuf.message import Message

from chitarrella import errors
from chitarrella.api.dispatcher import Dispatcher
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.transports.rest.headers import (
    REVISION_HEADER,
    EntityTag,
    add_idempotency,
    add_precondition,
    caller_of,
    is_not_modified,
    require_json,
    tag_of,
)
from chitarrella.transports.rest.json_decoder import Fields, InvalidJson, object_decoder, query_decoder
from chitarrella.transports.rest.middleware import context_of
from chitarrella.transports.rest.problems import MAX_FIELD_LENGTH, PreconditionFailed
from chitarrella.transports.rest.routes import EXPECTED_REVISION, REQUEST_ID, Route

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

JSON: Final = "application/json"
PLAY_MOVE: Final = "/chitarrella.v1.MatchService/PlayMove"
"""The rpc whose response may report a refusal: status 422."""
PUBLIC_MAX_AGE_SECONDS: Final = 300

View = Callable[..., Response]


class RequestParser:
    """Builds the request message of a route from an HTTP request."""

    def __init__(self, route: Route) -> None:
        """Build the decoders of ``route``."""
        descriptor = route.rpc.method.input_type
        self._message_class = route.rpc.request
        self._has_body = route.has_body
        self._body = object_decoder(descriptor)
        self._query = query_decoder(
            descriptor, (f.name for f in descriptor.fields) if route.has_body else route.variables
        )
        self._has_request_id = route.has_field(REQUEST_ID)
        self._has_expected_revision = route.has_field(EXPECTED_REVISION)
        level = route.rpc.method.GetOptions().idempotency_level
        self._has_side_effects = route.has_body and level != MethodOptions.NO_SIDE_EFFECTS
        self._is_unrepeatable = route.has_body and level == MethodOptions.IDEMPOTENCY_UNKNOWN

    def message(self, http_request: Request, variables: dict[str, str]) -> tuple[Message, bool]:
        """Return the message, and whether it has a revision from If-Match; raises `errors.ChitarrellaError`."""
        try:
            fields: Fields = self._query(http_request.args.lists()) if http_request.query_string else {}
            if self._has_body:
                fields = self._body(_json_body(http_request))
        except InvalidJson as error:
            raise _bad_request(error) from None
        for name, value in variables.items():
            if fields.setdefault(name, value) != value:
                raise errors.BadRequest("bad_request", f"{name}: differs from the path", name)
        if self._has_request_id:
            add_idempotency(http_request.environ, fields)
        elif self._is_unrepeatable and "HTTP_IDEMPOTENCY_KEY" in http_request.environ:
            raise errors.BadRequest("bad_request", "This call takes no idempotency key.", "Idempotency-Key")
        if self._has_expected_revision:
            conditional = add_precondition(http_request.environ, fields)
            return self._message_class(**fields), conditional
        if self._has_side_effects and "HTTP_IF_MATCH" in http_request.environ:
            raise errors.BadRequest("bad_request", "This call takes no revision.", "If-Match")
        return self._message_class(**fields), False


def _json_body(http_request: Request) -> Any:
    """Parse the body; an empty one stands for an empty object. Raises `errors.BadRequest`."""
    if not (body := http_request.get_data(cache=False)):
        return {}
    require_json(http_request.environ)
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise errors.BadRequest("bad_request", f"The body is not JSON: {error}") from None


def _bad_request(error: InvalidJson) -> errors.BadRequest:
    field = error.field
    because = f"{field[:MAX_FIELD_LENGTH] or 'The body'}: {error.because}"
    return errors.BadRequest("bad_request", because, field, ((field, error.because),))


# ---------------------------------------------------------------------- views


def unary_view(route: Route, dispatcher: Dispatcher, encoder: JsonEncoder) -> View:
    """Build the Flask view of a unary rpc."""
    parser, path = RequestParser(route), route.rpc.path
    encode = encoder.encoder_of(route.rpc.method.output_type)
    is_get, is_public = route.method == "GET", route.rpc.stateless
    has_revision = "revision" in route.rpc.method.output_type.fields_by_name

    def view(**variables: str) -> Response:
        # Resolved once, because every access through the proxy costs.
        http_request: Request = request._get_current_object()  # type: ignore[attr-defined]  # a method of the proxy
        environ = http_request.environ
        context = context_of(environ)
        context.rpc = path
        caller = caller_of(environ)
        message, conditional = parser.message(http_request, variables)
        try:
            response_message = dispatcher.call(path, message, caller)
        except errors.Stale as error:
            if conditional:
                raise PreconditionFailed(error.code, error.because, "If-Match", **error.details) from None
            raise
        body = orjson.dumps(encode(response_message))
        revision = response_message.revision if has_revision else None
        if is_get:
            return _get_response(environ, body, tag_of(body, revision), is_public=is_public)
        response = Response(body, content_type=JSON)
        response.headers["Cache-Control"] = "no-store"
        if revision is not None:
            response.headers[REVISION_HEADER] = str(revision)
        if path == PLAY_MOVE and not response_message.accepted:
            context.code = "refused"
            response.status_code = 422
        return response

    return view


def _get_response(environ: WSGIEnvironment, body: bytes, tag: EntityTag, *, is_public: bool) -> Response:
    """Return the response to a GET with its entity tag and caching headers; 304 if the client has it already."""
    response = Response(status=304) if is_not_modified(environ, tag) else Response(body, content_type=JSON)
    response.headers["ETag"] = f'"{tag.text}"'
    if tag.revision is not None:
        response.headers[REVISION_HEADER] = str(tag.revision)
    if is_public:
        response.headers["Cache-Control"] = f"public, max-age={PUBLIC_MAX_AGE_SECONDS}"
        response.headers["Vary"] = "Accept-Language, X-API-Key"
    else:
        response.headers["Cache-Control"] = "private, no-cache"
        response.headers["Vary"] = "Authorization, Accept-Language, X-API-Key"
    return response
