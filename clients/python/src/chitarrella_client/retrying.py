"""When a call is repeated, and how long to wait before it is.

Every call may be repeated: reading changes nothing, and a writing call carries a request id, under which the service
does a thing once.  gRPC's own retry policy is not used, because it does half of this: it shares one deadline among all
its tries, so that a call which a dead worker never answers is never repeated, and it lets go of a call with the first
byte of the answer, so that an answer which is cut off in the middle is lost.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass

import grpc

from chitarrella_client.answers import Seen
from chitarrella_client.errors import ChitarrellaError, TimedOut, TooMuch, Unavailable, read_error

CHANNEL_OPTIONS: tuple[tuple[str, str | int], ...] = (
    ("grpc.primary_user_agent", "chitarrella-client-python"),
    # One who retries after a tenth of a second wants the channel to connect again as soon.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 5_000),
    ("grpc.max_reconnect_backoff_ms", 3_000),
    # A peer that is gone without a word is noticed while something is under way.
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    # Who watches sends nothing; without this, gRPC would soon stop asking whether the peer is there.
    ("grpc.http2.max_pings_without_data", 0),
)

CUT = frozenset(
    {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.UNKNOWN,
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.DEADLINE_EXCEEDED,
    }
)
"""What a stream may end with when the way is cut; if the service itself says one of these, it sends details."""


@dataclass(frozen=True, slots=True)
class Backoff:
    """Growing delays, each a little off, so that those who were cut off together do not come back together."""

    first: float = 0.2
    factor: float = 2.5
    longest: float = 3.0

    def delay(self, failures: int) -> float:
        """Say how many seconds to wait after so many failures in a row."""
        grown = self.first * self.factor ** min(failures - 1, 30)
        return min(grown, self.longest) * random.uniform(0.8, 1.2)


BACKOFF = Backoff()


class Tries:
    """One call and its repetitions."""

    def __init__(self, retries: int, request_id: str = "") -> None:
        """Allow so many repetitions."""
        self._left = retries
        self._failures = 0
        self._request_id = request_id

    def after(self, problem: grpc.RpcError) -> float:
        """Say how many seconds to wait before the next try; raises the error where there is none."""
        error = read_error(problem, self._request_id)
        if not _lost(error) or self._left == 0:
            raise error from problem
        self._left -= 1
        self._failures += 1
        return BACKOFF.delay(self._failures)


def _lost(error: ChitarrellaError) -> bool:
    """Tell whether a call may not have been answered; one that a stopping service lets go is cancelled."""
    cancelled = not error.from_service and error.status is grpc.StatusCode.CANCELLED
    return cancelled or isinstance(error, Unavailable | TimedOut)


class Following:
    """One who watches a match: where it stands, and how long it has been cut off."""

    def __init__(self, cursor: str, give_up: float | None) -> None:
        """Go on after ``cursor``; when cut off for ``give_up`` seconds, give up (None: never)."""
        self.cursor = cursor
        self.over = False
        self._give_up = give_up
        self._failures = 0
        self._since = 0.0
        self._over_before = False

    def heard(self) -> None:
        """Take note that the service speaks."""
        self._failures = 0

    def cut(self, problem: grpc.RpcError | ChitarrellaError) -> float:
        """Say how many seconds to wait before watching again; raises the error where that would not help."""
        error = read_error(problem) if isinstance(problem, grpc.RpcError) else problem
        if not _passing(error):
            raise error
        now = time.monotonic()
        if self._failures == 0:
            self._since = now
        self._failures += 1
        delay = BACKOFF.delay(self._failures)
        if self._give_up is not None and now + delay - self._since > self._give_up:
            raise error
        return delay

    def ended(self, seen: Seen) -> float:
        """Take note of how the match stands after a stream has ended well; say how long to wait before watching again.

        A stream ends when the match is over, but also when the service stops; and if the match came to its end only
        after the stream's, there is something left to be heard.
        """
        self.over = seen.over and (self._over_before or seen.cursor == self.cursor)
        self._over_before = seen.over
        return 0.0 if seen.over else self.cut(Unavailable("unavailable", "The service has ended the stream."))


def _passing(error: ChitarrellaError) -> bool:
    """Tell whether this may be different on another connection, or a little later."""
    if error.from_service:
        return isinstance(error, Unavailable | TooMuch)
    return error.status in CUT
