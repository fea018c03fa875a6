"""Readiness, asked of the real process: it follows what the store takes, and liveness does not."""

from __future__ import annotations

from typing import NamedTuple

import grpc
import pytest
from grpc_health.v1 import health_pb2

from chitarrella import errors
from chitarrella.api.draining import Draining
from chitarrella.server.readiness import Readiness
from tests.server.health import answers, health
from tests.server.process import Player, StartService, reason
from tests.servers import Server

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
    readiness = Readiness(Draining(), lambda: None)
    readiness.check()
    readiness.is_listening = lambda: False
    with pytest.raises(errors.ShuttingDown):
        readiness.check()
