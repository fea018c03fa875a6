"""Threads for jobs that need the processor for long, in fair shares of their owners: long calls, and searches of bots.

Under one interpreter lock more threads get no more done, and the event loop has to wait for each of them. So a few
jobs run at a time, of one owner never as many as there are threads. The others wait, with their requests in memory and
nothing else.
"""

from __future__ import annotations

import math
import threading
import time
from asyncio import CancelledError
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar
from typing import Any, Final

from chitarrella import errors

THREADS: Final = 2
LEAST_BYTES: Final = 64 * 1024
"""A smaller request counts as this large while it waits."""
OWNER_BYTES: Final = 16 * 1024 * 1024
"""Requests of one owner that may wait: at most 256."""
ALL_BYTES: Final = 4 * OWNER_BYTES
JOB_SECONDS: Final = 5.0
"""Processor time of a job that calls `check_job`. A batch of 1,000 ordinary questions takes a fifth of it."""


class Job(Future[Any]):
    """A job that waits for its turn, or runs."""

    def __init__(self, owner: str, size: int, work: Callable[[], Any]) -> None:
        super().__init__()
        self.owner, self.size, self.work = owner, max(size, LEAST_BYTES), work
        self.since, self.end, self.is_cancelled = time.monotonic(), math.inf, False

    def cancel(self) -> bool:
        """Cancel the job; returns whether it had not begun. One that runs stops when it calls `check_job`."""
        self.is_cancelled = True
        return super().cancel()


class FairPool:
    """A few threads, with a bounded queue for each owner. Thread-safe.

    The next job is of the owner that has used the least processor time. An owner without jobs saves up no time: it
    joins at the time of the owner whose job began last. Without ``threads`` a job runs in that of its caller.
    """

    def __init__(self, name: str, threads: int = THREADS, max_wait: float = math.inf) -> None:
        self.most_running, self._most_of_owner, self._max_wait = max(1, threads), max(1, threads - 1), max_wait
        self._threads = ThreadPoolExecutor(threads, name) if threads else None
        self._lock = threading.Lock()
        self._queue: list[Job] = []
        self._running: list[Job] = []
        self._used: dict[str, float] = {}
        self._now = 0.0

    @property
    def waiting(self) -> list[Job]:
        """The jobs that wait for their turn, the oldest first."""
        return [job for job in self._queue if not job.cancelled()]

    def first(self, owners: Iterable[str]) -> str | None:
        """The owner whose job may begin now; None if no thread is free for any."""
        running = [job.owner for job in self._running]
        ready = (owner for owner in owners if running.count(owner) < self._most_of_owner)
        return min(ready, key=self._turn, default=None) if len(running) < self.most_running else None

    def submit(self, owner: str, work: Callable[[], Any], size: int = 0) -> Job:
        """Run ``work`` when it is the turn of ``owner``; ``size`` is that of the request in bytes.

        Raises `errors.Overloaded` if too much waits. A job whose turn comes too late raises it, too.
        """
        job = Job(owner, size, work)
        with self._lock:
            self._queue = [*self.waiting, job]
            of_owner = sum(one.size for one in self._queue if one.owner == owner)
            if of_owner > OWNER_BYTES or sum(one.size for one in self._queue) > ALL_BYTES:
                self._queue.pop()
                raise errors.Overloaded()
        self._begin()
        return job

    def shutdown(self) -> None:
        """Cancel every job, and stop the threads."""
        with self._lock:
            for job in (*self._queue, *self._running):
                job.cancel()
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)

    def _turn(self, owner: str) -> float:
        return max(self._used.get(owner, 0.0), self._now)

    def _begin(self) -> None:
        """Begin jobs while a thread is free for an owner that waits."""
        while (job := self._take()) is not None:
            if self._threads is None:
                self._run(job)
            else:
                self._threads.submit(self._run, job)

    def _take(self) -> Job | None:
        with self._lock:
            self._queue = self.waiting
            if (owner := self.first(job.owner for job in self._queue)) is None:
                return None
            job = next(job for job in self._queue if job.owner == owner)
            self._queue.remove(job)
            self._running.append(job)
            self._now = self._used[owner] = self._turn(owner)
            return job

    def _run(self, job: Job) -> None:
        start, result, error = time.thread_time(), None, None
        token = CURRENT.set(job)
        try:
            if job.set_running_or_notify_cancel():
                if time.monotonic() - job.since > self._max_wait:
                    raise errors.Overloaded()
                job.end = start + JOB_SECONDS
                result = job.work()
        except BaseException as raised:
            error = raised
        CURRENT.reset(token)
        with self._lock:
            self._running.remove(job)
            self._used[job.owner] += time.thread_time() - start
            kept = {job.owner for job in self._running}
            self._used = {owner: used for owner, used in self._used.items() if used > self._now or owner in kept}
        if error is not None:
            job.set_exception(error)
        elif not job.cancelled():
            job.set_result(result)
        del job, error  # the traceback of the error has this frame
        self._begin()


CURRENT: Final[ContextVar[Job | None]] = ContextVar("job", default=None)
"""The job that this thread runs."""


def check_job() -> None:
    """Raise `CancelledError` if the caller of this thread's job has left, `errors.TooLarge` if its time is used up."""
    if (job := CURRENT.get()) is None:
        return
    if job.is_cancelled:
        raise CancelledError
    if time.thread_time() > job.end:
        text = f"A call may take {JOB_SECONDS:g} seconds of processor time: ask less at once."
        raise errors.TooLarge("too_large", text)
