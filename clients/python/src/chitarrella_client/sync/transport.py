"""Transport for threads: the channel, the stubs, and one call with its retries.

This module and its counterpart in `aio` are the only ones written twice; the rest of `sync` is generated from `aio`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar, cast

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

if TYPE_CHECKING:  # the stubs of types-grpcio have a name for it, grpc itself has none
    from grpc import _CallIterator as CallIterator

Q = TypeVar("Q")
A = TypeVar("A")
T = TypeVar("T")


class Transport:
    """A channel that is opened with the first call. Safe to use from several threads."""

    def __init__(self, connection: Connection) -> None:
        """Keep the settings; nothing is opened yet."""
        self.connection = connection
        self.closed = False
        """Whether `close` was called."""
        self._channel: grpc.Channel | None = None
        self._lock = threading.Lock()

    @property
    def channel(self) -> grpc.Channel:
        """The channel, opened on first use."""
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
        """The stub of CatalogueService."""
        return CatalogueServiceStub(self.channel)

    @cached_property
    def rules(self) -> RulesServiceStub:
        """The stub of RulesService."""
        return RulesServiceStub(self.channel)

    @cached_property
    def matches(self) -> MatchServiceStub:
        """The stub of MatchService."""
        return MatchServiceStub(self.channel)

    @cached_property
    def webhooks(self) -> WebhookServiceStub:
        """The stub of WebhookService."""
        return WebhookServiceStub(self.channel)

    def _metadata(self, key: str) -> tuple[tuple[str, str], ...]:
        if self.closed:
            raise RuntimeError("the client is closed")
        return self.connection.metadata(key)

    def call(
        self,
        method: grpc.UnaryUnaryMultiCallable[Q, A],
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
                return decode(method(request, timeout=self.connection.timeout, metadata=self._metadata(key)))
            except grpc.RpcError as problem:
                delay = policy.next_delay(problem)
            time.sleep(delay)

    def watch(self, access: SeatAccess, cursor: str) -> Stream[MatchUpdate]:
        """Start a WatchMatch stream after ``cursor``."""
        request = WatchMatchRequest(match_id=access.match_id, seat=access.seat, cursor=cursor)
        return Stream(self, self.matches.WatchMatch(request, metadata=self._metadata(access.key)))

    def watch_matches(self) -> Stream[PlatformUpdate]:
        """Start a WatchMatches stream."""
        return Stream(self, self.matches.WatchMatches(WatchMatchesRequest(), metadata=self._metadata("")))

    def close(self) -> None:
        """Close the channel; calls in progress end."""
        self.closed = True
        with self._lock:
            if self._channel is not None:
                self._channel.close()


class Stream(Generic[A]):
    """A streaming call in progress."""

    def __init__(self, transport: Transport, call: CallIterator[A]) -> None:
        """Read from ``call``, which was made over ``transport``."""
        self._transport = transport
        self._call = call
        self._cancelled = False

    def read(self) -> A | None:
        """Wait for the next message; None at the end of the stream, or after `cancel`."""
        try:
            return next(self._call, None)
        except grpc.RpcError:
            if self._cancelled or self._transport.closed:
                return None
            raise

    def cancel(self) -> None:
        """End the call; another thread may do so while one reads."""
        self._cancelled = True
        self._call.cancel()


sleep = time.sleep
