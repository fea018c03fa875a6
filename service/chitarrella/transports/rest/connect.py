"""Connect and gRPC-Web on the port of REST: every rpc of the contract at ``/package.Service/Method``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from connectrpc.compat import google_protobuf_binary_codec, google_protobuf_json_codec
from connectrpc.server import ConnectWSGIApplication
from flask import request
from google.protobuf.descriptor_pb2 import MethodOptions
from werkzeug.wrappers import Response

from chitarrella import errors
from chitarrella.api.dispatcher import Dispatcher, Rpc, rpcs
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.api.request_limits import MAX_BYTES
from chitarrella.transports.rest.connect_codec import Codec
from chitarrella.transports.rest.connect_endpoints import STREAM_KEY, make_endpoint
from chitarrella.transports.rest.event_streams import StreamLimit
from chitarrella.transports.rest.middleware import context_of

MAX_REQUEST_BYTES: Final = 4 * MAX_BYTES
"""Larger messages up to this size are read and refused with a reason code; beyond it the library ends the call."""
GRPC: Final = "application/grpc"
GRPC_WEB: Final = "application/grpc-web"


class ConnectApp(ConnectWSGIApplication):
    """The WSGI application of the library, with an endpoint for every rpc."""

    path = "/"

    def __init__(self, dispatcher: Dispatcher, streams: StreamLimit, encoder: JsonEncoder) -> None:
        """Answer by ``dispatcher``; watches count towards the limit of ``streams``."""
        binary = google_protobuf_binary_codec()
        super().__init__(
            endpoints={rpc.path: make_endpoint(rpc, dispatcher, streams) for rpc in rpcs()},
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
            raise errors.WrongMediaType(
                "wrong_media_type", "gRPC itself has a port of its own; this one speaks gRPC-Web."
            )
        call.rpc = rpc.path
        call.transport = "grpc-web" if content_type.startswith(GRPC_WEB) else "connect"
        response = Response.from_app(connect, environ, buffered=not is_stream)
        if call.raised is not None:  # the library keeps it in a frame, and with it the request: a cycle
            call.raised.__traceback__ = None
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
