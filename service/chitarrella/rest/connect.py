"""Connect and gRPC-Web for browsers, on the port of the REST door: every rpc of the contract under its own path."""

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
from chitarrella.api.api import Api, Rpc, rpcs
from chitarrella.rest.access import call_of
from chitarrella.rest.calls import REFUSABLE
from chitarrella.rest.headers import caller_of
from chitarrella.rest.problems import WrongMediaType
from chitarrella.rest.stream import Line, Watchers
from chitarrella.rest.writing import Writer
from chitarrella.rpc_status import details_of, understood, unreadable

if TYPE_CHECKING:
    from connectrpc.request import RequestContext

LARGEST_MESSAGE: Final = 1024 * 1024
LARGEST_READ: Final = 4 * LARGEST_MESSAGE
"""What is still read to say with a reason code that it is too large; of more the library hangs up."""
TYPE_URL: Final = "type.googleapis.com/"
GRPC: Final = "application/grpc"
GRPC_WEB: Final = "application/grpc-web"
LINE: Final = "chitarrella.line"
SAFE: Final = MethodOptions.NO_SIDE_EFFECTS
LEVELS: Final = {
    MethodOptions.IDEMPOTENCY_UNKNOWN: IdempotencyLevel.UNKNOWN,
    MethodOptions.NO_SIDE_EFFECTS: IdempotencyLevel.NO_SIDE_EFFECTS,
    MethodOptions.IDEMPOTENT: IdempotencyLevel.IDEMPOTENT,
}


TOO_LARGE: Final = errors.TooLarge("too_large", "A message may have 1 MiB.")


class Codec:
    """A codec of the library, which skips unknown fields as Connect wants, but says why it cannot read as we do."""

    def __init__(self, codec: Any, write: Callable[[Message], bytes]) -> None:
        """Read with ``codec``, write with ``write``."""
        self.name = codec.name
        self.encode = write
        self._read = codec.decode

    def decode(self, data: bytes | bytearray, message_class: type[Any]) -> Any:
        """Read a message; raises `ConnectError` for what is none, or too large."""
        known: errors.ChitarrellaError = TOO_LARGE
        if len(data) <= LARGEST_MESSAGE:
            try:
                return self._read(data, message_class)
            except Exception as error:  # two libraries read here, each of which has a family of errors
                known = unreadable(error)
        call_of(request.environ).code = known.code
        raise connect_error(known)


class Connect(ConnectWSGIApplication):
    """The WSGI application of the library, with an endpoint for every rpc."""

    path = "/"

    def __init__(self, api: Api, watchers: Watchers, writer: Writer) -> None:
        """Ask ``api``; those who watch share the places of ``watchers``."""
        binary = google_protobuf_binary_codec()
        super().__init__(
            endpoints={rpc.path: _endpoint(rpc, api, watchers) for rpc in rpcs()},
            read_max_bytes=LARGEST_READ,
            codecs=[Codec(binary, binary.encode), Codec(google_protobuf_json_codec(), writer.json)],
        )


def connecting(rpc: Rpc, connect: Connect) -> Callable[[], Response]:
    """Make the view that hands an rpc over to the library."""
    streams = rpc.method.server_streaming

    def view() -> Response:
        environ = request.environ
        call = call_of(environ)
        told = environ.get("CONTENT_TYPE", "")
        if told.startswith(GRPC) and not told.startswith(GRPC_WEB):
            raise WrongMediaType("wrong_media_type", "gRPC itself has a port of its own; this one speaks gRPC-Web.")
        call.rpc = rpc.path
        call.door = "grpc-web" if told.startswith(GRPC_WEB) else "connect"
        response = Response.from_app(connect, environ, buffered=not streams)
        if line := environ.pop(LINE, None):
            call.stream = True
            response.call_on_close(line.close)
        return response

    return view


def methods(rpc: Rpc) -> list[str]:
    """Name the HTTP methods under which Connect answers an rpc."""
    unary_and_safe = not rpc.method.server_streaming and rpc.method.GetOptions().idempotency_level == SAFE
    return ["GET", "POST"] if unary_and_safe else ["POST"]


# ---------------------------------------------------------------------- endpoints


def _endpoint(rpc: Rpc, api: Api, watchers: Watchers) -> Any:
    info: MethodInfo[Any, Any] = MethodInfo(
        name=rpc.method.name,
        service_name=rpc.method.containing_service.full_name,
        input=rpc.request,
        output=rpc.response,
        idempotency_level=LEVELS[rpc.method.GetOptions().idempotency_level],
        stream_type=StreamType.SERVER_STREAM if rpc.method.server_streaming else StreamType.UNARY,
    )
    if rpc.method.server_streaming:
        return EndpointSync.server_stream(method=info, function=_stream(watchers))
    return EndpointSync.unary(method=info, function=_unary(rpc, api))


def _unary(rpc: Rpc, api: Api) -> Callable[[Any, RequestContext[Any, Any]], Any]:
    path = rpc.path

    def answer(message: Any, context: RequestContext[Any, Any]) -> Any:
        environ = request.environ
        call = call_of(environ)
        try:
            answered = api.call(path, message, caller_of(environ))
        except Exception as error:
            known = understood(error, call.request_id)
            call.code = known.code
            raise connect_error(known) from None
        if path == REFUSABLE and not answered.accepted:
            call.code = "refused"
        return answered

    return answer


def _stream(watchers: Watchers) -> Callable[[Any, RequestContext[Any, Any]], Iterator[Any]]:
    def answer(message: Any, context: RequestContext[Any, Any]) -> Iterator[Any]:
        environ = request.environ
        call = call_of(environ)
        line: Line | None = None
        try:
            line = environ[LINE] = watchers.begin(message, caller_of(environ), environ)
            yield from line.messages()
        except Exception as error:
            known = understood(error, call.request_id)
            call.code = known.code
            raise connect_error(known) from None
        finally:
            if line is not None:
                line.close()

    return answer


def connect_error(error: errors.ChitarrellaError) -> ConnectError:
    """Give an error as Connect tells it, with the same details as gRPC."""
    details = [
        ErrorDetail(Packed(type_url=TYPE_URL + detail.DESCRIPTOR.full_name, value=detail.SerializeToString()))
        for detail in details_of(error)
    ]
    return ConnectError(Code[error.grpc], error.because, details)
