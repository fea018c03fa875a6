"""The parent process of several workers: starts them, and replaces one that ended.

A worker that fails again and again is started with growing pauses. Workers end with their parent, however that ends.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from ctypes import c_bool, c_ulong
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.context import ForkProcess
from multiprocessing.sharedctypes import RawValue
from typing import Any

from chitarrella.runtime.telemetry import flush_all, forget_worker
from chitarrella.server.process import event_loop, raise_file_limit
from chitarrella.server.settings import Settings
from chitarrella.server.worker import Worker
from chitarrella.storage.die_with_parent import signal_at_end_of_parent
from chitarrella.storage.rows import StoreError

# The pause before a worker is replaced, and its maximum; it doubles each time.
FIRST_PAUSE_SECONDS, MAX_PAUSE_SECONDS = 0.5, 30.0
STABLE_SECONDS = 300.0  # a worker that has lived so long is replaced after the first pause again
MAX_FAILED_STARTS = 5  # so many times in a row a worker may end before it listens; then the service ends
POLL_SECONDS = 0.1  # seconds between two looks at the workers
STOP_TIMEOUT_SECONDS = 15.0  # seconds that a worker has to stop, once it does not wait any more, before it is killed
STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)
LOG = logging.getLogger("chitarrella")


class WorkersFailed(RuntimeError):
    """The workers cannot be started."""


@dataclass
class Backoff:
    failed_starts: int = 0
    _pause: float = FIRST_PAUSE_SECONDS

    def pause_after(self, age: float, *, has_listened: bool) -> float:
        """The seconds until the next start, after a worker that has lived ``age`` seconds. Raises `WorkersFailed`."""
        self.failed_starts = 0 if has_listened else self.failed_starts + 1
        if self.failed_starts >= MAX_FAILED_STARTS:
            raise WorkersFailed(f"a worker has failed to start {MAX_FAILED_STARTS} times in a row; the log says why")
        pause = FIRST_PAUSE_SECONDS if age >= STABLE_SECONDS else self._pause
        self._pause = min(MAX_PAUSE_SECONDS, 2 * pause)
        return pause


@dataclass
class _Place:
    settings: Settings
    process: ForkProcess | None = None
    listening: Connection | None = None
    has_listened: bool = False
    start_time: float = 0.0
    backoff: Backoff = field(default_factory=Backoff)


class Supervisor:
    """The workers of one service. Its methods belong to the main thread: a worker ends with the thread that made it."""

    def __init__(self, settings: Settings, redis_url: str) -> None:
        self._fork = multiprocessing.get_context("fork")  # a worker begins with what its parent has imported
        self._restarts: Any = RawValue(c_ulong, 0)
        self._stop_seconds = settings.drain + STOP_TIMEOUT_SECONDS
        self._drained: Any = RawValue(c_bool, False)
        self._redis_url = redis_url
        self._places = [_Place(settings.of_worker(number)) for number in range(settings.workers)]
        for place in self._places:
            self._start(place)

    def _start(self, place: _Place) -> None:
        if place.listening is not None:
            place.listening.close()
        place.listening, listening = self._fork.Pipe(duplex=False)
        arguments = place.settings, self._redis_url, self._restarts, self._drained
        place.process = self._fork.Process(target=_run_forked_worker, args=(*arguments, listening))
        signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)  # until the worker does not have our handlers any more
        place.process.start()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
        listening.close()
        place.has_listened, place.start_time = False, time.monotonic()

    def wait_until_listening(self, stop: threading.Event) -> bool:
        """Wait until all workers listen; False if ``stop`` is set first. Raises `WorkersFailed` if one ends."""
        while not all(_listens(place) for place in self._places):
            if stop.wait(POLL_SECONDS):
                return False
            if any(place.process is not None and not place.process.is_alive() for place in self._places):
                raise WorkersFailed("a worker has failed to start; the log says why")
        return True

    def run(self, stop: threading.Event, also: Callable[[], None]) -> None:
        """Replace workers that end until ``stop`` is set, and call ``also`` each time it has looked at them.

        Raises `WorkersFailed` where a new worker does not help.
        """
        while not stop.wait(POLL_SECONDS):
            for place in self._places:
                self._check(place)
            also()

    def _check(self, place: _Place) -> None:
        now = time.monotonic()
        if place.process is None:
            if now >= place.start_time:
                self._start(place)
                self._restarts.value += 1
            return
        is_alive = place.process.is_alive()
        place.has_listened = _listens(place)
        if not is_alive:
            pause = self._log_end(place, place.process, now - place.start_time)
            place.process, place.start_time = None, now + pause

    def _log_end(self, place: _Place, process: ForkProcess, age: float) -> float:
        process.join()
        forget_worker(process.pid)
        LOG.error("a worker has ended: %s, %.1f s after its start", _cause(process.exitcode), age)
        pause = place.backoff.pause_after(age, has_listened=place.has_listened)
        LOG.warning("a worker is started again in %.1f s", pause)
        return pause

    def drain(self) -> None:
        """Make the workers report that they are not ready any more; calls are still answered."""
        self._drained.value = True

    def stop(self) -> None:
        processes = [place.process for place in self._places if place.process is not None]
        for process in processes:
            process.terminate()
        for process in processes:
            process.join(self._stop_seconds)
            process.kill()


def _listens(place: _Place) -> bool:
    if not place.has_listened and place.listening is not None and place.listening.poll():
        with suppress(EOFError):  # it has ended without it
            place.has_listened = bool(place.listening.recv())
    return place.has_listened


def _cause(exit_code: int | None) -> str:
    if exit_code is not None and exit_code < 0:
        with suppress(ValueError):
            return f"signal {signal.Signals(-exit_code).name}"
    return f"exit code {exit_code}"


def run_worker(
    settings: Settings,
    redis_url: str,
    listening: Callable[..., None],
    *,
    share: bool,
    restarts: Callable[[], int] = lambda: 0,
    draining: c_bool | None = None,
) -> None:
    """Run one worker until SIGTERM or SIGINT; call ``listening`` with its ports once it listens."""
    raise_file_limit()

    async def run() -> None:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in STOP_SIGNALS:
            loop.add_signal_handler(number, stop.set)
        await Worker(settings, redis_url, restarts, draining).run(listening, stop, share=share)

    with asyncio.Runner(loop_factory=event_loop()) as runner:
        runner.run(run())


def _run_forked_worker(settings: Settings, redis_url: str, restarts: Any, drained: Any, listening: Connection) -> None:
    signal_at_end_of_parent(signal.SIGKILL)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
    try:
        run_worker(
            settings,
            redis_url,
            lambda *_: listening.send(True),
            share=True,
            restarts=lambda: int(restarts.value),
            draining=drained,
        )
    except (OSError, RuntimeError, ValueError, StoreError) as error:
        LOG.critical("the worker has failed: %s", error)
        sys.exit(1)
    except Exception:
        LOG.critical("the worker has failed", exc_info=True)
        sys.exit(1)
    finally:
        flush_all()


def _end_with_parent() -> None:
    """End this worker with its parent, also where the kernel does not see to it, or the parent had ended before."""
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGKILL)
