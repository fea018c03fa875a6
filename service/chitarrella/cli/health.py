"""The command ``health``: asks a running service for its status; for container health checks."""

from __future__ import annotations

from typing import Any

import click
import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from chitarrella.server.settings import Settings


@click.command()
@click.option("--grpc", "address", envvar="CHITARRELLA_GRPC_ADDRESS", default=Settings().grpc, show_default=True,
              help="gRPC address of the service.")  # fmt: skip
@click.option("--timeout", type=click.FloatRange(0.1), default=3.0, show_default=True, help="Seconds to wait.")
def command(address: str, timeout: float) -> None:
    """Print the status of a running service; exit with status 1 if it is not serving."""
    host, _, port = address.rpartition(":")
    if host in ("0.0.0.0", "[::]"):  # a wildcard address is reached through the loopback
        address = f"127.0.0.1:{port}"
    with grpc.insecure_channel(address) as channel:
        try:
            stub: Any = health_pb2_grpc.HealthStub(channel)
            answer = stub.Check(health_pb2.HealthCheckRequest(), timeout=timeout)
        except grpc.RpcError as error:
            raise click.ClickException(f"{address} does not answer ({error.code().name})") from error
    status = health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status)
    click.echo(f"{address} {status}")
    if answer.status != health_pb2.HealthCheckResponse.SERVING:
        raise SystemExit(1)
