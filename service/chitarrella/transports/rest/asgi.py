"""The ASGI application of the HTTP port: Connect, gRPC-Web and streams on the event loop, all else by Flask."""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from functools import partial
from typing import Any

from flask import Flask
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Map, Rule

from chitarrella import errors
from chitarrella.api.addresses import forwarded_address
from chitarrella.api.async_calls import AsyncCalls, AsyncStreams
from chitarrella.api.dispatcher import Dispatcher, Rpc, rpcs
from chitarrella.api.executor import BoundedExecutor
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.api.telemetry import ObserveRequest
from chitarrella.transports.rest.connect import (
    ConnectApp,
    http_methods,
    is_grpc,
    take_unreadable_deadline,
    transport_of,
    unknown_rpc,
)
from chitarrella.transports.rest.connect_endpoints import CONTEXT
from chitarrella.transports.rest.cors import Cors
from chitarrella.transports.rest.exchange import Exchange
from chitarrella.transports.rest.loop_routes import LoopRoutes
from chitarrella.transports.rest.problems import PUBLIC_URL
from chitarrella.transports.rest.request_body import ClientDisconnected, Receive, read_body, received
from chitarrella.transports.rest.routes import Segment, routes
from chitarrella.transports.rest.watch_view import WatchView
from chitarrella.transports.rest.wsgi import Send, add_body, call_wsgi, environ_of, send_response

Scope = MutableMapping[str, Any]
"""What ASGI says about a connection or request."""


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
        time for a body, in seconds. So many ``trusted_proxies`` before it add to X-Forwarded-For.
        """
        self._flask = flask
        self._observe = observe
        self._cors = cors or Cors()
        self._read_timeout = read_timeout
        self._trusted_proxies = trusted_proxies
        self._calls = calls or AsyncCalls(BoundedExecutor())
        self._streams = AsyncStreams(dispatcher, self._calls.threads, heartbeat)
        encoder = JsonEncoder()
        self._connect: Any = ConnectApp(dispatcher, self._calls, self._streams, encoder)
        self._connect_methods = {rpc.path: http_methods(rpc) for rpc in rpcs()}
        self._loop_routes = LoopRoutes(route for route in routes() if self._calls.is_short(route.rpc))
        watched = [route for route in routes() if route.rpc.method.server_streaming]
        self._views = {route.rpc.path: WatchView(route, encoder) for route in watched}
        rules = [Rule(route.rule, endpoint=route.rpc.path, methods=[route.method]) for route in watched]
        self._map = Map(rules, converters={"segment": Segment}, merge_slashes=False).bind("")

    def close(self) -> None:
        """End the streams."""
        self._streams.stop()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        environ = environ_of(scope)
        forwarded_for = environ.get("HTTP_X_FORWARDED_FOR")
        environ["REMOTE_ADDR"] = forwarded_address(environ["REMOTE_ADDR"], forwarded_for, self._trusted_proxies)
        exchange = Exchange(environ, self._cors, send)
        method, path = scope["method"], scope["path"]
        try:
            body = await read_body(receive, environ.get("CONTENT_LENGTH", ""), self._read_timeout)
        except ClientDisconnected:
            return
        except Exception as error:
            await exchange.respond_error(error, self._public_url)
            exchange.record(self._observe)
            return
        content_type = environ.get("CONTENT_TYPE", "")
        if method in self._connect_methods.get(path, ()) and not is_grpc(content_type):
            exchange.context.rpc = path
            await self._answer_connect(scope, received(body, receive), exchange, content_type)
        elif path not in self._connect_methods and (refused_at := unknown_rpc(method, path, content_type)):
            unknown = {**scope, "path": refused_at}
            await self._answer_connect(unknown, received(body, receive), exchange, content_type)
        elif path.endswith(":watch") and (found := self._match(path, method)):
            view, variables = found
            try:
                await view.answer(exchange, variables, receive, self._streams, self._public_url)
            finally:
                exchange.record(self._observe)
        else:
            add_body(environ, body)
            await self._answer_by_flask(exchange, self._loop_routes.find(method, path), len(body), send)

    async def _answer_by_flask(self, exchange: Exchange, rpc: Rpc | None, size: int, send: Send) -> None:
        call = partial(call_wsgi, self._flask, exchange.environ)
        try:
            if rpc is not None:
                response = await self._calls.run(rpc, size, call)
            else:
                response = await asyncio.get_running_loop().run_in_executor(self._calls.threads, call)
        except errors.Overloaded as error:  # Flask has not seen the request
            await exchange.respond_error(error, self._public_url)
            exchange.record(self._observe)
        else:
            await send_response(response, send)

    @property
    def _public_url(self) -> str:
        return str(self._flask.config[PUBLIC_URL])

    def _match(self, path: str, method: str) -> tuple[WatchView, dict[str, str]] | None:
        """Return the view of a stream and the variables of its path; None if Flask is to answer."""
        try:
            endpoint, variables = self._map.match(path, method)
        except HTTPException:
            return None
        return self._views[endpoint], dict(variables)

    async def _answer_connect(self, scope: Scope, receive: Receive, exchange: Exchange, content_type: str) -> None:
        CONTEXT.set(context := exchange.context)
        context.trace.transport = transport_of(content_type)
        headers = list(scope["headers"])
        context.refused = take_unreadable_deadline(headers, context.trace.transport)
        try:
            await self._connect({**scope, "headers": headers}, receive, exchange.send)
        except asyncio.CancelledError:
            context.code = "cancelled"
            raise
        finally:
            if context.raised is not None:  # the library keeps it in a frame, and with it the request: a cycle
                context.raised.__traceback__ = None
            exchange.record(self._observe)
