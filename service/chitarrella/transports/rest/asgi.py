"""The ASGI application of the HTTP port: Connect, gRPC-Web and streams on the event loop, all else by Flask."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from functools import partial

from flask import Flask

from chitarrella import errors
from chitarrella.api.async_calls import AsyncCalls, AsyncStreams
from chitarrella.api.dispatcher import Dispatcher, Rpc
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.runtime.telemetry import CANCELLED, ObserveRequest
from chitarrella.runtime.threads import BoundedExecutor
from chitarrella.transports.rest.connect import ConnectRequests
from chitarrella.transports.rest.http_exchange import HttpExchange
from chitarrella.transports.rest.middleware import Cors, TrustedProxies
from chitarrella.transports.rest.problems import PUBLIC_URL
from chitarrella.transports.rest.request_body import (
    BodyReader,
    ClientDisconnected,
    Receive,
    Scope,
    Send,
    add_body,
    call_wsgi,
    environ_of,
    send_response,
    unless_disconnected,
)
from chitarrella.transports.rest.streams import WatchRoutes
from chitarrella.transports.rest.views import VARIABLE, Route, Segment, routes


class LoopRoutes:
    """The routes whose calls `AsyncCalls` runs; Flask matches all of them again, and answers."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self._fixed: dict[tuple[str, str], Rpc] = {}
        self._patterns: list[tuple[str, re.Pattern[str], Rpc]] = []
        for route in routes:
            if VARIABLE.search(route.path):
                parts = (re.escape(part) for part in VARIABLE.sub("\0", route.path).split("\0"))
                self._patterns.append((route.method, re.compile(Segment.regex.join(parts)), route.rpc))
            else:
                self._fixed[route.method, route.path] = route.rpc

    def find(self, method: str, path: str) -> Rpc | None:
        if (rpc := self._fixed.get((method, path))) is not None:
            return rpc
        for wanted, pattern, found in self._patterns:
            if wanted == method and pattern.fullmatch(path):
                return found
        return None


# How a request of the HTTP port is answered by Flask


class FlaskRequests:
    """Answers requests by a Flask application, whose middleware records them."""

    def __init__(self, flask: Flask, calls: AsyncCalls, observe: ObserveRequest) -> None:
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


class HttpApp:
    """The ASGI application in front of a dispatcher and a Flask application."""

    def __init__(
        self,
        flask: Flask,
        dispatcher: Dispatcher,
        observe: ObserveRequest,
        *,
        calls: AsyncCalls | None = None,
        heartbeat: float = 15.0,
        read_timeout: float = 30.0,
        cors: Cors | None = None,
        trusted_proxies: int = 0,
    ) -> None:
        """Answer by ``dispatcher`` what does not need ``flask``; report it to ``observe``.

        ``calls`` says where calls run. ``heartbeat`` is the longest silence of a stream, ``read_timeout`` the longest
        time for a body, in seconds. ``trusted_proxies`` is the number of proxies in front that append to
        X-Forwarded-For.
        """
        self.proxies = TrustedProxies(trusted_proxies)
        self._public_url = str(flask.config[PUBLIC_URL])
        self._observe = observe
        self._cors = cors or Cors()
        self._bodies = BodyReader(read_timeout)
        calls = calls or AsyncCalls(BoundedExecutor())
        self._streams = AsyncStreams(dispatcher, calls.threads, heartbeat)
        encoder = JsonEncoder()
        self._connect = ConnectRequests(dispatcher, calls, self._streams, encoder)
        self._watch_routes = WatchRoutes(encoder)
        self._flask_requests = FlaskRequests(flask, calls, observe)

    def close(self) -> None:
        self._streams.stop()

    async def refuse(self, scope: Scope, _: Receive, send: Send) -> None:
        """Refuse a request, because there are too many, without reading its body."""
        await self._refuse(HttpExchange(environ_of(scope), self._cors, send), errors.Overloaded())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        environ = environ_of(scope)
        environ["REMOTE_ADDR"] = self.proxies.address(environ)
        exchange = HttpExchange(environ, self._cors, send)
        try:
            body = await self._bodies.read(receive, environ)
        except ClientDisconnected:
            return
        except Exception as error:
            await self._refuse(exchange, error)
        else:
            await self._answer(scope, body, receive, exchange, send)

    async def _answer(self, scope: Scope, body: bytes, receive: Receive, exchange: HttpExchange, send: Send) -> None:
        method, path, content_type = scope["method"], scope["path"], exchange.environ.get("CONTENT_TYPE", "")
        if call := self._connect.find(method, path, content_type):
            answering = self._connect.answer(call, scope, body, receive, exchange, content_type)
        elif watch := self._watch_routes.find(method, path):
            answering = watch.view.answer(exchange, watch.variables, receive, self._streams, self._public_url)
        else:
            try:
                return await self._flask_requests.answer(method, path, body, receive, exchange, send)
            except errors.Overloaded as error:
                return await self._refuse(exchange, error)
        try:
            await answering
        finally:
            exchange.record(self._observe)

    async def _refuse(self, exchange: HttpExchange, error: Exception) -> None:
        await exchange.respond_error(error, self._public_url)
        exchange.record(self._observe)
