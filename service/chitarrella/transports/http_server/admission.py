"""Which requests are let in: caps on those in progress, and a pause for addresses that waste too many.

A request is in progress until its answer begins to be sent, so that open streams do not count. An address wastes a
request if it leaves before the answer, or sends it beyond the cap.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Final

MAX_REQUESTS: Final = 10_000
"""Requests in progress of a worker; more are refused."""
MAX_REQUESTS_OF_ADDRESS: Final = 3000
"""Requests in progress of one address; more are refused."""
MAX_WASTED: Final = 1000
"""Requests that an address may waste within `WINDOW_SECONDS`; then it is blocked."""
WINDOW_SECONDS: Final = 5.0
"""The time in which wasted requests are counted."""
BLOCK_SECONDS: Final = 10.0
"""For so long an address is blocked."""


class RequestAdmission:
    """Counts the requests in progress by address."""

    def __init__(self, on_block: Callable[[str], None] = lambda _: None) -> None:
        """``on_block`` is called with an address when it is blocked."""
        self._on_block = on_block
        self._requests: Counter[str] = Counter()
        self._count = 0
        self._wasted: Counter[str] = Counter()
        self._window_end = 0.0
        self._blocked: dict[str, float] = {}

    @property
    def blocked(self) -> list[str]:
        """The addresses that are blocked now."""
        now = time.monotonic()
        self._blocked = {address: end for address, end in self._blocked.items() if now < end}
        return list(self._blocked)

    def is_blocked(self, address: str) -> bool:
        """Whether an address is blocked now."""
        return bool(self._blocked) and time.monotonic() < self._blocked.get(address, 0.0)

    def begin(self, address: str) -> bool:
        """Begin a request; False if there are too many in progress, and this one is not counted."""
        if self._count >= MAX_REQUESTS or self._requests[address] >= MAX_REQUESTS_OF_ADDRESS:
            self.waste(address)
            return False
        self._count += 1
        self._requests[address] += 1
        return True

    def end(self, address: str) -> None:
        """Note that the answer to a request begins to be sent, or that there will be none."""
        self._count -= 1
        self._requests[address] -= 1
        if not self._requests[address]:
            del self._requests[address]

    def waste(self, address: str) -> None:
        """Note that an address has wasted a request; it is blocked if these are too many."""
        if self.is_blocked(address):
            return
        if (now := time.monotonic()) >= self._window_end:
            self._wasted.clear()
            self._window_end = now + WINDOW_SECONDS
        self._wasted[address] += 1
        if self._wasted[address] >= MAX_WASTED:
            del self._wasted[address]
            self._blocked[address] = now + BLOCK_SECONDS
            self._on_block(address)
