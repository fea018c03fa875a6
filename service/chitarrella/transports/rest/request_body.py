"""The body of a request over ASGI: read whole, in bounded time and memory."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, MutableMapping
from typing import Any, Final, TypeVar

from chitarrella import errors
from chitarrella.api.request_limits import MAX_BYTES

MAX_BODY_BYTES: Final = 4 * MAX_BYTES
"""A larger body is not read to its end; smaller ones are refused with the limit of their call."""

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
"""Awaits the next message of the client, by ASGI."""
Answer = TypeVar("Answer")


class ClientDisconnected(Exception):
    """The client has gone before its request was complete, or answered."""


async def read_body(receive: Receive, content_length: str, seconds: float) -> bytes:
    """Read the body of a request; ``content_length`` is its header, empty without one.

    Raises `errors.TooLarge`, `ClientDisconnected`, and `errors.BadRequest` if it is not complete after ``seconds``.
    """
    if content_length.isdecimal() and int(content_length) > MAX_BODY_BYTES:
        raise _too_large()
    body = b""
    more = True
    try:
        async with asyncio.timeout(seconds):
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise ClientDisconnected
                body += message.get("body", b"")
                if len(body) > MAX_BODY_BYTES:
                    raise _too_large()
                more = message.get("more_body", False)
    except TimeoutError:
        raise errors.BadRequest("bad_request", f"The body was not complete within {seconds:g} seconds.") from None
    return body


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


def _too_large() -> errors.TooLarge:
    return errors.TooLarge("too_large", f"The body may have {MAX_BYTES // 1024**2} MiB.")
