"""The command ``edge-config``: writes the configuration of an Envoy that runs beside the service."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import click

from chitarrella.cli.serve import DEFAULTS, OPTIONS
from chitarrella.server.edge_config import Places, bootstrap, secret_files, write_files
from chitarrella.server.settings import Settings

# The options of `serve` that the edge reads too, with the same variables.
SHARED = ("read_timeout", "heartbeat", "trusted_proxies", "rate_platform", "http3")
CERTIFICATE = click.Path(path_type=PurePosixPath)


@click.command(params=[one for one in OPTIONS if one.name in SHARED])
@click.option("--listen", multiple=True, required=True, help="Public address, such as 0.0.0.0:8080; may be repeated.")
@click.option("--grpc", multiple=True, required=True, help="Where a worker serves gRPC: host:port or unix:/path.")
@click.option("--rest", multiple=True, required=True, help="Where a worker serves REST: host:port or unix:/path.")
@click.option("--operators", default="", help="Address of health checks and metrics, which the public ones then hide.")
@click.option("--admin", multiple=True, help="Where a worker serves its port for operators, see 'serve --admin'.")
@click.option("--tls-cert", type=CERTIFICATE, help="Certificate chain (PEM), where Envoy finds it.")
@click.option("--tls-key", type=CERTIFICATE, help="The key of the certificate, in the same folder.")
@click.option("--tls-client-ca", type=CERTIFICATE, help="Serve only clients with a certificate of these CAs.")
@click.option("--output", type=click.Path(file_okay=False, path_type=Path), default=Path(), show_default=True,
              help="The folder to write envoy.json to, and with TLS the files that name the certificates.")  # fmt: skip
@click.option("--place", type=CERTIFICATE, help="Where Envoy finds that folder, unless under the same name.")
def command(
    listen: tuple[str, ...],
    grpc: tuple[str, ...],
    rest: tuple[str, ...],
    operators: str,
    admin: tuple[str, ...],
    tls_cert: PurePosixPath | None,
    tls_key: PurePosixPath | None,
    tls_client_ca: PurePosixPath | None,
    output: Path,
    place: PurePosixPath | None,
    **shared: object,
) -> None:
    """Write the configuration of Envoy as the edge, for the official image beside the service.

    Envoy watches the folder of the certificate: replace its files by a rename, as Kubernetes does. The service behind
    it gets --trusted-proxies with one more than here.
    """
    if bool(operators) != bool(admin):
        raise click.UsageError("--operators and --admin belong together.")
    if (tls_client_ca or tls_key or shared["http3"]) and not (tls_cert and tls_key):
        raise click.UsageError("TLS needs both a certificate and its key.")
    ca = Path(tls_client_ca) if tls_client_ca else None
    given = {**vars(DEFAULTS), **shared, "tls_client_ca": ca, "admin": operators}
    settings, folder = Settings(**given), place or PurePosixPath(output.resolve())
    places = Places(listen, grpc, rest, operators, admin)
    secrets = folder if tls_cert else None
    try:
        files = {"envoy.json": bootstrap(settings, places, "/tmp/envoy.sock", secrets)}
    except ValueError as error:
        raise click.ClickException(str(error)) from error
    if tls_cert and tls_key:
        certificate, key, client_ca = ({"filename": str(file)} for file in (tls_cert, tls_key, tls_client_ca or ""))
        files |= secret_files(certificate, key, client_ca if tls_client_ca else None, str(tls_cert.parent))
    output.mkdir(parents=True, exist_ok=True)
    write_files(output, files, 0o644)  # no key is in them, and Envoy may run as another user
    for name in files:
        click.echo(output / name)
