"""Calls that wait for a thread of a worker: there are never too many of them, and none waits for long."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import AsyncExitStack, ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message

from chitarrella import errors
from chitarrella.api.async_calls import OPENING_STREAMS, AsyncStreams
from chitarrella.api.caller import Caller
from chitarrella.api.executor import BoundedExecutor
from chitarrella.storage.embedded_valkey import binary
from chitarrella.v1 import matches_pb2
from chitarrella.v1.matches_pb2_grpc import MatchServiceStub
from tests.server.process import Service, reason
from tests.servers import Server, until

THREADS = 2
WAITING = 3
CHANNELS, CROWD = 4, 1200


@pytest.fixture
def free() -> Iterator[threading.Event]:
    """What the running calls wait for; set at the end, so that the pool can end."""
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture
def pool(free: threading.Event) -> Iterator[BoundedExecutor]:
    """A pool all of whose threads are busy."""
    with BoundedExecutor(THREADS, max_waiting=WAITING) as made:
        running = [threading.Event() for _ in range(THREADS)]
        for event in running:
            made.submit(lambda event=event: (event.set(), free.wait()))
        for event in running:
            assert event.wait(10)
        yield made
        free.set()


def fill(pool: BoundedExecutor) -> list[Future[Any]]:
    """Submit as many calls as may wait."""
    return [pool.submit(str, number) for number in range(WAITING)]


class SlowDispatcher:
    """Opens streams that take as long as it takes to be free."""

    def __init__(self, free: threading.Event) -> None:
        self._free = free
        self.begun = 0

    def watch(self, *_: object) -> Any:
        """Wait, and return a stream that can be closed."""
        self.begun += 1
        assert self._free.wait(10)
        return SimpleNamespace(close=lambda: None)


def test_streams_are_opened_a_few_at_a_time(free: threading.Event) -> None:
    """While many streams are opened, a call does not wait for all of them; in the end all are open."""
    opened = 0

    async def open_stream(streams: AsyncStreams) -> None:
        nonlocal opened
        async with streams.open("", Message, Caller()):
            opened += 1

    async def run() -> None:
        dispatcher: Any = SlowDispatcher(free)
        with BoundedExecutor(OPENING_STREAMS + 1) as threads:
            streams = AsyncStreams(dispatcher, threads, 15.0)
            opening = [asyncio.create_task(open_stream(streams)) for _ in range(20)]
            while dispatcher.begun < OPENING_STREAMS:
                await asyncio.sleep(0.001)
            assert "a call" == await asyncio.get_running_loop().run_in_executor(threads, str, "a call")
            assert (OPENING_STREAMS, 0) == (dispatcher.begun, opened)
            free.set()
            await asyncio.gather(*opening)

    asyncio.run(run())
    assert 20 == opened


@pytest.mark.parametrize("limit", ["MAX_WAITING", "MAX_WAIT_SECONDS"])
def test_stream_that_would_wait_long_is_refused(
    free: threading.Event, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stream is refused, rather than opened late, where too many wait before it or it has waited too long."""
    monkeypatch.setattr(f"chitarrella.api.async_calls.{limit}", 0)

    async def run() -> None:
        dispatcher: Any = SlowDispatcher(free)
        free.set()
        with BoundedExecutor() as threads:
            async with AsyncExitStack() as stack:
                streams = AsyncStreams(dispatcher, threads, 15.0)
                for _ in range(OPENING_STREAMS):
                    await streams._opening.acquire()
                with pytest.raises(errors.Overloaded):
                    await stack.enter_async_context(streams.open("", Message, Caller()))

    asyncio.run(run())


def test_queue_is_bounded(pool: BoundedExecutor, free: threading.Event) -> None:
    """The call that finds the queue full is refused at once; those in it are answered in the end."""
    waiting = fill(pool)
    assert WAITING == pool.waiting
    with pytest.raises(errors.Overloaded):
        pool.submit(str, WAITING)
    free.set()
    assert [str(number) for number in range(WAITING)] == [call.result(10) for call in waiting]
    until(lambda: not pool.waiting, "nobody waits")
    assert "again" == pool.submit(str, "again").result(10)


def test_cancelled_call_leaves_the_queue(pool: BoundedExecutor) -> None:
    """A caller that gives up makes room for another one."""
    assert fill(pool)[1].cancel()
    assert WAITING - 1 == pool.waiting
    pool.submit(str)
    with pytest.raises(errors.Overloaded):
        pool.submit(str)


def test_call_that_waited_long_is_not_begun(free: threading.Event) -> None:
    """When the turn of a call comes too late, it raises, and does nothing."""
    begun: list[int] = []
    with BoundedExecutor(1, max_wait_seconds=0.05) as pool:
        pool.submit(free.wait)
        late = pool.submit(begun.append, 1)
        assert not free.wait(0.1)
        free.set()
        with pytest.raises(errors.Overloaded):
            late.result(10)
    assert [] == begun


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """The rpc ListEvents, over a connection of its own."""
    with grpc.insecure_channel(address, [("grpc.use_local_subchannel_pool", 1)]) as channel:
        yield MatchServiceStub(channel).ListEvents


def test_callers_are_refused_while_the_store_hangs(tmp_path: Path) -> None:
    """A crowd that finds the store hanging gets an answer each: the store is away, or too many wait."""
    server = Server(binary(), tmp_path / "store")
    service = Service(tmp_path / "service", "--redis-url", server.url, forked=True)
    request = matches_pb2.ListEventsRequest(match_id="a" * 20)
    try:
        with ExitStack() as channels:
            calls = [channels.enter_context(connected(service.grpc)) for _ in range(CHANNELS)]
            assert {"no_such_match"} == {reason(call.future(request, timeout=30).exception()) for call in calls}
            server.pause()
            pending = [calls[number % CHANNELS].future(request, timeout=60) for number in range(CROWD)]
            reasons = {reason(one.exception()) for one in pending}
        assert {"store_down"} <= reasons <= {"store_down", "overloaded"}
    finally:
        service.clear_away()
        server.kill()
