"""A process that calls a service all the time and measures its answers: ``bystander_calls GRPC REST [ID]``.

It asks over gRPC on one connection, and over REST on a new connection for each call; with the id of a match it also
asks for that match, which needs the store. When its standard input ends it prints what it measured, as JSON.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import grpc
import httpx

from chitarrella.v1 import matches_pb2, rules_pb2
from chitarrella.v1.matches_pb2_grpc import MatchServiceStub
from chitarrella.v1.rules_pb2_grpc import RulesServiceStub
from chitarrella.v1.table_pb2 import RuleSet
from tests.transports.rest_client import PLAIN

PAUSE_SECONDS = 0.02
CALL_SECONDS = 15.0
"""A call that is not answered in this time has failed, and has waited as long."""
RULE_SET = {"ruleSet": {"gameId": "briscola", "players": 2}}


class Caller(threading.Thread):
    """Makes one kind of call until it is stopped."""

    def __init__(self, ask: Callable[[], object]) -> None:
        """Repeat ``ask``, which raises if it fails."""
        super().__init__(daemon=True)
        self._ask = ask
        self.waits: list[float] = []
        self.failures: list[str] = []
        self.stopped = threading.Event()

    def run(self) -> None:
        """Call until it is stopped."""
        while not self.stopped.wait(PAUSE_SECONDS):
            begun = time.perf_counter()
            try:
                self._ask()
            except (grpc.RpcError, httpx.HTTPError) as error:
                self.failures.append(str(error)[:200])
            self.waits.append(time.perf_counter() - begun)


def asks(address: str, rest: str, match: str) -> dict[str, Callable[[], object]]:
    """The calls by name."""
    channel = grpc.insecure_channel(address, [("grpc.use_local_subchannel_pool", 1)])
    rules: Any = RulesServiceStub(channel)
    stub: Any = MatchServiceStub(channel)
    start = rules_pb2.StartGameRequest(rule_set=RuleSet(game_id="briscola", players=2))
    client = httpx.Client(**{**PLAIN, "timeout": CALL_SECONDS}, limits=httpx.Limits(max_keepalive_connections=0))

    def rest_rules() -> None:
        client.post(f"{rest}/v1/rules:startGame", json=RULE_SET).raise_for_status()

    def rest_match() -> None:
        client.get(f"{rest}/v1/matches/{match}").raise_for_status()

    found: dict[str, Callable[[], object]] = {
        "gRPC": lambda: rules.StartGame(start, timeout=CALL_SECONDS),
        "REST": rest_rules,
    }
    if match:
        get = matches_pb2.GetMatchRequest(match_id=match)
        found |= {"gRPC match": lambda: stub.GetMatch(get, timeout=CALL_SECONDS), "REST match": rest_match}
    return found


def main(address: str, rest: str, match: str = "") -> None:
    """Call until the standard input ends, and print the measurements of each kind of call."""
    callers = {name: Caller(ask) for name, ask in asks(address, rest, match).items()}
    for caller in callers.values():
        caller.start()
    print("ready", flush=True)
    sys.stdin.read()
    for caller in callers.values():
        caller.stopped.set()
    for caller in callers.values():
        caller.join(CALL_SECONDS + 1)
    found = {
        name: {"calls": len(caller.waits), "failures": caller.failures, "longest": max(caller.waits, default=0.0)}
        for name, caller in callers.items()
    }
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
