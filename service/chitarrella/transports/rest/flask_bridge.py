"""From the event loop to Flask, which routes REST and the pages: requests of ASGI become calls of WSGI."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

from flask import Flask

from chitarrella.api.call_threads import AsyncCalls
from chitarrella.runtime.telemetry import CANCELLED, ObserveRequest
from chitarrella.transports.rest.http_exchange import HttpExchange
from chitarrella.transports.rest.middleware import Cors
from chitarrella.transports.rest.pages import LIVENESS_PATH
from chitarrella.transports.rest.request_body import ClientDisconnected, Receive, Scope, Send, unless_disconnected
from chitarrella.transports.rest.views import RouteTable, routes

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication, WSGIEnvironment


class WsgiResponse(NamedTuple):
    status: int
    headers: list[tuple[str, str]]
    body: bytes


def add_body(environ: WSGIEnvironment, body: bytes) -> None:
    environ["wsgi.input"] = BytesIO(body)
    environ.pop("HTTP_TRANSFER_ENCODING", None)  # the body is whole now
    if body or "CONTENT_LENGTH" in environ:
        environ["CONTENT_LENGTH"] = str(len(body))


def call_wsgi(app: WSGIApplication, environ: WSGIEnvironment) -> WsgiResponse:
    started: list[tuple[str, list[tuple[str, str]]]] = []

    def start(status: str, headers: list[tuple[str, str]], _: Any = None) -> Any:
        started[:] = [(status, headers)]

    parts = app(environ, start)
    try:
        body = b"".join(parts)
    finally:
        if hasattr(parts, "close"):
            parts.close()
    status, headers = started[0]
    return WsgiResponse(int(status[:3]), headers, body)


class FlaskBridge:
    """Answers requests by a Flask application: rpcs where `AsyncCalls` runs them, all else in threads."""

    def __init__(self, flask: Flask, calls: AsyncCalls, observe: ObserveRequest) -> None:
        self._flask = flask
        self._calls = calls
        self._observe = observe
        # Flask matches a path again, and answers
        self._routes = RouteTable(route for route in routes() if route.rpc.stateless or calls.is_short(route.rpc))

    async def answer(self, method: str, path: str, body: bytes, receive: Receive, exchange: HttpExchange) -> None:
        """Answer a request; raises `errors.Overloaded` if Flask has not seen it."""
        add_body(exchange.environ, body)
        call = partial(call_wsgi, self._flask, exchange.environ)
        found = self._routes.find(method, path)
        if path == LIVENESS_PATH:  # also while every thread waits for the store
            response = call()
        elif found is None:
            response = await asyncio.get_running_loop().run_in_executor(self._calls.threads, call)
        else:
            rpc = found[0].rpc
            answering = self._calls.run(rpc, len(body), call, exchange.context.address)
            try:
                is_long = self._calls.is_long(rpc, len(body))
                response = await (unless_disconnected(receive, answering) if is_long else answering)
            except ClientDisconnected:
                exchange.context.rpc, exchange.context.code = rpc.path, CANCELLED
                exchange.record(self._observe)
                return
        try:
            await exchange.respond(*response)
        finally:
            exchange.record(self._observe)


class AdminApp:
    """The ASGI application of the port for operators: Flask in threads of its own. Bodies of requests are not read."""

    def __init__(self, flask: Flask, threads: int, observe: ObserveRequest) -> None:
        self._flask = flask
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="wsgi")
        self._observe = observe
        self._cors = Cors()

    async def __call__(self, scope: Scope, _: object, send: Send) -> None:
        exchange = HttpExchange(scope, self._cors, send)
        if await exchange.has_answered_preflight():
            return
        add_body(exchange.environ, b"")
        call = partial(call_wsgi, self._flask, exchange.environ)
        is_liveness = exchange.path == LIVENESS_PATH
        response = call() if is_liveness else await asyncio.get_running_loop().run_in_executor(self._threads, call)
        try:
            await exchange.respond(*response)
        finally:
            exchange.record(self._observe)

    def close(self) -> None:
        self._threads.shutdown(wait=False)
