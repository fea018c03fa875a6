"""The ASGI application of the HTTP port: Connect, gRPC-Web and streams on the event loop, all else by Flask."""

from __future__ import annotations

from flask import Flask

from chitarrella import errors
from chitarrella.api.async_calls import AsyncCalls, AsyncStreams
from chitarrella.api.dispatcher import Dispatcher
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.runtime.telemetry import ObserveRequest
from chitarrella.runtime.threads import BoundedExecutor
from chitarrella.transports.rest.connect import ConnectRequests
from chitarrella.transports.rest.flask_bridge import FlaskBridge
from chitarrella.transports.rest.http_exchange import HttpExchange
from chitarrella.transports.rest.middleware import Cors, TrustedProxies
from chitarrella.transports.rest.problems import PUBLIC_URL
from chitarrella.transports.rest.request_body import BodyReader, ClientDisconnected, Receive, Scope, Send, environ_of
from chitarrella.transports.rest.streams import WatchRoutes


class HttpApp:
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
        """``heartbeat`` is the longest silence of a stream, ``read_timeout`` that of a body, in seconds."""
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
        self._flask = FlaskBridge(flask, calls, observe)

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
            await self._answer(scope, body, receive, exchange)

    async def _answer(self, scope: Scope, body: bytes, receive: Receive, exchange: HttpExchange) -> None:
        method, path, content_type = scope["method"], scope["path"], exchange.environ.get("CONTENT_TYPE", "")
        if await exchange.has_answered_preflight():
            return None
        if call := self._connect.find(method, path, content_type):
            answering = self._connect.answer(call, scope, body, receive, exchange, content_type)
        elif watch := self._watch_routes.find(method, path):
            answering = watch.view.answer(exchange, watch.variables, receive, self._streams, self._public_url)
        else:
            try:
                return await self._flask.answer(method, path, body, receive, exchange)
            except errors.Overloaded as error:
                return await self._refuse(exchange, error)
        try:
            await answering
        finally:
            exchange.record(self._observe)

    async def _refuse(self, exchange: HttpExchange, error: Exception) -> None:
        await exchange.respond_error(error, self._public_url)
        exchange.record(self._observe)
