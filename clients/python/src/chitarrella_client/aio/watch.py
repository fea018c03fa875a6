"""Watching a match across lost connections."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Self

import grpc

from chitarrella.v1.match_requests_pb2 import GetMatchRequest
from chitarrella_client import decoders
from chitarrella_client.aio.transport import AsyncTransport, sleep
from chitarrella_client.errors import ChitarrellaError
from chitarrella_client.requests import SeatAccess
from chitarrella_client.responses import MatchDetails, MatchUpdate
from chitarrella_client.retry import Subscription


class AsyncWatch(AsyncIterator[MatchUpdate]):
    """An iterator over the updates of a match as they happen, each once; ends when the match is finished.

    After a lost connection it reconnects and continues where it was.  That place is its `cursor`: a new watch with a
    kept cursor continues there.
    """

    def __init__(self, transport: AsyncTransport, access: SeatAccess, subscription: Subscription) -> None:
        """Watch over ``transport``, with the view of ``access``."""
        self._transport = transport
        self._access = access
        self._subscription = subscription
        self._closed = False
        self._open_stream()

    @property
    def cursor(self) -> str:
        """The place after the last update that was returned."""
        return self._subscription.cursor

    def _finished(self) -> bool:
        return self._closed or self._transport.closed or self._subscription.finished

    def _open_stream(self) -> None:
        self._stream = self._transport.watch(self._access, self.cursor)
        self._interrupted = False

    async def __anext__(self) -> MatchUpdate:
        """Wait for the next update."""
        while not self._finished():
            try:
                if update := await self._next_update():
                    self._subscription.cursor = update.cursor
                    return update
                if self._finished():
                    break
                state = await self._fetch_state()
            except (grpc.RpcError, ChitarrellaError) as problem:
                delay = self._subscription.reconnect_delay(problem)
            else:
                delay = self._subscription.stream_ended(state)
            self._stream.cancel()
            await sleep(delay)
            if not self._finished():
                self._open_stream()
        self.close()
        raise StopAsyncIteration

    async def _next_update(self) -> MatchUpdate | None:
        """Wait for an update; None if the stream ends first."""
        if self._interrupted:  # the caller abandoned the last wait (a timeout, say), which ended the call
            self._open_stream()
        self._interrupted = True
        while (message := await self._stream.read()) is not None:
            self._subscription.message_received()
            if message.events:
                self._interrupted = False
                return decoders.match_update(message)
        return None

    async def _fetch_state(self) -> MatchDetails:
        """Fetch the present state of the match."""
        request = GetMatchRequest(match_id=self._access.match_id, seat=self._access.seat)
        get_match = self._transport.matches.GetMatch
        return await self._transport.call(get_match, request, decoders.match_details, self._access.key, retries=0)

    def close(self) -> None:
        """Stop watching; a pending wait for the next update ends the iteration."""
        self._closed = True
        self._stream.cancel()

    async def __aenter__(self) -> Self:
        """Watch until the end of the block."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop watching."""
        self.close()
