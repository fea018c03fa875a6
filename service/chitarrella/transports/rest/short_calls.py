"""Short calls by POST, from the event loop straight to the dispatcher: those of REST, and those of Connect.

Nearly every call of a game is one of them. What is out of the ordinary (a query, a compressed body, a deadline that has
passed, an error of Connect) is left to Flask and to the library of Connect, which would answer the others alike.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import Final

from chitarrella.api.async_calls import LARGE_BYTES, AsyncCalls
from chitarrella.api.dispatcher import Dispatcher, Rpc, rpcs
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.runtime.telemetry import CANCELLED
from chitarrella.transports.rest.connect import (
    CONNECT_DEADLINE,
    EncodedRequest,
    UnaryCall,
    codecs,
    deadline_passed,
    unary_call,
)
from chitarrella.transports.rest.http_exchange import HttpExchange, compress_json
from chitarrella.transports.rest.views import UnaryRoute, routes, variable_pattern

LONG_ANSWERS: Final = {"CatalogueService"}  # the services with responses that are worth compressing, also of Connect


class ShortCalls:
    def __init__(self, dispatcher: Dispatcher, calls: AsyncCalls, encoder: JsonEncoder, public_url: str) -> None:
        self._calls, self._public_url = calls, public_url
        short = [rpc for rpc in rpcs() if not rpc.method.server_streaming and calls.is_short(rpc)]
        self._codecs = codecs(encoder)
        self._connect = {
            rpc.path: (rpc, unary_call(rpc, dispatcher, calls))
            for rpc in short
            if rpc.method.containing_service.name not in LONG_ANSWERS
        }
        posted = [route for route in routes() if route.method == "POST" and calls.is_short(route.rpc)]
        answering = [UnaryRoute(route, dispatcher, encoder) for route in posted]
        self._fixed = {one.route.path: one for one in answering if not one.route.variables}
        self._patterns = [(variable_pattern(one.route.path), one) for one in answering if one.route.variables]

    async def answer(self, path: str, body: bytes, exchange: HttpExchange) -> bool:
        """Answer the request by POST at ``path``; returns False if it is not one of these, or Connect must answer it:
        then the context has the error.
        """
        headers = exchange.headers
        if len(body) > LARGE_BYTES or exchange.scope["query_string"]:
            return False
        if found := self._connect.get(path):
            codec = self._codecs.get(headers.get("content-type", ""))
            if codec is None or "content-encoding" in headers:
                return False
            if headers.get("connect-protocol-version", "1") != "1":
                return False
            return await self._answer_connect(*found, EncodedRequest(body, found[0].request, codec), exchange)
        if route := self._fixed.get(path):
            await self._answer_rest(route, {}, body, exchange)
            return True
        for pattern, route in self._patterns:
            if match := pattern.fullmatch(path):
                await self._answer_rest(route, match.groupdict(), body, exchange)
                return True
        return False

    async def _answer_rest(
        self, route: UnaryRoute, variables: Mapping[str, str], body: bytes, exchange: HttpExchange
    ) -> None:
        context = exchange.context
        context.rpc = route.route.rpc.path
        answer = partial(route.answer, context, (), body, variables)
        try:
            status, headers, encoded = await self._calls.run(route.route.rpc, len(body), answer, context.address)
        except Exception as error:
            await exchange.respond_error(error, self._public_url)
        else:
            encoded = compress_json(headers, encoded, exchange.headers.get("accept-encoding", ""))
            await exchange.respond(status, [*headers, ("Content-Length", str(len(encoded)))], encoded)

    async def _answer_connect(self, rpc: Rpc, call: UnaryCall, request: EncodedRequest, exchange: HttpExchange) -> bool:
        context, timeout = exchange.context, exchange.headers.get("connect-timeout-ms", "")
        accepted = exchange.headers.get("accept-encoding", "")
        if not CONNECT_DEADLINE.fullmatch(timeout):
            return False
        context.rpc, context.trace.transport = rpc.path, "connect"
        try:
            if timeout:
                async with asyncio.timeout(int(timeout) / 1000):
                    response = await call(request, exchange.headers, context)
            else:
                response = await call(request, exchange.headers, context)
        except TimeoutError:
            context.code = CANCELLED
            context.refused = deadline_passed()
        except Exception as error:
            context.refused = error
        else:
            headers = [("Content-Type", exchange.headers["content-type"])]
            encoded = compress_json(headers, response, "" if request.codec.is_binary else accepted)
            await exchange.respond(200, [*headers, ("Content-Length", str(len(encoded)))], encoded)
            return True
        return False
