"""Calls that are suspended on an event loop while they wait."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from functools import partial
from typing import Any

import pytest

from chitarrella.storage.loop_calls import is_on_loop, run_long, run_on_loop, sleep, wait_for

NAME: ContextVar[str] = ContextVar("name", default="none")


def test_call_that_does_not_wait_is_answered_at_once() -> None:
    """A call that waits for nothing runs to its end before the loop goes on, and returns or raises."""

    async def main() -> tuple[str, bool]:
        with pytest.raises(ValueError, match="wrong"):
            await run_on_loop(lambda: fail("wrong"))
        return await run_on_loop(lambda: "right"), is_on_loop()

    assert ("right", False) == asyncio.run(main())


def fail(text: str) -> None:
    """Raise an error."""
    raise ValueError(text)


def test_calls_wait_beside_each_other() -> None:
    """A hundred calls that each wait three times take hardly longer than one, in one thread."""
    threads = set()

    def call(number: int) -> int:
        for _ in range(3):
            assert is_on_loop()
            sleep(0.05)
            threads.add(threading.get_ident())
        return number

    async def main() -> list[int]:
        return await asyncio.gather(*(run_on_loop(partial(call, number)) for number in range(100)))

    begun = time.monotonic()
    assert list(range(100)) == asyncio.run(main())
    assert 3 > time.monotonic() - begun
    assert {threading.get_ident()} == threads


def test_error_of_what_is_waited_for_is_raised_in_the_call() -> None:
    """An error of an awaitable is raised where the call waits, which may catch it, or let its caller have it."""

    async def broken() -> None:
        await asyncio.sleep(0)
        fail("broken")

    def caught() -> str:
        with pytest.raises(ValueError, match="broken"):
            wait_for(broken())
        return "caught"

    async def main() -> str:
        with pytest.raises(ValueError, match="broken"):
            await run_on_loop(lambda: wait_for(broken()))
        return await run_on_loop(caught)

    assert "caught" == asyncio.run(main())


@pytest.mark.parametrize("is_broken", [False, True])
def test_cancelled_call_runs_to_its_end(*, is_broken: bool, caplog: pytest.LogCaptureFixture) -> None:
    """When the caller of a waiting call is cancelled, the call goes on in any case, and nothing is logged."""
    done = []

    def call() -> None:
        sleep(0.05)
        done.append("first")
        sleep(0.05)
        done.append("second")
        if is_broken:
            fail("nobody hears this")

    async def main() -> None:
        task = asyncio.create_task(run_on_loop(call))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.sleep(0.2)
        gc.collect()

    asyncio.run(main())
    assert ["first", "second"] == done
    assert not caplog.records


def test_context_is_that_of_the_caller_alone() -> None:
    """A call sees the context variables of its caller; those that it sets are nobody else's, also while it waits."""

    def call(name: str) -> tuple[str, str]:
        before = NAME.get()
        NAME.set(f"{before} {name}")
        sleep(0.01)
        return before, NAME.get()

    async def caller(name: str) -> Any:
        NAME.set(name)
        found = await asyncio.gather(run_on_loop(lambda: call("a")), run_on_loop(lambda: call("b")))
        return [*found, NAME.get()]

    async def main() -> Any:
        return await asyncio.gather(caller("one"), caller("two"))

    assert [
        [("one", "one a"), ("one", "one b"), "one"],
        [("two", "two a"), ("two", "two b"), "two"],
    ] == asyncio.run(main())


def test_long_work_leaves_the_loop() -> None:
    """What takes long runs in another thread when its call is on a loop, which goes on; else where it stands."""

    def long_work() -> int:
        time.sleep(0.1)
        return threading.get_ident()

    async def main() -> tuple[int, int]:
        with ThreadPoolExecutor(1) as threads:
            working = asyncio.create_task(run_on_loop(lambda: run_long(long_work, threads)))
            turns = 0
            while not working.done():
                await asyncio.sleep(0.001)
                turns += 1
            return working.result(), turns

    thread, turns = asyncio.run(main())
    assert threading.get_ident() != thread
    assert 10 < turns
    assert threading.get_ident() == run_long(long_work)


def test_failed_calls_leave_no_cycle() -> None:
    """Calls that fail after a wait are freed at once with all that their frames hold, without the garbage collector."""

    class Request:
        """Something large."""

    alive = 0

    def call(request: Request) -> None:
        sleep(0)
        fail(f"refused {id(request)}")

    async def main() -> None:
        for _ in range(50):
            with contextlib.suppress(ValueError):
                await run_on_loop(lambda: call(Request()))

    gc.collect()
    gc.disable()
    try:
        asyncio.run(main())
        alive = sum(isinstance(one, Request) for one in gc.get_objects())
    finally:
        gc.enable()
    assert 1 >= alive
