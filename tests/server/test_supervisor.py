"""A worker that ended is replaced, and the log says so; workers end with their parent."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_status import rpc_status

from chitarrella import errors
from chitarrella.api.admin import draining_flag
from chitarrella.api.api_keys import digest_of
from chitarrella.server.supervisor import (
    FIRST_PAUSE_SECONDS,
    MAX_FAILED_STARTS,
    MAX_PAUSE_SECONDS,
    STABLE_SECONDS,
    Backoff,
    WorkersFailed,
)
from chitarrella.server.worker import Readiness
from chitarrella.transports.grpc_server import LIVENESS
from chitarrella.v1 import rules_pb2, table_pb2
from tests.server.health import answers, health
from tests.server.process import Player, Service, StartService, fetched, reason
from tests.servers import Server, until
from tests.transports.all_transports import RPCS, TRANSPORTS, Failed, Transport, caller_of


def workers(service: Service) -> set[int]:
    """The numbers of the worker processes."""
    return {number for number, command in service.family().items() if "spawn_main" in command}


def has_replaced(service: Service, count: int) -> bool:
    """Whether a worker that listens counts so many workers that were replaced."""
    with suppress(OSError):  # the connection was that of the killed one
        return f"chitarrella_worker_restarts_total {count}.0" in fetched(f"{service.rest}/metrics")
    return False


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


def test_killed_worker_is_reported_and_counted(start_service: StartService) -> None:
    """The end of a worker is in the log with its signal and the pause before the next one, and in the metrics."""
    service = start_service("--workers", "2")
    before = workers(service)
    killed = min(before)
    for count, pause in ((1, "0.5"), (2, "1.0")):
        os.kill(killed, signal.SIGKILL)
        replaced = partial(has_replaced, service, count)
        until(replaced, "it is counted")
        assert count == len(service.events("a worker has ended: signal SIGKILL, "))
        assert 1 == len(service.events(f"a worker is started again in {pause} s"))
        (killed,) = workers(service) - before
    service.stop()


def test_worker_that_cannot_start_again_ends_the_service(start_service: StartService, tmp_path: Path) -> None:
    """Where no worker can be started any more the service ends with an error, after its attempts."""
    key = tmp_path / "key.pem"
    key.write_text(ed25519_key())
    service = start_service("--workers", "2", "--signing-key-file", str(key))
    key.write_text("no key")
    os.kill(min(workers(service)), signal.SIGKILL)
    assert 1 == service.process.wait(90)
    assert MAX_FAILED_STARTS == len(service.events("a worker has ended: exit code 1, "))
    assert service.events("the service ends: a worker has failed to start 5 times in a row")
    service.all_gone()


def ed25519_key() -> str:
    """A new private key as a PEM file has it."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    return Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def test_orphan_answers_no_more(start_service: StartService) -> None:
    """When the service is killed its workers end at once: a watch breaks off without a last word."""
    service = start_service("--workers", "2")
    player = Player(service.grpc)
    watch = player.watch()
    next(watch)
    service.kill()
    with pytest.raises(grpc.RpcError):
        next(watch)
    assert grpc.StatusCode.UNAVAILABLE == watch.code()
    assert rpc_status.from_call(watch) is None
    service.all_gone()
    player.close()


# ---------------------------------------------------------------------- draining


ADMIN, ARCADE = "the-key-of-the-administrator", "the-key-of-arcade"
API_KEYS = f"ops admin {digest_of(ADMIN)};arcade all {digest_of(ARCADE)}"
STATUS = health_pb2.HealthCheckResponse
READY, NOT_READY = (200, ""), (503, "shutting_down")
ASKS = 10
"""New connections that ask for the readiness: with several workers all are met."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Two workers, with a port for operators."""
    flags = ("--workers", "2", "--admin", "127.0.0.1:0", "--api-keys", API_KEYS)
    service = Service(tmp_path_factory.mktemp("draining"), *flags, forked=True)
    yield service
    service.clear_away()


def reports(service: Service) -> set[Any]:
    """What the workers report at both ports of HTTP and over gRPC."""
    seen: set[Any] = set()
    for _ in range(ASKS):
        seen |= {*answers(service, "/readyz"), health(service), health(service, LIVENESS)}
    return seen


def ask(transport: Transport, rpc: str) -> Any:
    """Make a call with an empty request."""
    return transport(rpc, RPCS[rpc].request())


