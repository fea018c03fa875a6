"""Flask views of the unary rpcs: each calls the dispatcher and turns its message into an HTTP response."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Any, Final, NamedTuple, NoReturn

import orjson
from flask import Request, Response, request
from google.api import annotations_pb2
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.descriptor_pb2 import MethodOptions
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from werkzeug.routing import BaseConverter

from chitarrella import errors
from chitarrella.api.dispatcher import Dispatcher, Rpc, rpcs
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.api.request_size import check_size, is_map, list_bound
from chitarrella.api.retry_headers import Headers
from chitarrella.core.options import suggestion
from chitarrella.runtime.telemetry import REFUSED
from chitarrella.transports.rest.middleware import (
    REVISION_HEADER,
    EntityTag,
    RequestContext,
    add_idempotency,
    add_precondition,
    caller_of,
    context_of,
    is_not_modified,
    require_json,
    tag_of,
)
from chitarrella.transports.rest.problems import JSON, MAX_FIELD_LENGTH

# Decode JSON and query parameters to the fields of messages, with functions built once from the descriptors


Decode = Callable[[Any], Any]  # convert plain data to the value of a field; raises `InvalidJson`
Fields = dict[str, Any]

INTEGER = re.compile(r"-?[0-9]{1,20}", re.ASCII)  # a whole number as text; no field has one with more digits
LONE_SURROGATE = re.compile("[\ud800-\udfff]")  # half of a character, which JSON can escape
MAX_TIME_LENGTH = 40  # no duration or instant has more characters
BOOLEANS = {"true": True, "false": False}  # the values of a truth value in a query
LIMITS = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
}


class InvalidJson(ValueError):
    """Data that does not fit the message; ``path`` leads to the invalid field."""

    def __init__(self, message: str, *path: str) -> None:
        """``message`` continues a sentence that starts with the name of the field."""
        super().__init__(message)
        self.message = message
        self.path = list(path)

    @property
    def field(self) -> str:
        # A name comes from the caller too, and an answer can be written with text alone.
        return ".".join(self.path).replace(".[", "[").encode(errors="replace").decode()


class FieldDecoder(NamedTuple):
    """How one field is decoded: its name in the contract, its functions for JSON and for a query parameter."""

    name: str
    from_json: Decode
    from_query: Decode
    is_repeated: bool


@cache
def object_decoder(descriptor: Descriptor) -> Callable[[Any], Fields]:
    fields = fields_by_name(descriptor)
    names = [field.json_name for field in descriptor.fields]
    oneofs = [[member.name for member in oneof.fields] for oneof in descriptor.oneofs if len(oneof.fields) > 1]

    def decode(data: Any) -> Fields:
        if type(data) is not dict:
            raise InvalidJson("must be an object")
        found: Fields = {}
        for name, value in data.items():
            if (field := fields.get(name)) is None:
                raise InvalidJson(f"is no field of this message; {suggestion(name, names, 'fields')}", name)
            if value is None:
                continue
            if field.name in found:
                raise InvalidJson("is there twice, in both spellings", field.name)
            found[field.name] = _nested(field.from_json, value, field.name)
        for members in oneofs:
            if len(both := [name for name in members if name in found]) > 1:
                raise InvalidJson(f"excludes {both[0]}", both[1])
        return found

    return decode


def _time(kind: type[Duration | Timestamp], sample: str) -> Decode:
    """Build the decoder of a duration or an instant, which are texts such as ``sample``."""

    def decode(value: Any) -> Any:
        found = kind()
        try:
            found.FromJsonString(value if type(value) is str and len(value) <= MAX_TIME_LENGTH else "")
        except ValueError:
            raise InvalidJson(f"must be text such as {sample}") from None
        return found

    return decode


TIMES: Final[Mapping[str, Decode]] = {
    Duration.DESCRIPTOR.full_name: _time(Duration, "90s or 1.5s"),
    Timestamp.DESCRIPTOR.full_name: _time(Timestamp, "2027-01-31T18:00:00Z"),
}


def fields_by_name(descriptor: Descriptor) -> dict[str, FieldDecoder]:
    found = {}
    for field in descriptor.fields:
        found[field.name] = found[field.json_name] = _field(field)
    return found


def _nested(decode: Decode, value: Any, name: str) -> Any:
    """Decode the value of the field ``name``, and add the name to the path of an error."""
    try:
        return decode(value)
    except InvalidJson as error:
        error.path.insert(0, name)
        raise


def _field(field: FieldDescriptor) -> FieldDecoder:
    """Return the decoder of a field; raises `TypeError` for types that the contract does not use."""
    descriptor = field.message_type
    if descriptor is not None and is_map(field):
        return FieldDecoder(field.name, _map(descriptor, list_bound(field)), _not_in_query, is_repeated=False)
    if descriptor is None:
        from_json, from_query = _scalar(field)
    elif descriptor.full_name in TIMES:
        from_json = from_query = TIMES[descriptor.full_name]
    else:
        from_json, from_query = object_decoder(descriptor), _not_in_query
    if field.is_repeated:
        from_json = _list(from_json, list_bound(field))
    return FieldDecoder(field.name, from_json, from_query, field.is_repeated)


def _not_in_query(value: Any) -> Any:
    raise InvalidJson("does not fit into a query")


def _list(decode_item: Decode, most: int | None) -> Decode:
    """Build the decoder of a list; of one that is too long only so many items as make it too long are decoded."""
    end = None if most is None else most + 1

    def decode(value: Any) -> Any:
        if type(value) is not list:
            raise InvalidJson("must be a list")
        found = []
        for place, item in enumerate(value[:end]):
            try:
                found.append(decode_item(item))
            except InvalidJson as error:
                error.path.insert(0, f"[{place}]")
                raise
        return found

    return decode


def _map(entry: Descriptor, most: int | None) -> Decode:
    key, value = entry.fields_by_name["key"], entry.fields_by_name["value"]
    if key.cpp_type != FieldDescriptor.CPPTYPE_STRING:
        raise TypeError(f"{entry.full_name}: only maps with text keys are supported")
    decode_value = _scalar(value)[0]
    end = None if most is None else most + 1

    def decode(data: Any) -> Any:
        if type(data) is not dict:
            raise InvalidJson("must be an object")
        pairs = islice(data.items(), end)
        return {_nested(_text, name, name): _nested(decode_value, item, name) for name, item in pairs}

    return decode


def _scalar(field: FieldDescriptor) -> tuple[Decode, Decode]:
    """Return the functions for a single value: from JSON, and from a query parameter."""
    if field.cpp_type in LIMITS:
        integer = _integer(*LIMITS[field.cpp_type])
        return integer, integer
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING and field.type == FieldDescriptor.TYPE_STRING:
        return _text, _text
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return _boolean, _boolean_from_query
    if field.enum_type is not None:
        enum = _enum(field.enum_type)
        return enum, enum
    raise TypeError(f"{field.full_name}: this type of field is not supported")


def _text(value: Any) -> Any:
    if type(value) is not str:
        raise InvalidJson("must be text")
    if not value.isascii() and LONE_SURROGATE.search(value):
        raise InvalidJson("has half of a character, a lone surrogate")
    return value


def _boolean(value: Any) -> Any:
    if type(value) is not bool:
        raise InvalidJson("must be true or false")
    return value


def _boolean_from_query(value: Any) -> Any:
    if value not in BOOLEANS:
        raise InvalidJson("must be true or false")
    return BOOLEANS[value]


def _integer(minimum: int, maximum: int) -> Decode:
    def decode(value: Any) -> Any:
        kind = type(value)
        if (kind is str and INTEGER.fullmatch(value)) or (kind is float and value.is_integer()):
            value = int(value)
        elif kind is not int:
            raise InvalidJson("must be a whole number")
        if not minimum <= value <= maximum:
            raise InvalidJson(f"must lie between {minimum} and {maximum}")
        return value

    return decode


def _enum(descriptor: EnumDescriptor) -> Decode:
    names = {value.name: value.number for value in descriptor.values}
    integer = _integer(-(2**31), 2**31 - 1)

    def decode(value: Any) -> Any:
        if type(value) is not str:
            return integer(value)
        if value not in names:
            raise InvalidJson(f"must be one of {', '.join(names)}")
        return names[value]

    return decode


def query_decoder(
    descriptor: Descriptor, exclude: Iterable[str] = ()
) -> Callable[[Iterable[tuple[str, list[str]]]], Fields]:
    """Build the function that decodes the parameters of a query, except the fields to ``exclude``."""
    excluded = set(exclude)
    fields = {name: field for name, field in fields_by_name(descriptor).items() if field.name not in excluded}

    def decode(query: Iterable[tuple[str, list[str]]]) -> Fields:
        found: Fields = {}
        for name, texts in query:
            if (field := fields.get(name)) is None:
                names = [known for known in fields if "_" not in known]
                raise InvalidJson(f"is no parameter of this call; {suggestion(name, names, 'parameters')}", name)
            if field.name in found or (len(texts) > 1 and not field.is_repeated):
                raise InvalidJson("is there twice", field.name)
            values = [_nested(field.from_query, text, field.name) for text in texts]
            found[field.name] = values if field.is_repeated else values[0]
        return found

    return decode


VARIABLE: Final = re.compile(r"\{([a-z_]+)\}")  # a variable in the path of a route, with its name as the group
METHODS: Final = ("get", "post", "patch", "delete")
EXPECTED_REVISION: Final = "expected_revision"  # the field that the header `If-Match` fills
REQUEST_ID: Final = "request_id"


class Route(NamedTuple):
    rpc: Rpc
    method: str
    path: str
    has_body: bool

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple(VARIABLE.findall(self.path))

    @property
    def rule(self) -> str:
        return VARIABLE.sub(r"<segment:\1>", self.path)

    def has_field(self, field: str) -> bool:
        return field in self.rpc.method.input_type.fields_by_name


class Segment(BaseConverter):
    """A variable in a path: no slash, and no colon, which begins a custom method such as ``:validateMove``."""

    regex = "[^/:]+"
    part_isolating = True  # it never contains a slash


def variable_pattern(path: str) -> re.Pattern[str]:
    """Compile the path of a route; each variable is a group."""
    fixed, *others = VARIABLE.split(path)
    pairs = zip(others[::2], others[1::2], strict=True)
    return re.compile(
        re.escape(fixed) + "".join(f"(?P<{name}>{Segment.regex}){re.escape(rest)}" for name, rest in pairs)
    )


def routes() -> Iterator[Route]:
    """Iterate over the routes of all rpcs; raises `TypeError` for an annotation that is not supported."""
    for rpc in rpcs():
        rule = rpc.method.GetOptions().Extensions[annotations_pb2.http]
        method = rule.WhichOneof("pattern")
        if method not in METHODS or rule.body not in {"", "*"} or rule.additional_bindings:
            raise TypeError(f"{rpc.path}: this annotation is not supported")
        yield Route(rpc, method.upper(), getattr(rule, method), rule.body == "*")


class RouteTable:
    """Finds the route of a request; the first of several patterns counts."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self._fixed: dict[tuple[str, str], Route] = {}
        self._patterns: list[tuple[str, re.Pattern[str], Route]] = []
        for route in routes:
            if route.variables:
                self._patterns.append((route.method, variable_pattern(route.path), route))
            else:
                self._fixed[route.method, route.path] = route

    def find(self, method: str, path: str) -> tuple[Route, dict[str, str]] | None:
        """Return the route, and the variables in the path."""
        if (route := self._fixed.get((method, path))) is not None:
            return route, {}
        for wanted, pattern, found in self._patterns:
            if wanted == method and (match := pattern.fullmatch(path)):
                return found, match.groupdict()
        return None


