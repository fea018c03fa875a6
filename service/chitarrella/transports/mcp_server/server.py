"""The MCP server: its tools and resources, over stdio and over streamable HTTP."""

from __future__ import annotations

from typing import Any, Final

import uvicorn
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.mcpserver import MCPServer
from mcp.shared.exceptions import MCPError
from mcp_types import UNSUPPORTED_PROTOCOL_VERSION, ToolAnnotations
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from chitarrella.transports.mcp_server.clients import Connect, by_language
from chitarrella.transports.mcp_server.match_tools import MatchTools
from chitarrella.transports.mcp_server.rule_books import add_rule_books
from chitarrella.transports.mcp_server.rule_tools import RuleTools
from chitarrella.transports.mcp_server.seats import SeatHolder
from chitarrella_client import Chitarrella

SESSION_IDLE_SECONDS: Final = 6 * 3600.0
"""After how long without a request an HTTP session loses its seats, in seconds."""
GRACE_SECONDS: Final = 2
"""How long calls may go on when the process is told to stop, in seconds."""
PATH: Final = "/mcp"
"""The path of the HTTP endpoint."""
INSTRUCTIONS: Final = (
    "Chitarrella knows the rules of Italian card games. Ask about rules with list_games, get_game, explain_rule, "
    "explain_hand, validate_move, resolve_trick and score_cards. To play: create_match (or take_seat), then in turn "
    "wait_for_turn and play_move with one of legal_moves, until `over` is true. You see the cards of your seat only. "
    "A refused move changes nothing; its refusals name the clause of the rule book."
)
"""What the host of a model is told about the server."""


def make_server(connect: Connect, seats: SeatHolder, version: str) -> MCPServer:
    """Return the server; it asks through clients of ``connect``, and holds the keys of ``seats``."""
    client = by_language(connect)
    server = MCPServer(
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
    seat = client.match(match_id, key).get().seat
    if seat is None:
        raise ValueError("the key is not that of a seat")
    seats.offer(match_id, {seat: key})
    return seat
