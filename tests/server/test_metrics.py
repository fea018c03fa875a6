"""The metrics of a service: sums over its workers, counts by game, the store, and the process."""

from __future__ import annotations

import os
import signal
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress

import grpc
import pytest
from prometheus_client.parser import text_string_to_metric_families

from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1 import table_pb2
from tests.server.process import Player, Service, StartService, fetched, reason, watchers
from tests.servers import Server, until

WORKERS = 2


@pytest.fixture
def service(start_service: StartService) -> Service:
    """A service of two workers."""
    return start_service("--workers", str(WORKERS))


@pytest.fixture
def players(service: Service) -> Iterator[list[Player]]:
    """Players of ten matches, each over a connection of its own, so that both workers answer some."""
    made = [Player(service.grpc) for _ in range(10)]
    yield made
    for player in made:
        player.close()


def read(service: Service) -> dict[tuple[str, ...], float]:
    """The samples, by name and the values of their labels; those of several processes added."""
    found: dict[tuple[str, ...], float] = defaultdict(float)
    for family in text_string_to_metric_families(fetched(f"{service.rest}/metrics")):
        for sample in family.samples:
            labels = {name: value for name, value in sample.labels.items() if name != "pid"}
            found[sample.name, *labels.values()] += sample.value
    return found


def test_counts_are_sums_over_the_workers(service: Service, players: list[Player]) -> None:
    """Whichever worker answers gives the counts of both."""
    for player in players:
        player.play(3)
    path = "/chitarrella.v1.MatchService/PlayMove"
    for _ in range(6):
        samples = read(service)
        assert 30 == samples["chitarrella_requests_total", "ok", path, "grpc"]
        assert 30 == samples["chitarrella_moves_total", "briscola"]
        assert 10 == samples["chitarrella_matches_created_total", "briscola"]
        assert 30 <= samples["chitarrella_store_command_duration_seconds_count", "append"]
        assert WORKERS * 10_000_000 < samples["chitarrella_process_resident_memory_bytes",]
        assert 0 < samples["chitarrella_process_cpu_seconds_total",]


def test_gauges_of_a_killed_worker_are_left_out(service: Service, players: list[Player]) -> None:
    """Watches end with their worker; its gauges are not summed after it is replaced."""
    watches = [player.watch() for player in players]
    for watch in watches:
        next(watch)
    until(lambda: len(watches) == watchers(service), "both workers have said how many watch")
    for pid, command in service.family().items():
        if "spawn_main" in command:
            os.kill(pid, signal.SIGKILL)

    def is_quiet() -> bool:
        with suppress(OSError):  # a worker that was asked may have been the killed one
            return not watchers(service)
        return False

    until(is_quiet, "nobody watches")


def test_refusals_and_ends_are_counted(service: Service, players: list[Player]) -> None:
    """A refused move counts under its reason, a match that is aborted under its game."""
    player = players[0]
    player.play()
    first = pb.PlayMoveRequest(match_id=player.match_id, move=table_pb2.Move(verb="play_card", cards=["Ab"]))
    answers = [
        player.stub.PlayMove(first, metadata=player.key(seat.key), timeout=10) for seat in player.created.seat_keys
    ]
    player.stub.AbortMatch(
        pb.AbortMatchRequest(match_id=player.match_id), metadata=player.key(player.created.referee_key), timeout=10
    )
    samples = read(service)
    assert 1 == samples["chitarrella_matches_aborted_total", "briscola"]
    codes = Counter(refusal.code for answer in answers for refusal in answer.refusals)
    assert codes
    assert codes == {code: samples["chitarrella_move_refusals_total", code, "briscola"] for code in codes}


def test_finished_match_is_counted(start_service: StartService) -> None:
    """The last move of a match counts it as finished."""
    service = start_service()
    player = Player(service.grpc)
    while player.get_match().view.waiting != table_pb2.WAITING_NOBODY:
        player.play()
    player.close()
    assert 1 == read(service)["chitarrella_matches_finished_total", "briscola"]


def test_errors_of_the_store_are_counted(start_service: StartService, server: Server) -> None:
    """A command that fails counts under the class of its error."""
    service = start_service("--redis-url", server.url)
    server.kill()
    with pytest.raises(grpc.RpcError) as away:
        Player(service.grpc)
    assert "store_down" == reason(away.value)
    assert any("chitarrella_store_errors_total" == name[0] and count for name, count in read(service).items())
