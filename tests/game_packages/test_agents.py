"""Agents that play the games of packages to their end, over the Model Context Protocol as hosts of models speak it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from chitarrella.catalogue.registry import Catalogue
from chitarrella_client import Chitarrella
from tests.agents.scripted_agent import ScriptedAgent, hand_of
from tests.cli.run_command import SERVICE, surroundings
from tests.example_packages import GAMES
from tests.game_packages.callers import SHORT
from tests.server.process import Service
from tests.servers import spawn, until

pytestmark = pytest.mark.timeout(240)
"""A match has some hundred calls of tools, on a machine that may be busy."""


def environment(site: Path) -> dict[str, str]:
    """The environment of a command that finds the packages."""
    return {**surroundings(), "PYTHONPATH": os.pathsep.join((str(SERVICE), str(site)))}


@contextmanager
def mcp_server(site: Path, folder: Path, *args: str) -> Iterator[str]:
    """Run ``chitarrella mcp`` over streamable HTTP for as long as the block lasts; yields the address."""
    command = [sys.executable, "-m", "chitarrella", "mcp", "--http", "127.0.0.1:0", *args]
    output = folder / "mcp.out"
    with output.open("w") as out:
        process = spawn(
            command, env=environment(site) | {"PYTHONUNBUFFERED": "1"}, stdout=out, stderr=subprocess.STDOUT
        )
    try:
        until(lambda: "MCP " in output.read_text() and output.read_text().endswith("\n"), "it listens")
        yield output.read_text().split()[1]
    finally:
        process.terminate()
        process.wait(30)


async def play_alone(agent: ScriptedAgent, game: str, catalogue: Catalogue) -> Any:
    """Play a match against a bot, and return its last view; one move that breaks a clause is tried on the way."""
    view = await agent.ask("create_match", game=game, players=2, options=dict(SHORT), seed="a match")
    card = next(card for card in catalogue.game(game).pack.cards if card not in hand_of(view, 0))
    refused = await agent.ask("play_move", move=f"play_card {card}", language="it")
    assert not refused["accepted"]
    clauses = {one["clause"]["key"] for one in refused["refusals"]}
    assert clauses <= {clause.key for clause in catalogue.game(game).clauses}
    while not view["over"]:
        assert [] == hand_of(view, 1)
        view = await agent.play_first(view) if view["your_turn"] else await agent.ask("wait_for_turn")
    return view


@pytest.mark.parametrize("game", GAMES)
async def test_an_agent_plays_a_match_over_stdio(site: Path, catalogue: Catalogue, game: str) -> None:
    """An agent finds the game, reads its rule book, is refused by its clauses, and plays a bot to the end."""
    args = ["-m", "chitarrella", "mcp", "--sandbox"]
    command = StdioServerParameters(command=sys.executable, args=args, env=environment(site))
    async with Client(command) as client:
        agent = ScriptedAgent(client)
        assert game in [one["game_id"] for one in (await agent.ask("list_games"))["games"]]
        (book,) = (await client.read_resource(f"chitarrella://rules/{game}?language=de")).contents
        assert all(f"**{clause.key}**" in getattr(book, "text", "") for clause in catalogue.game(game).clauses)
        view = await play_alone(agent, game, catalogue)
        assert max(view["scores"]) >= int(SHORT["target"])
        assert view["winners"]


async def test_two_agents_play_at_a_running_service_over_http(site: Path, service: Service, tmp_path: Path) -> None:
    """Two agents play each other at a live service: each sees its own hand, and a person may watch the match."""
    with mcp_server(site, tmp_path, "--grpc", service.grpc) as address:
        async with Client(address) as one, Client(address) as two:
            agents = [ScriptedAgent(one), ScriptedAgent(two)]
            view = await agents[0].ask("create_match", game="tressette", players=2, options=dict(SHORT), bots={})
            views = [view, await agents[1].ask("take_seat", match_id=view["match_id"])]
            while not views[0]["over"]:
                assert [[], []] == [hand_of(views[seat], 1 - seat) for seat in (0, 1)]
                (turn,) = (seat for seat in (0, 1) if views[seat]["your_turn"])
                views[turn] = await agents[turn].play_first(views[turn])
                views[1 - turn] = await agents[1 - turn].ask("get_view")
                views[turn] = views[turn] if not views[1 - turn]["over"] else await agents[turn].ask("get_view")
    assert views[0]["winners"] == views[1]["winners"] != []
    with Chitarrella(service.grpc) as client:
        seen = client.match(view["match_id"]).get()
        assert (True, list(views[0]["scores"])) == (seen.over, list(seen.view.scores))
