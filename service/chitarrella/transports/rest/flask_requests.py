"""How a request of the HTTP port is answered by Flask: on the event loop where the call is short, else in a thread."""

from __future__ import annotations

import asyncio
from functools import partial

from flask import Flask

from chitarrella.api.async_calls import AsyncCalls
from chitarrella.transports.rest.http_exchange import HttpExchange
from chitarrella.transports.rest.loop_routes import LoopRoutes
from chitarrella.transports.rest.routes import routes
from chitarrella.transports.rest.wsgi import Send, add_body, call_wsgi, send_response


class FlaskRequests:
    """Answers requests by a Flask application, whose middleware records them."""

    def __init__(self, flask: Flask, calls: AsyncCalls) -> None:
        """Answer by ``flask``; ``calls`` says where calls run."""
        self._flask = flask
        self._calls = calls
        self._loop_routes = LoopRoutes(route for route in routes() if calls.is_short(route.rpc))

    async def answer(self, method: str, path: str, body: bytes, exchange: HttpExchange, send: Send) -> None:
        """Answer a request; raises `errors.Overloaded` if Flask has not seen it."""
        add_body(exchange.environ, body)
        call = partial(call_wsgi, self._flask, exchange.environ)
        if rpc := self._loop_routes.find(method, path):
            response = await self._calls.run(rpc, len(body), call)
        else:
            response = await asyncio.get_running_loop().run_in_executor(self._calls.threads, call)
        await send_response(response, send)
