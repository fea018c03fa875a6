"""The real process: what it says, how it begins, and that no move is lost however it ends."""

from __future__ import annotations

import json
import os
import shlex
import signal
import socket
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tests.house.service import Player, Serve, failed, fetched, reason, start_game
from tests.servers import Server

HEALTH = health_pb2.HealthCheckResponse


# ---------------------------------------------------------------------- beginning


def test_what_it_says(serve: Serve) -> None:
    """It says where it listens, where its data is, and a line to try; and that line works."""
    service = serve()
    said = service.said()
    assert f"gRPC   {service.grpc}\nREST   {service.rest}\ndocs   {service.rest}/docs\n" in said
    start_game(service.grpc)
    words = shlex.split(said.partition("try ")[2].partition("\n\n")[0].replace("\\\n", " "))
    assert ["curl", "-s", f"{service.rest}/v1/rules:trick", "-H", "content-type: application/json", "-d"] == words[:6]
    answer = json.loads(fetched(words[2], words[6].encode(), content_type="application/json"))
    assert "5c" == answer["card"]
    assert "its own, in" in said
    assert service.stop() < 5


def taken_port() -> socket.socket:
    """Listen at a port oneself."""
    sock = socket.create_server(("127.0.0.1", 0))
    sock.listen()
    return sock


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("door", ["--grpc", "--rest"])
def test_a_port_that_is_taken(serve: Serve, door: str, workers: str) -> None:
    """Where a port is taken the service says which one, and leaves nothing behind."""
    with taken_port() as sock:
        address = f"127.0.0.1:{sock.getsockname()[1]}"
        message = failed(serve(door, address, "--workers", workers))
    assert message.startswith("Error: ")
    assert address in message


@pytest.mark.parametrize(
    ("url", "said", "workers"),
    [
        ("nonsense", "scheme", "1"),
        ("redis://localhost:port", "port", "2"),
        ("redis+sentinel://localhost", "names the service", "1"),
        ("redis+cluster://127.0.0.1:1", "127.0.0.1:1", "1"),
        ("redis+cluster://127.0.0.1:1", "127.0.0.1:1", "2"),
    ],
)
def test_an_address_of_the_store_that_is_wrong(serve: Serve, url: str, said: str, workers: str) -> None:
    """A store whose address cannot be read, or a cluster that is not there, is said to be so in one line."""
    message = failed(serve("--redis-url", url, "--workers", workers))
    assert message.startswith("Error: ")
    assert said in message


def test_a_webhook_of_nobody(serve: Serve, tmp_path: Path) -> None:
    """A webhook whose platform has no API key could never be told anything: that is said before anything is served."""
    hooks = tmp_path / "hooks"
    hooks.write_text(f"arcade http://127.0.0.1:1/ whsec_{'A' * 32}\n")
    message = failed(serve("--webhooks-file", str(hooks)))
    assert "Error: the webhooks name arcade, a platform without an API key" == message


def test_two_services_in_one_folder(serve: Serve) -> None:
    """A second service does not keep its matches in the folder of the first; it says so, and the first goes on."""
    first = serve()
    player = Player(first.grpc)
    assert "another service keeps its matches in" in failed(serve())
    assert 4 == player.play(3)
    player.close()
    assert first.stop() < 5


# ---------------------------------------------------------------------- ending


def test_killed_in_the_middle_of_a_match(serve: Serve) -> None:
    """When the service is killed no accepted move is lost: started again at once, the match goes on with its keys."""
    service = serve()
    created, revision, record = None, 1, ""
    for _ in range(3):
        player = Player(service.grpc, created)
        created = player.created
        assert revision == player.look().revision
        assert record == "" or record == player.record()
        revision, record = player.play(5), player.record()
        player.close()
        service.kill()
        before, service = service, serve()
        before.all_gone()
    player = Player(service.grpc, created)
    assert (16, 16) == (revision, player.look().revision)
    player.play(25)
    player.close()
    assert service.stop() < 5


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_ends_the_streams_first(serve: Serve, number: signal.Signals) -> None:
    """Told to stop, it ends every stream as one to be taken up elsewhere, says it is not serving, and is gone soon."""
    service = serve()
    player = Player(service.grpc)
    watches = [player.watch(key=key) for key in ("", *(one.key for one in player.created.seat_keys))]
    for watch in watches:
        assert 1 == next(watch).revision
    events = urllib.request.urlopen(f"{service.rest}/v1/matches/{player.match}:watch", timeout=10)
    health: Any = health_pb2_grpc.HealthStub(player.channel)
    states = health.Watch(health_pb2.HealthCheckRequest())
    assert HEALTH.SERVING == next(states).status
    with ThreadPoolExecutor(1) as threads:
        stopping = threads.submit(service.stop, number)
        for watch in watches:
            with pytest.raises(grpc.RpcError) as ended:
                next(watch)
            assert (grpc.StatusCode.UNAVAILABLE, "shutting_down") == (ended.value.code(), reason(ended.value))
        assert HEALTH.NOT_SERVING == next(states).status
        assert "shutting_down" in events.read().decode()
        assert stopping.result() < 5
    events.close()
    player.close()


def test_a_stop_lets_a_move_finish(serve: Serve) -> None:
    """A stop in the middle of play loses no move that was accepted, and accepts none that is lost."""
    service = serve()
    player = Player(service.grpc)
    accepted = [1]

    def play() -> None:
        while True:
            try:
                accepted.append(player.play())
            except (grpc.RpcError, IndexError):
                return

    with ThreadPoolExecutor(1) as threads:
        playing = threads.submit(play)
        time.sleep(0.05)
        assert service.stop() < 5
        playing.result()
    again = serve()
    other = Player(again.grpc, player.created)
    assert other.look().revision - accepted[-1] in (0, 1)  # the answer to the last one may have been cut off
    for one in (player, other):
        one.close()
    again.stop()


def test_a_stop_while_the_store_hangs(serve: Serve, server: Server) -> None:
    """Told to stop while the store hangs and people watch, it is gone within seconds all the same."""
    service = serve("--redis-url", server.url)
    player = Player(service.grpc)
    watch = player.watch()
    next(watch)
    server.pause()
    time.sleep(0.2)
    assert service.stop() < 9
    server.resume()
    player.close()


@pytest.mark.parametrize("count", ["1", "2"])
def test_its_own_store_ends(serve: Serve, count: str) -> None:
    """A service whose own Valkey has ended ends too, and says so: nobody is served by one that cannot recover."""
    service = serve("--workers", count)
    os.kill(next(number for number, command in service.family().items() if "valkey-server" in command), signal.SIGKILL)
    assert "the embedded Valkey has ended" in failed(service)
