"""The real process, when its store is away or hangs, and when there are several of them."""

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import grpc
import httpx
import pytest
from grpc_health.v1 import health_pb2

from chitarrella.matches.watching import POLL_SECONDS
from chitarrella.runtime.threads import CALL_THREADS
from chitarrella.server.worker import ADMIN_THREADS
from tests.fault_proxy import FaultProxy
from tests.server.process import Player, Service, StartService, health, metric, reason, start_game, watchers
from tests.servers import Server, until

CANCELLED = 'requests_total{code="cancelled",rpc="/chitarrella.v1.MatchService/WatchMatch",transport="grpc"}'


# ---------------------------------------------------------------------- the store


def test_service_starts_before_its_store(start_service: StartService, server: Server) -> None:
    """A service may start before its store, and reports not ready until then."""
    server.kill()
    service = start_service("--redis-url", server.url)
    start_game(service.grpc)
    with pytest.raises(grpc.RpcError) as wrong:
        Player(service.grpc)
    assert (grpc.StatusCode.UNAVAILABLE, "store_down") == (wrong.value.code(), reason(wrong.value))
    server.start()
    player = Player(service.grpc)
    assert 4 == player.play(3)


def test_service_recovers_after_a_store_outage(start_service: StartService, server: Server) -> None:
    """Without its store the service answers stateless calls, reports the rest as unavailable, and recovers."""
    service = start_service("--redis-url", server.url)
    player = Player(service.grpc)
    player.play(3)
    watch = player.watch()
    snapshot = [next(watch).revision for _ in range(4)]
    server.kill()
    for ask in (player.get_match, player.play, lambda: next(player.watch())):
        with pytest.raises(grpc.RpcError) as wrong:
            ask()
        assert (grpc.StatusCode.UNAVAILABLE, "store_down") == (wrong.value.code(), reason(wrong.value))
        assert server.url.removeprefix("unix://") not in str(wrong.value.details())
    assert "the store does not answer: ConnectionError" in service.log()
    start_game(service.grpc)
    server.start()
    until(lambda: httpx.get(f"{service.rest}/readyz").is_success, "the service has tried the store again")
    assert 5 == player.play()
    assert [1, 2, 3, 4, 5] == [*snapshot, next(watch).revision]
    service.stop()


def test_hanging_store_blocks_no_other_call(start_service: StartService, server: Server, proxy: FaultProxy) -> None:
    """While the store hangs, watchers can leave, and stateless calls are answered at once."""
    service = start_service("--redis-url", proxy.url)
    player = Player(service.grpc)
    watches = [player.watch() for _ in range(8)]
    for watch in watches:
        next(watch)
    server.pause()
    # The poll asks for the match, or first whether its connection, which has been idle, still lives.
    polled = time.monotonic() + POLL_SECONDS + 1
    until(lambda: proxy.unanswered(player.match_id) or time.monotonic() > polled, "the poll of the hub waits")
    for watch in watches[:4]:
        watch.cancel()
    begun = time.monotonic()
    for _ in range(10):
        start_game(service.grpc)
    assert time.monotonic() - begun < 5
    server.resume()
    player.play()
    assert [2] * 4 == [next(watch).revision for watch in watches[4:]]
    assert 4 == watchers(service)


def test_liveness_waits_for_no_thread(start_service: StartService, server: Server, proxy: FaultProxy) -> None:
    """While every thread of both HTTP ports waits for a store that hangs, health checks are answered at once."""
    service = start_service("--redis-url", proxy.url, "--admin", "127.0.0.1:0")
    player = Player(service.grpc)
    server.pause()
    waiting = [f"{service.rest}/v1/matches/{player.match_id}/events"] * 2 * CALL_THREADS
    waiting += [f"{service.admin}/readyz"] * 2 * ADMIN_THREADS
    with ThreadPoolExecutor(len(waiting)) as callers:
        asked = [callers.submit(httpx.get, url, timeout=30) for url in waiting]
        until(proxy.unanswered, "a call waits for the store")
        time.sleep(0.5)  # so that all have been sent
        assert [200, 200] == [httpx.get(f"{at}/healthz").status_code for at in (service.rest, service.admin)]
        assert health_pb2.HealthCheckResponse.SERVING == health(service)
        assert any(not call.done() for call in asked), "the threads still wait"
        server.resume()
        assert {call.result().status_code for call in asked} <= {200, 503}


