"""WSGI middleware: request id, duration, log and metrics of every request, and CORS.

It records the rpc and its outcome; never the content of the request or response, nor the caller.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from chitarrella.api.caller import request_id_of
from chitarrella.api.rate_headers import Headers, RateReport
from chitarrella.api.telemetry import OK, ObserveRequest
from chitarrella.api.tracing import TraceContext
from chitarrella.transports.rest.cors import Cors, is_preflight

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

REQUEST_ID: Final = "X-Request-Id"
"""The header with the id of a request."""
CONTEXT_KEY: Final = "chitarrella.request"
"""The name of the `RequestContext` in the environment of WSGI."""


class RequestContext:
    """What is recorded about a request while it is answered; a request without an rpc is recorded only if it fails."""

    __slots__ = ("address", "code", "raised", "rate", "refused", "request_id", "retry", "rpc", "trace")

    def __init__(self, environ: WSGIEnvironment) -> None:
        """Start with id, trace and address of the call; the address is not recorded. Views fill in the rest.

        ``refused`` is an error that was found before the rpc was called, for whoever would call it; ``retry`` are the
        headers about a retry that the library of Connect does not know of.
        """
        self.request_id = request_id_of(environ.get("HTTP_X_REQUEST_ID"))
        self.trace = TraceContext("rest", lambda name: environ.get(f"HTTP_{name.upper()}"))
        self.address = environ.get("REMOTE_ADDR", "")
        self.rpc = ""
        self.code = OK
        self.raised: Exception | None = None
        self.refused: Exception | None = None
        self.rate = RateReport()
        self.retry: Headers = []

    def headers(self) -> Headers:
        """Return the headers that every response has: the id of the request, and what is left of a rate."""
        return [*self.retry, *self.rate.headers(), (REQUEST_ID, self.request_id)]


def context_of(environ: WSGIEnvironment) -> RequestContext:
    """Return the context of a request."""
    context: RequestContext = environ[CONTEXT_KEY]
    return context


class RequestMiddleware:
    """A WSGI application wrapped around another."""

    def __init__(self, app: WSGIApplication, observe: ObserveRequest, cors: Cors) -> None:
        """Wrap ``app``; report every request to ``observe``, and add the headers of ``cors`` to every response."""
        self._app = app
        self._cors = cors
        self._observe = observe

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        started = time.perf_counter()
        context = environ[CONTEXT_KEY] = RequestContext(environ)

        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            headers.extend(self._cors.response_headers(environ))
            headers.extend(context.headers())
            return start_response(status, headers, exc_info)

        def record() -> None:
            if context.rpc or context.code != OK:
                self._observe(
                    context.trace.transport,
                    context.rpc or "none",
                    context.code,
                    time.perf_counter() - started,
                    context.request_id,
                    context.trace.trace_id,
                )

        if is_preflight(environ):
            start("204 No Content", self._cors.preflight_headers())
            return []
        response = self._app(environ, start)
        record()
        return response
