"""Calls that need the processor for long: fair shares of the threads, a bounded queue, and a budget for each call."""

from __future__ import annotations

import socket
import threading
from asyncio import CancelledError
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import grpc
import pytest
from google.protobuf import json_format

from chitarrella import errors
from chitarrella.api import call_budget
from chitarrella.api.call_budget import CallBudget, check_budget
from chitarrella.api.caller import Caller
from chitarrella.api.converters import read_game
from chitarrella.api.fair_executor import LEAST_BYTES, LONG_THREADS, OWNER_BYTES, FairExecutor, LongCall
from chitarrella.v1.rules_pb2 import ApplyMovesRequest, BatchRequest, Question, SeatMove, StartGameRequest
from chitarrella.v1.rules_pb2_grpc import RulesServiceStub
from chitarrella.v1.table_pb2 import Move, RuleSet
from tests.servers import until
from tests.transports.all_transports import grpc_opened
from tests.transports.conftest import WiredService

OWNER, OTHER = "192.0.2.1", "192.0.2.2"
START = StartGameRequest(rule_set=RuleSet(game_id="briscola", players=2))
BATCH = BatchRequest(questions=[Question(start_game=START)] * 3)
OWNER_CALLS = OWNER_BYTES // LEAST_BYTES


@pytest.fixture
def free() -> Iterator[threading.Event]:
    """What running calls wait for; set at the end, so that their threads can end."""
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture
def executor() -> Iterator[FairExecutor]:
    """The threads, and their queues."""
    made = FairExecutor()
    yield made
    made.shutdown()


def occupy(executor: FairExecutor, owner: str, free: threading.Event) -> LongCall:
    """Begin a call that runs until it is free."""
    begun = threading.Event()

    def answer() -> None:
        begun.set()
        free.wait(60)

    call = executor.submit(owner, 0, answer)
    assert begun.wait(60)
    return call


def test_owner_has_one_thread_and_others_have_theirs(executor: FairExecutor, free: threading.Event) -> None:
    """However many calls of one owner wait, a call of another one begins at once."""
    occupy(executor, OWNER, free)
    waiting = [executor.submit(OWNER, 0, lambda: "mine") for _ in range(20)]
    assert "other" == executor.submit(OTHER, 0, lambda: "other").result(60)
    assert 20 == executor.waiting
    assert executor.oldest_seconds() > 0
    free.set()
    assert ["mine"] * 20 == [call.result(60) for call in waiting]
    assert 0 == executor.oldest_seconds()


def test_owners_take_turns(executor: FairExecutor, free: threading.Event) -> None:
    """Where all threads are taken, an owner with one call waits for one call of each other owner at most."""
    busy = [f"198.51.100.{number}" for number in range(LONG_THREADS)]
    for owner in busy:
        occupy(executor, owner, free)
    order: list[str] = []
    queued = [OWNER] * 5 + [OTHER]
    calls = [executor.submit(owner, 0, partial(order.append, owner)) for owner in queued]
    free.set()
    for call in calls:
        call.result(60)
    assert order.index(OTHER) <= 2
    assert sorted(queued) == sorted(order)


def test_queue_of_an_owner_is_bounded(executor: FairExecutor, free: threading.Event) -> None:
    """The call beyond what may wait of one owner is refused; one of another owner is not."""
    occupy(executor, OWNER, free)
    waiting = [executor.submit(OWNER, 0, str) for _ in range(OWNER_CALLS)]
    with pytest.raises(errors.Overloaded):
        executor.submit(OWNER, 0, str)
    assert "" == executor.submit(OTHER, OWNER_BYTES, str).result(60)
    assert waiting[0].cancel()
    assert OWNER_CALLS - 1 == executor.waiting
    executor.submit(OWNER, 0, str)


