"""Two thousand watchers at one worker: each gets everything once, and one that does not read delays no other."""

from collections.abc import Sequence
from contextlib import ExitStack, closing
from typing import Any

import grpc
import pytest

from chitarrella import v1
from chitarrella.catalogue.registry import RuleSet
from chitarrella.matches.model import CreateMatch
from chitarrella.server.process import raise_file_limit
from chitarrella.v1.matches_pb2_grpc import MatchServiceStub
from lab.bench.load import Way, encode
from lab.bench.plans import MATCHES
from lab.bench.watching import Crowd, grpc_crowd, http_crowd
from tests.matches.playing import connect_service, go_on
from tests.server.process import Player, Service, StartService, reason, watchers
from tests.servers import Server, until

WATCHERS = 2000
TABLES = 20
MOVES = 4
SILENT = ("--heartbeat", "3600")
LONG = RuleSet("briscola", 2, (("rubber_games", "99"),))
MANY_MOVES = 2500  # more than the service queues for one watcher, and the buffers of the connection hold besides
MOVES_AT_ONCE = 100  # moves between two reads of the watchers that do read
TAKES_LITTLE = (("grpc.http2.lookahead_bytes", 1024), ("grpc.http2.bdp_probe", 0))


@pytest.fixture
def service(start_service: StartService, server: Server) -> Service:
    return start_service("--redis-url", server.url, *SILENT)


def watch(service: Service, asked: Sequence[tuple[str, str]]) -> closing[Crowd]:
    """Watch the given matches, each with its key, for as long as the block lasts."""
    calls = [encode(Way.GRPC, f"{MATCHES}WatchMatch", v1.WatchMatchRequest(match_id=m), key) for m, key in asked]
    return closing(grpc_crowd(int(service.grpc.rpartition(":")[2]), calls))


def places(players: list[Player], number: int) -> list[tuple[Player, str]]:
    """Distribute so many watchers over the matches, half of them at the first one, and over all keys and none."""
    found = []
    for place in range(number):
        player = players[place // 2 % len(players) if place % 2 else 0]
        keys = ["", player.created.referee_key, *(one.key for one in player.created.seat_keys)]
        found.append((player, keys[place // len(players) % len(keys)]))
    return found


def listed(player: Player, key: str) -> list[bytes]:
    metadata = player.key(key) if key else ()
    page = player.stub.ListEvents(v1.ListEventsRequest(match_id=player.match_id), metadata=metadata, timeout=10)
    assert not page.next_page_token
    return [one.SerializeToString() for one in page.updates]


def test_two_thousand_watchers_get_each_event_once(service: Service, server: Server) -> None:
    """Each of two thousand watchers, over gRPC and HTTP, gets each event once; one connection brings all the news."""
    raise_file_limit()
    players = [Player(service.grpc) for _ in range(TABLES)]
    watching = places(players, WATCHERS // 2)
    port, matches = int(service.rest.rpartition(":")[2]), [players[0].match_id] * (WATCHERS // 4)
    with watch(service, [(player.match_id, key) for player, key in watching]) as crowd, ExitStack() as stack:
        streams = [
            stack.enter_context(closing(http_crowd(port, matches, accept)))
            for accept in ("text/event-stream", "application/x-ndjson")
        ]
        for revision in range(1, MOVES + 2):
            if revision > 1:
                for player in players:
                    player.play()
            for one in (crowd, *streams):
                one.wait_for(revision)
        assert WATCHERS == watchers(service)
        with server.client() as client:
            assert 1 == len(client.client_list(_type="pubsub"))
        for one in streams:
            assert {MOVES + 1} == {len(received) for received in one.received}
            assert 1 == len(set(map(tuple, one.received)))
    expected = {(player.match_id, key): listed(player, key) for player, key in set(watching)}
    assert {MOVES + 1} == set(map(len, expected.values()))
    for received, (player, key) in zip(crowd.received, watching, strict=True):
        assert expected[player.match_id, key] == received
    until(lambda: not watchers(service), "all of them have gone")


def test_watcher_that_does_not_read_is_disconnected(service: Service, server: Server) -> None:
    """A watcher that reads nothing is disconnected with a reason and can resume; the others get everything."""
    worker_a = connect_service(server.url)
    match = worker_a.service.create(CreateMatch(LONG)).match
    with watch(service, [(match, "")] * 5) as crowd, grpc.insecure_channel(service.grpc, TAKES_LITTLE) as channel:
        stub: Any = MatchServiceStub(channel)
        slow = stub.WatchMatch(v1.WatchMatchRequest(match_id=match))
        received = [next(slow)]
        for _ in range(MANY_MOVES // MOVES_AT_ONCE):  # the crowd answers pings only while it is read
            go_on(worker_a.service, match, MOVES_AT_ONCE)
            whole = worker_a.service.repository.load(match).row.revision
            crowd.wait_for(whole)
        with pytest.raises(grpc.RpcError) as ended:
            received += slow
        assert (grpc.StatusCode.RESOURCE_EXHAUSTED, "too_slow") == (ended.value.code(), reason(ended.value))
        assert len(received) < whole
        again = stub.WatchMatch(v1.WatchMatchRequest(match_id=match, cursor=received[-1].cursor))
        received += [next(again) for _ in range(whole - len(received))]
        again.cancel()
    worker_a.store.close()
    assert [[received.SerializeToString() for received in received]] * 5 == crowd.received
