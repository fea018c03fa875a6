"""The body of a request over ASGI: read whole, in bounded time and memory."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, MutableMapping
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final, TypeVar

from chitarrella import errors
from chitarrella.api.request_size import MAX_BODY_BYTES, body_too_large

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

# Bytes of all bodies of a worker that are not complete; beyond it the greatest of the address with most is refused.
MAX_UNFINISHED_BYTES: Final = 16 * 1024**2
SLOW_SECONDS: Final = 10.0  # after so many seconds a body must have come at `LEAST_PACE`
LEAST_PACE: Final = 4096  # the bytes of a body in a second, on average
# The extension of the scope by which a server says that the whole body is there.
WHOLE: Final = "chitarrella.whole"

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Answer = TypeVar("Answer")


class ClientDisconnected(Exception):
    """The client has gone before its request was complete, or answered."""


class _Body:
    def __init__(self, address: str, limit: asyncio.Timeout) -> None:
        self.address = address
        self.size = 0
        self.parts: list[bytes] = []
        self.is_refused = False
        self._limit = limit
        self._begun = asyncio.get_running_loop().time()

    def allow(self, seconds: float) -> None:
        """Allow the body so many seconds from its beginning."""
        self._limit.reschedule(self._begun + seconds)

    def refuse(self) -> None:
        self.is_refused = True
        self.parts.clear()
        self.allow(0.0)


class BodyReader:
    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._too_slow = f"The body was not complete within {seconds:g} seconds, or came too slowly."
        self._bodies: set[_Body] = set()
        self._sizes: Counter[str] = Counter()
        self._total = 0

    async def read(self, receive: Receive, content_length: str, address: str, *, is_whole: bool = False) -> bytes:
        """Raises `ClientDisconnected`, and `errors.TooLarge`, `errors.Overloaded` or `errors.BadRequest` (too slow).

        A body that ``is_whole`` is there already, so that no clock must run.
        """
        if content_length.isdecimal() and int(content_length) > MAX_BODY_BYTES:
            raise body_too_large()
        if is_whole:
            first, _ = _part(await receive())
            if len(first) > MAX_BODY_BYTES:
                raise body_too_large()
            return first
        body: _Body | None = None
        try:
            async with asyncio.timeout(min(self._seconds, SLOW_SECONDS)) as limit:
                first, has_more = _part(await receive())
                if not has_more and len(first) <= MAX_BODY_BYTES:  # nearly every body
                    return first
                body = _Body(address, limit)
                self._bodies.add(body)
                try:
                    await self._read_parts(body, receive, first, has_more=has_more)
                finally:
                    self._bodies.discard(body)
                    self._count(body, -body.size)
        except TimeoutError:
            if body is None or not body.is_refused:
                raise errors.BadRequest("bad_request", self._too_slow) from None
        if body.is_refused:
            raise errors.Overloaded()
        return b"".join(body.parts)

    async def _read_parts(self, body: _Body, receive: Receive, part: bytes, *, has_more: bool) -> None:
        self._add(body, part)
        while has_more and not body.is_refused:
            body.allow(min(self._seconds, max(SLOW_SECONDS, body.size / LEAST_PACE)))
            part, has_more = _part(await receive())
            self._add(body, part)

    def _add(self, body: _Body, part: bytes) -> None:
        body.size += len(part)
        self._count(body, len(part))
        if body.size > MAX_BODY_BYTES:
            raise body_too_large()
        body.parts.append(part)
        if self._total > MAX_UNFINISHED_BYTES:
            self._refuse_greatest()

    def _count(self, body: _Body, size: int) -> None:
        self._total += size
        self._sizes[body.address] += size
        if not self._sizes[body.address]:
            del self._sizes[body.address]

    def _refuse_greatest(self) -> None:
        open_bodies = [body for body in self._bodies if not body.is_refused]
        greatest = max(open_bodies, key=lambda body: (self._sizes[body.address], body.size), default=None)
        if greatest is not None:
            self._count(greatest, -greatest.size)
            greatest.size = 0
            greatest.refuse()


def _part(message: Mapping[str, Any]) -> tuple[bytes, bool]:
    """Return a part of a body, and whether there are more."""
    if message["type"] == "http.disconnect":
        raise ClientDisconnected
    return message.get("body", b""), bool(message.get("more_body", False))


def received(body: bytes, receive: Receive) -> Receive:
    """Return a ``receive`` that gives a body that is read already, and then what comes after it."""
    parts = [body]

    async def receive_again() -> MutableMapping[str, Any]:
        if parts:
            return {"type": "http.request", "body": parts.pop(), "more_body": False}
        return await receive()

    return receive_again


async def disconnected(receive: Receive) -> None:
    """Return when the client has gone; its request has been read."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def unless_disconnected(receive: Receive, running: Coroutine[Any, Any, Answer]) -> Answer:
    """Await ``running``. Cancels it, and raises `ClientDisconnected`, when the client has gone."""
    answering, leaving = asyncio.create_task(running), asyncio.create_task(disconnected(receive))
    try:
        await asyncio.wait((answering, leaving), return_when=asyncio.FIRST_COMPLETED)
        if answering.done():
            return await answering
        raise ClientDisconnected
    finally:
        for task in (answering, leaving):
            task.cancel()


FORM_NAMES: Final = {"CONTENT_TYPE", "CONTENT_LENGTH"}


def headers_of(scope: Mapping[str, Any]) -> dict[str, str]:
    """Return the headers of an ASGI scope by their names in lower case; those of one name are joined by commas."""
    headers: dict[str, str] = {}
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1"), raw_value.decode("latin-1")
        headers[name] = f"{headers[name]},{value}" if name in headers else value
    return headers


def environ_of(scope: Mapping[str, Any], headers: Mapping[str, str], address: str) -> WSGIEnvironment:
    """Return the WSGI environment of an ASGI scope with these headers, without its body, of a caller at ``address``."""
    environ: WSGIEnvironment = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": scope["server"][0],
        "SERVER_PORT": str(scope["server"][1] or ""),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": address,
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in headers.items():
        variable = name.upper().replace("-", "_")
        environ[variable if variable in FORM_NAMES else f"HTTP_{variable}"] = value
    return environ


def encoded(headers: Iterable[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    return [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
