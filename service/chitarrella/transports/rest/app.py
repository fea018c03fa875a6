"""The application of the HTTP port: Connect, gRPC-Web and streams on the event loop, all else by Flask."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Response, request

from chitarrella import errors
from chitarrella.api.call_threads import AsyncCalls, AsyncStreams
from chitarrella.api.dispatcher import Dispatcher, rpcs
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.api.request_size import MAX_BYTES
from chitarrella.i18n.translator import translator_for
from chitarrella.runtime.telemetry import CANCELLED, ObserveRequest, Telemetry
from chitarrella.runtime.threads import BoundedExecutor
from chitarrella.transports.rest.connect import GRPC_WEB_TEXT, ConnectRequests, http_methods
from chitarrella.transports.rest.flask_bridge import FlaskBridge
from chitarrella.transports.rest.http_exchange import HttpExchange, compress
from chitarrella.transports.rest.middleware import Cors
from chitarrella.transports.rest.pages import add_health
from chitarrella.transports.rest.problems import PUBLIC_URL, problem_response
from chitarrella.transports.rest.request_body import WHOLE, BodyReader, ClientDisconnected, Receive, Scope, Send
from chitarrella.transports.rest.short_calls import ShortCalls
from chitarrella.transports.rest.streams import WatchRoutes
from chitarrella.transports.rest.views import Segment, UnaryRoute, flask_view, routes
from chitarrella.transports.rest.website.layout import language_of_reader, layout_values


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
        self._trusted_proxies = trusted_proxies
        self._public_url = str(flask.config[PUBLIC_URL])
        self._observe = observe
        self._cors = cors or Cors()
        self._bodies = BodyReader(read_timeout)
        calls = calls or AsyncCalls(BoundedExecutor())
        self._streams = AsyncStreams(dispatcher, calls.threads, heartbeat)
        encoder = JsonEncoder()
        self._short = ShortCalls(dispatcher, calls, encoder, self._public_url)
        self._connect = ConnectRequests(dispatcher, calls, self._streams, encoder)
        self._watch_routes = WatchRoutes(encoder)
        self._flask = FlaskBridge(flask, calls, observe)

    def close(self) -> None:
        self._streams.stop()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        exchange = HttpExchange(scope, self._cors, send, self._trusted_proxies)
        length, is_whole = exchange.headers.get("content-length", ""), WHOLE in scope.get("extensions", ())
        try:
            body = await self._bodies.read(receive, length, exchange.context.address, is_whole=is_whole)
        except ClientDisconnected:
            return
        except Exception as error:
            await self._refuse(exchange, error)
        else:
            await self._answer(scope, body, receive, exchange)

    async def _answer(self, scope: Scope, body: bytes, receive: Receive, exchange: HttpExchange) -> None:
        method, path, content_type = scope["method"], scope["path"], exchange.headers.get("content-type", "")
        if await exchange.has_answered_preflight():
            return None
        if method == "POST":
            try:
                if await self._short.answer(path, body, exchange):
                    return exchange.record(self._observe)
            except asyncio.CancelledError:
                exchange.context.code = CANCELLED
                exchange.record(self._observe)
                raise
        if content_type.lower().startswith(GRPC_WEB_TEXT):
            text = f"gRPC-Web is spoken in binary here: application/grpc-web+proto, not {GRPC_WEB_TEXT}."
            return await self._refuse(exchange, errors.WrongMediaType("wrong_media_type", text))
        if call := self._connect.find(method, path, content_type):
            answering = self._connect.answer(call, scope, body, receive, exchange, content_type)
        elif watch := self._watch_routes.find(method, path):
            answering = watch[0].answer(exchange, watch[1], receive, self._streams, self._public_url)
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


def make_app(
    dispatcher: Dispatcher,
    telemetry: Telemetry,
    add_website: Callable[[Flask, Dispatcher], None],
    *,
    ready: Callable[[], None] = lambda: None,
    public_url: str = "",
) -> Flask:
    """``ready`` raises if the service cannot answer calls. ``public_url`` has no slash at its end."""
    app = _flask(public_url)
    app.url_map.converters["segment"] = Segment
    app.url_map.merge_slashes = False  # a path with an empty segment is unknown, not redirected
    encoder = JsonEncoder()
    for route in routes():
        is_stream = route.rpc.method.server_streaming
        view: Any = _refuse_grpc if is_stream else flask_view(UnaryRoute(route, dispatcher, encoder))
        app.add_url_rule(route.rule, f"rest {route.rpc.path}", view, methods=[route.method])
    for rpc in rpcs():
        app.add_url_rule(rpc.path, f"connect {rpc.path}", _refuse_grpc, methods=http_methods(rpc))
    add_website(app, dispatcher)
    add_health(app, ready, telemetry.metrics)
    return app


def make_admin_app(telemetry: Telemetry, ready: Callable[[], None], public_url: str = "") -> Flask:
    app = _flask(public_url)
    add_health(app, ready, telemetry.metrics)
    return app


def _flask(public_url: str) -> Flask:
    app = Flask("chitarrella.transports.rest.website", static_folder=None)  # the folder with the templates
    app.config["MAX_CONTENT_LENGTH"] = MAX_BYTES
    app.config[PUBLIC_URL] = public_url
    app.context_processor(lambda: layout_values(translator_for(language_of_reader())))
    app.register_error_handler(Exception, problem_response)
    app.after_request(_path_only_location)
    app.after_request(lambda response: compress(response, request))
    return app


def _refuse_grpc() -> Response:
    raise errors.WrongMediaType("wrong_media_type", "gRPC itself has a port of its own; this one speaks gRPC-Web.")


def _path_only_location(response: Response) -> Response:
    """Remove the host from a redirect: Werkzeug takes it from the header Host, which the caller chooses."""
    if response.location:
        response.location = urlsplit(response.location)._replace(scheme="", netloc="").geturl()
    return response
