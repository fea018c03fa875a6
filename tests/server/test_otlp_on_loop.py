"""OpenTelemetry where calls wait for the store together on the event loop: no span is lost, or in another's trace."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from google.protobuf.json_format import MessageToDict

from chitarrella.api.async_calls import SUSPENDED_METHODS
from chitarrella.v1 import matches_pb2 as pb
from tests.server.otlp_receiver import CLIENT, PARENT, SERVER, ReceivedSpan, Receiver, traced
from tests.server.process import Player, Service, StartService, fetched
from tests.servers import Server, until
from tests.transports.all_transports import RPCS, TRANSPORTS, routed

CALLS = 3
"""Calls of each rpc at once."""
COMMANDS = {
    "PlayMove": ["append"],
    "ListMatchMoves": ["load"],
    "MatchServiceValidateMove": ["load"],
}
"""The commands to the store of each rpc that runs on the loop."""


def asked(rpc: str, player: Player) -> Any:
    """A request about the match of a player; a move is one that may be played."""
    about = pb.ListMatchMovesRequest(match_id=player.match_id)
    if rpc == "ListMatchMoves":
        return about
    may = player.stub.ListMatchMoves(about, metadata=player.key(), timeout=10)
    if rpc == "MatchServiceValidateMove":
        return pb.MatchServiceValidateMoveRequest(match_id=player.match_id, seat=may.seat, move=may.moves[0])
    return pb.PlayMoveRequest(match_id=player.match_id, seat=may.seat, move=may.moves[0])


def send(service: Service, client: httpx.Client, player: Player, rpc: str, transport: str) -> Callable[[str], None]:
    """Prepare a call; the function that is returned makes it in the trace of a ``traceparent``."""
    request, key = asked(rpc, player), dict(player.key())

    def call(traceparent: str) -> None:
        headers = {**key, "traceparent": traceparent}
        if transport == "grpc":
            getattr(player.stub, RPCS[rpc].method.name)(request, metadata=tuple(headers.items()), timeout=30)
            return
        verb, path, body = routed(rpc, request) if transport == "rest" else ("POST", RPCS[rpc].path, None)
        body = MessageToDict(request) if body is None else body
        how: dict[str, Any] = {"json": body} if verb == "POST" else {"params": body}
        client.request(verb, f"{service.rest}{path}", headers=headers, **how).raise_for_status()

    return call


def suspended(service: Service) -> int:
    """How many calls wait for the store on the loop."""
    found = re.search(r"^chitarrella_calls_suspended (\S+)$", fetched(f"{service.rest}/metrics"), re.MULTILINE)
    assert found
    return int(float(found[1]))


def test_every_rpc_on_the_loop_is_tested() -> None:
    """The rpcs of these tests are those that wait for the store on the loop."""
    assert SUSPENDED_METHODS == {RPCS[rpc].method.name for rpc in COMMANDS}


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_calls_that_wait_together_have_their_own_traces(
    start_service: StartService, server: Server, receiver: Receiver, transport: str
) -> None:
    """Calls that wait for a stopped store, and go on together, have their own commands as children of their spans."""
    service = start_service("--redis-url", server.url)
    called = list(COMMANDS) * CALLS
    players = [Player(service.grpc) for _ in called]
    with httpx.Client(timeout=30) as client, ThreadPoolExecutor(len(called)) as threads:
        calls = [send(service, client, *who, transport) for who in zip(players, called, strict=True)]
        server.pause()
        answers = [threads.submit(call, traced(number)) for number, call in enumerate(calls, 1)]
        until(lambda: suspended(service) == len(called), "all wait for the store")
        server.resume()
        for answer in answers:
            answer.result()
    for player in players:
        player.close()
    service.stop()
    for number, rpc in enumerate(called, 1):
        spans: list[ReceivedSpan] = [span for span in receiver.spans() if span.trace == f"{number:032x}"]
        call, *commands = sorted(spans, key=lambda span: span.kind)
        assert (RPCS[rpc].path[1:], PARENT, SERVER) == (call.name, call.parent, call.kind)
        assert {(call.span, CLIENT)} == {(command.parent, command.kind) for command in commands}
        assert COMMANDS[rpc] == sorted(command.name for command in commands)
