"""Threads for calls that need the processor, in fair shares of their callers.

Under one interpreter lock more threads get no more done, and the event loop has to wait for each of them. So a few
calls run at a time, of one owner never more than one. The others wait, with their requests in memory and nothing else.
"""

from __future__ import annotations

import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final

from chitarrella import errors
from chitarrella.api.call_budget import CallBudget
from chitarrella.api.executor import MAX_WAIT_SECONDS

LONG_THREADS: Final = 2
"""Long calls at the same time, each of another owner."""
LEAST_BYTES: Final = 64 * 1024
"""A smaller request counts as this large while it waits."""
OWNER_BYTES: Final = 16 * 1024 * 1024
"""Requests of one owner that may wait: at most 256."""
ALL_BYTES: Final = 4 * OWNER_BYTES
"""Requests of all owners that may wait."""


class LongCall(Future[Any]):
    """A call that waits for its turn, or runs. To cancel it stops it at its next step where it runs already."""

    def __init__(self, owner: str, size: int, answer: Callable[[], Any]) -> None:
        """Call ``answer`` for a request of ``size`` bytes."""
        super().__init__()
        self.owner = owner
        self.size = max(size, LEAST_BYTES)
        self.answer = answer
        self.since = time.monotonic()
        self.budget = CallBudget()

    def cancel(self) -> bool:
        """Cancel the call; returns whether it had not begun."""
        self.budget.cancel()
        return super().cancel()


class FairExecutor:
    """A few threads for long calls, with a bounded queue for each owner. Thread-safe."""

    def __init__(self, threads: int = LONG_THREADS, *, max_wait_seconds: float = MAX_WAIT_SECONDS) -> None:
        """Run up to ``threads`` calls at once."""
        self._threads = threads
        self._max_wait = max_wait_seconds
        self._pool = ThreadPoolExecutor(threads, "long")
        self._lock = threading.Lock()
        self._waiting: OrderedDict[str, deque[LongCall]] = OrderedDict()
        self._bytes: Counter[str] = Counter()
        self._running: dict[str, LongCall] = {}

    @property
    def waiting(self) -> int:
        """How many calls wait for their turn."""
        with self._lock:
            return sum(map(len, self._waiting.values()))

    def oldest_seconds(self) -> float:
        """For how many seconds the oldest call that waits for its turn has waited; 0 where none does."""
        with self._lock:
            return max((time.monotonic() - queue[0].since for queue in self._waiting.values()), default=0.0)

    def submit(self, owner: str, size: int, answer: Callable[[], Any]) -> LongCall:
        """Call ``answer`` in a thread when it is the turn of ``owner``; ``size`` is that of the request.

        Raises `errors.Overloaded` where too much waits. A call whose turn comes too late raises it, too.
        """
        call = LongCall(owner, size, answer)
        with self._lock:
            mine = self._bytes[owner]
            if mine + call.size > OWNER_BYTES or self._bytes.total() + call.size > ALL_BYTES:
                raise errors.Overloaded()
            self._bytes[owner] = mine + call.size
            self._waiting.setdefault(owner, deque()).append(call)
        call.add_done_callback(self._forget)
        self._begin()
        return call

    def shutdown(self) -> None:
        """Cancel every call, and stop the threads."""
        with self._lock:
            calls = [*self._running.values(), *(call for queue in self._waiting.values() for call in queue)]
        for call in calls:
            call.cancel()
        self._pool.shutdown(wait=False)

    def _begin(self) -> None:
        """Begin calls while a thread is free and an owner waits that has none running."""
        while (call := self._take()) is not None:
            self._pool.submit(self._run, call)

    def _take(self) -> LongCall | None:
        """Take the next call, of the owner that has waited longest for a turn; it counts as running."""
        with self._lock:
            if len(self._running) >= self._threads:
                return None
            owner = next((one for one in self._waiting if one not in self._running), None)
            if owner is None:
                return None
            call = self._waiting[owner][0]
            self._remove(call)
            if owner in self._waiting:
                self._waiting.move_to_end(owner)
            self._running[owner] = call
            return call

    def _run(self, call: LongCall) -> None:
        try:
            if call.set_running_or_notify_cancel():
                self._answer(call)
        finally:
            with self._lock:
                del self._running[call.owner]
            self._begin()

    def _answer(self, call: LongCall) -> None:
        try:
            if time.monotonic() - call.since > self._max_wait:
                raise errors.Overloaded()
            with call.budget.spent_here():
                result = call.answer()
        except BaseException as error:
            call.set_exception(error)
        else:
            call.set_result(result)
        finally:
            del call  # the traceback of an error has this frame

    def _forget(self, done: Future[Any]) -> None:
        """Take a call that was cancelled before its turn out of the queue."""
        assert isinstance(done, LongCall)
        with self._lock:
            if done in self._waiting.get(done.owner, ()):
                self._remove(done)

    def _remove(self, call: LongCall) -> None:
        queue = self._waiting[call.owner]
        queue.remove(call)
        if not queue:
            del self._waiting[call.owner]
        self._bytes[call.owner] -= call.size
        if not self._bytes[call.owner]:
            del self._bytes[call.owner]
