"""Which requests of the HTTP port are calls of Connect and gRPC-Web, and how one is answered."""

from __future__ import annotations

import asyncio
import re
from typing import Any, Final

from google.protobuf.descriptor_pb2 import MethodOptions

from chitarrella import errors
from chitarrella.api.dispatcher import Rpc, rpcs
from chitarrella.transports.rest.connect import UNKNOWN_STREAM, UNKNOWN_UNARY, ConnectApp
from chitarrella.transports.rest.connect_endpoints import CONTEXT
from chitarrella.transports.rest.exchange import Exchange
from chitarrella.transports.rest.request_body import Receive
from chitarrella.transports.rest.wsgi import Scope

GRPC: Final = "application/grpc"
"""The content type of gRPC, without its suffix."""
GRPC_WEB: Final = "application/grpc-web"
"""The content type of gRPC-Web, without its suffix."""
DEADLINES: Final = {
    "connect": (b"connect-timeout-ms", re.compile(rb"[0-9]{0,10}")),
    "grpc-web": (b"grpc-timeout", re.compile(rb"([0-9]{1,8}[HMSmun])?")),
}
"""The header of a deadline, and its values, by transport."""
RPC_PATH: Final = re.compile(r"/\w+(\.\w+)+/\w+", re.ASCII)
"""The path of an rpc of some package; no path of REST is like it."""
RPC_CONTENT: Final = re.compile(r"application/(json|proto|(connect)\+\w+|grpc-web(-text)?(\+\w+)?)\s*(;.*)?", re.ASCII)
"""A content type of Connect, the second group of one of its streams, or of gRPC-Web."""


class ConnectRequests:
    """Finds the calls among the requests, and answers them by `ConnectApp`."""

    def __init__(self, app: ConnectApp) -> None:
        """Answer by ``app``."""
        self._app: Any = app
        self._methods = {rpc.path: http_methods(rpc) for rpc in rpcs()}

    def find(self, method: str, path: str, content_type: str) -> str:
        """Return the path at which ``app`` answers a request; empty if it is no call, or one of gRPC itself.

        The call of an unknown rpc has a path at which it is refused.
        """
        if methods := self._methods.get(path):
            is_grpc = content_type.startswith(GRPC) and not content_type.startswith(GRPC_WEB)
            return path if method in methods and not is_grpc else ""
        content = RPC_CONTENT.fullmatch(content_type)
        if method != "POST" or content is None or not RPC_PATH.fullmatch(path):
            return ""
        return UNKNOWN_STREAM if content[2] else UNKNOWN_UNARY

    async def answer(self, path: str, scope: Scope, receive: Receive, exchange: Exchange, content_type: str) -> None:
        """Answer the call at ``path``."""
        CONTEXT.set(context := exchange.context)
        context.rpc = path if path in self._methods else ""
        context.trace.transport = transport_of(content_type)
        headers = list(scope["headers"])
        context.refused = take_unreadable_deadline(headers, context.trace.transport)
        try:
            await self._app({**scope, "path": path, "headers": headers}, receive, exchange.send)
        except asyncio.CancelledError:
            context.code = "cancelled"
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


def take_unreadable_deadline(headers: list[tuple[bytes, bytes]], transport: str) -> errors.BadRequest | None:
    """Remove a deadline that cannot be read from ``headers``, and return the error for it; None where there is none.

    The library would refuse it without a reason code.
    """
    name, pattern = DEADLINES[transport]
    if all(pattern.fullmatch(value) for key, value in headers if key == name):
        return None
    headers[:] = [header for header in headers if header[0] != name]
    return errors.BadRequest("bad_request", f"The header {name.decode()} cannot be read.", name.decode())
