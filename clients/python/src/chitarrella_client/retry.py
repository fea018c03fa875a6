"""When a call is retried, when a watch reconnects, and how long each waits before.

Every call may be retried: a read changes nothing, and a write carries a request id under which the service acts once.
gRPC's own retry policy is not used, for two reasons.  It shares one deadline among all attempts, so a call that a dead
worker never answers is never retried.  And it commits to an attempt with the first byte of the response, so a response
that is cut off in the middle is lost.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass

import grpc

from chitarrella_client.errors import ChitarrellaError, ResourceExhausted, TimedOut, Unavailable, read_error
from chitarrella_client.responses import MatchDetails

CHANNEL_OPTIONS: tuple[tuple[str, str | int], ...] = (
    ("grpc.primary_user_agent", "chitarrella-client-python"),
    # The first retry comes after a tenth of a second, so the channel must reconnect as soon.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 5_000),
    ("grpc.max_reconnect_backoff_ms", 3_000),
    # Detects a peer that vanished without closing the connection, while a call is in progress.
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    # A watcher sends no data; without this, gRPC would soon stop pinging the peer.
    ("grpc.http2.max_pings_without_data", 0),
)

CONNECTION_LOST = frozenset(
    {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.UNKNOWN,
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.DEADLINE_EXCEEDED,
    }
)
"""Statuses of a stream whose connection was lost; when the service itself sends one of these, it adds details."""


@dataclass(frozen=True, slots=True)
class Backoff:
    """Exponential backoff with jitter of a fifth, so that clients cut off together do not reconnect together.

    Times are in seconds.
    """

    initial: float = 0.2
    factor: float = 2.5
    maximum: float = 3.0

    def delay(self, failures: int) -> float:
        """Return the seconds to wait after so many failures in a row (1 or more)."""
        grown = self.initial * self.factor ** min(failures - 1, 30)
        return min(grown, self.maximum) * random.uniform(0.8, 1.2)


BACKOFF = Backoff()


class RetryPolicy:
    """The attempts of one call: whether another one follows, and after how long."""

    def __init__(self, retries: int, request_id: str = "") -> None:
        """Allow so many retries; ``request_id`` is passed on to the error that is raised in the end."""
        self._retries_left = retries
        self._failures = 0
        self._request_id = request_id

    def next_delay(self, problem: grpc.RpcError) -> float:
        """Return the seconds to wait before the next attempt; raise the error if there is none."""
        error = read_error(problem, self._request_id)
        if not _is_retryable(error) or self._retries_left == 0:
            raise error
        self._retries_left -= 1
        self._failures += 1
        return BACKOFF.delay(self._failures)


def _is_retryable(error: ChitarrellaError) -> bool:
    """Whether a call may have gone unanswered; a service that is stopping cancels its open calls."""
    cancelled = not error.from_service and error.status is grpc.StatusCode.CANCELLED
    return cancelled or isinstance(error, Unavailable | TimedOut)


class Subscription:
    """State of a watch across reconnections: its cursor, and how long it has been disconnected."""

    def __init__(self, cursor: str, give_up: float | None) -> None:
        """Continue after ``cursor``; give up after ``give_up`` seconds without a connection (None: never)."""
        self.cursor = cursor
        self.finished = False
        self._give_up = give_up
        self._failures = 0
        self._disconnected_at = 0.0
        self._match_was_finished = False

    def message_received(self) -> None:
        """Reset the backoff: the connection works."""
        self._failures = 0

    def reconnect_delay(self, problem: grpc.RpcError | ChitarrellaError) -> float:
        """Return the seconds to wait before reconnecting; raise the error if that would not help."""
        error = read_error(problem) if isinstance(problem, grpc.RpcError) else problem
        if not _is_transient(error):
            raise error
        now = time.monotonic()
        if self._failures == 0:
            self._disconnected_at = now
        self._failures += 1
        delay = BACKOFF.delay(self._failures)
        if self._give_up is not None and now + delay - self._disconnected_at > self._give_up:
            raise error
        return delay

    def stream_ended(self, state: MatchDetails) -> float:
        """Decide what follows a stream that ended without an error; return the seconds to wait before reconnecting.

        ``state`` is that of the match after the end of the stream.  A stream ends when the match is finished, but also
        when the service stops.  If the match was finished only after the stream ended, there are updates left to read.
        """
        self.finished = state.over and (self._match_was_finished or state.cursor == self.cursor)
        self._match_was_finished = state.over
        if state.over:
            return 0.0
        return self.reconnect_delay(Unavailable("unavailable", "The service has ended the stream."))


def _is_transient(error: ChitarrellaError) -> bool:
    """Whether another connection, or a later attempt, may succeed."""
    if error.from_service:
        return isinstance(error, Unavailable | ResourceExhausted)
    return error.status in CONNECTION_LOST
