"""A worker that ended is replaced, and the log says so; workers end with their parent."""

import multiprocessing
import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import grpc
import httpx
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_status import rpc_status

from chitarrella import errors, v1
from chitarrella.api.admin import draining_flag
from chitarrella.api.api_keys import digest_of
from chitarrella.cli.serve import command
from chitarrella.server import supervisor
from chitarrella.server.process import default_workers
from chitarrella.server.settings import Settings
from chitarrella.server.supervisor import (
    FIRST_PAUSE_SECONDS,
    MAX_FAILED_STARTS,
    MAX_PAUSE_SECONDS,
    STABLE_SECONDS,
    Backoff,
    Supervisor,
    WorkersFailed,
)
from chitarrella.server.worker import Readiness
from chitarrella.transports.grpc_server import LIVENESS
from tests.server.process import Player, Service, StartService, failed, health, reason
from tests.servers import Server, until
from tests.transports.all_transports import RPCS, Failed, Transport, caller_of


def answers(service: Service, path: str) -> list[tuple[int, str]]:
    """The status at the HTTP port and at the port for operators, each with the reason code of a problem."""
    asked = [httpx.get(f"{port}{path}", timeout=10) for port in (service.rest, service.admin)]
    return [(one.status_code, str(one.json().get("code", ""))) for one in asked]


def test_pauses_double_until_a_worker_is_stable() -> None:
    """Each pause is twice the one before, up to a maximum; after a worker that has lived long they begin anew."""
    backoff = Backoff()
    pauses = [backoff.pause_after(1.0, has_listened=True) for _ in range(9)]
    assert [0.5, 1, 2, 4, 8, 16, 30, 30, 30] == pauses
    assert MAX_PAUSE_SECONDS == backoff.pause_after(STABLE_SECONDS - 1, has_listened=True)
    assert FIRST_PAUSE_SECONDS == backoff.pause_after(STABLE_SECONDS, has_listened=True)
    assert 2 * FIRST_PAUSE_SECONDS == backoff.pause_after(1.0, has_listened=True)


def test_failed_starts_in_a_row_end_the_service() -> None:
    """A worker that ends before it listens is started again a few times; one that listened begins the count anew."""
    backoff = Backoff()
    for _ in range(2):
        for _ in range(MAX_FAILED_STARTS - 1):
            backoff.pause_after(1.0, has_listened=False)
        backoff.pause_after(1.0, has_listened=True)
    for _ in range(MAX_FAILED_STARTS - 1):
        backoff.pause_after(1.0, has_listened=False)
    with pytest.raises(WorkersFailed):
        backoff.pause_after(1.0, has_listened=False)


