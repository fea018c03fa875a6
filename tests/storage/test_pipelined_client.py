"""The connection that all calls on an event loop share."""

import asyncio
import contextlib
import gc
import threading
import time
import weakref
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from chitarrella.storage.pipelined_client import PipelinedConnection, is_on_loop, run_long, run_on_loop, sleep, wait_for
from chitarrella.storage.rows import StoreError
from tests.loop_stores import loop_store
from tests.servers import Server, until
from tests.storage.rows import LONG, Listener, append, connected, create_row, listening
from tests.stores import OpenStore

Answer = Callable[[bytes], bytes | None]
"""What a server answers to what it has read; None closes the connection."""


@asynccontextmanager
async def server_that_says(answer: Answer) -> AsyncIterator[tuple[PipelinedConnection, list[bytes]]]:
    read: list[bytes] = []
    serving: set[asyncio.Task[Any] | None] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        serving.add(asyncio.current_task())
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                read.append(data)
                reply = answer(data)
                if reply is None:
                    break
                writer.write(reply)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    opener = partial(asyncio.get_running_loop().create_connection, host=host, port=port)
    connection = PipelinedConnection(opener, 0.4)
    yield connection, read
    connection.drop()
    server.close()
    await asyncio.gather(*filter(None, serving))  # each ends when its connection does


async def test_commands_of_one_turn_go_out_in_one_write() -> None:
    """What is sent in one turn of the loop, with or without a connection, is one write; replies keep their order."""
    async with server_that_says(lambda data: b"".join(b":%d\r\n" % n for n in range(data.count(b"*2")))) as (
        connection,
        read,
    ):
        for _ in range(2):
            sent = [connection.send([("GET", str(number))]) for number in range(5)]
            assert [[0], [1], [2], [3], [4]] == await asyncio.gather(*sent)
        assert 2 == len(read)


async def test_late_reply_fails_and_what_came_later_can_be_sent_again() -> None:
    """Where no reply comes in time, the oldest fail by their time; a request that has hardly waited may be repeated."""
    async with server_that_says(lambda _: b"") as (connection, _):
        first = connection.send([("GET", "a")])
        await asyncio.sleep(0.3)
        second = connection.send([("GET", "b")])
        with pytest.raises(RedisTimeoutError):
            await first
        with pytest.raises(RedisConnectionError):
            await second


async def test_closed_connection_fails_what_waits_and_is_opened_again() -> None:
    """A connection that the server closes fails all that waits on it; the next command opens another one."""
    answers = iter([None, b":7\r\n"])
    async with server_that_says(lambda _: next(answers)) as (connection, _):
        with pytest.raises(RedisConnectionError):
            await connection.send([("GET", "a")])
        assert [7] == await connection.send([("GET", "a")])


async def test_reply_that_nobody_waits_for_closes_the_connection() -> None:
    """More replies than commands mean that the two are out of step: nothing after them is believed."""
    async with server_that_says(lambda _: b":1\r\n:2\r\n") as (connection, read):
        assert [1] == await connection.send([("GET", "a")])
        assert [1] == await connection.send([("GET", "b")])
        assert 2 == len(read)


def test_refused_password_is_an_error_of_every_command(server: Server) -> None:
    """A store whose server wants another password refuses calls on a loop, as it does in threads."""
    server.ask("CONFIG", "SET", "requirepass", "right")
    with pytest.raises(StoreError), connected(server.url.replace("unix://", "unix://:wrong@"), loop_store) as store:
        store.probe()


# ---------------------------------------------------------------------- loop calls


NAME: ContextVar[str] = ContextVar("name", default="none")
HELD: ContextVar[Any] = ContextVar("held")


class Held:
    """What a call or its caller holds."""


async def test_call_that_does_not_wait_is_answered_at_once() -> None:
    """A call that waits for nothing runs to its end before the loop goes on, and returns or raises."""
    with pytest.raises(ValueError, match="wrong"):
        await run_on_loop(lambda: fail("wrong"))
    assert ("right", False) == (await run_on_loop(lambda: "right"), is_on_loop())


def fail(text: str) -> None:
    raise ValueError(text)


async def test_calls_wait_beside_each_other() -> None:
    """A hundred calls that each wait three times take hardly longer than one, in one thread."""
    threads = set()

    def call(number: int) -> int:
        for _ in range(3):
            assert is_on_loop()
            sleep(0.05)
            threads.add(threading.get_ident())
        return number

    begun = time.monotonic()
    assert list(range(100)) == await asyncio.gather(*(run_on_loop(partial(call, number)) for number in range(100)))
    assert 3 > time.monotonic() - begun
    assert {threading.get_ident()} == threads


async def test_error_of_what_is_waited_for_is_raised_in_the_call() -> None:
    """An error of an awaitable is raised where the call waits, which may catch it, or let its caller have it."""

    async def broken() -> None:
        await asyncio.sleep(0)
        fail("broken")

    def caught() -> str:
        with pytest.raises(ValueError, match="broken"):
            wait_for(broken())
        return "caught"

    with pytest.raises(ValueError, match="broken"):
        await run_on_loop(lambda: wait_for(broken()))
    assert "caught" == await run_on_loop(caught)


@pytest.mark.parametrize("is_broken", [False, True])
async def test_cancelled_call_runs_to_its_end(*, is_broken: bool, caplog: pytest.LogCaptureFixture) -> None:
    """When the caller of a waiting call is cancelled, the call goes on in any case, and nothing is logged."""
    done = []

    def call() -> None:
        sleep(0.05)
        done.append("first")
        sleep(0.05)
        done.append("second")
        if is_broken:
            fail("nobody hears this")

    task = run_on_loop(call)
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.sleep(0.2)
    gc.collect()
    assert ["first", "second"] == done
    assert not caplog.records