@pytest.mark.parametrize("name", TRANSPORTS)
def test_drained_node_is_not_ready_and_answers(service: Service, name: str) -> None:
    """A call takes all workers out of service; they answer calls and are alive; another call takes them back."""
    with (
        closing(caller_of(name, service, ADMIN)) as admin,
        closing(caller_of(name, service, ARCADE)) as arcade,
        grpc.insecure_channel(service.grpc) as channel,
    ):
        stub: Any = health_pb2_grpc.HealthStub(channel)
        states = (response.status for response in stub.Watch(health_pb2.HealthCheckRequest(), timeout=60))
        assert STATUS.SERVING == next(states)
        assert not isinstance(ask(admin, "Drain"), Failed)
        assert STATUS.NOT_SERVING == next(states)
        until(lambda: {NOT_READY, STATUS.NOT_SERVING, STATUS.SERVING} == reports(service), "every worker is drained")
        assert STATUS.SERVING == health(service, LIVENESS)
        assert not isinstance(ask(arcade, "ListGames"), Failed)
        assert not isinstance(ask(admin, "Undrain"), Failed)
        assert STATUS.SERVING == next(states)
        until(lambda: {READY, STATUS.SERVING} == reports(service), "every worker is back")


@pytest.mark.parametrize("rpc", ["Drain", "Undrain"])
@pytest.mark.parametrize("name", TRANSPORTS)
def test_node_is_drained_by_an_administrator_alone(service: Service, name: str, rpc: str) -> None:
    """A platform is refused, and the node stays ready."""
    with closing(caller_of(name, service, ARCADE)) as arcade:
        assert Failed("out_of_scope", "x-api-key") == ask(arcade, rpc)
    assert [READY] * 2 == answers(service, "/readyz")


@pytest.mark.parametrize("workers", [1, 2])
def test_service_answers_for_a_while_after_the_signal(tmp_path: Path, workers: int) -> None:
    """From SIGTERM on it is not ready, answers calls for the seconds of ``--drain``, and then ends."""
    service = Service(tmp_path, "--workers", str(workers), "--drain", "3", "--admin", "127.0.0.1:0", forked=True)
    with ThreadPoolExecutor(1) as threads, closing(caller_of("grpc", service)) as client:
        begun = time.monotonic()
        stopping = threads.submit(service.stop, signal.SIGTERM)
        until(lambda: [NOT_READY] * 2 == answers(service, "/readyz"), "it is not ready")
        found = client(
            "StartGame", rules_pb2.StartGameRequest(rule_set=table_pb2.RuleSet(game_id="briscola", players=2))
        )
        assert not isinstance(found, Failed)
        stopping.result()
    assert time.monotonic() - begun > 3


# ---------------------------------------------------------------------- readiness


SERVING = health_pb2.HealthCheckResponse.SERVING


class Fault(NamedTuple):
    """A fault of the store: the commands that begin and end it, and its cause in the log."""

    begin: tuple[str, ...]
    end: tuple[str, ...]
    cause: str


FAULTS = {
    "memory": Fault(("CONFIG", "SET", "maxmemory", "1"), ("CONFIG", "SET", "maxmemory", "0"), "OutOfMemoryError"),
    "replicas": Fault(
        ("CONFIG", "SET", "min-replicas-to-write", "1"),
        ("CONFIG", "SET", "min-replicas-to-write", "0"),
        "ResponseError NOREPLICAS",
    ),
    "script": Fault(
        ("ACL", "SETUSER", "default", "-evalsha"),
        ("ACL", "SETUSER", "default", "+evalsha"),
        "NoPermissionError evalsha",
    ),
    "command of a script": Fault(
        ("ACL", "SETUSER", "default", "-rpush"),
        ("ACL", "SETUSER", "default", "+rpush"),
        "ResponseError ACL rpush",
    ),
}
"""Faults under which a store answers PING, and takes no match."""


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_readiness_follows_what_the_store_takes(start_service: StartService, server: Server, fault: Fault) -> None:
    """While the store takes no match the service lives, is not ready, and its log has the cause."""
    service = start_service("--redis-url", server.url, "--admin", "127.0.0.1:0")
    assert [(200, "")] * 2 == answers(service, "/readyz")
    before = [line["event"] for line in service.events("the store")]
    server.ask(*fault.begin)
    assert server.ask("PING")
    assert [(503, "store_down")] * 2 == answers(service, "/readyz")
    # An orchestrator restarts what is not alive, which would not help: liveness and gRPC's health know no store.
    assert [(200, "")] * 2 == answers(service, "/healthz")
    assert SERVING == health(service)
    with pytest.raises(grpc.RpcError) as wrong:
        Player(service.grpc)
    assert (grpc.StatusCode.UNAVAILABLE, "store_down") == (wrong.value.code(), reason(wrong.value))
    logged = {line["event"] for line in service.events("the store")}
    assert f"the store refuses a command: {fault.cause}" in logged - set(before)
    server.ask(*fault.end)
    assert [(200, "")] * 2 == answers(service, "/readyz")
    player = Player(service.grpc)
    assert 2 == player.play()
    player.close()
    service.stop()


def test_a_worker_without_its_grpc_port_is_not_ready() -> None:
    """A worker whose gRPC port accepts no calls is not ready, though the store is."""
    readiness = Readiness(draining_flag(), lambda: None)
    readiness.check()
    readiness.is_listening = lambda: False
    with pytest.raises(errors.ShuttingDown):
        readiness.check()
