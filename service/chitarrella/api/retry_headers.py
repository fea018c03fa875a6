"""The headers that say when to call again: Retry-After, and of the caller's rate RateLimit and RateLimit-Policy."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

from chitarrella import errors
from chitarrella.api.status import retry_seconds
from chitarrella.runtime.limiter import RateLeft
from chitarrella.storage.counters import Rate

RATE_LIMIT: Final = "RateLimit"
RATE_LIMIT_POLICY: Final = "RateLimit-Policy"
RETRY_AFTER: Final = "Retry-After"
RETRY_AFTER_SECONDS: Final = "1"  # seconds after which to repeat a call that the service could not take

Headers = list[tuple[str, str]]


class RateReport:
    """What is left of the rate that a call was counted for: the dispatcher sets it, the transport reports it."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left: RateLeft | None = None

    def headers(self) -> Headers:
        if self.left is None:
            return []
        quota, rate, calls = self.left
        headers = [(RATE_LIMIT_POLICY, _policy(quota, rate))]
        if calls is not None:
            headers.append((RATE_LIMIT, f'"{quota}";r={calls}'))
        return headers


@lru_cache(maxsize=16)
def _policy(quota: str, rate: Rate) -> str:
    return f'"{quota}";q={rate.burst};w={rate.window}'


def retry_headers(error: errors.ChitarrellaError) -> Headers:
    """Return the headers that say when to retry, and for a refused call which rate is used up."""
    if isinstance(error, errors.RateLimited):
        name, limit, window = (error.details[key] for key in ("quota", "limit", "window_seconds"))
        seconds = math.ceil(retry_seconds(error) or 0) or 1
        return [
            (RETRY_AFTER, str(seconds)),
            (RATE_LIMIT_POLICY, f'"{name}";q={limit};w={window}'),
            (RATE_LIMIT, f'"{name}";r=0;t={seconds}'),
        ]
    if isinstance(error, errors.QuotaExceeded):  # nobody knows when there is room again
        return []
    if isinstance(error, errors.TooMany | errors.StoreUnavailable | errors.Overloaded | errors.ShuttingDown):
        return [(RETRY_AFTER, RETRY_AFTER_SECONDS)]
    return []


def as_metadata(headers: Headers) -> Headers:
    return [(name.lower(), value) for name, value in headers]
