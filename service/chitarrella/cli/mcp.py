"""The command ``mcp``: games and seats for agents, over the Model Context Protocol."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chitarrella.cli.help_examples import ExampleCommand
from chitarrella.cli.tls_options import FILE

if TYPE_CHECKING:
    from chitarrella.transports.mcp_server.clients import Connect


@click.command(
    "mcp",
    cls=ExampleCommand,
    examples=(
        "chitarrella mcp",
        "chitarrella mcp --http 127.0.0.1:8090",
        "chitarrella mcp --grpc 127.0.0.1:50051 --match ID --seat-key-file match.txt",
    ),
)
@click.option("--http", "listen", metavar="HOST:PORT", show_default="speak over stdio",
              help="Serve streamable HTTP at this address; 127.0.0.1 keeps it on this machine.")  # fmt: skip
@click.option("--grpc", "address", metavar="HOST:PORT", show_default="play in this process",
              help="gRPC address of a running service, which keeps the matches.")  # fmt: skip
@click.option("--tls", is_flag=True, help="Speak TLS with that service.")
@click.option("--tls-ca", type=FILE, help="Trust these CAs (PEM); without it those of the system.")
@click.option("--api-key-file", type=FILE, help="The API key for that service.")
@click.option("--sandbox", is_flag=True,
              help="Allow seeds for matches in this process. Whoever knows a seed can compute every card.")  # fmt: skip
@click.option("--match", "match_id", metavar="ID", help="A match of that service with a seat for the agent.")
@click.option("--seat-key-file", type=FILE, help="The key of that seat.")
def command(
    listen: str | None,
    address: str | None,
    *,
    tls: bool,
    tls_ca: Path | None,
    api_key_file: Path | None,
    sandbox: bool,
    match_id: str | None,
    seat_key_file: Path | None,
) -> None:
    """Serve agents tools to ask about the rules and to play.

    Without options it speaks over stdio, as hosts of models start it, and keeps the matches in its own memory. An agent
    sees the cards of its own seat only: the keys of seats stay with the server.
    """
    if importlib.util.find_spec("mcp") is None or importlib.util.find_spec("chitarrella_client") is None:
        raise click.ClickException("agents need the extra 'mcp': pip install 'chitarrella[server,mcp]'")
    if (match_id is None) != (seat_key_file is None) or (match_id and not address):
        raise click.UsageError("--match, --seat-key-file and --grpc belong together.")
    if address is None and (tls or tls_ca or api_key_file):
        raise click.UsageError("--tls, --tls-ca and --api-key-file are about the service that --grpc names.")
    if address is not None and sandbox:
        raise click.UsageError("--sandbox is about matches in this process; the service of --grpc has its own.")
    listener = _bind(listen) if listen else None
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    connect = _remote(address, tls, tls_ca, api_key_file) if address else _local(sandbox)
    _run(connect, listener, match_id, seat_key_file)


def _remote(address: str, tls: bool, tls_ca: Path | None, api_key_file: Path | None) -> Connect:
    """Return clients of a running service."""
    import grpc

    from chitarrella_client import Chitarrella

    ca = tls_ca.read_bytes() if tls_ca else None
    credentials = grpc.ssl_channel_credentials(ca) if tls or tls_ca else False
    api_key = api_key_file.read_text(encoding="utf-8").strip() if api_key_file else ""
    return lambda language: Chitarrella(address, tls=credentials, api_key=api_key, language=language)


def _local(sandbox: bool) -> Connect:
    """Return clients of a service in this process, whose matches end with it."""
    from chitarrella.transports.inprocess import Service, channel
    from chitarrella_client import Chitarrella

    service = Service(sandbox=sandbox)
    return lambda language: Chitarrella(channel(service), language=language)


def _run(connect: Connect, listener: socket.socket | None, match_id: str | None, seat_key_file: Path | None) -> None:
    """Serve until the input ends, or over HTTP until a signal."""
    from importlib.metadata import version

    from chitarrella.api.log_lines import configure_logging
    from chitarrella.transports.mcp_server.seats import SeatHolder
    from chitarrella.transports.mcp_server.server import PATH, make_http_server, make_server, offer_seat
    from chitarrella_client import ChitarrellaError

    configure_logging("error")
    seats = SeatHolder()
    try:
        if match_id and seat_key_file:
            offer_seat(connect("en"), seats, match_id, seat_key_file.read_text(encoding="utf-8").strip())
        server = make_server(connect, seats, version("chitarrella"))
    except (ChitarrellaError, ValueError) as error:
        raise click.ClickException(str(error)) from None
    if listener is None:
        asyncio.run(server.run_stdio_async())
        return
    host, port = listener.getsockname()[:2]
    click.echo(f"MCP  http://{host}:{port}{PATH}")
    asyncio.run(make_http_server(server, host).serve([listener]))


def _bind(listen: str) -> socket.socket:
    """Bind the address of HTTP; port 0 takes a free one."""
    host, _, port = listen.rpartition(":")
    try:
        return socket.create_server(
            (host.strip("[]"), int(port)), family=socket.AF_INET6 if ":" in host else socket.AF_INET
        )
    except (OSError, ValueError, OverflowError) as error:
        raise click.ClickException(f"{listen} cannot be served ({error})") from None