class RequestParser:
    def __init__(self, route: Route) -> None:
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

    def message(
        self,
        headers: Mapping[str, str],
        query: Iterable[tuple[str, list[str]]],
        body: bytes,
        variables: Mapping[str, str],
    ) -> tuple[Message, bool]:
        """Return the message, and whether it has a revision from If-Match; raises `errors.ChitarrellaError`."""
        fields = _decoded(self._query, query)
        if self._has_body and body:
            check_size(self._request_type, len(body))
            require_json(headers)
            fields = decode_object(self._message_class, body)
        for name, value in variables.items():
            if fields.setdefault(name, value) != value:
                raise errors.BadRequest("bad_request", f"{name}: differs from the path", name)
        if self._has_request_id:
            add_idempotency(headers, fields)
        elif self._is_unrepeatable and "idempotency-key" in headers:
            raise errors.BadRequest("bad_request", "This call takes no idempotency key.", "idempotency-key")
        if self._has_expected_revision:
            conditional = add_precondition(headers, fields)
            return self._message_class(**fields), conditional
        if self._has_side_effects and "if-match" in headers:
            raise errors.BadRequest("bad_request", "This call takes no revision.", "if-match")
        return self._message_class(**fields), False


def decode_object(message_class: type[Message], body: bytes | bytearray) -> Fields:
    """Decode JSON to the fields of a message, the same for REST and Connect. Raises `errors.BadRequest`."""
    try:
        value = DECODER.decode(body.decode())
    except InvalidJson as error:
        raise _bad_request(error) from None
    except (ValueError, RecursionError) as error:
        what = "UTF-8" if isinstance(error, UnicodeDecodeError) else "JSON"
        raise errors.BadRequest("bad_request", f"The body is not {what}: {error}") from None
    return _decoded(object_decoder(message_class.DESCRIPTOR), value)


