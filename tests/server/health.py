"""What a service says of its health: over HTTP at both of its ports, and by the health service of gRPC."""

from __future__ import annotations

from typing import Any

import grpc
import httpx
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tests.server.process import Service


def answers(service: Service, path: str) -> list[tuple[int, str]]:
    """The status at the HTTP port and at the port for operators, each with the reason code of a problem."""
    asked = [httpx.get(f"{port}{path}", timeout=10) for port in (service.rest, service.admin)]
    return [(one.status_code, str(one.json().get("code", ""))) for one in asked]


def health(service: Service, name: str = "") -> int:
    """The status that the health service of gRPC reports of a name, at a connection of its own."""
    with grpc.insecure_channel(service.grpc, options=[("grpc.use_local_subchannel_pool", 1)]) as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        return int(stub.Check(health_pb2.HealthCheckRequest(service=name), timeout=10).status)
