"""Transport for asyncio: the channel, the stubs, and one call with its retries.

This module and its counterpart in `sync` are the only ones written twice; the rest of `sync` is generated from `aio`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

import grpc

from chitarrella.v1.catalogue_pb2_grpc import CatalogueServiceStub
from chitarrella.v1.match_pb2 import MatchUpdate
from chitarrella.v1.match_play_pb2 import PlatformUpdate, WatchMatchesRequest, WatchMatchRequest
from chitarrella.v1.matches_pb2_grpc import MatchServiceStub
from chitarrella.v1.rules_pb2_grpc import RulesServiceStub
from chitarrella.v1.webhooks_pb2_grpc import WebhookServiceStub
from chitarrella_client.connection import Connection
from chitarrella_client.requests import SeatAccess
from chitarrella_client.retry import CHANNEL_OPTIONS, RetryPolicy

if TYPE_CHECKING:  # grpc's own classes cannot be subscripted
    from chitarrella.v1.catalogue_pb2_grpc import CatalogueServiceAsyncStub
    from chitarrella.v1.matches_pb2_grpc import MatchServiceAsyncStub
    from chitarrella.v1.rules_pb2_grpc import RulesServiceAsyncStub
    from chitarrella.v1.webhooks_pb2_grpc import WebhookServiceAsyncStub

Q = TypeVar("Q")
A = TypeVar("A")
T = TypeVar("T")


class AsyncTransport:
    """A channel that is opened with the first call, on the loop that makes it."""

    def __init__(self, connection: Connection) -> None:
        """Keep the settings; nothing is opened yet."""
        self.connection = connection
        self.closed = False
        """Whether `close` was called."""
        self._channel: grpc.aio.Channel | None = None

    @property
    def channel(self) -> grpc.aio.Channel:
        """The channel, opened on first use."""
        if self._channel is None:
            target, credentials = self.connection.target, self.connection.credentials
            if not isinstance(target, str):
                self._channel = cast(grpc.aio.Channel, target)
            elif credentials is None:
                self._channel = grpc.aio.insecure_channel(target, CHANNEL_OPTIONS)
            else:
                self._channel = grpc.aio.secure_channel(target, credentials, CHANNEL_OPTIONS)
        return self._channel

    @cached_property
    def catalogue(self) -> CatalogueServiceAsyncStub:
        """The stub of CatalogueService."""
        return CatalogueServiceStub(self.channel)

    @cached_property
    def rules(self) -> RulesServiceAsyncStub:
        """The stub of RulesService."""
        return RulesServiceStub(self.channel)

    @cached_property
    def matches(self) -> MatchServiceAsyncStub:
        """The stub of MatchService."""
        return MatchServiceStub(self.channel)

    @cached_property
    def webhooks(self) -> WebhookServiceAsyncStub:
        """The stub of WebhookService."""
        return WebhookServiceStub(self.channel)

    def _metadata(self, key: str) -> tuple[tuple[str, str], ...]:
        if self.closed:
            raise RuntimeError("the client is closed")
        return self.connection.metadata(key)

    async def call(
        self,
        method: grpc.aio.UnaryUnaryMultiCallable[Q, A],
        request: Q,
        decode: Callable[[A], T],
        key: str = "",
        retries: int | None = None,
    ) -> T:
        """Make a unary call and decode the response; ``retries`` overrides the setting of the client."""
        policy = RetryPolicy(
            self.connection.retries if retries is None else retries, getattr(request, "request_id", "")
        )
        while True:
            try:
                call = method(request, timeout=self.connection.timeout, metadata=self._metadata(key))
                return decode(await call)
            except grpc.RpcError as problem:
                delay = policy.next_delay(problem)
            await asyncio.sleep(delay)

    def watch(self, access: SeatAccess, cursor: str) -> AsyncStream[MatchUpdate]:
        """Start a WatchMatch stream after ``cursor``."""
        request = WatchMatchRequest(match_id=access.match_id, seat=access.seat, cursor=cursor)
        return AsyncStream(self, self.matches.WatchMatch(request, metadata=self._metadata(access.key)))

    def watch_matches(self) -> AsyncStream[PlatformUpdate]:
        """Start a WatchMatches stream."""
        return AsyncStream(self, self.matches.WatchMatches(WatchMatchesRequest(), metadata=self._metadata("")))

    async def close(self) -> None:
        """Close the channel; calls in progress end."""
        self.closed = True
        if self._channel is not None:
            await self._channel.close()


class AsyncStream(Generic[A]):
    """A streaming call in progress."""

    def __init__(self, transport: AsyncTransport, call: grpc.aio.UnaryStreamCall[Any, A]) -> None:
        """Read from ``call``, which was made over ``transport``."""
        self._transport = transport
        self._call = call
        self._cancelled = False
        self._loop = asyncio.get_running_loop()

    async def read(self) -> A | None:
        """Wait for the next message; None at the end of the stream, or after `cancel`."""
        try:
            message = await self._call.read()
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if (self._cancelled or self._transport.closed) and not (task and task.cancelling()):
                return None
            raise
        return None if message is grpc.aio.EOF else cast(A, message)

    def cancel(self) -> None:
        """End the call."""
        self._cancelled = True
        self._call.cancel()

    def __del__(self) -> None:
        """End the call: gRPC keeps one that was dropped. The garbage collector may run on any thread."""
        if not self._call.done():
            with suppress(RuntimeError):  # the loop is closed, and the call with it
                self._loop.call_soon_threadsafe(self._call.cancel)


sleep = asyncio.sleep