def _decoded(decode: Callable[[Any], Fields], value: Any) -> Fields:
    try:
        return decode(value)
    except InvalidJson as error:
        raise _bad_request(error) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise InvalidJson("is there twice", next(name for name in names if names.count(name) > 1))
    return found


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number of JSON")


# As orjson is ten times as fast but takes the last of two equal keys, which one of two callers did not mean.
DECODER: Final = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_number)


def _bad_request(error: InvalidJson) -> errors.BadRequest:
    field = error.field
    message = f"{field[:MAX_FIELD_LENGTH] or 'The body'}: {error.message}"
    return errors.BadRequest("bad_request", message, field, ((field, error.message),))


PLAY_MOVE: Final = "/chitarrella.v1.MatchService/PlayMove"  # the rpc whose response may report a refusal: status 422
# The rpcs that create something: status 201, with a Location made of the id in the response.
CREATED: Final[Mapping[str, Callable[[Any], str]]] = {
    "/chitarrella.v1.MatchService/CreateMatch": lambda response: f"/v1/matches/{response.match.match_id}",
    "/chitarrella.v1.MatchService/ImportMatch": lambda response: f"/v1/matches/{response.match.match_id}",
    "/chitarrella.v1.WebhookService/CreateWebhook": lambda response: f"/v1/webhooks/{response.webhook.webhook_id}",
}
# How the revision of a response is read, by whether it has a field "revision", and a field "match"
REVISION_OF: Final[Mapping[tuple[bool, bool], Callable[[Any], int | None]]] = {
    (True, False): lambda response: response.revision,
    (False, True): lambda response: response.match.revision,
    (False, False): lambda response: None,
}
POST_HEADERS: Final = (("Content-Type", JSON), ("Cache-Control", "no-store"))
PUBLIC_MAX_AGE_SECONDS: Final = 300  # seconds for which a response may be kept that is the same for everybody


