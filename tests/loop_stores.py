"""A store whose methods all run on an event loop, suspended while they wait: for tests that also call it in threads."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar, cast

import pytest
import uvloop
from redis.connection import AbstractConnection

from chitarrella.storage.pipelined_client import is_on_loop, run_on_loop
from chitarrella.storage.redis_store import RedisStore

T = TypeVar("T")


@contextmanager
def nothing_blocks() -> Iterator[None]:
    """Fail where a call on a loop sends something over a connection of redis-py, which blocks the loop."""
    blocking = []
    send = AbstractConnection.send_packed_command

    def watched(connection: Any, command: Any, check_health: Any = True) -> Any:  # as redis-py has it
        if is_on_loop():
            blocking.append(command)
        return send(connection, command, check_health)  # type: ignore[no-untyped-call]  # redis-py leaves it untyped

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(AbstractConnection, "send_packed_command", watched)
        yield
    assert [] == blocking


PARTS = ("matches", "schedule", "searches", "index")


@cache
def shared_loop() -> asyncio.AbstractEventLoop:
    """The loop of this test process, which runs in a thread of its own until the process ends."""
    loop = uvloop.new_event_loop()
    threading.Thread(target=loop.run_forever, name="loop", daemon=True).start()
    return loop


def on_loop(call: Callable[[], T]) -> T:
    if is_on_loop():  # what a call gives to the store to be called
        return call()

    async def run() -> T:
        return await run_on_loop(call)

    return asyncio.run_coroutine_threadsafe(run(), shared_loop()).result(60)


class _OnLoop:
    """An object whose methods run on the loop; its other attributes are those of the object."""

    def __init__(self, inner: Any, parts: tuple[str, ...] = ()) -> None:
        self._inner = inner
        self._parts = {name: _OnLoop(getattr(inner, name)) for name in parts}

    @property  # type: ignore[misc]  # it is writable in `object`
    def __class__(self) -> Any:  # so that it is an instance of what it stands for
        return type(self._inner)

    def __getattr__(self, name: str) -> Any:
        if name in self._parts:
            return self._parts[name]
        found = getattr(self._inner, name)
        if not callable(found):
            return found
        return lambda *args, **how: on_loop(lambda: found(*args, **how))


def loop_store(store: RedisStore) -> RedisStore:
    """Return a store that does on the loop what ``store`` does in the thread of its caller."""
    return cast(RedisStore, _OnLoop(store, PARTS))


Wrap = Callable[[RedisStore], RedisStore]  # makes a store to be called in threads, or on an event loop
WRAPS = [pytest.param(lambda store: store, id="in threads"), pytest.param(loop_store, id="on a loop")]
"""Both, as parameters of a test."""
