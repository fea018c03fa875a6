"""Short calls by POST, from the event loop straight to the dispatcher: those of REST, and those of Connect.

Nearly every call of a game is one of them. What is out of the ordinary (a query, a compressed body, a deadline that has
passed, an error of Connect) is left to Flask and to the library of Connect, which would answer the others alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from chitarrella.api.call_threads import LARGE_BYTES, AsyncCalls
from chitarrella.api.dispatcher import Dispatcher, Rpc, rpcs
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.runtime.telemetry import CANCELLED
from chitarrella.transports.rest import connect
from chitarrella.transports.rest.http_exchange import HttpExchange
from chitarrella.transports.rest.views import RouteTable, UnaryRoute, routes

LONG_ANSWERS: Final = {"CatalogueService"}  # the services with responses that are worth compressing, also of Connect


class ShortCalls:
    def __init__(self, dispatcher: Dispatcher, calls: AsyncCalls, encoder: JsonEncoder, public_url: str) -> None:
        self._calls, self._public_url = calls, public_url
        short = [rpc for rpc in rpcs() if not rpc.method.server_streaming and calls.is_short(rpc)]
        self._codecs = connect.codecs(encoder)
        self._connect = {
            rpc.path: (rpc, connect.unary_call(rpc, dispatcher, calls))
            for rpc in short
            if rpc.method.containing_service.name not in LONG_ANSWERS
        }
        posted = [route for route in routes() if route.method == "POST" and calls.is_short(route.rpc)]
        self._routes = RouteTable(posted)
        self._unary = {route.rpc.path: UnaryRoute(route, dispatcher, encoder) for route in posted}

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
            return await self._answer_connect(*found, connect.EncodedRequest(body, found[0].request, codec), exchange)
        if of_route := self._routes.find("POST", path):
            await self._answer_rest(of_route[0].rpc, of_route[1], body, exchange)
            return True
        return False

    async def _answer_rest(self, rpc: Rpc, variables: Mapping[str, str], body: bytes, exchange: HttpExchange) -> None:
        context = exchange.context
        context.rpc = rpc.path
        answer = partial(self._unary[rpc.path].answer, context, (), body, variables)
        try:
            response = await self._calls.run(rpc, len(body), answer, context.address)
        except Exception as error:
            await exchange.respond_error(error, self._public_url)
        else:
            await exchange.respond_short(*response)

    async def _answer_connect(
        self, rpc: Rpc, call: connect.UnaryCall, request: connect.EncodedRequest, exchange: HttpExchange
    ) -> bool:
        context, timeout = exchange.context, exchange.headers.get("connect-timeout-ms", "")
        if not connect.CONNECT_DEADLINE.fullmatch(timeout.encode("latin-1")):
            return False
        context.rpc, context.trace.transport = rpc.path, "connect"
        try:
            response = await connect.within_deadline(timeout, call(request, exchange.headers, context))
        except TimeoutError:
            context.code = CANCELLED
            context.refused = connect.deadline_passed()
        except Exception as error:
            context.refused = error
        else:
            headers = [("Content-Type", exchange.headers["content-type"])]
            await exchange.respond_short(200, headers, response, is_text=not request.codec.is_binary)
            return True
        return False
