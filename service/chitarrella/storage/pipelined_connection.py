"""A connection to one Redis or Valkey that all calls on an event loop share.

What they send in one turn of the loop goes out in one write, and replies are matched to commands by their order. It is
hand-made because a kept client costs eight times as much for each command (`docs/decisions/0006-redis-py.md`).
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

import hiredis
from redis.connection import DefaultParser
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

Command = Sequence[str | int | float | bytes]
"""The name of a command, and its arguments."""
OpenTransport = Callable[[Callable[[], asyncio.Protocol]], Awaitable[tuple[asyncio.BaseTransport, asyncio.Protocol]]]
"""Connects a protocol, as `asyncio.loop.create_connection` does. Raises `OSError`, or an error of redis-py."""

MAX_REQUESTS: Final = 20_000
"""Requests that may wait for their replies; more are refused."""
_INCOMPLETE: Final = object()


class _Request:
    """Commands sent together: the future of their replies, those that are there, and how many are missing."""

    __slots__ = ("deadline", "future", "missing", "replies")

    def __init__(self, future: asyncio.Future[list[Any]], count: int, deadline: float) -> None:
        self.future = future
        self.missing = count
        self.deadline = deadline
        self.replies: list[Any] = []


class PipelinedConnection:
    """One connection, opened at the first command and again where it broke. Not thread-safe: it belongs to one loop."""

    def __init__(self, open_transport: OpenTransport, timeout: float, greeting: Sequence[Command] = ()) -> None:
        """Connect by ``open_transport``, and send ``greeting`` first, such as AUTH and SELECT.

        ``timeout`` is the number of seconds for a connection, and for each reply.
        """
        self._open = open_transport
        self._timeout = timeout
        self._greeting = greeting
        self._loop = asyncio.get_running_loop()
        self._requests: deque[_Request] = deque()
        self._unsent: list[bytes] = []
        self._is_flushing = False
        self._protocol: _Protocol | None = None
        self._connecting: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None

    def send(self, commands: Sequence[Command]) -> asyncio.Future[list[Any]]:
        """Send commands one behind the other. The future has their replies; an error in reply is an item, not raised.

        The future raises an error of redis-py where the connection broke, or a reply is late.
        """
        future: asyncio.Future[list[Any]] = self._loop.create_future()
        if len(self._requests) >= MAX_REQUESTS:
            future.set_exception(RedisConnectionError("too many requests wait for the store"))
            return future
        self._requests.append(_Request(future, len(commands), self._loop.time() + self._timeout))
        for command in commands:
            self._unsent.append(_packed(command))
        if not self._is_flushing:
            self._is_flushing = True
            self._loop.call_soon(self._flush)
        if self._timer is None:
            self._timer = self._loop.call_later(self._timeout, self._check_deadlines)
        return future

    def drop(self, error: Exception | None = None) -> None:
        """Close the connection; whoever waits for a reply gets ``error``. The next command opens another one."""
        if self._protocol is not None:
            self._protocol.abort()
        self._lost(error or RedisConnectionError("the connection was closed"))

    def _flush(self) -> None:
        """Write what waits; connect first where there is no connection."""
        self._is_flushing = False
        if self._protocol is not None:
            self._protocol.transport.write(b"".join(self._unsent))
            self._unsent.clear()
        elif self._connecting is None and self._requests:
            self._connecting = self._loop.create_task(self._connect())

    async def _connect(self) -> None:
        try:
            async with asyncio.timeout(self._timeout):
                _, protocol = await self._open(lambda: _Protocol(self._received, self._closed))
        except Exception as error:  # an error of a socket, of TLS, or of a Sentinel
            self._connecting = None
            self._lost(error if isinstance(error, RedisConnectionError) else RedisConnectionError(type(error).__name__))
            return
        self._connecting = None
        self._protocol = protocol  # type: ignore[assignment]  # it is what the factory made
        if self._greeting:
            greeting: asyncio.Future[list[Any]] = self._loop.create_future()
            greeting.add_done_callback(self._check_greeting)
            deadline = self._loop.time() + self._timeout
            self._requests.appendleft(_Request(greeting, len(self._greeting), deadline))
            self._unsent[:0] = [_packed(command) for command in self._greeting]
        self._flush()

    def _check_greeting(self, greeting: asyncio.Future[list[Any]]) -> None:
        """Close a connection whose user or database is refused."""
        if greeting.exception() is None:
            for reply in greeting.result():
                if isinstance(reply, Exception):
                    self.drop(reply)

    def _received(self, replies: Sequence[Any]) -> None:
        """Assign replies to the requests, in order."""
        requests = self._requests
        for reply in replies:
            if not requests:  # out of step: nothing that follows can be assigned
                self.drop()
                return
            request = requests[0]
            request.replies.append(reply)
            request.missing -= 1
            if not request.missing:
                requests.popleft()
                if not request.future.done():
                    request.future.set_result(request.replies)

    def _closed(self, protocol: _Protocol) -> None:
        """Fail what waits on a connection that the server closed."""
        if protocol is self._protocol:
            self._lost(RedisConnectionError("the store has closed the connection"))

    def _lost(self, error: Exception) -> None:
        self._protocol = None
        self._unsent.clear()
        waiting, self._requests = self._requests, deque()
        for request in waiting:
            if not request.future.done():
                request.future.set_exception(error)

    def _check_deadlines(self) -> None:
        """Close a connection whose oldest reply is late.

        What has waited for half of the time fails with it, so that nobody waits much longer than the whole of it. What
        came later can be sent again.
        """
        self._timer = None
        if not self._requests:
            return
        now, oldest = self._loop.time(), self._requests[0].deadline
        if oldest > now:
            self._timer = self._loop.call_at(oldest, self._check_deadlines)
            return
        for request in self._requests:
            if request.deadline - now < self._timeout / 2 and not request.future.done():
                request.future.set_exception(RedisTimeoutError("the store has not answered in time"))
        self.drop()


def _packed(command: Command) -> bytes:
    packed: bytes = hiredis.pack_command(tuple(command))  # type: ignore[arg-type]  # its type hint wants just one argument
    return packed


class _Protocol(asyncio.Protocol):
    """Parses replies."""

    def __init__(self, received: Callable[[Sequence[Any]], None], closed: Callable[[_Protocol], None]) -> None:
        self._received = received
        self._closed = closed
        self._reader = hiredis.Reader(replyError=DefaultParser.parse_error, encoding="utf-8", notEnoughData=_INCOMPLETE)
        self.transport: asyncio.Transport = NotImplemented

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # type: ignore[assignment]  # a stream has this kind of transport

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)
        replies = []
        while (reply := self._reader.gets()) is not _INCOMPLETE:
            replies.append(reply)
        self._received(replies)

    def connection_lost(self, _: Exception | None) -> None:
        self._closed(self)

    def abort(self) -> None:
        """Close at once; nothing more is received."""
        self._received = lambda _: None
        self.transport.abort()
