"""Calls that wait for a thread of a worker: there are never too many of them, and none waits for long."""

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AsyncExitStack, ExitStack, closing, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import grpc
import pytest
from google.protobuf import json_format
from google.protobuf.message import Message

from chitarrella import errors, v1
from chitarrella.api.call_threads import OPENING_STREAMS, AsyncStreams
from chitarrella.api.caller import Caller
from chitarrella.api.converters import read_game
from chitarrella.runtime import threads
from chitarrella.runtime.threads import BoundedExecutor
from chitarrella.storage.embedded_valkey import EmbeddedValkey, binary
from chitarrella.v1.matches_pb2_grpc import MatchServiceStub
from chitarrella.v1.position_pb2 import SeatMove
from chitarrella.v1.questions_pb2 import ApplyMovesRequest, BatchRequest, Question, StartGameRequest
from chitarrella.v1.rules_pb2_grpc import RulesServiceStub
from chitarrella.v1.table_pb2 import Move, RuleSet
from tests.server.process import Service, reason
from tests.servers import Server, until
from tests.transports.all_transports import RPCS, grpc_opened, status_error
from tests.transports.conftest import WiredService, opened, wire_service
from tests.transports.raw_transports import UNARY, Asked, Line

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
    with BoundedExecutor(THREADS, max_waiting=WAITING) as made:
        running = [threading.Event() for _ in range(THREADS)]
        for event in running:
            made.submit(lambda event=event: (event.set(), free.wait()))
        for event in running:
            assert event.wait(10)
        yield made
        free.set()


def fill(pool: BoundedExecutor) -> list[Future[Any]]:
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
    monkeypatch.setattr(f"chitarrella.api.call_threads.{limit}", 0)

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
        ThreadPoolExecutor.submit(pool, free.wait)  # without the limit: the thread may start late
        late = pool.submit(begun.append, 1)
        assert not free.wait(0.1)
        free.set()
        with pytest.raises(errors.Overloaded):
            late.result(10)
    assert [] == begun


@contextmanager
def connected(address: str) -> Iterator[Any]:
    with grpc.insecure_channel(address, [("grpc.use_local_subchannel_pool", 1)]) as channel:
        yield MatchServiceStub(channel).ListEvents


def test_callers_are_refused_while_the_store_hangs(tmp_path: Path) -> None:
    """A crowd that finds the store hanging gets an answer each: the store is away, or too many wait."""
    server = Server(binary(), tmp_path / "store")
    service = Service(tmp_path / "service", "--redis-url", server.url, forked=True)
    request = v1.ListEventsRequest(match_id="a" * 20)
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


# ---------------------------------------------------------------------- long calls


START = StartGameRequest(rule_set=RuleSet(game_id="briscola", players=2))
BATCH = BatchRequest(questions=[Question(start_game=START)] * 3)


def answered(wired: WiredService, method: str, request: Message) -> Any:
    """The answer to a long call, given in its pool."""
    path = f"/chitarrella.v1.RulesService/{method}"
    return wired.calls.long.submit("", lambda: wired.api.answer(path, request, Caller())).result(60)


