"""Connect and gRPC-Web on the port of REST: every rpc of the contract at ``/package.Service/Method``."""

from __future__ import annotations

import re
from typing import Final

from connectrpc.compat import google_protobuf_binary_codec, google_protobuf_json_codec
from connectrpc.server import ConnectASGIApplication
from google.protobuf.descriptor_pb2 import MethodOptions

from chitarrella import errors
from chitarrella.api.async_calls import AsyncCalls, AsyncStreams
from chitarrella.api.dispatcher import Dispatcher, Rpc, rpcs
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.api.request_limits import MAX_BYTES
from chitarrella.transports.rest.connect_codec import Codec
from chitarrella.transports.rest.connect_endpoints import make_endpoint
from chitarrella.transports.rest.connect_unknown import unknown_endpoint

MAX_REQUEST_BYTES: Final = 4 * MAX_BYTES
"""Larger messages up to this size are read and refused with a reason code; beyond it the library ends the call."""
GRPC: Final = "application/grpc"
"""The content type of gRPC, without its suffix."""
GRPC_WEB: Final = "application/grpc-web"
"""The content type of gRPC-Web, without its suffix."""
DEADLINES: Final = {
    "connect": (b"connect-timeout-ms", re.compile(rb"[0-9]{0,10}")),
    "grpc-web": (b"grpc-timeout", re.compile(rb"([0-9]{1,8}[HMSmun])?")),
}
"""The header of a deadline, and its values, by transport."""


UNKNOWN_UNARY: Final = "/unknown"
"""The path at which every unary rpc is refused."""
UNKNOWN_STREAM: Final = "/unknown-stream"
"""The path at which every streaming rpc is refused."""
RPC_PATH: Final = re.compile(r"/\w+(\.\w+)+/\w+", re.ASCII)
"""The path of an rpc of some package; no path of REST is like it."""
RPC_CONTENT: Final = re.compile(r"application/(json|proto|(connect)\+\w+|grpc-web(-text)?(\+\w+)?)\s*(;.*)?", re.ASCII)
"""A content type of Connect, the second group of one of its streams, or of gRPC-Web."""


class ConnectApp(ConnectASGIApplication[None]):
    """The ASGI application of the library, with an endpoint for every rpc."""

    path = "/"

    def __init__(self, dispatcher: Dispatcher, calls: AsyncCalls, streams: AsyncStreams, encoder: JsonEncoder) -> None:
        """Answer by ``dispatcher``, unary calls as ``calls`` runs them."""
        endpoints = {rpc.path: make_endpoint(rpc, dispatcher, calls, streams) for rpc in rpcs()}
        endpoints |= {UNKNOWN_UNARY: unknown_endpoint(), UNKNOWN_STREAM: unknown_endpoint(is_stream=True)}
        binary = google_protobuf_binary_codec()
        super().__init__(
            service=None,
            endpoints=lambda _: endpoints,
            read_max_bytes=MAX_REQUEST_BYTES,
            codecs=[Codec(binary, binary.encode), Codec(google_protobuf_json_codec(), encoder.encode)],
        )


def http_methods(rpc: Rpc) -> list[str]:
    """Return the HTTP methods of an rpc: unary rpcs without side effects have GET, too."""
    unary_and_safe = (
        not rpc.method.server_streaming and rpc.method.GetOptions().idempotency_level == MethodOptions.NO_SIDE_EFFECTS
    )
    return ["GET", "POST"] if unary_and_safe else ["POST"]


def unknown_rpc(method: str, path: str, content_type: str) -> str:
    """Return the path at which the call of an rpc is refused that there is not; empty for what is no such call."""
    content = RPC_CONTENT.fullmatch(content_type)
    if method != "POST" or content is None or not RPC_PATH.fullmatch(path):
        return ""
    return UNKNOWN_STREAM if content[2] else UNKNOWN_UNARY


def is_grpc(content_type: str) -> bool:
    """Whether a content type is that of gRPC itself, which has a port of its own."""
    return content_type.startswith(GRPC) and not content_type.startswith(GRPC_WEB)


def transport_of(content_type: str) -> str:
    """Return the name of the transport in logs and metrics."""
    return "grpc-web" if content_type.startswith(GRPC_WEB) else "connect"


def take_unreadable_deadline(headers: list[tuple[bytes, bytes]], transport: str) -> errors.BadRequest | None:
    """Remove a deadline that cannot be read from ``headers``, and return the error for it; None where there is none.

    The library would refuse it without a reason code.
    """
    name, pattern = DEADLINES[transport]
    if all(pattern.fullmatch(value) for key, value in headers if key == name):
        return None
    headers[:] = [header for header in headers if header[0] != name]
    return errors.BadRequest("bad_request", f"The header {name.decode()} cannot be read.", name.decode())
