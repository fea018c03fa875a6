"""A circuit breaker: while a server does not answer, calls fail at once instead of waiting for it one after another.

Two maintained libraries were tried. pybreaker holds its lock during a call, and so would send the commands of all
threads one by one. circuitbreaker lets every caller through as soon as the pause is over, so that all threads wait for
a server that still hangs; here one call tries it, and the others go on failing until that one is answered.
"""

from __future__ import annotations

import threading
import time

FAILURES = 5
"""After so many failures without a success between them the breaker opens."""
PAUSE_SECONDS = 0.5
"""How long an open breaker waits before one call may try again."""


class CircuitBreaker:
    """Counts failures of one server, and says whether it may be called. Thread-safe."""

    def __init__(self, trial_seconds: float) -> None:
        """Start closed. A call that tries an open breaker has ``trial_seconds`` until another one may try."""
        self._trial_seconds = trial_seconds
        self._lock = threading.Lock()
        self._failures = 0
        self._next_trial = 0.0

    @property
    def is_open(self) -> bool:
        """Whether the circuit is open: all calls fail at once, except one trial call."""
        return self._failures >= FAILURES

    def may_call(self) -> bool:
        """Whether the server may be called now; report how it went with `succeeded` or `failed`."""
        if not self.is_open:
            return True
        with self._lock:
            now = time.monotonic()
            if now < self._next_trial:
                return False
            self._next_trial = now + self._trial_seconds
            return True

    def succeeded(self) -> bool:
        """Report that the server has answered; returns whether that closes the breaker."""
        if not self._failures:
            return False
        with self._lock:
            closes, self._failures = self.is_open, 0
            return closes

    def failed(self) -> bool:
        """Report that the server has not answered; returns whether that opens the breaker."""
        with self._lock:
            self._failures += 1
            self._next_trial = time.monotonic() + PAUSE_SECONDS
            return self._failures == FAILURES
