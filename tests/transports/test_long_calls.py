"""Calls that need the processor for long end when their time is used up, and when their callers leave."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import grpc
import pytest
from google.protobuf import json_format
from google.protobuf.message import Message

from chitarrella import errors, fair_pool
from chitarrella.api.caller import Caller
from chitarrella.api.converters import read_game
from chitarrella.v1.rules_pb2 import ApplyMovesRequest, BatchRequest, Question, SeatMove, StartGameRequest
from chitarrella.v1.rules_pb2_grpc import RulesServiceStub
from chitarrella.v1.table_pb2 import Move, RuleSet
from tests.servers import until
from tests.transports.all_transports import grpc_opened
from tests.transports.conftest import WiredService

START = StartGameRequest(rule_set=RuleSet(game_id="briscola", players=2))
BATCH = BatchRequest(questions=[Question(start_game=START)] * 3)


@pytest.fixture
def free() -> Iterator[threading.Event]:
    """What running calls wait for; set at the end, so that their threads can end."""
    event = threading.Event()
    yield event
    event.set()


def answered(wired: WiredService, method: str, request: Message) -> Any:
    """The answer to a long call, given in its pool."""
    path = f"/chitarrella.v1.RulesService/{method}"
    return wired.calls.long.submit("", lambda: wired.api.answer(path, request, Caller())).result(60)


def test_questions_after_the_budget_are_not_answered(wired: WiredService, monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch that has used up its processor time ends: each question that is left fails with the same code."""
    assert ["start_game"] * 3 == [one.WhichOneof("kind") for one in answered(wired, "Batch", BATCH).answers]
    monkeypatch.setattr(fair_pool, "JOB_SECONDS", 0.0)
    assert ["too_large"] * 3 == [one.error.code for one in answered(wired, "Batch", BATCH).answers]


def test_moves_after_the_budget_are_not_played(wired: WiredService, monkeypatch: pytest.MonkeyPatch) -> None:
    """ApplyMoves asks before each move, and fails as a whole."""
    started = answered(wired, "StartGame", START)
    dealt = SeatMove(move=Move(verb=started.chance_request.verb, cards=started.chance_request.cards))
    request = ApplyMovesRequest(position=started.position, moves=[dealt])
    assert 1 == answered(wired, "ApplyMoves", request).applied
    monkeypatch.setattr(fair_pool, "JOB_SECONDS", 0.0)
    with pytest.raises(errors.TooLarge):
        answered(wired, "ApplyMoves", request)


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

    monkeypatch.setattr("chitarrella.api.rules.read_game", read_slowly)
    leave(wired, rest, begun)
    free.set()
    until(lambda: not wired.calls.long._running, "the call has ended")
    assert ["briscola"] == asked
    assert fair_pool.CURRENT.get() is None
