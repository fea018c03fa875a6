"""From ASGI to WSGI: the environment of a request, and the response of a WSGI application to it.

Bodies are whole on both sides: the thread of a WSGI application never waits for a client.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication, WSGIEnvironment

FORM_NAMES: Final = {"CONTENT_TYPE", "CONTENT_LENGTH"}
"""The headers that WSGI knows without the prefix ``HTTP_``."""

Scope = MutableMapping[str, Any]
"""What ASGI says about a connection or request."""
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
"""Sends a message to the client, by ASGI."""


class WsgiResponse(NamedTuple):
    """A response with its whole body."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes


def environ_of(scope: Mapping[str, Any]) -> WSGIEnvironment:
    """Return the WSGI environment of an ASGI scope; `add_body` adds the body."""
    environ: WSGIEnvironment = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": scope["server"][0],
        "SERVER_PORT": str(scope["server"][1]),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": scope["client"][0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1").upper().replace("-", "_"), raw_value.decode("latin-1")
        key = name if name in FORM_NAMES else f"HTTP_{name}"
        environ[key] = f"{environ[key]},{value}" if key in environ else value
    return environ


def add_body(environ: WSGIEnvironment, body: bytes) -> None:
    """Add the body of a request to its environment."""
    environ["wsgi.input"] = BytesIO(body)
    environ.pop("HTTP_TRANSFER_ENCODING", None)  # the body is whole now
    if body or "CONTENT_LENGTH" in environ:
        environ["CONTENT_LENGTH"] = str(len(body))


def call_wsgi(app: WSGIApplication, environ: WSGIEnvironment) -> WsgiResponse:
    """Return the response of a WSGI application."""
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


class WsgiBridge:
    """An ASGI application that answers by a WSGI application in threads of its own. Bodies of requests are not read."""

    def __init__(self, app: WSGIApplication, threads: int) -> None:
        """Answer by ``app``, at most ``threads`` requests at a time."""
        self._app = app
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="wsgi")

    async def __call__(self, scope: Mapping[str, Any], _: object, send: Send) -> None:
        """Answer a request."""
        environ = environ_of(scope)
        add_body(environ, b"")
        loop = asyncio.get_running_loop()
        await send_response(await loop.run_in_executor(self._threads, call_wsgi, self._app, environ), send)

    def close(self) -> None:
        """Stop the threads."""
        self._threads.shutdown(wait=False)


async def send_response(response: WsgiResponse, send: Send) -> None:
    """Send a response over ASGI."""
    headers = encoded(response.headers)
    await send({"type": "http.response.start", "status": response.status, "headers": headers})
    await send({"type": "http.response.body", "body": response.body, "more_body": False})


def encoded(headers: Iterable[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    """Return headers as ASGI has them."""
    return [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
