"""Where a call is answered: on the event loop only where it is short, so that no call holds up all others."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from typing import Any

import httpx
import pytest
from google.protobuf.message import Message

from chitarrella.api.caller import Caller
from chitarrella.storage.embedded_valkey import EmbeddedValkey
from chitarrella.v1 import matches_pb2, rules_pb2, table_pb2
from tests.transports.all_transports import RPCS, TRANSPORTS, through
from tests.transports.conftest import opened, wire_service
from tests.transports.rest_client import PLAIN

LARGE = "x" * 20_000
"""A text that makes a request too large for the loop, and not yet too large for its type."""
PLAIN_CONNECT = "plain Connect"
"""The protocol with a binary message, which is answered without its library."""
MATCH = "a" * 20
SHORT = table_pb2.Move(verb="pass")
LONG = table_pb2.Move(verb=LARGE)

ON_LOOP: dict[str, Message] = {
    "ValidateMove": rules_pb2.ValidateMoveRequest(move=SHORT),
    "MatchServiceValidateMove": matches_pb2.MatchServiceValidateMoveRequest(match_id=MATCH, move=SHORT),
    "PlayMove": matches_pb2.PlayMoveRequest(match_id=MATCH, move=SHORT),
}
"""Small requests of rpcs that are short."""
LARGE_REQUESTS: dict[str, Message] = {
    "ValidateMove": rules_pb2.ValidateMoveRequest(move=LONG),
    "MatchServiceValidateMove": matches_pb2.MatchServiceValidateMoveRequest(match_id=MATCH, move=LONG),
    "PlayMove": matches_pb2.PlayMoveRequest(match_id=MATCH, move=LONG),
}
"""Large requests of the same."""
SLOW: dict[str, Message] = {
    "Batch": rules_pb2.BatchRequest(questions=[rules_pb2.Question()]),
    "ApplyMoves": rules_pb2.ApplyMovesRequest(moves=[rules_pb2.SeatMove()]),
}
"""Small requests of stateless rpcs that may take long."""


class Observed:
    """A transport to a service that records, for each call, whether it was answered on an event loop."""

    def __init__(self, ask: Callable[[str, Message], object], calls: list[tuple[str, bool]]) -> None:
        """Ask through ``ask``; the service adds to ``calls``."""
        self._ask = ask
        self._calls = calls

    def is_on_loop(self, rpc: str, request: Message) -> bool:
        """Make a call; whether an event loop runs in the thread that answered it."""
        self._calls.clear()
        self._ask(rpc, request)
        [(path, is_on_loop)] = self._calls
        assert RPCS[rpc].path == path
        return is_on_loop


def post_binary(rest: str, rpc: str, request: Message) -> None:
    """Make a plain call of Connect: one with a binary message."""
    headers = {"Content-Type": "application/proto"}
    httpx.post(f"{rest}{RPCS[rpc].path}", content=request.SerializeToString(), headers=headers, **PLAIN)


def runs_loop() -> bool:
    """Whether an event loop runs in this thread."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


@pytest.fixture(scope="module", params=(*TRANSPORTS, PLAIN_CONNECT))
def observed(request: pytest.FixtureRequest, valkey: EmbeddedValkey) -> Iterator[Observed]:
    """A service of its own behind each transport."""
    calls: list[tuple[str, bool]] = []
    wired = wire_service(valkey.url, "threads")
    call = wired.api.call

    def record(path: str, message: Message, caller: Caller) -> Any:
        calls.append((path, runs_loop()))
        return call(path, message, caller)

    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        patch.setattr(wired.api, "call", record)
        stack.enter_context(closing(wired.store))
        stack.enter_context(closing(wired.hub))
        rest = stack.enter_context(opened(wired))
        if request.param == PLAIN_CONNECT:
            yield Observed(partial(post_binary, rest), calls)
        else:
            yield Observed(stack.enter_context(through(request.param, wired, rest)), calls)


@pytest.mark.parametrize("rpc", ON_LOOP)
def test_a_small_request_is_answered_on_the_loop(observed: Observed, rpc: str) -> None:
    """A short call needs no thread."""
    assert observed.is_on_loop(rpc, ON_LOOP[rpc])


@pytest.mark.parametrize("rpc", LARGE_REQUESTS)
def test_a_large_request_is_answered_in_a_thread(observed: Observed, rpc: str) -> None:
    """To parse and validate it may take long, also where the rpc is short."""
    assert not observed.is_on_loop(rpc, LARGE_REQUESTS[rpc])


@pytest.mark.parametrize("rpc", SLOW)
def test_a_slow_rpc_is_answered_in_a_thread(observed: Observed, rpc: str) -> None:
    """Its duration grows with what the request asks, however small the request."""
    assert not observed.is_on_loop(rpc, SLOW[rpc])