async def test_context_is_that_of_the_caller_alone() -> None:
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

    expected = [[(name, f"{name} a"), (name, f"{name} b"), name] for name in ("one", "two")]
    assert expected == list(await asyncio.gather(caller("one"), caller("two")))


async def test_call_that_has_ended_holds_nothing() -> None:
    """A call, its result and the context of its caller are freed at its end, though its greenlet is kept."""
    alive: weakref.WeakSet[Any] = weakref.WeakSet()

    def held() -> Any:
        alive.add(one := Held())
        return one

    def call(_: Any) -> Any:
        sleep(0)
        return held()

    async def caller() -> None:
        HELD.set(held())
        await run_on_loop(partial(call, held()))

    await asyncio.gather(*(asyncio.create_task(caller()) for _ in range(100)))
    await asyncio.sleep(0.01)
    assert [] == list(alive)


async def test_long_work_leaves_the_loop() -> None:
    """What takes long runs in another thread when its call is on a loop, which goes on; else where it stands."""
    loop_goes_on = threading.Event()

    def long_work() -> int:
        assert loop_goes_on.wait(10)
        return threading.get_ident()

    with ThreadPoolExecutor(1) as threads:
        working = run_on_loop(lambda: run_long(long_work, threads))
        await asyncio.sleep(0.01)
        loop_goes_on.set()
        assert threading.get_ident() != await working
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


# ---------------------------------------------------------------------- store subscriptions


def test_subscriber_gets_every_change_of_its_match(open_store: OpenStore) -> None:
    """A subscriber gets every append and the abort of its match, whoever makes them, and nothing of others."""
    store, listener = open_store(), Listener()
    row, other = create_row(store), create_row(store, "other")
    with listening(open_store(), listener, "match"):
        for number in range(20):
            other = append(store, other, f"{number}", match="other")
            row = append(store, row, f"{number}")
            listener.wait_for("match")
            listener.clear()
        store.matches.abort("match", row, LONG)
        listener.wait_for("match")
    assert 0 == listener.count("other")


def test_unsubscribed_match_is_silent(open_store: OpenStore) -> None:
    """After unsubscribing nothing more is delivered, though other matches are; subscribing again works, at once."""
    store, listener = open_store(), Listener()
    left, kept = create_row(store, "left"), create_row(store, "kept")
    with listening(store, listener, "left", "kept") as line:
        left = append(store, left, "heard", match="left")
        listener.wait_for("left")
        line.unsubscribe("left")
        line.unsubscribe("never followed")
        listener.clear()
        left = append(store, left, "not heard", match="left")
        kept = append(store, kept, "heard", match="kept")
        listener.wait_for("kept")
        assert 0 == listener.count("left")
        line.unsubscribe("kept")  # the last one
        line.subscribe("left")
        append(store, left, "heard again", match="left")
        listener.wait_for("left")


def test_threads_may_subscribe_and_unsubscribe_concurrently(open_store: OpenStore) -> None:
    """Many threads may subscribe and unsubscribe at once: in the end just the subscribed matches are delivered."""
    store, listener = open_store(), Listener()
    names = [f"{thread}-{number}" for thread in range(8) for number in "0123456"]
    rows = {name: create_row(store, name) for name in names}
    with listening(store, listener) as line, ThreadPoolExecutor(8) as threads:

        def work(thread: int) -> None:
            for number in range(7):
                line.subscribe(f"{thread}-{number}")
                if number % 2:
                    line.unsubscribe(f"{thread}-{number}")

        list(threads.map(work, range(8)))
        # A notification from before the end of the subscription may still arrive, so count only from now on.
        last = create_row(store, "last")
        line.subscribe("last")
        append(store, last, "move", match="last")
        listener.wait_for("last")
        listener.clear()
        for name, row in rows.items():
            append(store, row, "move", match=name)
        for name in rows:
            if int(name[-1]) % 2 == 0:
                listener.wait_for(name)
        assert [] == [name for name in rows if int(name[-1]) % 2 and listener.count(name)]


def test_lost_connection_is_reopened(open_store: OpenStore, raw_client: Any) -> None:
    """When the server cuts the connection it is reopened, and what was missed is delivered."""
    store, listener = open_store(), Listener()
    rows = {name: create_row(store, name) for name in ("a", "b", "c")}
    with listening(store, listener, *rows):
        for _ in range(3):
            rows = {name: append(store, row, "move", match=name) for name, row in rows.items()}
            for name in rows:
                listener.wait_for(name)
            listener.clear()
            raw_client.client_kill_filter(_type="pubsub", **_everywhere(raw_client))


def _everywhere(raw_client: Any) -> dict[str, Any]:
    return {"target_nodes": "all"} if hasattr(raw_client, "get_primaries") else {}


def _listeners() -> set[threading.Thread]:
    """The threads of subscriptions; other parts of the store begin theirs when they need them."""
    return {thread for thread in threading.enumerate() if thread.name == "store-subscription"}


def test_closed_subscription_is_silent(open_store: OpenStore) -> None:
    """After closing nothing is delivered, no thread is left, and subscribing has no effect."""
    store, listener = open_store(), Listener()
    before = _listeners()
    row = create_row(store)
    with listening(store, listener, "match") as line:
        row = append(store, row, "move")
        listener.wait_for("match")
    listener.clear()
    line.subscribe("match")
    line.close()
    append(store, row, "unheard")
    time.sleep(0.1)
    assert 0 == listener.count("match")
    until(lambda: before >= _listeners(), "the listener's thread has ended", 5)
