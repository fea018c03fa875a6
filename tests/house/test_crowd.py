"""Two thousand who watch at one worker: each hears everything once, and whoever does not read holds up nobody."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any

import grpc
import pytest

from chitarrella.catalogue import Agreement
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1.matches_pb2_grpc import MatchServiceStub
from tests.bench.crowd import Crowd
from tests.bench.lines import grpc_call
from tests.bench.plans import MATCHES
from tests.house.service import Player, Serve, Service, reason, watchers
from tests.house.table import go_on, worker
from tests.servers import Server, until

WATCHERS = 2000
MOVES = 4
SILENT = ("--heartbeat", "3600")
LONG = Agreement("briscola", 2, (("rubber_games", "99"),))
MANY_MOVES = 2500
"""More than what the service keeps for one watcher, and what the lines between hold besides."""
TAKES_LITTLE = (("grpc.http2.lookahead_bytes", 1024), ("grpc.http2.bdp_probe", 0))


@pytest.fixture
def service(serve: Serve, server: Server) -> Service:
    """One worker, whose store can be looked into."""
    return serve("--redis-url", server.url, *SILENT)


@pytest.fixture
def players(service: Service, request: pytest.FixtureRequest) -> Iterator[list[Player]]:
    """So many matches as the test wants, each with somebody who plays it."""
    made = [Player(service.grpc) for _ in range(request.param)]
    yield made
    for player in made:
        player.close()


def watch(service: Service, asked: Sequence[tuple[str, str]]) -> closing[Crowd]:
    """Watch the matches that are named, each with the key beside it, for as long as the block lasts."""
    calls = [grpc_call(f"{MATCHES}WatchMatch", pb.WatchMatchRequest(match=match), key) for match, key in asked]
    return closing(Crowd(int(service.grpc.rpartition(":")[2]), calls))


def places(players: list[Player], number: int) -> list[tuple[Player, str]]:
    """Spread so many over the matches, and over all keys and none."""
    found = []
    for place in range(number):
        player = players[place % len(players)]
        keys = ["", player.created.referee_key, *(one.key for one in player.created.seat_keys)]
        found.append((player, keys[place // len(players) % len(keys)]))
    return found


def listed(player: Player, key: str) -> list[bytes]:
    """What has happened, as it is listed for that key."""
    metadata = player.key(key) if key else ()
    page = player.stub.ListEvents(pb.ListEventsRequest(match=player.match), metadata=metadata, timeout=10)
    assert not page.more
    return [one.SerializeToString() for one in page.moves]


@pytest.mark.parametrize("players", [1, 20], indirect=True, ids=["one match", "twenty matches"])
def test_two_thousand_watchers(service: Service, server: Server, players: list[Player]) -> None:
    """Each of two thousand, who all come at once, hears each event once; one line to the store brings all the news."""
    watching = places(players, WATCHERS)
    with watch(service, [(player.match, key) for player, key in watching]) as crowd:
        crowd.hears(1)
        assert WATCHERS == watchers(service)
        for number in range(MOVES):
            for player in players:
                player.play()
            crowd.hears(number + 2)
        with server.client() as client:
            assert 1 == len(client.client_list(_type="pubsub"))
    expected = {(player.match, key): listed(player, key) for player, key in set(watching)}
    assert {MOVES + 1} == set(map(len, expected.values()))
    for told, (player, key) in zip(crowd.told, watching, strict=True):
        assert expected[player.match, key] == told
    until(lambda: not watchers(service), "all of them have gone")


def test_who_does_not_read_is_let_go(service: Service, server: Server) -> None:
    """Whoever reads nothing is ended with a reason and can go on from there; the others are told all meanwhile."""
    here = worker(server.url)
    match = here.referee.open(LONG).match
    with watch(service, [(match, "")] * 5) as crowd, grpc.insecure_channel(service.grpc, TAKES_LITTLE) as channel:
        stub: Any = MatchServiceStub(channel)
        slow = stub.WatchMatch(pb.WatchMatchRequest(match=match))
        heard = [next(slow)]
        go_on(here.referee, match, MANY_MOVES)
        whole = here.referee.see(match).page.revision
        crowd.hears(whole)
        with pytest.raises(grpc.RpcError) as ended:
            heard += slow
        assert (grpc.StatusCode.RESOURCE_EXHAUSTED, "too_slow") == (ended.value.code(), reason(ended.value))
        assert len(heard) < whole
        again = stub.WatchMatch(pb.WatchMatchRequest(match=match, cursor=heard[-1].cursor))
        heard += [next(again) for _ in range(whole - len(heard))]
        again.cancel()
    here.store.close()
    assert [[told.SerializeToString() for told in heard]] * 5 == crowd.told
