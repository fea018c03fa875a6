"""Connect and gRPC-Web on the port of REST: every rpc of the contract at ``/package.Service/Method``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from connectrpc.code import Code
from connectrpc.compat import google_protobuf_binary_codec, google_protobuf_json_codec
from connectrpc.errors import ConnectError, ErrorDetail
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.server import ConnectWSGIApplication, EndpointSync
from flask import request
from google.protobuf.descriptor_pb2 import MethodOptions
from google.protobuf.message import Message
from protobuf.wkt import Any as Packed
from werkzeug.wrappers import Response

from chitarrella import errors
from chitarrella.api.dispatcher import Dispatcher, Rpc, rpcs
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.api.status import details_of, error_of, unreadable_request
from chitarrella.transports.rest.event_streams import EventStream, StreamLimit
from chitarrella.transports.rest.headers import caller_of
from chitarrella.transports.rest.middleware import context_of
from chitarrella.transports.rest.problems import WrongMediaType
from chitarrella.transports.rest.views import PLAY_MOVE

if TYPE_CHECKING:
    from connectrpc.request import RequestContext

MAX_MESSAGE_BYTES: Final = 1024 * 1024
MAX_REQUEST_BYTES: Final = 4 * MAX_MESSAGE_BYTES
"""Larger messages up to this size are read and refused with a reason code; beyond it the library ends the call."""
TYPE_URL: Final = "type.googleapis.com/"
GRPC: Final = "application/grpc"
GRPC_WEB: Final = "application/grpc-web"
STREAM_KEY: Final = "chitarrella.stream"
"""The key of the environment under which the endpoint hands its stream to the view, which has to close it."""
LEVELS: Final = {
    MethodOptions.IDEMPOTENCY_UNKNOWN: IdempotencyLevel.UNKNOWN,
    MethodOptions.NO_SIDE_EFFECTS: IdempotencyLevel.NO_SIDE_EFFECTS,
    MethodOptions.IDEMPOTENT: IdempotencyLevel.IDEMPOTENT,
}


TOO_LARGE: Final = errors.TooLarge("too_large", "A message may have 1 MiB.")


class Codec:
    """A codec of the library with our own error for malformed messages. Unknown fields are ignored, as Connect asks."""

    def __init__(self, codec: Any, encode: Callable[[Message], bytes]) -> None:
        """Decode by ``codec``, encode by ``encode``."""
        self.name = codec.name
        self.encode = encode
        self._decode = codec.decode

    def decode(self, data: bytes | bytearray, message_class: type[Any]) -> Any:
        """Decode a message; raises `ConnectError` for one that is malformed or too large."""
        failure: errors.ChitarrellaError = TOO_LARGE
        if len(data) <= MAX_MESSAGE_BYTES:
            try:
                return self._decode(data, message_class)
            except Exception as error:  # one of two libraries, each with its own errors
                failure = unreadable_request(error)
        context_of(request.environ).code = failure.code
        raise connect_error(failure)


class ConnectApp(ConnectWSGIApplication):
    """The WSGI application of the library, with an endpoint for every rpc."""

    path = "/"

    def __init__(self, dispatcher: Dispatcher, streams: StreamLimit, encoder: JsonEncoder) -> None:
        """Answer by ``dispatcher``; watches count towards the limit of ``streams``."""
        binary = google_protobuf_binary_codec()
        super().__init__(
            endpoints={rpc.path: _endpoint(rpc, dispatcher, streams) for rpc in rpcs()},
            read_max_bytes=MAX_REQUEST_BYTES,
            codecs=[Codec(binary, binary.encode), Codec(google_protobuf_json_codec(), encoder.encode)],
        )


def connect_view(rpc: Rpc, connect: ConnectApp) -> Callable[[], Response]:
    """Build the Flask view that passes an rpc to the library."""
    is_stream = rpc.method.server_streaming

    def view() -> Response:
        environ = request.environ
        call = context_of(environ)
        content_type = environ.get("CONTENT_TYPE", "")
        if content_type.startswith(GRPC) and not content_type.startswith(GRPC_WEB):
            raise WrongMediaType("wrong_media_type", "gRPC itself has a port of its own; this one speaks gRPC-Web.")
        call.rpc = rpc.path
        call.transport = "grpc-web" if content_type.startswith(GRPC_WEB) else "connect"
        response = Response.from_app(connect, environ, buffered=not is_stream)
        if stream := environ.pop(STREAM_KEY, None):
            call.stream = True
            response.call_on_close(stream.close)
        return response

    return view


def http_methods(rpc: Rpc) -> list[str]:
    """Return the HTTP methods of an rpc: unary rpcs without side effects have GET, too."""
    unary_and_safe = (
        not rpc.method.server_streaming and rpc.method.GetOptions().idempotency_level == MethodOptions.NO_SIDE_EFFECTS
    )
    return ["GET", "POST"] if unary_and_safe else ["POST"]


# ---------------------------------------------------------------------- endpoints


def _endpoint(rpc: Rpc, dispatcher: Dispatcher, streams: StreamLimit) -> Any:
    info: MethodInfo[Any, Any] = MethodInfo(
        name=rpc.method.name,
        service_name=rpc.method.containing_service.full_name,
        input=rpc.request,
        output=rpc.response,
        idempotency_level=LEVELS[rpc.method.GetOptions().idempotency_level],
        stream_type=StreamType.SERVER_STREAM if rpc.method.server_streaming else StreamType.UNARY,
    )
    if rpc.method.server_streaming:
        return EndpointSync.server_stream(method=info, function=_stream(streams))
    return EndpointSync.unary(method=info, function=_unary(rpc, dispatcher))


def _unary(rpc: Rpc, dispatcher: Dispatcher) -> Callable[[Any, RequestContext[Any, Any]], Any]:
    path = rpc.path

    def answer(message: Any, context: RequestContext[Any, Any]) -> Any:
        environ = request.environ
        call = context_of(environ)
        try:
            response = dispatcher.call(path, message, caller_of(environ))
        except Exception as error:
            failure = error_of(error, call.request_id)
            call.code = failure.code
            raise connect_error(failure) from None
        if path == PLAY_MOVE and not response.accepted:
            call.code = "refused"
        return response

    return answer


def _stream(streams: StreamLimit) -> Callable[[Any, RequestContext[Any, Any]], Iterator[Any]]:
    def answer(message: Any, context: RequestContext[Any, Any]) -> Iterator[Any]:
        environ = request.environ
        call = context_of(environ)
        stream: EventStream | None = None
        try:
            stream = environ[STREAM_KEY] = streams.open(message, caller_of(environ), environ)
            yield from stream.messages()
        except Exception as error:
            failure = error_of(error, call.request_id)
            call.code = failure.code
            raise connect_error(failure) from None
        finally:
            if stream is not None:
                stream.close()

    return answer


def connect_error(error: errors.ChitarrellaError) -> ConnectError:
    """Convert an error to one of Connect, with the same details as over gRPC."""
    details = [
        ErrorDetail(Packed(type_url=TYPE_URL + detail.DESCRIPTOR.full_name, value=detail.SerializeToString()))
        for detail in details_of(error)
    ]
    return ConnectError(Code[error.grpc], error.because, details)
