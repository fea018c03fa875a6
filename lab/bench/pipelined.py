"""A connection to Redis or Valkey on an event loop that sends all commands that wait in one write.

It is the least that such a connection can be, for the baseline: no timeout, no reconnection, no cluster.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any
from urllib.parse import unquote, urlsplit

import hiredis


class PipelinedConnection(asyncio.Protocol):
    """Commands in, replies out, in the same order."""

    def __init__(self) -> None:
        """Not connected yet; `open` connects."""
        self._loop = asyncio.get_running_loop()
        self._reader = hiredis.Reader()
        self._replies: deque[asyncio.Future[Any]] = deque()
        self._unsent: list[bytes] = []
        self._transport: Any = None

    @classmethod
    async def open(cls, url: str) -> PipelinedConnection:
        """Connect to the unix socket that ``url`` names."""
        _, connection = await asyncio.get_running_loop().create_unix_connection(cls, unquote(urlsplit(url).path))
        return connection

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = transport

    def send(self, *words: str) -> asyncio.Future[Any]:
        """Send a command with the others of this turn of the loop; the future has its reply."""
        if not self._unsent:
            self._loop.call_soon(self._flush)
        self._unsent.append(hiredis.pack_command(words))  # type: ignore[arg-type]  # its stub knows one word only
        reply = self._loop.create_future()
        self._replies.append(reply)
        return reply

    def _flush(self) -> None:
        self._transport.write(b"".join(self._unsent))
        self._unsent.clear()

    def data_received(self, data: bytes) -> None:
        """Hand out the replies; one that is an error stays a value, which the caller checks."""
        self._reader.feed(data)
        while (reply := self._reader.gets()) is not False:
            self._replies.popleft().set_result(reply)

    def connection_lost(self, error: Exception | None) -> None:
        """Fail what waits."""
        for reply in self._replies:
            reply.set_exception(error or ConnectionResetError("the store closed the connection"))
