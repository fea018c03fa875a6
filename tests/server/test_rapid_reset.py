"""Calls that are opened and reset as fast as two connections can: other callers are served meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import grpc

from chitarrella.v1 import catalogue_pb2, matches_pb2
from chitarrella.v1.catalogue_pb2_grpc import CatalogueServiceStub
from chitarrella.v1.matches_pb2_grpc import MatchServiceStub
from tests.http2_flood import rapid_reset
from tests.server.process import StartService
from tests.servers import until

PATH = "/chitarrella.v1.MatchService/ListEvents"
CALLERS = 4
CALLS = 50
DEADLINE_SECONDS = 20.0


def test_honest_calls_are_answered_during_a_rapid_reset(start_service: StartService) -> None:
    """Every honest call, with and without the store, is answered while thousands of streams are opened and reset."""
    service = start_service()
    with rapid_reset(service.grpc, PATH) as flood:
        until(lambda: flood.resets >= 5_000, "the flood has begun")
        with ThreadPoolExecutor(CALLERS) as callers:
            answers = [answer for codes in callers.map(codes_of, [service.grpc] * CALLERS) for answer in codes]
    assert {"OK", "NOT_FOUND"} == set(answers)
    assert 2 * CALLERS * CALLS == len(answers)


def codes_of(address: str) -> list[str]:
    """Call the service in a connection of its own, one call after the other; the status codes of the answers."""
    with grpc.insecure_channel(address, [("grpc.use_local_subchannel_pool", 1)]) as channel:
        return [code for _ in range(CALLS) for code in two_calls(channel)]


def two_calls(channel: grpc.Channel) -> Iterator[str]:
    """Call a stateless rpc, and one that reads from the store."""
    games = catalogue_pb2.ListGamesRequest()
    events = matches_pb2.ListEventsRequest(match_id="a" * 20)
    try:
        CatalogueServiceStub(channel).ListGames(games, timeout=DEADLINE_SECONDS)
        yield "OK"
        MatchServiceStub(channel).ListEvents(events, timeout=DEADLINE_SECONDS)
    except grpc.RpcError as error:
        yield error.code().name
