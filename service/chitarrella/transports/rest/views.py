"""Flask views of the unary rpcs: each calls the dispatcher and turns its message into an HTTP response."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

import orjson
from flask import Request, Response, request

from chitarrella import errors
from chitarrella.api.dispatcher import Dispatcher
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.api.telemetry import REFUSED
from chitarrella.transports.rest.headers import REVISION_HEADER, EntityTag, caller_of, is_not_modified, tag_of
from chitarrella.transports.rest.middleware import context_of
from chitarrella.transports.rest.problems import JSON
from chitarrella.transports.rest.request_parser import RequestParser
from chitarrella.transports.rest.routes import Route

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

PLAY_MOVE: Final = "/chitarrella.v1.MatchService/PlayMove"
"""The rpc whose response may report a refusal: status 422."""
CREATED: Final[Mapping[str, Callable[[Any], str]]] = {
    "/chitarrella.v1.MatchService/CreateMatch": lambda response: f"/v1/matches/{response.match_id}",
    "/chitarrella.v1.MatchService/ImportMatch": lambda response: f"/v1/matches/{response.created.match_id}",
    "/chitarrella.v1.WebhookService/CreateWebhook": lambda response: f"/v1/webhooks/{response.webhook.webhook_id}",
}
"""The rpcs that create something: status 201, with a Location made of the id in the response."""
PUBLIC_MAX_AGE_SECONDS: Final = 300
"""Seconds for which a response may be kept that is the same for everybody."""

View = Callable[..., Response]
"""A view of Flask."""


def unary_view(route: Route, dispatcher: Dispatcher, encoder: JsonEncoder) -> View:
    """Build the Flask view of a unary rpc."""
    parser, path = RequestParser(route), route.rpc.path
    encode = encoder.encoder_of(route.rpc.method.output_type)
    is_get, is_public = route.method == "GET", route.rpc.stateless
    location_of = CREATED.get(path)
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
                raise errors.PreconditionFailed(error.code, error.message, "if-match", **error.details) from None
            raise
        body = orjson.dumps(encode(response_message))
        revision = response_message.revision if has_revision else None
        if is_get:
            return _get_response(environ, body, tag_of(body, revision), is_public=is_public)
        response = Response(body, content_type=JSON)
        response.headers["Cache-Control"] = "no-store"
        if revision is not None:
            response.headers[REVISION_HEADER] = str(revision)
        if location_of is not None:
            response.status_code = 201
            response.headers["Location"] = location_of(response_message)
        if path == PLAY_MOVE and not response_message.accepted:
            context.code = REFUSED
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
