"""A request that is answered on the event loop, and the response to it."""

from __future__ import annotations

import asyncio
import gzip
import time
from collections.abc import AsyncIterator, MutableMapping
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final

from flask import Request, Response
from werkzeug.http import parse_accept_header

from chitarrella.api.caller import forwarded_address
from chitarrella.api.retry_headers import Headers
from chitarrella.api.status import error_of
from chitarrella.runtime.telemetry import OK, CallRecord, ObserveRequest
from chitarrella.transports.rest.middleware import CONTEXT_KEY, Cors, RequestContext, context_of
from chitarrella.transports.rest.pages import SVG
from chitarrella.transports.rest.problems import HTML, JSON, PROBLEM_JSON, error_response, problem
from chitarrella.transports.rest.request_body import Receive, Scope, Send, disconnected, encoded, environ_of, headers_of

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment


# Compression of responses with gzip, if the caller accepts it (RFC 9110, section 12.5.3)


GZIP: Final = "gzip"
MIN_BYTES: Final = 1024  # a shorter body fits into one packet as it is
LEVEL: Final = 6  # the level of gzip, from 1 for fast to 9 for small
# Types of whole bodies; those of streams are not among them.
COMPRESSIBLE: Final = frozenset({JSON, PROBLEM_JSON, HTML, "text/css", "text/javascript", "text/plain", SVG})
NO_WHOLE_BODY: Final = frozenset({204, 206, 304})  # statuses without a body, or with a part of one


def compress(response: Response, http_request: Request) -> Response:
    """Compress the response to a request where the caller accepts it.

    Every entity tag in the answer to such a caller is weak, also that of a short body and of 304: it stands for the
    content, whether compressed or not, and a body and its 304 have the same one.
    """
    headers = response.headers
    if response.mimetype not in COMPRESSIBLE or context_of(http_request.environ).trace.transport != "rest":
        return response
    vary = headers.get("Vary")
    headers["Vary"] = f"{vary}, Accept-Encoding" if vary else "Accept-Encoding"
    if not accepts_gzip(http_request.headers.get("Accept-Encoding", "")):
        return response
    if (tag := headers.get("ETag", "")).startswith('"'):
        headers["ETag"] = f"W/{tag}"
    if response.status_code in NO_WHOLE_BODY or "Content-Encoding" in headers:
        return response
    is_shared = response.direct_passthrough or headers.get("Cache-Control", "").startswith("public")
    response.direct_passthrough = False  # otherwise Flask does not read a file
    body = response.get_data()
    if len(body) >= MIN_BYTES:
        response.set_data(_compressed_page(body) if is_shared else gzip.compress(body, LEVEL, mtime=0))
        headers["Content-Encoding"] = GZIP
    return response


@lru_cache(maxsize=256)
def accepts_gzip(accept_encoding: str) -> bool:
    return parse_accept_header(accept_encoding).best_match([GZIP, "identity"]) == GZIP


@lru_cache(maxsize=64)
def _compressed_page(body: bytes) -> bytes:
    """Return a body compressed; only for pages, which are the same for everybody: nothing secret stays in memory."""
    return gzip.compress(body, LEVEL, mtime=0)


class HttpExchange:
    """A request and the response to it, with the headers that every response has."""

    def __init__(self, scope: Scope, cors: Cors, send: Send, trusted_proxies: int = 0) -> None:
        self.scope = scope
        self.headers = headers = headers_of(scope)
        peer = scope["client"][0] if scope["client"] else ""  # nobody's at a Unix socket
        address = forwarded_address(peer, headers.get("x-forwarded-for"), trusted_proxies)
        self.context = RequestContext(headers, address)
        self.path: str = scope["path"]
        self.has_begun = False
        self._status = 0
        self._cors = cors
        self._send = send
        self._started = time.perf_counter()

    @cached_property
    def environ(self) -> WSGIEnvironment:
        """The request as Flask reads it."""
        environ = environ_of(self.scope, self.headers, self.context.address)
        environ[CONTEXT_KEY] = self.context
        return environ

    async def send(self, message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
            cors = self._cors.response_headers(self.scope["method"], self.headers)
            headers = [*cors, *self.context.headers()]
            message["headers"] = [*message["headers"], *encoded(headers)]
        await self._send(message)

    async def begin(self, status: int, headers: list[tuple[str, str]]) -> None:
        self.has_begun = True
        await self.send({"type": "http.response.start", "status": status, "headers": encoded(headers)})

    async def send_body(self, body: bytes, *, more: bool = False) -> None:
        await self._send({"type": "http.response.body", "body": body, "more_body": more})

    async def respond(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        await self.begin(status, headers)
        await self.send_body(body)

    async def respond_short(self, status: int, headers: Headers, body: bytes, *, is_text: bool = True) -> None:
        """Respond without Flask; text is compressed if it is long and the caller accepts it."""
        headers = [*headers, ("Vary", "Accept-Encoding")]
        if is_text and len(body) >= MIN_BYTES and accepts_gzip(self.headers.get("accept-encoding", "")):
            body = gzip.compress(body, LEVEL, mtime=0)
            headers.append(("Content-Encoding", GZIP))
        await self.respond(status, [*headers, ("Content-Length", str(len(body)))], body)

    async def has_answered_preflight(self) -> bool:
        """Answer a CORS preflight; False for any other request, also one that asks for the methods of a path."""
        if self.scope["method"] != "OPTIONS" or "access-control-request-method" not in self.headers:
            return False
        await self.respond(204, self._cors.preflight_headers, b"")
        return True

    async def respond_error(self, error: Exception, public_url: str) -> None:
        http_request = Request(self.environ)
        response = compress(error_response(error, http_request, public_url), http_request)
        await self.respond(response.status_code, list(response.headers), response.get_data())

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
        failure = error_of(error, self.context.request_id)
        self.context.code = failure.code
        language = self.headers.get("accept-language", "")
        return problem(failure, self.path, self.context.request_id, public_url, language)

    def record(self, observe: ObserveRequest) -> None:
        """Report the request; one without an rpc is reported only if it failed."""
        context, seconds = self.context, time.perf_counter() - self._started
        if context.rpc or context.code != OK:
            trace, rpc, status = context.trace, context.rpc or "none", str(self._status or "")
            of_call = trace.transport, rpc, context.code, seconds, context.request_id
            observe(CallRecord(time.time(), *of_call, status, context.path, trace.platform, trace.trace_id))