def test_queue_of_all_owners_is_bounded(executor: FairExecutor, free: threading.Event) -> None:
    """Requests take memory while they wait, so that all of them together are bounded, too."""
    owners = [f"198.51.100.{number}" for number in range(LONG_THREADS)]
    for owner in owners:
        occupy(executor, owner, free)
    for number in range(4):
        executor.submit(f"203.0.113.{number}", OWNER_BYTES, str)
    with pytest.raises(errors.Overloaded):
        executor.submit(OTHER, 0, str)
    free.set()
    until(lambda: not executor.waiting, "nobody waits")
    assert "" == executor.submit(OTHER, OWNER_BYTES, str).result(60)


def test_call_whose_turn_comes_too_late_is_not_begun(free: threading.Event) -> None:
    """Its caller has given up, or is about to."""
    executor = FairExecutor(max_wait_seconds=0.0)
    begun: list[int] = []
    late = executor.submit(OWNER, 0, lambda: begun.append(1))
    with pytest.raises(errors.Overloaded):
        late.result(60)
    assert [] == begun
    executor.shutdown()


def test_call_stops_when_nobody_waits(executor: FairExecutor, free: threading.Event) -> None:
    """A call that runs cannot be cancelled, but it stops at its next step."""
    begun, steps = threading.Event(), list[str]()

    def answer() -> None:
        begun.set()
        assert free.wait(60)
        check_budget()
        steps.append("went on")

    call = executor.submit(OWNER, 0, answer)
    assert begun.wait(60)
    assert not call.cancel()
    free.set()
    with pytest.raises(CancelledError):
        call.result(60)
    assert [] == steps


def test_questions_after_the_budget_are_not_answered(wired: WiredService) -> None:
    """A batch that has used up its processor time ends: each question that is left fails with the same code."""
    with CallBudget(0.0).spent_here():
        answers = wired.api.answer("/chitarrella.v1.RulesService/Batch", BATCH, Caller()).answers
    assert ["too_large"] * 3 == [one.error.code for one in answers]
    answers = wired.api.answer("/chitarrella.v1.RulesService/Batch", BATCH, Caller()).answers
    assert ["start_game"] * 3 == [one.WhichOneof("kind") for one in answers]


def test_moves_after_the_budget_are_not_played(wired: WiredService) -> None:
    """ApplyMoves asks before each move, and fails as a whole."""
    started = wired.api.answer("/chitarrella.v1.RulesService/StartGame", START, Caller())
    dealt = SeatMove(move=Move(verb=started.chance_request.verb, cards=started.chance_request.cards))
    request = ApplyMovesRequest(position=started.position, moves=[dealt])
    assert 1 == wired.api.answer("/chitarrella.v1.RulesService/ApplyMoves", request, Caller()).applied
    with CallBudget(0.0).spent_here(), pytest.raises(errors.TooLarge):
        wired.api.answer("/chitarrella.v1.RulesService/ApplyMoves", request, Caller())


def leave_grpc(wired: WiredService, _: str, begun: threading.Event) -> None:
    """Ask over gRPC, and cancel."""
    with grpc_opened(wired) as address, grpc.insecure_channel(address) as channel:
        asking = RulesServiceStub(channel).Batch.future(BATCH, timeout=60)
        assert begun.wait(60)
        asking.cancel()
        until(lambda: is_cancelled(wired), "the service knows that the caller has gone")


def leave_http(path: str) -> Callable[[WiredService, str, threading.Event], None]:
    """Ask over HTTP, and close the connection."""

    def leave(wired: WiredService, rest: str, begun: threading.Event) -> None:
        body = json_format.MessageToJson(BATCH).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
        )
        url = urlsplit(rest)
        with socket.create_connection((url.hostname or "", url.port or 0), timeout=60) as line:
            line.sendall(head.encode() + body)
            assert begun.wait(60)
        until(lambda: is_cancelled(wired), "the service knows that the caller has gone")

    return leave


def is_cancelled(wired: WiredService) -> bool:
    """Whether the only long call was cancelled."""
    [call] = wired.calls.long._running.values()
    return call.budget.is_cancelled


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

    monkeypatch.setattr("chitarrella.api.rules.read_game", read_slowly)
    leave(wired, rest, begun)
    free.set()
    until(lambda: not wired.calls.long._running, "the call has ended")
    assert ["briscola"] == asked
    assert call_budget.CURRENT.get() is None
