"""How a request of the HTTP port is answered by Flask: on the event loop where the call is short, else in a thread.

A long call ends when its client disconnects: it would need the processor for nobody.
"""

from __future__ import annotations

import asyncio
from functools import partial

from flask import Flask

from chitarrella.api.async_calls import AsyncCalls
from chitarrella.api.telemetry import CANCELLED, ObserveRequest
from chitarrella.transports.rest.http_exchange import HttpExchange
from chitarrella.transports.rest.loop_routes import LoopRoutes
from chitarrella.transports.rest.request_body import ClientDisconnected, Receive, unless_disconnected
from chitarrella.transports.rest.routes import routes
from chitarrella.transports.rest.wsgi import Send, add_body, call_wsgi, send_response


class FlaskRequests:
    """Answers requests by a Flask application, whose middleware records them."""

    def __init__(self, flask: Flask, calls: AsyncCalls, observe: ObserveRequest) -> None:
        """Answer by ``flask``; ``calls`` says where calls run. Those whose clients have gone are for ``observe``."""
        self._flask = flask
        self._calls = calls
        self._observe = observe
        found = (route for route in routes() if route.rpc.stateless or calls.is_short(route.rpc))
        self._routes = LoopRoutes(found)

    async def answer(
        self, method: str, path: str, body: bytes, receive: Receive, exchange: HttpExchange, send: Send
    ) -> None:
        """Answer a request; raises `errors.Overloaded` if Flask has not seen it."""
        add_body(exchange.environ, body)
        call = partial(call_wsgi, self._flask, exchange.environ)
        rpc = self._routes.find(method, path)
        if rpc is None:
            response = await asyncio.get_running_loop().run_in_executor(self._calls.threads, call)
        else:
            answering = self._calls.run(rpc, len(body), call, exchange.context.address)
            try:
                is_long = self._calls.is_long(rpc, len(body))
                response = await (unless_disconnected(receive, answering) if is_long else answering)
            except ClientDisconnected:
                exchange.context.rpc, exchange.context.code = rpc.path, CANCELLED
                exchange.record(self._observe)
                return
        await send_response(response, send)
