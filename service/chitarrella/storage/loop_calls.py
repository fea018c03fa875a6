"""Synchronous calls on an event loop: one that waits for the store is suspended, and the loop goes on.

Each call runs in a greenlet. So the use cases are plain functions, written once: they run in threads, without any loop,
and on a loop, where a wait costs neither a thread nor the hand-over between threads.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor
from contextvars import copy_context
from typing import Any, TypeVar, cast

from greenlet import getcurrent, greenlet

T = TypeVar("T")


class _LoopCall(greenlet):
    """A call on an event loop, which `resume` continues when what it waits for is there."""

    def __init__(self, call: Callable[[], Any], loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(call)
        self.loop = loop
        self.gr_context = copy_context()
        self.done: asyncio.Future[Any] | None = None

    def resume(self, _: object) -> None:
        """Run until the call waits again or ends, and settle the future of one that has ended."""
        try:
            result = self.switch()
        except BaseException as error:  # whatever it is, it belongs to the caller
            self._take_done().set_exception(error)
        else:
            if self.dead:
                self._take_done().set_result(result)

    def _take_done(self) -> asyncio.Future[Any]:
        """Return the future, and forget it: with an exception it would be a cycle through the frame of `resume`.

        Where the caller was cancelled meanwhile, nobody waits for it, and a new one takes the result.
        """
        done, self.done = self.done, None
        return done if done is not None and not done.cancelled() else _Unheard(loop=self.loop)


class _Unheard(asyncio.Future[Any]):
    """The future of a call whose caller was cancelled: its exception is nobody's."""

    def set_exception(self, exception: type[BaseException] | BaseException, /) -> None:
        """Drop the exception; a store that fails has been logged already."""
        self.set_result(None)


async def run_on_loop(call: Callable[[], T]) -> T:
    """Run ``call`` on this loop; where it waits by `wait_for`, the loop goes on. Raises what the call raises.

    A call whose caller is cancelled runs on to its end, as it would in a thread.
    """
    running = _LoopCall(call, asyncio.get_running_loop())
    result = running.switch()
    if running.dead:
        return cast(T, result)
    done = running.done = running.loop.create_future()
    try:
        return cast(T, await done)
    finally:
        del done, running


def is_on_loop() -> bool:
    """Whether the caller runs by `run_on_loop`, and so must not block."""
    return isinstance(getcurrent(), _LoopCall)


def running_loop() -> asyncio.AbstractEventLoop:
    """The loop of the running call; only by `run_on_loop`."""
    return _current().loop


def wait_for(awaitable: Awaitable[T]) -> T:
    """Suspend the running call until ``awaitable`` is done, and return its result; only by `run_on_loop`."""
    call = _current()
    scheduler = cast(greenlet, call.parent)
    future: asyncio.Future[T] = asyncio.ensure_future(awaitable, loop=call.loop)
    if not future.done():
        future.add_done_callback(call.resume)
        scheduler.switch()
    try:
        return future.result()
    finally:
        del future


def sleep(seconds: float) -> None:
    """Sleep without holding up a loop."""
    if is_on_loop():
        wait_for(asyncio.sleep(seconds))
    else:
        time.sleep(seconds)


def run_long(call: Callable[[], T], threads: Executor | None = None) -> T:
    """Run what takes long: of a call on a loop in ``threads``, else where it stands. Raises what the call raises."""
    return wait_for(_current().loop.run_in_executor(threads, call)) if is_on_loop() else call()


def _current() -> _LoopCall:
    return cast(_LoopCall, getcurrent())