class RouteAnswer(NamedTuple):
    status: int
    headers: Headers
    body: bytes


class UnaryRoute:
    """Answers the requests of one route of a unary rpc, whoever has read them."""

    def __init__(self, route: Route, dispatcher: Dispatcher, encoder: JsonEncoder) -> None:
        self.route, self._dispatcher = route, dispatcher
        self._parser = RequestParser(route)
        self._encode = encoder.encoder_of(route.rpc.method.output_type)
        self._location_of = CREATED.get(route.rpc.path)
        fields = route.rpc.method.output_type.fields_by_name
        self._revision_of = REVISION_OF["revision" in fields, "match" in fields]

    def answer(
        self, context: RequestContext, query: Iterable[tuple[str, list[str]]], body: bytes, variables: Mapping[str, str]
    ) -> RouteAnswer:
        """Raises `errors.ChitarrellaError`, and what the dispatcher raises."""
        path = self.route.rpc.path
        context.rpc, context.path = path, self.route.path
        caller = caller_of(context)
        message, conditional = self._parser.message(context.request_headers, query, body, variables)
        try:
            response = self._dispatcher.call(path, message, caller)
        except errors.Stale as error:
            if conditional:
                raise errors.PreconditionFailed(error.code, error.message, "if-match", **error.details) from None
            raise
        encoded = orjson.dumps(self._encode(response))
        revision = self._revision_of(response)
        if self.route.method == "GET":
            return _get_answer(context, encoded, tag_of(encoded, revision), is_public=self.route.rpc.stateless)
        status, headers = 200, [*POST_HEADERS]
        if revision is not None:
            headers.append((REVISION_HEADER, str(revision)))
        if self._location_of is not None:
            status = 201
            headers.append(("Location", self._location_of(response)))
        if path == PLAY_MOVE and not response.accepted:
            context.code = REFUSED
            status = 422
        return RouteAnswer(status, headers, encoded)


def flask_view(route: UnaryRoute) -> Callable[..., Response]:
    def view(**variables: str) -> Response:
        # Resolved once, because every access through the proxy costs.
        http_request: Request = request._get_current_object()  # type: ignore[attr-defined]  # a method of the proxy
        context, query = context_of(http_request.environ), http_request.args.lists()
        # A GET has a body in no case, and Werkzeug has limited that of others.
        body = http_request.get_data(cache=False) if route.route.has_body else b""
        status, headers, answer = route.answer(context, query, body, variables)
        return Response(answer, status, headers)

    return view


def cache_headers(*, is_public: bool) -> Headers:
    """Return what tells caches for whom they may keep the answer to a GET, also to one of Connect."""
    if is_public:
        control, vary = f"public, max-age={PUBLIC_MAX_AGE_SECONDS}", "Accept-Language, X-API-Key"
    else:
        control, vary = "private, no-cache", "Authorization, Accept-Language, X-API-Key"
    return [("Cache-Control", control), ("Vary", vary)]


def _get_answer(context: RequestContext, body: bytes, tag: EntityTag, *, is_public: bool) -> RouteAnswer:
    headers = [("ETag", f'"{tag.text}"'), *cache_headers(is_public=is_public)]
    if tag.revision is not None:
        headers.append((REVISION_HEADER, str(tag.revision)))
    if is_not_modified(context.request_headers, tag):
        return RouteAnswer(304, headers, b"")
    return RouteAnswer(200, [("Content-Type", JSON), *headers], body)
