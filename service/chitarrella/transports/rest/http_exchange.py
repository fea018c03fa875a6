"""A request that is answered on the event loop, and the response to it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, MutableMapping
from typing import TYPE_CHECKING, Any

from flask import Request

from chitarrella.api.status import error_of
from chitarrella.api.telemetry import OK, ObserveRequest
from chitarrella.transports.rest.compression import compress
from chitarrella.transports.rest.cors import Cors
from chitarrella.transports.rest.middleware import CONTEXT_KEY, RequestContext
from chitarrella.transports.rest.problems import error_response, problem
from chitarrella.transports.rest.request_body import Receive, disconnected
from chitarrella.transports.rest.wsgi import Send, encoded

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment


class HttpExchange:
    """A request and the response to it, with the headers that every response has."""

    def __init__(self, environ: WSGIEnvironment, cors: Cors, send: Send) -> None:
        """Respond to the request of ``environ`` by ``send``."""
        self.environ = environ
        self.context = environ[CONTEXT_KEY] = RequestContext(environ)
        self.path = environ["PATH_INFO"]
        self.has_begun = False
        self._cors = cors
        self._send = send
        self._started = time.perf_counter()

    async def send(self, message: MutableMapping[str, Any]) -> None:
        """Send a message of the ASGI application of a library."""
        if message["type"] == "http.response.start":
            headers = [*self._cors.response_headers(self.environ), *self.context.headers()]
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

    async def send_parts(self, parts: AsyncIterator[bytes], receive: Receive) -> None:
        """Send the parts of the body until there are no more, or the client disconnects."""

        async def write() -> None:
            async for part in parts:
                await self.send_body(part, more=True)

        writing, leaving = asyncio.create_task(write()), asyncio.create_task(disconnected(receive))
        try:
            await asyncio.wait((writing, leaving), return_when=asyncio.FIRST_COMPLETED)
            if writing.done():
                await writing
        finally:
            for task in (writing, leaving):
                task.cancel()

    def problem(self, error: Exception, public_url: str) -> dict[str, Any]:
        """Record the error that cuts off a stream, and return it as a problem."""
        failure = error_of(error, self.context.request_id)
        self.context.code = failure.code
        return problem(failure, self.path, self.context.request_id, public_url)

    def record(self, observe: ObserveRequest) -> None:
        """Report the request; one without an rpc is reported only if it failed."""
        context, seconds = self.context, time.perf_counter() - self._started
        if context.rpc or context.code != OK:
            trace = context.trace
            observe(trace.transport, context.rpc or "none", context.code, seconds, context.request_id, trace.trace_id)
