"""The command ``health``: asks a running service for its status; for container health checks."""

from __future__ import annotations

import os
import ssl
from pathlib import Path
from typing import Any

import click
import grpc
from cryptography import x509
from grpc_health.v1 import health_pb2, health_pb2_grpc

from chitarrella.cli.common import FILE
from chitarrella.server.settings import Settings


@click.command()
@click.option("--grpc", "address", envvar="CHITARRELLA_GRPC_ADDRESS", default=Settings().grpc, show_default=True,
              help="gRPC address of the service.")  # fmt: skip
@click.option("--timeout", type=click.FloatRange(0.1), default=3.0, show_default=True, help="Seconds to wait.")
@click.option("--tls", is_flag=True, default=lambda: bool(os.environ.get("CHITARRELLA_TLS_CERT_FILE")),
              help="Speak TLS; so by default where CHITARRELLA_TLS_CERT_FILE is set.")  # fmt: skip
@click.option("--tls-ca", envvar="CHITARRELLA_TLS_CA_FILE", type=FILE,
              help="Trust these CAs (PEM); without it the service's certificate is not verified.")  # fmt: skip
@click.option("--tls-client-cert", envvar="CHITARRELLA_TLS_CLIENT_CERT_FILE", type=FILE,
              help="The certificate to present to a service with --tls-client-ca.")  # fmt: skip
@click.option("--tls-client-key", envvar="CHITARRELLA_TLS_CLIENT_KEY_FILE", type=FILE,
              help="The private key of that certificate.")  # fmt: skip
def command(
    address: str,
    timeout: float,
    *,
    tls: bool,
    tls_ca: Path | None,
    tls_client_cert: Path | None,
    tls_client_key: Path | None,
) -> None:
    """Print the status of a running service; exit with status 1 if it is not serving."""
    host, _, port = address.rpartition(":")
    if host in ("0.0.0.0", "[::]"):  # a wildcard address is reached through the loopback
        address = f"127.0.0.1:{port}"
    client = [file.read_bytes() for file in (tls_client_key, tls_client_cert) if file]
    try:
        channel = _tls_channel(address, timeout, tls_ca, client) if tls or tls_ca else grpc.insecure_channel(address)
    except (OSError, ValueError) as error:
        raise click.ClickException(f"{address} does not answer ({type(error).__name__})") from error
    with channel:
        try:
            stub: Any = health_pb2_grpc.HealthStub(channel)
            answer = stub.Check(health_pb2.HealthCheckRequest(), timeout=timeout)
        except grpc.RpcError as error:
            raise click.ClickException(f"{address} does not answer ({error.code().name})") from error
    status = health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status)
    click.echo(f"{address} {status}")
    if answer.status != health_pb2.HealthCheckResponse.SERVING:
        raise SystemExit(1)


def _tls_channel(address: str, timeout: float, ca: Path | None, client: list[bytes]) -> grpc.Channel:
    """Open a channel that trusts ``ca``, else the very certificate that the service shows, whatever its name.

    ``client`` has the key and the certificate to present, or is empty. Raises `OSError`.
    """
    options: list[tuple[str, Any]] = []
    if ca:
        root = ca.read_bytes()
    else:  # no secret is sent, and a certificate for a public name does not fit the loopback
        host, _, port = address.rpartition(":")
        root = ssl.get_server_certificate((host.strip("[]"), int(port)), timeout=timeout).encode()
        options = [("grpc.ssl_target_name_override", _certificate_name(root))]
    return grpc.secure_channel(address, grpc.ssl_channel_credentials(root, *client), options)


def _certificate_name(certificate: bytes) -> str:
    """Return a name that a certificate (PEM) is valid for. Raises `ValueError` if it has none."""
    extensions = x509.load_pem_x509_certificate(certificate).extensions
    try:
        names = extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound as error:
        raise ValueError("the certificate has no subject alternative name") from error
    hosts = names.get_values_for_type(x509.DNSName)
    addresses = [str(address) for address in names.get_values_for_type(x509.IPAddress)]
    return next(iter([*hosts, *addresses]), "").replace("*", "any")
