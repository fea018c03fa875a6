"""Which requests of the HTTP port are calls of Connect and gRPC-Web, and how one is answered."""

from __future__ import annotations

import asyncio
import re
from typing import Any, Final

from google.protobuf.descriptor_pb2 import MethodOptions

from chitarrella.api.async_calls import AsyncCalls, AsyncStreams
from chitarrella.api.dispatcher import Dispatcher, Rpc, rpcs
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.api.telemetry import CANCELLED
from chitarrella.transports.rest.connect.application import UNKNOWN_STREAM, UNKNOWN_UNARY, ConnectApp
from chitarrella.transports.rest.connect.deadlines import take_unreadable_deadline
from chitarrella.transports.rest.connect.encodings import take_unknown_encoding
from chitarrella.transports.rest.connect.endpoints import CONTEXT
from chitarrella.transports.rest.connect.plain_calls import PlainCalls
from chitarrella.transports.rest.http_exchange import HttpExchange
from chitarrella.transports.rest.request_body import Receive, received
from chitarrella.transports.rest.wsgi import Scope

GRPC: Final = "application/grpc"
"""The content type of gRPC, without its suffix."""
GRPC_WEB: Final = "application/grpc-web"
"""The content type of gRPC-Web, without its suffix."""
RPC_PATH: Final = re.compile(r"/\w+(\.\w+)+/\w+", re.ASCII)
"""The path of an rpc of some package; no path of REST is like it."""
RPC_CONTENT: Final = re.compile(r"application/(json|proto|(connect)\+\w+|grpc-web(-text)?(\+\w+)?)\s*(;.*)?", re.ASCII)
"""A content type of Connect, the second group of one of its streams, or of gRPC-Web."""


class ConnectRequests:
    """Finds the calls among the requests, and answers them: plain ones by `PlainCalls`, others by `ConnectApp`."""

    def __init__(self, dispatcher: Dispatcher, calls: AsyncCalls, streams: AsyncStreams, encoder: JsonEncoder) -> None:
        """Answer by ``dispatcher``, unary calls as ``calls`` runs them."""
        self._app: Any = ConnectApp(dispatcher, calls, streams, encoder)
        self._plain = PlainCalls(dispatcher, calls)
        self._methods = {rpc.path: http_methods(rpc) for rpc in rpcs()}

    def find(self, method: str, path: str, content_type: str) -> str:
        """Return the path at which `ConnectApp` answers a request; empty if it is no call, or one of gRPC itself.

        The call of an unknown rpc has a path at which it is refused.
        """
        if methods := self._methods.get(path):
            is_grpc = content_type.startswith(GRPC) and not content_type.startswith(GRPC_WEB)
            return path if method in methods and not is_grpc else ""
        content = RPC_CONTENT.fullmatch(content_type)
        if method != "POST" or content is None or not RPC_PATH.fullmatch(path):
            return ""
        return UNKNOWN_STREAM if content[2] else UNKNOWN_UNARY

    async def answer(
        self, path: str, scope: Scope, body: bytes, receive: Receive, exchange: HttpExchange, content_type: str
    ) -> None:
        """Answer the call at ``path``; ``receive`` is called once the whole ``body`` is read."""
        CONTEXT.set(context := exchange.context)
        context.rpc = path if path in self._methods else ""
        context.trace.transport = transport_of(content_type)
        headers = [(name, value) for name, value in scope["headers"] if value.isascii()]  # the library reads UTF-8
        context.refused = take_unreadable_deadline(headers, context.trace.transport) or take_unknown_encoding(headers)
        try:
            if context.refused is None and await self._plain.answer(path, body, headers, exchange):
                return
            await self._app({**scope, "path": path, "headers": headers}, received(body, receive), exchange.send)
        except asyncio.CancelledError:
            context.code = CANCELLED
            raise
        finally:
            if context.raised is not None:  # the library keeps it in a frame, and with it the request: a cycle
                context.raised.__traceback__ = None


def http_methods(rpc: Rpc) -> list[str]:
    """Return the HTTP methods of an rpc: unary rpcs without side effects have GET, too."""
    unary_and_safe = (
        not rpc.method.server_streaming and rpc.method.GetOptions().idempotency_level == MethodOptions.NO_SIDE_EFFECTS
    )
    return ["GET", "POST"] if unary_and_safe else ["POST"]


def transport_of(content_type: str) -> str:
    """Return the name of the transport in logs and metrics."""
    return "grpc-web" if content_type.startswith(GRPC_WEB) else "connect"
