"""Threads for calls that wait for the store, with a bounded queue before them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any

from chitarrella import errors
from chitarrella.api.waiting_calls import WaitingCalls

THREADS = 32
"""Calls that wait for the store, or take long, at the same time."""
MAX_WAITING = 5000
"""Calls that may wait for a thread of a worker: when another worker is lost, all its watchers come at once."""
MAX_WAIT_SECONDS = 10.0
"""A call that has waited longer is not begun: its caller has given up, or is about to."""


class BoundedExecutor(ThreadPoolExecutor):
    """A pool of threads that refuses calls, rather than let them wait long.

    ``submit`` raises `errors.Overloaded` where ``max_waiting`` calls wait already. The future of a call whose turn
    comes after ``max_wait_seconds`` raises it too. Neither has done anything, so that both can be retried.
    """

    def __init__(
        self,
        threads: int = THREADS,
        thread_name_prefix: str = "calls",
        *,
        max_waiting: int = MAX_WAITING,
        max_wait_seconds: float = MAX_WAIT_SECONDS,
    ) -> None:
        """Run up to ``threads`` calls at once."""
        super().__init__(threads, thread_name_prefix)
        self._most = threads + max_waiting
        self._max_wait = max_wait_seconds
        self._lock = threading.Lock()
        self._count = 0
        self._queued = WaitingCalls()

    @property
    def waiting(self) -> int:
        """How many calls wait for a thread."""
        return max(0, self._count - self._max_workers)

    def oldest_seconds(self) -> float:
        """For how many seconds the oldest call that waits for a thread has waited; 0 where none does."""
        return self._queued.oldest_seconds()

    def submit(self, call: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run ``call`` in a thread. Raises `errors.Overloaded`."""
        with self._lock:
            if self._count >= self._most:
                raise errors.Overloaded()
            self._count += 1
        queued = self._queued.add()
        try:
            future = super().submit(self._begin, queued, time.monotonic(), partial(call, *args, **kwargs))
        except BaseException:
            self._leave(queued, None)
            raise
        future.add_done_callback(partial(self._leave, queued))
        return future

    def _begin(self, queued: object, submitted: float, call: Callable[[], Any]) -> Any:
        self._queued.discard(queued)
        if time.monotonic() - submitted > self._max_wait:
            raise errors.Overloaded()
        return call()

    def _leave(self, queued: object, _: Future[Any] | None) -> None:
        self._queued.discard(queued)  # one that was cancelled has never begun
        with self._lock:
            self._count -= 1
