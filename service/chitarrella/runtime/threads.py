"""Threads, with bounded queues: for calls that wait for the store, and in fair shares for those that compute."""

from __future__ import annotations

import asyncio
import math
import threading
import time
from asyncio import CancelledError
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar
from functools import partial
from typing import Any, Final

from chitarrella import errors


class WaitingCalls(dict[object, float]):
    """Calls that wait, each with the time at which it began to. Thread-safe."""

    def add(self) -> object:
        call = object()
        self[call] = time.monotonic()
        return call

    def oldest_seconds(self) -> float:
        since = tuple(self.values())  # a copy in one step: other threads go on
        return time.monotonic() - min(since) if since else 0.0


CALL_THREADS = 32  # calls that wait for the store, or take long, at the same time
# Calls that may wait for a thread of a worker: when another worker is lost, all its watchers come at once.
MAX_WAITING = 5000
MAX_WAIT_SECONDS = 10.0  # a call that has waited longer is not begun: its caller has given up, or is about to


class BoundedExecutor(ThreadPoolExecutor):
    """A pool of threads that raises `errors.Overloaded` where too many calls wait, or one for too long."""

    def __init__(
        self,
        threads: int = CALL_THREADS,
        thread_name_prefix: str = "calls",
        *,
        max_waiting: int = MAX_WAITING,
        max_wait_seconds: float = MAX_WAIT_SECONDS,
    ) -> None:
        super().__init__(threads, thread_name_prefix)
        self._most = threads + max_waiting
        self._max_wait = max_wait_seconds
        self._lock = threading.Lock()
        self._count = 0
        self._queued = WaitingCalls()

    @property
    def waiting(self) -> int:
        return max(0, self._count - self._max_workers)

    def oldest_seconds(self) -> float:
        return self._queued.oldest_seconds()

    def submit(self, call: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
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
        self._queued.pop(queued, None)
        if time.monotonic() - submitted > self._max_wait:
            raise errors.Overloaded()
        return call()

    def _leave(self, queued: object, _: Future[Any] | None) -> None:
        self._queued.pop(queued, None)  # one that was cancelled has never begun
        with self._lock:
            self._count -= 1


class ThreadEvent:
    """Wakes a coroutine on an event loop from any thread. Set while nobody waits, it stays set."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._is_set = False
        self._waiting: asyncio.Future[bool] | None = None

    def set(self) -> None:
        if not self._is_set:  # the loop is woken once for all calls before the next wait
            self._is_set = True
            self._loop.call_soon_threadsafe(self._wake, True)

    def _wake(self, is_set: bool) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(is_set)

    async def wait(self, seconds: float) -> bool:
        """Wait until the event is set, and clear it; return False if it is not set within ``seconds``."""
        if not self._is_set:
            self._waiting = self._loop.create_future()
            timeout = self._loop.call_later(seconds, self._wake, False)
            try:
                if not await self._waiting:
                    return False
            finally:
                timeout.cancel()
                self._waiting = None
        self._is_set = False  # before the reader looks, or what comes right after that would be missed
        return True


THREADS: Final = 2  # of a `FairPool`
LEAST_BYTES: Final = 64 * 1024  # a smaller request counts as this large while it waits
OWNER_BYTES: Final = 16 * 1024 * 1024  # requests of one owner that may wait: at most 256
ALL_BYTES: Final = 4 * OWNER_BYTES
# Processor time of a job that calls `check_job`. A batch of 1,000 ordinary questions takes a fifth of it.
JOB_SECONDS: Final = 5.0


class Job(Future[Any]):
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
    def has_threads(self) -> bool:
        return self._threads is not None

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
        """Run ``work`` at the turn of ``owner``. Raises `errors.Overloaded` if too much waits, or for too long."""
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
        with self._lock:
            for job in (*self._queue, *self._running):
                job.cancel()
        if self._threads is not None:
            self._threads.shutdown(wait=False)  # jobs that were taken end at once: they are cancelled

    def _turn(self, owner: str) -> float:
        return max(self._used.get(owner, 0.0), self._now)

    def _begin(self) -> None:
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


def check_job() -> None:
    """Raise `CancelledError` if the caller of this thread's job has left, `errors.TooLarge` if its time is used up."""
    if (job := CURRENT.get()) is None:
        return
    if job.is_cancelled:
        raise CancelledError
    if time.thread_time() > job.end:
        text = f"A call may take {JOB_SECONDS:g} seconds of processor time: ask less at once."
        raise errors.TooLarge("too_large", text)
