"""The line to the service, for threads: the channel, and one call over it.

This module and its twin for asyncio are all that the two faces do not share; the others are the same but for "await".
"""

from __future__ import annotations

import threading
import time
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

if TYPE_CHECKING:  # the stubs of types-grpcio have a name for it, grpc itself has none
    from grpc import _CallIterator as CallIterator

Q = TypeVar("Q")
A = TypeVar("A")
T = TypeVar("T")


class Line:
    """A channel that is opened with the first call. Safe to be used by many threads."""

    def __init__(self, connection: Connection) -> None:
        """Prepare to connect."""
        self.connection = connection
        self.closed = False
        """Whether `close` was called."""
        self._channel: grpc.Channel | None = None
        self._lock = threading.Lock()

    @property
    def channel(self) -> grpc.Channel:
        """Open the channel."""
        with self._lock:
            if self._channel is None:
                target, credentials = self.connection.target, self.connection.credentials
                if not isinstance(target, str):
                    self._channel = cast(grpc.Channel, target)
                elif credentials is None:
                    self._channel = grpc.insecure_channel(target, CHANNEL_OPTIONS)
                else:
                    self._channel = grpc.secure_channel(target, credentials, CHANNEL_OPTIONS)
            return self._channel

    @cached_property
    def catalogue(self) -> CatalogueServiceStub:
        """Give the stub of CatalogueService."""
        return CatalogueServiceStub(self.channel)

    @cached_property
    def rules(self) -> RulesServiceStub:
        """Give the stub of RulesService."""
        return RulesServiceStub(self.channel)

    @cached_property
    def matches(self) -> MatchServiceStub:
        """Give the stub of MatchService."""
        return MatchServiceStub(self.channel)

    def ask(
        self,
        method: grpc.UnaryUnaryMultiCallable[Q, A],
        request: Q,
        read: Callable[[A], T],
        key: str = "",
        retries: int | None = None,
    ) -> T:
        """Make a call and read the answer; repeated as `retrying` says, so often or as often as was set."""
        tries = Tries(self.connection.retries if retries is None else retries, getattr(request, "request_id", ""))
        while True:
            try:
                return read(method(request, timeout=self.connection.timeout, metadata=self.connection.metadata(key)))
            except grpc.RpcError as problem:
                delay = tries.after(problem)
            time.sleep(delay)

    def watch(self, holder: Holder, cursor: str) -> Stream:
        """Begin to watch a match."""
        request = WatchMatchRequest(match=holder.match, seat=holder.seat, cursor=cursor)
        return Stream(self, self.matches.WatchMatch(request, metadata=self.connection.metadata(holder.key)))

    def close(self) -> None:
        """Close the channel; whatever is under way ends."""
        self.closed = True
        with self._lock:
            if self._channel is not None:
                self._channel.close()


class Stream:
    """A call that goes on being answered."""

    def __init__(self, line: Line, call: CallIterator[WatchMatchResponse]) -> None:
        """Listen to ``call``, which was made over ``line``."""
        self._line = line
        self._call = call
        self._hung_up = False

    def hear(self) -> WatchMatchResponse | None:
        """Wait for the next message; None where there will be none, or somebody has hung up here."""
        try:
            return next(self._call, None)
        except grpc.RpcError:
            if self._hung_up or self._line.closed:
                return None
            raise

    def hang_up(self) -> None:
        """End the call; another thread may do so while one listens."""
        self._hung_up = True
        self._call.cancel()


wait = time.sleep
