"""The rate limiter of a worker: counts calls by platform, and without one by address.

The store counts for all workers (`storage.counters`). A worker does not ask it at every call: it takes a block of
calls, a tenth of the burst, and fetches the next one in another thread before it is used up, so that no call waits for
the store. Calls that find no block are let through while one is fetched, and charged to it: so an owner can be ahead of
its rate by a burst. A request that counts as many calls is let through where any is left; at most a burst is charged.

What an owner has left is estimated without the store: what the store would grant at the last fetch, what is regained
since, and the stock of this worker. What other workers took since is not in it.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

from chitarrella import errors
from chitarrella.storage.counters import Rate, RateStore
from chitarrella.storage.rows import StoreError

# Timeout of a fetch. Before it at most a burst of calls is admitted; after it every call is.
FETCH_SECONDS: Final = 1.0
MAX_OWNERS: Final = 10_000  # how many owners a worker remembers. A forgotten owner loses the unused rest of its block.
DIGEST_LENGTH: Final = 32  # hexadecimal digits of the digest under which the store knows an owner
# Derives a text of hexadecimal digits from the secret of the store, by a name and a purpose.
Derive = Callable[[str, str], str]
# Runs a function in another thread; raises `RuntimeError` where there is none any more.
Submit = Callable[[Callable[[], None]], object]


class RateLeft(NamedTuple):
    """The rate that a call was counted for, and how many more calls it admits; None if not known."""

    quota: str
    rate: Rate
    calls: int | None


@dataclass(slots=True, eq=False)
class _Stock:
    """The calls that this worker may let through for an owner."""

    owner: str
    quota: str
    rate: Rate
    units: int = 0  # negative for calls that are still to be charged
    is_fetching: bool = False
    refused_until: float = 0.0
    left: int | None = None  # how many the store would grant beside them, at the time ``fetched_at``
    fetched_at: float = 0.0

    def calls_left(self) -> int | None:
        if self.left is None:
            return None
        regained = int((time.monotonic() - self.fetched_at) * self.rate.limit / self.rate.period)
        return max(0, min(self.rate.burst, self.left + regained + self.units))


class _Quota:
    """The rate of platforms or addresses, None for no limit, and their stocks, refilled below `least`."""

    def __init__(self, name: str, rate: Rate | None) -> None:
        self.name = name
        self.rate = rate
        self.least = rate.block // 2 if rate else 0
        self.stocks: dict[str, _Stock] = {}

    def add(self, owner: str, rate: Rate) -> _Stock:
        while len(self.stocks) >= MAX_OWNERS:
            del self.stocks[next(iter(self.stocks))]
        stock = self.stocks[owner] = _Stock(owner, self.name, rate)
        return stock


class RateLimiter:
    """Limits the calls of platforms and addresses. Thread-safe; no call waits for the store."""

    def __init__(
        self, store: RateStore, derive: Derive, submit: Submit, *, platform: Rate | None, address: Rate | None
    ) -> None:
        """``derive`` makes the digests under which ``store`` knows the owners, ``submit`` fetches blocks."""
        self._store = store
        self._derive = derive
        self._submit = submit
        self._platforms = _Quota("calls_per_platform", platform)
        self._addresses = _Quota("calls_per_address", address)
        self._lock = threading.Lock()

    @property
    def owners(self) -> int:
        return len(self._platforms.stocks) + len(self._addresses.stocks)

    def spend(self, platform: str, network: str, calls: int = 1) -> RateLeft | None:
        """Count calls of a platform, or else of a network; return what is left. Raises `errors.RateLimited`."""
        quota, owner = (self._platforms, platform) if platform else (self._addresses, network)
        if quota.rate is None:
            return None
        with self._lock:
            stock = quota.stocks.get(owner) or quota.add(owner, quota.rate)
            stock.units -= calls
            missing = self._missing(stock, calls) if stock.units < quota.least else 0
            left = stock.calls_left()
        if missing:
            try:
                self._submit(lambda: self._fetch(stock, missing))
            except RuntimeError:  # the worker is being stopped
                stock.is_fetching = False
        return RateLeft(quota.name, quota.rate, left)

    def _missing(self, stock: _Stock, calls: int) -> int:
        """How many calls to fetch now, of which ``calls`` are counted already. Raises `errors.RateLimited`."""
        now = time.monotonic()
        left = stock.refused_until - now
        # While a block is fetched ``refused_until`` is when the store counts as one that does not answer.
        least = -stock.rate.burst if stock.is_fetching else 0
        if left > 0 and stock.units + calls <= least:
            stock.units += calls
            raise rate_limited(stock.quota, stock.rate, left)
        if left > 0 or stock.is_fetching:
            return 0
        stock.is_fetching = True
        stock.refused_until = now + FETCH_SECONDS
        return min(stock.rate.burst, stock.rate.block + max(0, -stock.units))

    def _fetch(self, stock: _Stock, units: int) -> None:
        """Take ``units`` from the store; a store that does not answer limits nobody."""
        granted, retry_after, left = units, 0.0, None
        try:
            owner = self._derive(f"{stock.quota} {stock.owner}", "rate")[:DIGEST_LENGTH]
            granted, retry_after, left = self._store.take(owner, stock.rate, units)
        except (StoreError, errors.StoreUnavailable):
            pass
        with self._lock:
            if left is not None:
                stock.left, stock.fetched_at = left, time.monotonic()
            # Where the store was slow many calls were let through: those beyond a burst are not charged.
            stock.units = max(stock.units, -stock.rate.burst) + granted
            if granted < units:  # the store has none left: what is owed must be regained first
                retry_after = max(retry_after, -stock.units * stock.rate.period / stock.rate.limit)
            stock.refused_until = time.monotonic() + retry_after
            stock.is_fetching = False


def rate_limited(quota: str, rate: Rate, retry_after: float) -> errors.RateLimited:
    return errors.RateLimited(
        "rate_limited",
        "Too many calls; try again later.",
        quota=quota,
        limit=str(rate.burst),
        window_seconds=str(rate.window),
        retry_after_seconds=f"{retry_after:.3f}",
    )


class WatchCounter:
    def __init__(self, *, platform: int = 0, address: int = 0) -> None:
        """Allow so many watches of a ``platform``, and of an ``address`` without one; 0 for no cap."""
        self._caps = {"watches_per_platform": platform, "watches_per_address": address}
        self._lock = threading.Lock()
        self._counts: Counter[tuple[str, str]] = Counter()

    def open(self, platform: str, network: str) -> Callable[[], None]:
        """Count a watch; returns what ends it, once. Raises `errors.QuotaExceeded`."""
        quota = "watches_per_platform" if platform else "watches_per_address"
        owner, cap = (quota, platform or network), self._caps[quota]
        with self._lock:
            if cap and self._counts[owner] >= cap:
                message = "There are as many watches as a worker of the service allows; end some."
                raise errors.QuotaExceeded("quota_exceeded", message, quota=quota, limit=str(cap))
            self._counts[owner] += 1
        is_open = [True]

        def close() -> None:
            with self._lock:
                if is_open and is_open.pop():
                    self._counts[owner] -= 1
                    if not self._counts[owner]:
                        del self._counts[owner]

        return close

    @property
    def owners(self) -> int:
        return len(self._counts)
