"""From an HTTP request to the request message of a route: path, query, JSON body and headers."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Request
from google.protobuf.descriptor import Descriptor
from google.protobuf.descriptor_pb2 import MethodOptions
from google.protobuf.message import Message

from chitarrella import errors
from chitarrella.api.request_limits import check_size
from chitarrella.transports.rest.headers import add_idempotency, add_precondition, require_json
from chitarrella.transports.rest.json_decoder import Fields, InvalidJson, object_decoder, query_decoder
from chitarrella.transports.rest.problems import MAX_FIELD_LENGTH
from chitarrella.transports.rest.routes import EXPECTED_REVISION, REQUEST_ID, Route


class RequestParser:
    """Builds the request message of a route from an HTTP request."""

    def __init__(self, route: Route) -> None:
        """Build the decoders of ``route``."""
        descriptor = route.rpc.method.input_type
        self._request_type = descriptor
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
                fields = self._body(_json_body(http_request, self._request_type))
        except InvalidJson as error:
            raise _bad_request(error) from None
        for name, value in variables.items():
            if fields.setdefault(name, value) != value:
                raise errors.BadRequest("bad_request", f"{name}: differs from the path", name)
        if self._has_request_id:
            add_idempotency(http_request.environ, fields)
        elif self._is_unrepeatable and "HTTP_IDEMPOTENCY_KEY" in http_request.environ:
            raise errors.BadRequest("bad_request", "This call takes no idempotency key.", "idempotency-key")
        if self._has_expected_revision:
            conditional = add_precondition(http_request.environ, fields)
            return self._message_class(**fields), conditional
        if self._has_side_effects and "HTTP_IF_MATCH" in http_request.environ:
            raise errors.BadRequest("bad_request", "This call takes no revision.", "if-match")
        return self._message_class(**fields), False


def _json_body(http_request: Request, request_type: Descriptor) -> Any:
    """Parse the body; an empty one stands for an empty object. Raises `errors.BadRequest`, `errors.TooLarge`."""
    if not (body := http_request.get_data(cache=False)):
        return {}
    check_size(request_type, len(body))
    require_json(http_request.environ)
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise errors.BadRequest("bad_request", f"The body is not JSON: {error}") from None


def _bad_request(error: InvalidJson) -> errors.BadRequest:
    field = error.field
    message = f"{field[:MAX_FIELD_LENGTH] or 'The body'}: {error.message}"
    return errors.BadRequest("bad_request", message, field, ((field, error.message),))
