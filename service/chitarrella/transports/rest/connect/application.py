"""Connect and gRPC-Web on the port of REST: every rpc of the contract at ``/package.Service/Method``."""

from __future__ import annotations

from typing import Final

from connectrpc.compat import google_protobuf_binary_codec, google_protobuf_json_codec
from connectrpc.server import ConnectASGIApplication

from chitarrella.api.async_calls import AsyncCalls, AsyncStreams
from chitarrella.api.dispatcher import Dispatcher, rpcs
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.api.request_limits import MAX_BYTES
from chitarrella.transports.rest.connect.codec import Codec
from chitarrella.transports.rest.connect.endpoints import make_endpoint
from chitarrella.transports.rest.connect.unknown_rpcs import unknown_endpoint

MAX_REQUEST_BYTES: Final = 4 * MAX_BYTES
"""Larger messages up to this size are read and refused with a reason code; beyond it the library ends the call."""
UNKNOWN_UNARY: Final = "/unknown"
"""The path at which every unary rpc is refused."""
UNKNOWN_STREAM: Final = "/unknown-stream"
"""The path at which every streaming rpc is refused."""


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
