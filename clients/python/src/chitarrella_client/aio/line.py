"""The line to the service, for asyncio: the channel, and one call over it.

This module and its twin for threads are all that the two faces do not share; the others are the same but for "await".
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar, cast

import grpc

from chitarrella_client.connection import Connection
from chitarrella_client.requests import Holder
from chitarrella_client.retrying import CHANNEL_OPTIONS, Tries
from chitarrella_client.v1.catalogue_pb2_grpc import CatalogueServiceStub
from chitarrella_client.v1.matches_pb2 import WatchMatchRequest, WatchMatchResponse
from chitarrella_client.v1.matches_pb2_grpc import MatchServiceStub
from chitarrella_client.v1.rules_pb2_grpc import RulesServiceStub

if TYPE_CHECKING:  # grpc's own classes cannot be subscripted
    from chitarrella_client.v1.catalogue_pb2_grpc import CatalogueServiceAsyncStub
    from chitarrella_client.v1.matches_pb2_grpc import MatchServiceAsyncStub
    from chitarrella_client.v1.rules_pb2_grpc import RulesServiceAsyncStub

Q = TypeVar("Q")
A = TypeVar("A")
T = TypeVar("T")


class AsyncLine:
    """A channel that is opened with the first call, on the loop that makes it."""

    def __init__(self, connection: Connection) -> None:
        """Prepare to connect."""
        self.connection = connection
        self.closed = False
        """Whether `close` was called."""
        self._channel: grpc.aio.Channel | None = None

    @property
    def channel(self) -> grpc.aio.Channel:
        """Open the channel."""
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
        """Give the stub of CatalogueService."""
        return CatalogueServiceStub(self.channel)

    @cached_property
    def rules(self) -> RulesServiceAsyncStub:
        """Give the stub of RulesService."""
        return RulesServiceStub(self.channel)

    @cached_property
    def matches(self) -> MatchServiceAsyncStub:
        """Give the stub of MatchService."""
        return MatchServiceStub(self.channel)

    async def ask(
        self,
        method: grpc.aio.UnaryUnaryMultiCallable[Q, A],
        request: Q,
        read: Callable[[A], T],
        key: str = "",
        retries: int | None = None,
    ) -> T:
        """Make a call and read the answer; repeated as `retrying` says, so often or as often as was set."""
        tries = Tries(self.connection.retries if retries is None else retries, getattr(request, "request_id", ""))
        while True:
            try:
                call = method(request, timeout=self.connection.timeout, metadata=self.connection.metadata(key))
                return read(await call)
            except grpc.RpcError as problem:
                delay = tries.after(problem)
            await asyncio.sleep(delay)

    def watch(self, holder: Holder, cursor: str) -> AsyncStream:
        """Begin to watch a match."""
        request = WatchMatchRequest(match=holder.match, seat=holder.seat, cursor=cursor)
        return AsyncStream(self, self.matches.WatchMatch(request, metadata=self.connection.metadata(holder.key)))

    async def close(self) -> None:
        """Close the channel; whatever is under way ends."""
        self.closed = True
        if self._channel is not None:
            await self._channel.close()


class AsyncStream:
    """A call that goes on being answered."""

    def __init__(self, line: AsyncLine, call: grpc.aio.UnaryStreamCall[WatchMatchRequest, WatchMatchResponse]) -> None:
        """Listen to ``call``, which was made over ``line``."""
        self._line = line
        self._call = call
        self._hung_up = False

    async def hear(self) -> WatchMatchResponse | None:
        """Wait for the next message; None where there will be none, or somebody has hung up here."""
        try:
            message = await self._call.read()
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if (self._hung_up or self._line.closed) and not (task and task.cancelling()):
                return None
            raise
        return None if message is grpc.aio.EOF else cast(WatchMatchResponse, message)

    def hang_up(self) -> None:
        """End the call."""
        self._hung_up = True
        self._call.cancel()


wait = asyncio.sleep
