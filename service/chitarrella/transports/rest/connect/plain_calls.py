"""Plain calls of Connect: short unary rpcs with a binary message, as the clients send them for every move.

For such a call the protocol adds nothing to the two messages but a few headers, so it is answered without the library.
The library took 31 % of the processor time of a stateless ValidateMove, and reads its body, its headers and its
deadline a second time. It answers all other calls, and it writes the error of a plain call that has failed.
"""

from __future__ import annotations

import asyncio
from typing import Final

from connectrpc.code import Code
from connectrpc.compat import google_protobuf_binary_codec
from connectrpc.errors import ConnectError

from chitarrella.api.async_calls import AsyncCalls
from chitarrella.api.dispatcher import Dispatcher, rpcs
from chitarrella.api.telemetry import CANCELLED
from chitarrella.transports.rest.connect.codec import Codec, EncodedRequest
from chitarrella.transports.rest.connect.unary import unary_call
from chitarrella.transports.rest.http_exchange import HttpExchange

CONTENT_TYPE: Final = "application/proto"
"""The content type of a unary call with a binary message."""
LONG_ANSWERS: Final = {"CatalogueService"}
"""The services with responses that are worth compressing."""
RESPONSE_HEADERS: Final = [("Content-Type", CONTENT_TYPE), ("Vary", "Accept-Encoding")]
"""The headers of the response; it is too short to be compressed."""
VERSION: Final = "1"
"""The version of the protocol, which a client may name."""
DEADLINE_PASSED: Final = "The deadline of the call has passed."
"""The message of the error of a call that was not answered in time."""


class PlainCalls:
    """Answers the calls that are plain."""

    def __init__(self, dispatcher: Dispatcher, calls: AsyncCalls) -> None:
        """Answer by ``dispatcher``, as ``calls`` runs calls."""
        binary = google_protobuf_binary_codec()
        self._codec = Codec(binary, binary.encode)
        self._calls = {
            rpc.path: (rpc.request, unary_call(rpc, dispatcher, calls))
            for rpc in rpcs()
            if calls.is_short(rpc) and rpc.method.containing_service.name not in LONG_ANSWERS
        }

    async def answer(self, path: str, body: bytes, headers: list[tuple[bytes, bytes]], exchange: HttpExchange) -> bool:
        """Answer a call; return False where it is not plain, or has failed: then the context has the error."""
        if path not in self._calls or exchange.environ.get("CONTENT_TYPE") != CONTENT_TYPE:
            return False
        values = {name.decode("latin-1"): value.decode("latin-1") for name, value in reversed(headers)}
        if "content-encoding" in values or values.get("connect-protocol-version", VERSION) != VERSION:
            return False
        message_class, call = self._calls[path]
        context, timeout = exchange.context, values.get("connect-timeout-ms")
        try:
            async with asyncio.timeout(int(timeout) / 1000 if timeout else None):
                response = await call(EncodedRequest(body, message_class, self._codec), values, context)
        except TimeoutError:
            context.code = CANCELLED
            context.refused = ConnectError(Code.DEADLINE_EXCEEDED, DEADLINE_PASSED)
        except Exception as error:
            context.refused = error
        else:
            await exchange.begin(200, RESPONSE_HEADERS)
            await exchange.send_body(response)
            return True
        return False