def test_worker_that_cannot_start_ends_the_service(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Where no worker can be started any more the service ends with an error, after its attempts and their pauses."""
    ended = SimpleNamespace(pid=0, exitcode=1, start=str, join=str, is_alive=lambda: False)
    fork = SimpleNamespace(Pipe=multiprocessing.Pipe, Process=lambda **_: ended)
    monkeypatch.setattr(supervisor, "multiprocessing", SimpleNamespace(get_context=lambda _: fork))
    monkeypatch.setattr(supervisor, "forget_worker", lambda _: None)
    monkeypatch.setattr(supervisor, "POLL_SECONDS", 0.001)
    monkeypatch.setattr(supervisor, "time", SimpleNamespace(monotonic=lambda: 100 * time.monotonic()))
    with pytest.raises(WorkersFailed, match=f"failed to start {MAX_FAILED_STARTS} times in a row"):
        Supervisor(Settings(workers=1), "").run(threading.Event(), lambda: None)
    pauses = [FIRST_PAUSE_SECONDS * 2**number for number in range(MAX_FAILED_STARTS - 1)]
    assert [f"a worker is started again in {pause} s" for pause in pauses] == [
        record.message for record in caplog.records if record.levelname == "WARNING"
    ]
    assert MAX_FAILED_STARTS == caplog.text.count("a worker has ended: exit code 1, ")


QUOTAS = [("max", "max", 8), ("150000", "max", 2), ("400000", "50000", 1), ("", "300000", 3), ("", "", 8)]
"""Of the cgroup of the process and of the one above it, in microseconds of a hundred milliseconds; the workers."""


@pytest.mark.parametrize(("own", "above", "workers"), QUOTAS)
def test_default_is_a_worker_a_processor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own: str, above: str, workers: int
) -> None:
    """There are as many workers as processors, or as the least quota leaves of them, rounded up; eight at most."""
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "self").write_text("1:cpu:/c\n0::/a/b\n")
    for folder, quota in (("a/b", own), ("a", above)):
        if quota:
            (tmp_path / folder / "cpu.max").write_text(f"{quota} 100000\n")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(20))
    assert workers == default_workers(tmp_path / "self", tmp_path)


def test_service_begins_with_the_default() -> None:
    """Where nothing is said of workers, those of the processors are started."""
    assert default_workers() == command.make_context("serve", []).params["workers"]


def test_each_worker_has_a_unix_socket(tmp_path: Path, start_service: StartService) -> None:
    """Of several workers each listens on a socket of its own, and the first one's address is printed."""
    service = start_service("--rest", f"unix:{tmp_path}/rest", "--workers", "2")
    assert f"unix:{tmp_path}/rest.0" == service.rest
    for number in range(2):
        with httpx.Client(transport=httpx.HTTPTransport(uds=f"{tmp_path}/rest.{number}")) as client:
            assert 200 == client.get("http://worker/readyz").status_code


def test_orphan_answers_no_more(start_service: StartService) -> None:
    """When the service is killed its workers and its store end: a watch breaks off without a last word."""
    service = start_service("--workers", "2")
    assert len(service.family()) >= 4
    player = Player(service.grpc)
    watch = player.watch()
    next(watch)
    service.kill()
    with pytest.raises(grpc.RpcError):
        next(watch)
    assert grpc.StatusCode.UNAVAILABLE == watch.code()
    assert rpc_status.from_call(watch) is None
    service.all_gone()


# ---------------------------------------------------------------------- draining


ADMIN, ARCADE = "the-key-of-the-administrator", "the-key-of-arcade"
API_KEYS = f"ops admin {digest_of(ADMIN)};arcade all {digest_of(ARCADE)}"
STATUS = health_pb2.HealthCheckResponse
READY, NOT_READY = (200, ""), (503, "shutting_down")
PUBLIC = "https://cards.example"
ASKS = 10  # new connections that ask for the readiness: with several workers all are met


@pytest.fixture(scope="module")
def service(start_shared: StartService) -> Service:
    of_rest = ("--public-url", f"{PUBLIC}/", "--cors-allowed-origins", PUBLIC)
    return start_shared("--workers", "2", "--admin", "127.0.0.1:0", "--api-keys", API_KEYS, *of_rest)


def test_settings_of_rest_reach_every_worker(service: Service) -> None:
    """The public URL and the origins hold in a service of several processes; its example names the API key."""
    assert "resolveTrick -H 'x-api-key: KEY' -H " in service.output()
    for _ in range(8):
        answer = httpx.get(f"{service.rest}/openapi.json", headers={"Origin": PUBLIC}, timeout=10)
        assert PUBLIC == answer.headers["Access-Control-Allow-Origin"]
        assert [{"url": PUBLIC}] == answer.json()["servers"]


def test_second_service_of_several_workers_is_refused(service: Service, start_service: StartService) -> None:
    """Workers share a port with each other, not with those of another service."""
    for transport, address in (("--grpc", service.grpc), ("--rest", service.rest.removeprefix("http://"))):
        second = start_service(transport, address, "--workers", "2")
        assert f"cannot listen at {address}" in failed(second)


def reports(service: Service) -> set[Any]:
    seen: set[Any] = set()
    for _ in range(ASKS):
        seen |= {*answers(service, "/readyz"), health(service), health(service, LIVENESS)}
    return seen


def ask(transport: Transport, rpc: str) -> Any:
    return transport(rpc, RPCS[rpc].request())


def test_drained_node_is_not_ready_and_answers(service: Service) -> None:
    """An administrator, and no platform, takes all workers out of service and back; meanwhile they answer and live."""
    of_admin, of_arcade = (closing(caller_of("grpc", service, key)) for key in (ADMIN, ARCADE))
    with of_admin as admin, of_arcade as arcade, grpc.insecure_channel(service.grpc) as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        states = (response.status for response in stub.Watch(health_pb2.HealthCheckRequest(), timeout=60))
        assert STATUS.SERVING == next(states)
        for rpc in ("Drain", "Undrain"):
            assert Failed("out_of_scope", "x-api-key") == ask(arcade, rpc)
        assert [READY] * 2 == answers(service, "/readyz")
        assert not isinstance(ask(admin, "Drain"), Failed)
        assert STATUS.NOT_SERVING == next(states)
        until(lambda: {NOT_READY, STATUS.NOT_SERVING, STATUS.SERVING} == reports(service), "every worker is drained")
        assert STATUS.SERVING == health(service, LIVENESS)
        assert not isinstance(ask(arcade, "ListGames"), Failed)
        assert not isinstance(ask(admin, "Undrain"), Failed)
        assert STATUS.SERVING == next(states)
        until(lambda: {READY, STATUS.SERVING} == reports(service), "every worker is back")


@pytest.mark.parametrize("workers", [1, 2])
def test_service_answers_for_a_while_after_the_signal(tmp_path: Path, workers: int) -> None:
    """From SIGTERM on it is not ready, answers calls for the seconds of ``--drain``, and then ends."""
    service = Service(tmp_path, "--workers", str(workers), "--drain", "2", "--admin", "127.0.0.1:0", forked=True)
    with ThreadPoolExecutor(1) as threads, closing(caller_of("grpc", service)) as client:
        begun = time.monotonic()
        stopping = threads.submit(service.stop, signal.SIGTERM)
        until(lambda: [NOT_READY] * 2 == answers(service, "/readyz"), "it is not ready")
        found = client("StartGame", v1.StartGameRequest(rule_set=v1.RuleSet(game_id="briscola", players=2)))
        assert not isinstance(found, Failed)
        stopping.result()
    assert time.monotonic() - begun > 2


# ---------------------------------------------------------------------- readiness


FAULTS = {
    "memory": ("CONFIG SET maxmemory {}", "1", "0", "OutOfMemoryError"),
    "replicas": ("CONFIG SET min-replicas-to-write {}", "1", "0", "ResponseError NOREPLICAS"),
    "script": ("ACL SETUSER default {}evalsha", "-", "+", "NoPermissionError evalsha"),
    "command of a script": ("ACL SETUSER default {}rpush", "-", "+", "ResponseError ACL rpush"),
}
"""Faults under which a store answers PING, and takes no match: what begins and ends it, and its cause in the log."""


@pytest.fixture(scope="module")
def faulty(valkey: Server, start_shared: StartService) -> Service:
    """A worker at a store that has each fault in turn."""
    return start_shared("--redis-url", valkey.url, "--admin", "127.0.0.1:0", folder="faulty")


@pytest.mark.parametrize(("command", "begin", "end", "cause"), FAULTS.values(), ids=FAULTS)
def test_readiness_follows_what_the_store_takes(
    faulty: Service, valkey: Server, command: str, begin: str, end: str, cause: str
) -> None:
    """While the store takes no match the service lives, is not ready, and its log has the cause."""
    service, server = faulty, valkey
    assert [READY] * 2 == answers(service, "/readyz")
    before = [line["event"] for line in service.events("the store")]
    server.ask(*command.format(begin).split())
    assert server.ask("PING")
    assert [(503, "store_down")] * 2 == answers(service, "/readyz")
    # An orchestrator restarts what is not alive, which would not help: liveness and gRPC's health know no store.
    assert [READY] * 2 == answers(service, "/healthz")
    assert STATUS.SERVING == health(service)
    with pytest.raises(grpc.RpcError) as wrong:
        Player(service.grpc)
    assert (grpc.StatusCode.UNAVAILABLE, "store_down") == (wrong.value.code(), reason(wrong.value))
    logged = {line["event"] for line in service.events("the store")}
    assert f"the store refuses a command: {cause}" in logged - set(before)
    server.ask(*command.format(end).split())
    assert [READY] * 2 == answers(service, "/readyz")
    player = Player(service.grpc)
    assert 2 == player.play()


def test_a_worker_without_its_grpc_port_is_not_ready() -> None:
    """A worker whose gRPC port accepts no calls is not ready, though the store is."""
    readiness = Readiness(draining_flag(), lambda: None)
    readiness.check()
    readiness.is_listening = lambda: False
    with pytest.raises(errors.ShuttingDown):
        readiness.check()
