"""The command ``chitarrella mcp``: the server of tools and resources, over stdio and over streamable HTTP."""

from __future__ import annotations

import asyncio
import socket
from difflib import get_close_matches
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import click
import grpc
import uvicorn
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPError
from mcp_types import UNSUPPORTED_PROTOCOL_VERSION, ToolAnnotations
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic import ValidationError

from chitarrella.cli.common import ExampleCommand
from chitarrella.runtime.logs import configure_logging
from chitarrella.transports.inprocess import Service, channel
from chitarrella_client import Chitarrella, ChitarrellaError
from chitarrella_client.errors import BadRequest
from chitarrella_mcp.match_tools import MatchTools, SeatHolder
from chitarrella_mcp.rule_tools import RuleTools, add_rule_books
from chitarrella_mcp.tool_types import Connect, by_language, error_result

SESSION_IDLE_SECONDS: Final = 6 * 3600.0
"""After how long without a request an HTTP session loses its seats, in seconds."""
GRACE_SECONDS: Final = 2
"""How long calls may go on when the process is told to stop, in seconds."""
PATH: Final = "/mcp"
"""The path of the HTTP endpoint."""
INSTRUCTIONS: Final = (
    "Chitarrella knows the rules of regional card games. Ask about rules with list_games, get_game, explain_rule, "
    "explain_hand, validate_move, resolve_trick and score_cards. To play: create_match (or take_seat), then in turn "
    "wait_for_turn and play_move with one of legal_moves, until `over` is true. You see the cards of your seat only. "
    "A refused move changes nothing; its refusals name the clause of the rule book."
)
"""What the host of a model is told about the server."""
FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)
"""The type of an option that names an existing file."""


class ToolServer(MCPServer):
    """A server whose tools answer wrong arguments with a reason code."""

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None) -> Any:
        """Call a tool; a wrong argument is an error with its name, and an unknown one is not passed over."""
        known = next(
            (tool.input_schema["properties"] for tool in await self.list_tools() if tool.name == name), arguments
        )
        if unknown := next((argument for argument in arguments if argument not in known), ""):
            close = get_close_matches(unknown, known)
            text = f"did you mean {close[0]}?" if close else f"it takes {', '.join(known)}"
            return error_result(
                BadRequest("bad_request", f"{name} has no argument {unknown[:40]!r}; {text}", unknown[:40])
            )
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            first = error.__cause__.errors()[0]
            field = ".".join(map(str, first["loc"]))
            return error_result(BadRequest("bad_request", f"{field}: {first['msg']}", field))


def make_server(connect: Connect, seats: SeatHolder, version: str) -> MCPServer:
    """Return the server; it asks through clients of ``connect``, and holds the keys of ``seats``."""
    client = by_language(connect)
    server = ToolServer(
        "chitarrella",
        title="Chitarrella",
        instructions=INSTRUCTIONS,
        version=version,
        log_level="WARNING",
        subscriptions=False,
        middleware=[_need_session],
    )
    rules, matches = RuleTools(client), MatchTools(client, seats)
    for question in (
        *(rules.list_games, rules.get_game, rules.explain_rule, rules.explain_hand, rules.validate_move),
        *(rules.resolve_trick, rules.score_cards, matches.get_view, matches.explain_match_hand, matches.wait_for_turn),
    ):
        server.add_tool(question, annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False))
    for action in (matches.create_match, matches.take_seat, matches.play_move, matches.leave_match):
        hints = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
        server.add_tool(action, annotations=hints)
    add_rule_books(server, client)
    return server


async def _need_session(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Refuse the versions of the protocol that have no sessions over HTTP: a seat belongs to a session.

    Clients then fall back to a version that has them. Over stdio the process is the session.
    """
    if ctx.request is not None and ctx.protocol_version not in HANDSHAKE_PROTOCOL_VERSIONS:
        raise MCPError(
            UNSUPPORTED_PROTOCOL_VERSION,
            "Seats belong to sessions, which this version of the protocol does not have over HTTP.",
            {"supported": list(HANDSHAKE_PROTOCOL_VERSIONS), "requested": ctx.protocol_version},
        )
    return await call_next(ctx)


def make_http_server(server: MCPServer, host: str) -> uvicorn.Server:
    """Return an HTTP server to be run at a bound socket, which serves streamable HTTP at `PATH`.

    ``host`` is the host of that socket. At a loopback address requests are served only under its own host names, so
    that no web page can send them.
    """
    app = server.streamable_http_app(streamable_http_path=PATH, session_idle_timeout=SESSION_IDLE_SECONDS, host=host)
    return uvicorn.Server(
        uvicorn.Config(app, log_config=None, access_log=False, ws="none", timeout_graceful_shutdown=GRACE_SECONDS)
    )


def offer_seat(client: Chitarrella, seats: SeatHolder, match_id: str, key: str) -> int:
    """Open the seat of a key to the sessions of the server, and return it; raises `ChitarrellaError`."""
    match = client.match(match_id, key)
    seat = match.get().viewer
    if seat is None:
        raise ValueError("the key is not that of a seat")
    seats.offer(match_id, {seat: match.key})
    return seat


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
    if (match_id is None) != (seat_key_file is None) or (match_id and not address):
        raise click.UsageError("--match, --seat-key-file and --grpc belong together.")
    if address is None and (tls or tls_ca or api_key_file):
        raise click.UsageError("--tls, --tls-ca and --api-key-file are about the service that --grpc names.")
    if address is not None and sandbox:
        raise click.UsageError("--sandbox is about matches in this process; the service of --grpc has its own.")
    listener = _bind(listen) if listen else None
    connect = _remote(address, tls, tls_ca, api_key_file) if address else _local(sandbox)
    _run(connect, listener, match_id, seat_key_file)


def _remote(address: str, tls: bool, tls_ca: Path | None, api_key_file: Path | None) -> Connect:
    """Return clients of a running service."""
    ca = tls_ca.read_bytes() if tls_ca else None
    credentials = grpc.ssl_channel_credentials(ca) if tls or tls_ca else False
    api_key = api_key_file.read_text(encoding="utf-8").strip() if api_key_file else ""
    return lambda language: Chitarrella(address, tls=credentials, api_key=api_key, language=language)


def _local(sandbox: bool) -> Connect:
    """Return clients of a service in this process, whose matches end with it."""
    service = Service(sandbox=sandbox)
    return lambda language: Chitarrella(channel(service), language=language)


def _run(connect: Connect, listener: socket.socket | None, match_id: str | None, seat_key_file: Path | None) -> None:
    """Serve until the input ends, or over HTTP until a signal."""
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
