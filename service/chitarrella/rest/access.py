"""Around every request: an id under which the log knows it, the time it took, the line in the log, and leave for pages.

It says which rpc was called and with what outcome; never what was asked or answered, nor by whom.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from chitarrella.api.caller import request_id_of
from chitarrella.rest.cors import ON_ALL, ON_PREFLIGHT, is_preflight

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

REQUEST_ID: Final = "X-Request-Id"
CALL: Final = "chitarrella.call"

Observe = Callable[[str, str, str, float, str], None]
"""Told of every call: door, rpc, reason code ("ok" if none), seconds, request id."""


class Call:
    """What is noted down about a request while it is answered."""

    __slots__ = ("code", "door", "request_id", "rpc", "stream")

    def __init__(self, request_id: str) -> None:
        """Begin with nothing but its id; a request without an rpc is noted down only if it fails."""
        self.request_id = request_id
        self.door = "rest"
        self.rpc = ""
        self.code = "ok"
        self.stream = False


def call_of(environ: WSGIEnvironment) -> Call:
    """Find the note of the request at hand."""
    call: Call = environ[CALL]
    return call


class Access:
    """A WSGI application with its doorkeeper."""

    def __init__(self, app: WSGIApplication, observe: Observe) -> None:
        """Stand before ``app``, and tell ``observe``."""
        self._app = app
        self._observe = observe

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        begun = time.perf_counter()
        call = environ[CALL] = Call(request_id_of(environ.get("HTTP_X_REQUEST_ID")))

        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            headers.extend(ON_ALL)
            headers.append((REQUEST_ID, call.request_id))
            return start_response(status, headers, exc_info)

        def note() -> None:
            if call.rpc or call.code != "ok":
                self._observe(call.door, call.rpc or "none", call.code, time.perf_counter() - begun, call.request_id)

        if is_preflight(environ):
            start("204 No Content", list(ON_PREFLIGHT))
            return []
        answer = self._app(environ, start)
        if call.stream:
            return _Streaming(answer, note)
        note()
        return answer


class _Streaming:
    """A stream that is noted down when it has ended."""

    def __init__(self, parts: Iterable[bytes], note: Callable[[], None]) -> None:
        self._parts = parts
        self._note = note

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._parts)

    def close(self) -> None:
        """End the stream; the server calls it, however the stream ended."""
        try:
            if hasattr(self._parts, "close"):
                self._parts.close()
        finally:
            self._note()