def test_watcher_that_left_early_is_released(start_service: StartService, server: Server, proxy: FaultProxy) -> None:
    """A watcher that left before a slow store let the watch begin is released."""
    service = start_service("--redis-url", proxy.url)
    player = Player(service.grpc)
    stayed = player.watch()
    next(stayed)
    server.pause()

    def leave_early() -> bool:
        hasty = [player.watch() for _ in range(4)]
        time.sleep(0.2)  # on a busy machine some do not reach the service by then, and others have to be cancelled
        for watch in hasty:
            watch.cancel()
        return metric(service, CANCELLED) >= 4

    until(leave_early, "the service has noticed")
    server.resume()
    player.play()
    assert 2 == next(stayed).revision
    until(lambda: not proxy.unanswered(), "all have the answer of the store")
    until(lambda: 1 == watchers(service), "only the watcher that stayed is left", 10)
    time.sleep(0.2)  # a watch that begins now would stay
    assert 1 == watchers(service)


def test_heartbeat_holds_the_cursor(start_service: StartService) -> None:
    """In a silence the watcher gets heartbeats with the cursor to resume at."""
    service = start_service("--heartbeat", "0.2")
    player = Player(service.grpc)
    player.play(2)
    for cursor, first in (("", ["1.0", "2.0", "3.0"]), ("2.0", ["3.0"]), ("3.0", [])):
        watch = player.watch(cursor)
        received = [next(watch) for _ in range(len(first) + 2)]
        assert [*first, "3.0", "3.0"] == [one.cursor for one in received]
        assert [True] * len(first) + [False] * 2 == [bool(one.events) for one in received]
        assert [3, 3] == [one.revision for one in received[-2:]]
        watch.cancel()


# ---------------------------------------------------------------------- several


def test_two_workers_share_ports_and_are_replaced(start_service: StartService) -> None:
    """Two workers share both ports; a killed one is replaced, logged, counted, and its gauges go; a stop ends all."""
    service = start_service("--workers", "2")
    assert (2, 2) == (listeners(service.grpc), listeners(service.rest))
    first = Player(service.grpc)
    players = [Player(service.grpc, first.created) for _ in range(10)]
    assert list(range(2, 12)) == [player.play() for player in players]
    killed, _ = service.children()
    os.kill(killed, signal.SIGKILL)
    # Until its last thread is gone it may still be given connections, though it has no command line any more.
    until(lambda: not Path(f"/proc/{killed}").exists(), "nothing is left of the worker that was killed")
    until(lambda: (2, 2) == (listeners(service.grpc), listeners(service.rest)), "both listen again")
    assert 1 == len(service.events("a worker has ended: signal SIGKILL, "))
    assert 1 == len(service.events("a worker is started again in 0.5 s"))
    assert 1 == metric(service, "worker_restarts_total")
    again = [Player(service.grpc, first.created) for _ in range(4)]
    assert [12, 13, 14, 15] == [player.play() for player in again]
    watches = [player.watch() for player in again]
    for watch in watches:
        next(watch)
    until(lambda: 4 == watchers(service), "the workers have said how many watch")
    for number in service.children():
        os.kill(number, signal.SIGKILL)
    until(lambda: nobody_watches(service), "the gauges of the killed workers are not summed")
    assert service.stop() < 6


def nobody_watches(service: Service) -> bool:
    """Whether the metrics say so; not where no worker answers, or the one that was asked is killed."""
    with suppress(OSError):
        return not watchers(service)
    return False


def listeners(place: str) -> int:
    port = int(place.rpartition(":")[2])
    tables = [Path(f"/proc/net/{table}").read_text() for table in ("tcp", "tcp6")]
    rows = [line.split() for table in tables for line in table.splitlines()[1:]]
    return sum(row[1].endswith(f":{port:04X}") and row[3] == "0A" for row in rows)
