"""A store without memory, and one that hangs: what needs no store goes on, and callers who need it are refused soon."""

from __future__ import annotations

import asyncio
import time
from contextlib import ExitStack, closing, suppress
from functools import partial
from pathlib import Path

import grpc

from chitarrella.storage.embedded_valkey import binary
from chitarrella.storage.redis_url import TIMEOUT_SECONDS
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1.matches_pb2_grpc import MatchServiceStub
from chitarrella.v1.table_pb2 import RuleSet
from chitarrella_client import Chitarrella, Match
from chitarrella_client.errors import Unavailable
from lab.chaos.attacks.victim import MEGABYTE, Attacked, Effect, Victim
from tests.servers import KEEPING, Server

LIMIT = 4 * MEGABYTE
SLACK = MEGABYTE
"""What a store may need beyond its limit for its buffers."""
CALLERS = 160
HANG_SECONDS = 8.0
CALL_SECONDS = 30.0
LONGEST_SECONDS = 3 * TIMEOUT_SECONDS
"""The longest wait of a caller who needs the store that hangs.

It may wait once in the queue, behind calls that wait for the store, and once for the store. The rest is for a machine
that is busy. Without the circuit breaker it would wait in the queue several times.
"""
RULE_SET = RuleSet(game_id="briscola", players=2)


def no_memory(folder: Path, scale: float) -> Attacked:
    """Create matches until the store has no memory left, and then as many again."""
    with ExitStack() as stack:
        store = Server(binary(), folder / "store", *KEEPING, "--maxmemory", str(LIMIT))
        stack.callback(store.kill)
        victim = stack.enter_context(closing(Victim(folder / "service", "--redis-url", store.url)))
        return victim.attacked(partial(_fill, victim, store), needs_store=False)


def _fill(victim: Victim, store: Server) -> Effect:
    with Chitarrella(victim.grpc, retries=0) as client:
        match = client.create_match("briscola", players=2)
        accepted = _create_until_refused(client)
        later = sum(_is_created(client) for _ in range(accepted))
        used = int(store.ask("INFO", "memory")["used_memory"])
        played_full = _is_played(match)
        store.ask("CONFIG", "SET", "maxmemory", "0")
        played = _is_played(match)
    note = f"{accepted:,} matches in {LIMIT // MEGABYTE} MB, then {later} more; the store used {used / MEGABYTE:.1f} MB"
    return Effect(2 * accepted, note, used < LIMIT + SLACK and not played_full and played)


def _create_until_refused(client: Chitarrella) -> int:
    accepted = 0
    while _is_created(client):
        accepted += 1
    return accepted


def _is_created(client: Chitarrella) -> bool:
    with suppress(Unavailable):
        return bool(client.create_match("briscola", players=2).id)
    return False


def _is_played(match: Match) -> bool:
    with suppress(Unavailable):
        moves = match.legal_moves()
        return match.as_seat(moves.seat).play(moves[0]).accepted
    return False


def hanging(folder: Path, scale: float) -> Attacked:
    """Have many callers create matches while the store has stopped."""
    with ExitStack() as stack:
        store = Server(binary(), folder / "store", *KEEPING)
        stack.callback(store.kill)
        stack.callback(store.resume)
        victim = stack.enter_context(closing(Victim(folder / "service", "--redis-url", store.url)))
        match = victim.create()
        return victim.attacked(partial(_hang, victim, store, match, scale), needs_store=False)


def _hang(victim: Victim, store: Server, match: str, scale: float) -> Effect:
    store.pause()
    waits = asyncio.run(_call_all(victim.grpc, time.monotonic() + max(4.0, HANG_SECONDS * scale)))
    store.resume()
    with Chitarrella(victim.grpc) as client:
        client.match(match).get()
    return effect_of(waits)


def effect_of(waits: list[float]) -> Effect:
    """What callers saw who need the store, from the seconds that each waited; it is right if none waited long."""
    median = sorted(waits)[len(waits) // 2]
    note = f"{CALLERS} callers who need the store waited {max(waits):.1f} s at most, {median:.2f} s in the median"
    return Effect(len(waits), note, max(waits) < LONGEST_SECONDS)


async def _call_all(address: str, end: float) -> list[float]:
    """Create matches from many callers; return how long each waited for its error."""
    waits: list[float] = []
    async with grpc.aio.insecure_channel(address) as channel:
        stub = MatchServiceStub(channel)

        async def call() -> None:
            while time.monotonic() < end:
                begun = time.monotonic()
                with suppress(grpc.RpcError):
                    await stub.CreateMatch(pb.CreateMatchRequest(rule_set=RULE_SET), timeout=CALL_SECONDS)
                waits.append(time.monotonic() - begun)
                await asyncio.sleep(0.05)

        await asyncio.gather(*(call() for _ in range(CALLERS)))
    return waits