def test_questions_after_the_budget_are_not_answered(wired: WiredService, monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch that has used up its processor time ends: each question that is left fails with the same code."""
    assert ["start_game"] * 3 == [one.WhichOneof("kind") for one in answered(wired, "Batch", BATCH).answers]
    monkeypatch.setattr(threads, "JOB_SECONDS", 0.0)
    assert ["too_large"] * 3 == [status_error(one.error).code for one in answered(wired, "Batch", BATCH).answers]


def test_moves_after_the_budget_are_not_played(wired: WiredService, monkeypatch: pytest.MonkeyPatch) -> None:
    """ApplyMoves asks before each move, and fails as a whole."""
    started = answered(wired, "StartGame", START)
    dealt = SeatMove(move=Move(verb=started.chance_request.verb, cards=started.chance_request.cards))
    request = ApplyMovesRequest(position=started.position, moves=[dealt])
    assert 1 == answered(wired, "ApplyMoves", request).applied
    monkeypatch.setattr(threads, "JOB_SECONDS", 0.0)
    with pytest.raises(errors.TooLarge):
        answered(wired, "ApplyMoves", request)


def leave_grpc(wired: WiredService, _: str, begun: threading.Event) -> None:
    with grpc_opened(wired) as address, grpc.insecure_channel(address) as channel:
        asking = RulesServiceStub(channel).Batch.future(BATCH, timeout=60)
        assert begun.wait(60)
        asking.cancel()
        until(lambda: is_cancelled(wired), "the service knows that the caller has gone")


def leave_http(path: str) -> Callable[[WiredService, str, threading.Event], None]:
    def leave(wired: WiredService, rest: str, begun: threading.Event) -> None:
        body = json_format.MessageToJson(BATCH).encode()
        head = f"POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
        head += f"content-length: {len(body)}\r\n\r\n"
        url = urlsplit(rest)
        with socket.create_connection((url.hostname or "", url.port or 0), timeout=60) as line:
            line.sendall(head.encode() + body)
            assert begun.wait(60)
        until(lambda: is_cancelled(wired), "the service knows that the caller has gone")

    return leave


def is_cancelled(wired: WiredService) -> bool:
    [call] = wired.calls.long._running
    return call.is_cancelled


@pytest.mark.parametrize(
    "leave",
    [leave_grpc, leave_http("/v1/rules:batch"), leave_http("/chitarrella.v1.RulesService/Batch")],
    ids=["grpc", "rest", "connect"],
)
def test_batch_ends_when_its_caller_leaves(
    wired: WiredService, rest: str, free: threading.Event, monkeypatch: pytest.MonkeyPatch, leave: Any
) -> None:
    """Of three questions the first is answered while the caller leaves, and the others are not."""
    begun, asked = threading.Event(), list[str]()

    def read_slowly(catalogue: Any, message: RuleSet) -> Any:
        asked.append(message.game_id)
        begun.set()
        assert free.wait(60)
        return read_game(catalogue, message)

    monkeypatch.setattr("chitarrella.api.converters.read_game", read_slowly)
    leave(wired, rest, begun)
    free.set()
    until(lambda: not wired.calls.long._running, "the call has ended")
    assert ["briscola"] == asked
    assert threads.CURRENT.get() is None


# ---------------------------------------------------------------------- loop threads


MATCH, SHORT = "a" * 20, {"verb": "pass"}
LONG = {"verb": "x" * 20_000}
"""A move that makes a request too large for the loop, and not yet too large for its type."""

CALLS: list[tuple[str, dict[str, Any], bool]] = [
    *(("ValidateMove", {"move": move}, move is SHORT) for move in (SHORT, LONG)),
    *(("ValidateMatchMove", {"match_id": MATCH, "move": move}, move is SHORT) for move in (SHORT, LONG)),
    *(("PlayMove", {"match_id": MATCH, "move": move}, move is SHORT) for move in (SHORT, LONG)),
    ("Batch", {"questions": [{}]}, False),
    ("ApplyMoves", {"moves": [{}]}, False),
]
"""Requests, and whether they are answered on the loop: large ones, and those of an rpc that may take long, are not."""


def runs_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


@pytest.fixture(scope="module")
def observed(valkey: EmbeddedValkey) -> Iterator[tuple[Line, list[bool]]]:
    """A service of its own, and whether each call was answered on an event loop."""
    calls, wired = list[bool](), wire_service(valkey.url, "threads")
    call = wired.api.call

    def record(path: str, message: Message, caller: Caller) -> Any:
        calls.append(runs_loop())
        return call(path, message, caller)

    with closing(wired.store), closing(wired.hub), pytest.MonkeyPatch.context() as patch:
        patch.setattr(wired.api, "call", record)
        with opened(wired) as rest, grpc_opened(wired) as address, closing(Line(address, rest)) as line:
            yield line, calls


@pytest.mark.parametrize(("rpc", "fields", "on_loop"), CALLS)
def test_only_short_calls_are_answered_on_the_loop(
    observed: tuple[Line, list[bool]], rpc: str, fields: dict[str, Any], *, on_loop: bool
) -> None:
    """Over each transport a small request of a short rpc needs no thread, and every other one has one."""
    line, calls = observed
    calls.clear()
    for transport in UNARY:
        line.ask(transport, Asked(rpc, RPCS[rpc].request(**fields)))
    assert [on_loop] * len(UNARY) == calls
