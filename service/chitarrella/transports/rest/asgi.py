"""The ASGI application of the HTTP port: Connect, gRPC-Web and streams on the event loop, all else by Flask."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, MutableMapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from flask import Flask, Request
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Map, Rule

from chitarrella import errors
from chitarrella.api.async_calls import AsyncCalls, AsyncStream, AsyncStreams
from chitarrella.api.caller import request_id_of
from chitarrella.api.dispatcher import Dispatcher, rpcs
from chitarrella.api.executor import BoundedExecutor
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.api.status import error_of
from chitarrella.api.telemetry import ObserveRequest
from chitarrella.transports.rest.compression import compress
from chitarrella.transports.rest.connect import ConnectApp, http_methods, is_grpc, transport_of
from chitarrella.transports.rest.connect_endpoints import CONTEXT
from chitarrella.transports.rest.cors import Cors
from chitarrella.transports.rest.headers import caller_of
from chitarrella.transports.rest.middleware import CONTEXT_KEY, REQUEST_ID, RequestContext
from chitarrella.transports.rest.problems import PUBLIC_URL, error_response, problem
from chitarrella.transports.rest.request_body import ClientDisconnected, Receive, read_body, received
from chitarrella.transports.rest.routes import Segment, routes
from chitarrella.transports.rest.watch_view import StreamFormat, WatchView, stream_body
from chitarrella.transports.rest.wsgi import add_body, call_wsgi, encoded, environ_of, send_response

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

Scope = MutableMapping[str, Any]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

THREADS: Final = 16
"""Requests that wait for the store, or are answered by Flask, at the same time."""


class HttpApp:
    """The ASGI application in front of a dispatcher and a Flask application."""

    def __init__(
        self,
        flask: Flask,
        dispatcher: Dispatcher,
        observe: ObserveRequest,
        *,
        heartbeat: float = 15.0,
        read_timeout: float = 30.0,
        cors: Cors | None = None,
    ) -> None:
        """Answer by ``dispatcher`` what does not need ``flask``; report it to ``observe``.

        ``heartbeat`` is the longest silence of a stream, ``read_timeout`` the longest time for a body, in seconds.
        """
        self._flask = flask
        self._observe = observe
        self._cors = cors or Cors()
        self._read_timeout = read_timeout
        self._threads = BoundedExecutor(THREADS, "rest")
        self._streams = AsyncStreams(dispatcher, self._threads, heartbeat)
        encoder = JsonEncoder()
        self._connect: Any = ConnectApp(dispatcher, AsyncCalls(self._threads), self._streams, encoder)
        self._connect_methods = {rpc.path: http_methods(rpc) for rpc in rpcs()}
        watched = [route for route in routes() if route.rpc.method.server_streaming]
        self._views = {route.rpc.path: WatchView(route, encoder) for route in watched}
        rules = [Rule(route.rule, endpoint=route.rpc.path, methods=[route.method]) for route in watched]
        self._map = Map(rules, converters={"segment": Segment}, merge_slashes=False).bind("")

    def close(self) -> None:
        """End the streams, and stop the threads when their calls are answered."""
        self._streams.stop()
        self._threads.shutdown(wait=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        environ = environ_of(scope)
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
            exchange.context.rpc, exchange.context.transport = path, transport_of(content_type)
            await self._answer_connect(scope, received(body, receive), exchange)
        elif path.endswith(":watch") and (found := self._match(path, method)):
            await self._answer_watch(*found, receive, exchange)
        else:
            add_body(environ, body)
            await self._answer_by_flask(environ, exchange, send)

    async def _answer_by_flask(self, environ: WSGIEnvironment, exchange: Exchange, send: Send) -> None:
        call = partial(call_wsgi, self._flask, environ)
        try:
            response = await asyncio.get_running_loop().run_in_executor(self._threads, call)
        except errors.Overloaded as error:  # Flask has not seen the request
            await exchange.respond_error(error, self._public_url)
            exchange.record(self._observe)
        else:
            await send_response(response, send)

    @property
    def waiting(self) -> int:
        """How many requests wait for a thread."""
        return self._threads.waiting

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

    async def _answer_connect(self, scope: Scope, receive: Receive, exchange: Exchange) -> None:
        CONTEXT.set(context := exchange.context)
        try:
            await self._connect(scope, receive, exchange.send)
        except asyncio.CancelledError:
            context.code = "cancelled"
            raise
        finally:
            if context.raised is not None:  # the library keeps it in a frame, and with it the request: a cycle
                context.raised.__traceback__ = None
            exchange.record(self._observe)

    async def _answer_watch(
        self, view: WatchView, variables: dict[str, str], receive: Receive, exchange: Exchange
    ) -> None:
        """Stream until the watch ends or the client disconnects."""
        exchange.context.rpc = path = view.route.rpc.path
        http_request = Request(exchange.environ)
        try:
            caller = caller_of(exchange.environ)
            message = view.request(http_request, variables)
            async with self._streams.open(path, lambda: message, caller) as stream:
                if view.last_event_id(http_request) and stream.is_over:
                    await exchange.begin(204, [])  # tells a browser not to reconnect
                    await exchange.send_body(b"")
                    return
                await exchange.begin(200, (stream_format := view.format(http_request)).headers)
                if http_request.method != "HEAD":
                    await self._send_stream(stream, stream_format, receive, exchange)
                await exchange.send_body(b"")
        except Exception as error:
            if not exchange.has_begun:
                await exchange.respond_error(error, self._public_url)
        finally:
            exchange.record(self._observe)

    async def _send_stream(
        self, stream: AsyncStream, stream_format: StreamFormat, receive: Receive, exchange: Exchange
    ) -> None:
        def format_error(error: Exception) -> dict[str, Any]:
            failure = error_of(error, exchange.context.request_id)
            exchange.context.code = failure.code
            return problem(failure, exchange.path, exchange.context.request_id, self._public_url)

        async def write() -> None:
            async for part in stream_body(stream, stream_format, format_error):
                await exchange.send_body(part, more=True)

        writing = asyncio.create_task(write())
        leaving = asyncio.create_task(_disconnected(receive))
        try:
            await asyncio.wait((writing, leaving), return_when=asyncio.FIRST_COMPLETED)
            if writing.done():
                await writing
        finally:
            for task in (writing, leaving):
                task.cancel()


class Exchange:
    """A request and the response to it, with the headers that every response has."""

    def __init__(self, environ: WSGIEnvironment, cors: Cors, send: Send) -> None:
        """Respond to the request of ``environ`` by ``send``."""
        self.environ = environ
        self.context = environ[CONTEXT_KEY] = RequestContext(request_id_of(environ.get("HTTP_X_REQUEST_ID")))
        self.path = environ["PATH_INFO"]
        self.has_begun = False
        self._cors = cors
        self._send = send
        self._started = time.perf_counter()

    async def send(self, message: MutableMapping[str, Any]) -> None:
        """Send a message of the ASGI application of a library."""
        if message["type"] == "http.response.start":
            headers = [*self._cors.response_headers(self.environ), (REQUEST_ID, self.context.request_id)]
            message["headers"] = [*message["headers"], *encoded(headers)]
        await self._send(message)

    async def begin(self, status: int, headers: list[tuple[str, str]]) -> None:
        """Send status and headers."""
        self.has_begun = True
        await self.send({"type": "http.response.start", "status": status, "headers": encoded(headers)})

    async def send_body(self, body: bytes, *, more: bool = False) -> None:
        """Send a part of the body, the last one unless there is ``more``."""
        await self._send({"type": "http.response.body", "body": body, "more_body": more})

    async def respond_error(self, error: Exception, public_url: str) -> None:
        """Send the problem of an error."""
        http_request = Request(self.environ)
        response = compress(error_response(error, http_request, public_url), http_request)
        await self.begin(response.status_code, list(response.headers))
        await self.send_body(response.get_data())

    def record(self, observe: ObserveRequest) -> None:
        """Report the request; one without an rpc is reported only if it failed."""
        context, seconds = self.context, time.perf_counter() - self._started
        if context.rpc or context.code != "ok":
            observe(context.transport, context.rpc or "none", context.code, seconds, context.request_id)


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
