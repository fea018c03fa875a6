"""A node out of service: health checks say so, calls are answered, and it can be taken back."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from chitarrella.api.api_keys import digest_of
from chitarrella.transports.grpc_server.health import LIVENESS
from chitarrella.v1 import rules_pb2, table_pb2
from tests.server.health import answers, health
from tests.server.process import Service
from tests.servers import until
from tests.transports.all_transports import RPCS, TRANSPORTS, Failed, Transport, caller_of

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
