"""A process that calls a service all the time and measures its answers: ``python -m lab.chaos.probes GRPC HTTP [ID]``.

It asks over gRPC on one connection, and over gRPC and REST on a new connection for each call; with the id of a match
it also asks for that match, which needs the store. When its standard input ends it prints what it measured, as JSON.
"""

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any

import grpc
import httpx

from chitarrella import v1
from chitarrella.v1.matches_pb2_grpc import MatchServiceStub
from chitarrella.v1.rules_pb2_grpc import RulesServiceStub
from chitarrella.v1.table_pb2 import RuleSet
from tests.transports.rest_client import PLAIN

PAUSE_SECONDS = 0.02
CALL_SECONDS = 15.0  # a call that is not answered in this time has failed, and has waited as long
START = v1.StartGameRequest(rule_set=RuleSet(game_id="briscola", players=2))
RULE_SET = {"ruleSet": {"gameId": "briscola", "players": 2}}
Ask = Callable[[], Awaitable[object]]


def questions(channel: grpc.aio.Channel, client: httpx.AsyncClient, address: str, rest: str, match: str) -> list[Ask]:
    rules: Any = RulesServiceStub(channel)
    matches: Any = MatchServiceStub(channel)

    async def new_connection() -> None:
        async with grpc.aio.insecure_channel(address, [("grpc.use_local_subchannel_pool", 1)]) as own:
            stub: Any = RulesServiceStub(own)
            await stub.StartGame(START, timeout=CALL_SECONDS)

    async def over_rest(verb: str, path: str, **how: Any) -> None:
        (await client.request(verb, f"http://{rest}{path}", **how)).raise_for_status()

    over_http = partial(over_rest, "POST", "/v1/rules:startGame", json=RULE_SET)
    asked: list[Ask] = [lambda: rules.StartGame(START, timeout=CALL_SECONDS), new_connection, over_http]
    if match:
        get = v1.GetMatchRequest(match_id=match)
        asked += [lambda: matches.GetMatch(get, timeout=CALL_SECONDS), lambda: over_rest("GET", f"/v1/matches/{match}")]
    return asked


async def measure(ask: Ask, stop: asyncio.Event) -> dict[str, Any]:
    """Repeat a call until it is to stop; return the number of calls, what failed, and the longest wait."""
    failures: list[str] = []
    waits = [0.0]
    while not stop.is_set():
        begun = time.perf_counter()
        try:
            await ask()
        except (grpc.RpcError, httpx.HTTPError) as error:
            said = f"{error.code().name} {error.details()}" if isinstance(error, grpc.aio.AioRpcError) else repr(error)
            failures.append(said[:200])
        waits.append(time.perf_counter() - begun)
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), PAUSE_SECONDS)
    return {"calls": len(waits) - 1, "failures": failures, "longest": max(waits)}


async def main(address: str, rest: str, match: str = "") -> None:
    """Call until the standard input ends, and print what was measured."""
    limits = httpx.Limits(max_keepalive_connections=0)
    stop = asyncio.Event()
    async with (
        grpc.aio.insecure_channel(address) as channel,
        httpx.AsyncClient(**{**PLAIN, "timeout": CALL_SECONDS}, limits=limits) as client,
    ):
        asked = questions(channel, client, address, rest, match)
        measured = [asyncio.create_task(measure(ask, stop)) for ask in asked]
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.read)
        stop.set()
        print(json.dumps(await asyncio.gather(*measured)), flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
